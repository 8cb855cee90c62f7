package e2e

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"retrace/e2e/hostile"
	"retrace/replay"
)

// forbidden is a host that a run must not reach: what it was asked for.
type forbidden struct {
	// host is a name with a port that leads to it, where the hostile site is reached as 127.0.0.1; udp a port that counts packets.
	host, udp string

	mu    sync.Mutex
	asked []string
}

func forbid(t *testing.T) *forbidden {
	t.Helper()
	f := &forbidden{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.note(strings.TrimPrefix(r.URL.Path, "/"))
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<!doctype html><title>Forbidden</title><h1>Forbidden</h1>")) // the browser may be gone
	}))
	t.Cleanup(server.Close)
	packets, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		buffer := make([]byte, 2000)
		for {
			if _, _, err := packets.ReadFrom(buffer); err != nil {
				return
			}
			f.note("udp")
		}
	}()
	t.Cleanup(func() {
		_ = packets.Close() // ends the reading
		<-done
	})
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	_, f.udp, err = net.SplitHostPort(packets.LocalAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	f.host = "localhost:" + port
	return f
}

func (f *forbidden) note(what string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, what)
}

// reached is what came, once each, sorted.
func (f *forbidden) reached() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := slices.Clone(f.asked)
	slices.Sort(out)
	return slices.Compact(out)
}

// Nothing that a page starts reaches a host that the rules leave out.
func TestHostRules(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	everything := []string{"SharedWorker", "Worker", "beacon", "events", "fetch", "iframe", "img", "popup", "redirect", "script", "socket", "udp"}
	for _, tt := range []struct {
		name    string
		flags   []string
		reached []string
	}{
		{"no rules", nil, everything},
		{"one host", []string{"--allow-host", "127.0.0.1"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			site, other := hostile.Serve(), forbid(t)
			defer site.Close()
			tr := try(t, hostile.Click(site.URL+"/leaks?"+other.host+","+other.udp), nil, append(tt.flags, "--timeout", patientTimeout.String())...)
			ends{""}.check(t, tr, site.Clicks("/leaks"))
			got := slices.DeleteFunc(other.reached(), func(s string) bool { return s == "prefetch" || s == "favicon.ico" })
			if !slices.Equal(got, tt.reached) {
				t.Errorf("reached %q, want %q", got, tt.reached)
			}
			if warned := strings.Contains(strings.Join(tr.result.Warnings, "\n"), other.host); warned != (tt.reached == nil) {
				t.Errorf("warnings %q", tr.result.Warnings)
			}
		})
	}
}

// An address that is not allowed ends the run with its reason, whichever way the run came to it.
func TestBlockedURL(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	for _, tt := range []struct {
		name   string
		start  func(site, other string) string
		flags  []string
		clicks int
		text   string
	}{
		{"recorded address", func(site, _ string) string { return site + "/plain" }, []string{"--deny-host", "127.0.0.1"}, 0, "is a denied host"},
		{"private address", func(site, _ string) string { return site + "/plain" }, []string{"--block-private"}, 0, "is a private address"},
		{"scheme", func(_, _ string) string { return "file:///etc/passwd" }, nil, 0, "only http and https are"},
		{"redirect", func(site, other string) string { return site + "/away?http://" + other + "/x" }, []string{"--allow-host", "127.0.0.1"}, 0, "none of the allowed hosts"},
		{"redirect to TLS", func(site, other string) string { return site + "/away?https://" + other + "/x" }, []string{"--allow-host", "127.0.0.1"}, 0, "led to a host"},
		{"after a click", func(site, other string) string { return site + "/leaves?http://" + other + "/x" }, []string{"--allow-host", "127.0.0.1"}, 1, "none of the allowed hosts"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			site, other := hostile.Serve(), forbid(t)
			defer site.Close()
			tr := try(t, hostile.Click(tt.start(site.URL, other.host)), nil, tt.flags...)
			ends{replay.BlockedURL}.check(t, tr, 0)
			if clicks := site.Clicks("/leaves"); clicks != tt.clicks {
				t.Errorf("%d clicks", clicks)
			}
			if tr.result.Failure != nil && !strings.Contains(tr.result.Failure.Text, tt.text) {
				t.Errorf("reason %q, want %q", tr.result.Failure.Text, tt.text)
			}
			if got := other.reached(); len(got) > 0 {
				t.Errorf("reached %q", got)
			}
		})
	}
}

// A scheme that is allowed is opened.
func TestAllowScheme(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	file := filepath.Join(t.TempDir(), "page.html")
	page := `<!doctype html><title>Trial</title><h1>Trial</h1><button onclick="document.body.append(Object.assign(document.createElement('h2'), {textContent: 'Done'}))">Go</button>`
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	tr := try(t, hostile.Click("file://"+filepath.ToSlash(file)), nil, "--allow-scheme", "file")
	ends{""}.check(t, tr, 1)
}

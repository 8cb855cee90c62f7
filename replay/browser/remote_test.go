package browser

import (
	"bufio"
	"errors"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

func TestWebSocketURL(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/json/version" {
			http.NotFound(w, r)
			return
		}
		w.Write([]byte(`{"webSocketDebuggerUrl":"ws://` + r.Host + `/devtools/browser/1"}`))
	}))
	defer srv.Close()
	empty := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write([]byte(`{}`)) }))
	defer empty.Close()
	host := strings.TrimPrefix(srv.URL, "http://")
	tests := []struct{ in, want, err string }{
		{in: "http://" + host, want: "ws://" + host + "/devtools/browser/1"},
		{in: "http://" + host + "/", want: "ws://" + host + "/devtools/browser/1"},
		{in: "ws://" + host, want: "ws://" + host + "/devtools/browser/1"},
		{in: "ws://far.example/devtools/browser/7", want: "ws://far.example/devtools/browser/7"},
		{in: "wss://far.example/?token=x", want: "wss://far.example/?token=x"},
		{in: empty.URL, err: "names no webSocketDebuggerUrl"},
		{in: "ftp://x", err: "want a ws://"},
		{in: "localhost:9222", err: "want a ws://"},
	}
	for _, tt := range tests {
		got, err := webSocketURL(testContext(t), tt.in)
		if got != tt.want || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("webSocketURL(%q) = %q, %v; want %q, %q", tt.in, got, err, tt.want, tt.err)
		}
	}
}

func TestRemote(t *testing.T) {
	found, err := Find("")
	if err != nil {
		launch(t) // skips or fails
	}
	args := append(commandLine(t.TempDir(), Options{}, root()), "--remote-debugging-port=0")
	cmd := exec.CommandContext(testContext(t), found.Path, args...)
	isolate(cmd)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	chrome := &process{cmd: cmd}
	defer func() { chrome.kill(); cmd.Wait(); chrome.sweep(testContext(t)) }()
	var address string
	for lines := bufio.NewScanner(stderr); address == "" && lines.Scan(); {
		if m := regexp.MustCompile(`DevTools listening on ws://([^/]*)`).FindStringSubmatch(lines.Text()); m != nil {
			address = "http://" + m[1]
		}
	}
	base, _ := serve(t, map[string]string{"/": `<title>there</title>`})
	first, err := Launch(testContext(t), Options{Remote: address})
	if err != nil {
		t.Fatal(err)
	}
	c, err := first.NewContext(testContext(t), ContextOptions{})
	if err != nil {
		t.Fatal(err)
	}
	second, err := Launch(testContext(t), Options{Remote: address})
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	p := openPage(t, c, base+"/")
	if title, err := p.Title(testContext(t)); err != nil || title != "there" {
		t.Errorf("title = %q, %v", title, err)
	}
	if first.PID() != 0 || len(first.Notes()) != 0 || !strings.Contains(first.Version(), "Chrome/") {
		t.Errorf("pid %d, notes %q, version %q", first.PID(), first.Notes(), first.Version())
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	if _, err := p.Title(testContext(t)); !errors.Is(err, ErrPageClosed) && !errors.Is(err, ErrBrowserClosed) {
		t.Errorf("call after Close: %v", err)
	}
	// The browser lives on, for others.
	c2, err := second.NewContext(testContext(t), ContextOptions{})
	if err != nil {
		t.Fatal(err)
	}
	openPage(t, c2, base+"/")
	chrome.kill()
	<-second.Died()
	if err := second.Err(); !errors.Is(err, ErrBrowserDied) {
		t.Errorf("Err() = %v", err)
	}
}

func TestLaunchFailures(t *testing.T) {
	tests := []struct {
		name string
		opts Options
		want string
	}{
		{"no such browser", Options{Path: "/nowhere/chrome"}, "does not exist"},
		{"not a browser", Options{Path: "/bin/true"}, "browser died"},
		{"prints why", Options{Path: "/bin/ls"}, "unrecognized option"},
		{"no such remote", Options{Remote: "http://127.0.0.1:1"}, "127.0.0.1:1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if strings.HasPrefix(tt.opts.Path, "/bin") {
				if _, err := exec.LookPath(tt.opts.Path); err != nil {
					t.Skip(err)
				}
			}
			_, err := Launch(testContext(t), tt.opts)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error = %v, want one with %q", err, tt.want)
			}
		})
	}
}

package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// A page hears at once that it may not, unless it was granted.
func TestPermissions(t *testing.T) {
	base, _ := serve(t, map[string]string{"/": `<title>x</title>`})
	b := launch(t)
	for _, granted := range [][]string{nil, {"notifications", "clipboard-read"}} {
		c, err := b.NewContext(testContext(t), ContextOptions{Permissions: granted})
		if err != nil {
			t.Fatal(err)
		}
		p := openPage(t, c, base+"/")
		for _, name := range []string{"geolocation", "notifications", "camera", "microphone", "clipboard-read", "midi", "local-fonts"} {
			want := "denied"
			if strings.Contains(fmt.Sprint(granted), name) {
				want = "granted"
			}
			if got := eval[string](t, p, fmt.Sprintf(`navigator.permissions.query({name: %q}).then(s => s.state)`, name)); got != want {
				t.Errorf("%s is %s, want %s", name, got, want)
			}
		}
		if got := eval[string](t, p, `new Promise(r => navigator.geolocation.getCurrentPosition(() => r('position'), e => r('code ' + e.code)))`); got != "code 1" {
			t.Errorf("the position: %s", got)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := CheckPermission("telepathy"); err == nil {
		t.Error("an unknown permission is taken")
	}
}

// What exceeds the limit is cancelled, whether its size was announced or not, and leaves nothing behind.
func TestDownloadLimit(t *testing.T) {
	const limit = 1 << 20
	stop := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		if r.URL.Path == "/" {
			h.Set("Content-Type", "text/html")
			fmt.Fprint(w, "<title>x</title>")
			return
		}
		h.Set("Content-Disposition", `attachment; filename="`+r.URL.Path[1:]+`"`)
		h.Set("Content-Type", "application/octet-stream")
		block := make([]byte, 64<<10)
		switch r.URL.Path {
		case "/announced":
			h.Set("Content-Length", fmt.Sprint(limit+1))
			w.Write(block)
			http.NewResponseController(w).Flush()
			select { // the rest never comes
			case <-r.Context().Done():
			case <-stop:
			}
		case "/endless":
			for r.Context().Err() == nil {
				if _, err := w.Write(block); err != nil {
					return
				}
			}
		default: // 640 KB: one fits, two do not
			for range 10 {
				w.Write(block)
			}
		}
	}))
	t.Cleanup(srv.Close)
	t.Cleanup(func() { close(stop) })
	dir := t.TempDir()
	c := newContext(t, ContextOptions{DownloadDir: dir, DownloadLimit: limit})
	p := openPage(t, c, srv.URL+"/")
	for _, tt := range []struct {
		name     string
		tooLarge bool
	}{{"announced", true}, {"endless", true}, {"first", false}, {"second", true}} {
		_ = p.Navigate(testContext(t), srv.URL+"/"+tt.name) // a download is no page
		var got []Download
		for len(got) == 0 {
			if got = c.TakeDownloads(); len(got) > 0 {
				break
			}
			c.mu.Lock()
			changed := c.changed
			waiting := len(c.downloads.list) == 0 || c.downloads.list[0].State == "inProgress"
			c.mu.Unlock()
			if waiting {
				select {
				case <-changed:
				case <-testContext(t).Done():
					t.Fatalf("%s: no end", tt.name)
				}
			}
		}
		if d := got[0]; len(got) != 1 || d.TooLarge != tt.tooLarge || (d.Path == "") != tt.tooLarge {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 || entries[0].Name() != "first" {
		t.Errorf("left in the directory: %v, %v", entries, err)
	}
}

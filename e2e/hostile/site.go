package hostile

import (
	"embed"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
)

//go:embed pages
var pages embed.FS

// base is what every page begins with: the button that tells of its clicks, and the function that ends the task.
const base = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Trial</title><script>
function done() {
	if (document.getElementById('done')) return;
	const h = document.createElement('h2');
	h.id = 'done'; h.textContent = 'Done';
	document.body.append(h);
}
function clicked() { fetch('/clicked' + location.pathname, {method: 'POST', keepalive: true}); done(); }
</script>`

// Site serves the hostile pages and counts the clicks on them. A page NAME.html is served at /NAME. Beside them there are
// /hang (never answers), /loop (redirects to itself), /away (redirects to what the query says), /error (status 500), /nothing (204) and /file (a download).
type Site struct {
	*httptest.Server
	stop chan struct{}

	mu      sync.Mutex
	clicks  map[string]int
	waiting map[string]chan struct{}
	visits  atomic.Int64
}

// Serve starts a site; the caller closes it.
func Serve() *Site {
	s := &Site{stop: make(chan struct{}), clicks: map[string]int{}, waiting: map[string]chan struct{}{}}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	return s
}

// Close lets hanging requests go and stops the site.
func (s *Site) Close() {
	close(s.stop)
	s.Server.CloseClientConnections()
	s.Server.Close()
}

// Clicks is the number of clicks on the page at path since the site was started.
func (s *Site) Clicks(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clicks[path]
}

// Asked closes when the path is asked for.
func (s *Site) Asked(path string) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked(path)
}

func (s *Site) asked(path string) chan struct{} {
	ch := s.waiting[path]
	if ch == nil {
		ch = make(chan struct{})
		s.waiting[path] = ch
	}
	return ch
}

func (s *Site) note(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch := s.asked(path)
	select {
	case <-ch:
	default:
		close(ch)
	}
}

func (s *Site) serve(w http.ResponseWriter, r *http.Request) {
	s.note(r.URL.Path)
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	if page, ok := strings.CutPrefix(r.URL.Path, "/clicked"); ok {
		s.mu.Lock()
		s.clicks[page]++
		s.mu.Unlock()
		w.WriteHeader(http.StatusNoContent)
		return
	}
	switch r.URL.Path {
	case "/hang":
		select {
		case <-r.Context().Done():
		case <-s.stop:
		}
	case "/loop":
		http.Redirect(w, r, fmt.Sprintf("/loop?%d", s.visits.Add(1)), http.StatusFound)
	case "/away":
		http.Redirect(w, r, r.URL.RawQuery, http.StatusFound)
	case "/error":
		h.Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(http.StatusInternalServerError)
		write(w, `<!doctype html><title>Error</title><h1>Internal error</h1><button>Retry</button>`)
	case "/nothing":
		w.WriteHeader(http.StatusNoContent)
	case "/file":
		h.Set("Content-Disposition", `attachment; filename="report.csv"`)
		h.Set("Content-Type", "text/csv; charset=utf-8")
		write(w, "id,amount\n1,20\n")
	case "/worker.js":
		h.Set("Content-Type", "text/javascript; charset=utf-8")
		write(w, "self.addEventListener('install', e => self.skipWaiting());\nself.addEventListener('activate', e => e.waitUntil(clients.claim()));\nself.addEventListener('fetch', e => e.respondWith(fetch(e.request)));\n")
	default:
		name := strings.TrimPrefix(r.URL.Path, "/")
		data, err := pages.ReadFile("pages/" + name + ".html")
		if err != nil {
			http.NotFound(w, r)
			return
		}
		h.Set("Content-Type", "text/html; charset=utf-8")
		write(w, base+string(data))
	}
}

func write(w io.Writer, text string) {
	_, _ = io.WriteString(w, text) // the browser may be gone
}

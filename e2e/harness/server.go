package harness

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

//go:embed observer.js
var observer string

const observerTag = `<script src="/__observer.js"></script>`

// brokenPage is the answer to /__500.
const brokenPage = `<!doctype html><html lang="en"><head>` + observerTag + `<meta charset="utf-8"><title>Error</title></head><body><h1>Something went wrong</h1><p>Please try again later.</p></body></html>`

// Event is something that an observed page reported.
type Event struct {
	// Type is click, input, change, keydown, or check: then Value says whether the task is done.
	Type string `json:"type"`
	// Truth is the data-truth attribute of the element or of the nearest element around it, CSS its path in the document.
	Truth string `json:"truth"`
	CSS   string `json:"css"`
	// Control is the field of the label that the element is in.
	Control string `json:"control"`
	URL     string `json:"url"`
	Value   any    `json:"value"` // a text in other events
	// Within is set in recorded events when all of the element counts as touched.
	Within any `json:"within"`
}

// Server serves a site on a free port and collects what its pages report. Besides the site it answers ?__delay=MS on
// any path, /__hang (never), /__204, /__500 (an error page) and /__download (an attachment).
type Server struct {
	*httptest.Server
	site fs.FS

	open   atomic.Int32  // connections
	closed chan struct{} // told of a connection that was closed

	mu    sync.Mutex
	check string
	seen  []Event
}

// Serve starts a server for site; the caller closes it.
func Serve(site fs.FS) *Server {
	s := &Server{site: site, check: "false", closed: make(chan struct{}, 1)}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	s.Config.ConnState = s.count
	s.Start()
	return s
}

func (s *Server) count(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.open.Add(1)
	case http.StateClosed, http.StateHijacked:
		s.open.Add(-1)
		select {
		case s.closed <- struct{}{}:
		default: // one signal is enough
		}
	}
}

// Begin forgets what was seen and sets the expression that pages evaluate.
func (s *Server) Begin(check string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.check, s.seen = check, nil
}

// Seen gives the events since Begin.
func (s *Server) Seen() []Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Event(nil), s.seen...)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	if ms, err := strconv.Atoi(r.URL.Query().Get("__delay")); err == nil && ms > 0 {
		select { // a slow server is what the recording is about
		case <-time.After(time.Duration(ms) * time.Millisecond):
		case <-r.Context().Done():
			return
		}
	}
	switch r.URL.Path {
	case "/__observer.js":
		text(w, "text/javascript; charset=utf-8", http.StatusOK, observer)
	case "/__check":
		s.mu.Lock()
		check := s.check
		s.mu.Unlock()
		text(w, "text/plain; charset=utf-8", http.StatusOK, check)
	case "/__observe":
		s.observe(w, r)
	case "/__hang":
		<-r.Context().Done()
	case "/__204":
		w.WriteHeader(http.StatusNoContent)
	case "/__500":
		text(w, "text/html; charset=utf-8", http.StatusInternalServerError, brokenPage)
	case "/__download":
		w.Header().Set("Content-Disposition", `attachment; filename="export.csv"`)
		text(w, "text/csv; charset=utf-8", http.StatusOK, "id,amount\n1,20\n")
	default:
		s.file(w, r)
	}
}

func text(w http.ResponseWriter, kind string, status int, body string) {
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body) // the browser may be gone
}

func (s *Server) observe(w http.ResponseWriter, r *http.Request) {
	var events []Event
	if err := json.NewDecoder(r.Body).Decode(&events); err == nil { // a page that is closed can cut its report off
		s.mu.Lock()
		s.seen = append(s.seen, events...)
		s.mu.Unlock()
	}
	w.WriteHeader(http.StatusNoContent)
}

var headTag = regexp.MustCompile(`(?i)<head[^>]*>`)

func (s *Server) file(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	if name == "" {
		name = "."
	}
	if info, err := fs.Stat(s.site, name); err == nil && info.IsDir() {
		if !strings.HasSuffix(r.URL.Path, "/") {
			u := url.URL{Path: r.URL.Path + "/", RawQuery: r.URL.RawQuery}
			http.Redirect(w, r, u.String(), http.StatusMovedPermanently)
			return
		}
		name = path.Join(name, "index.html")
	}
	data, err := fs.ReadFile(s.site, name)
	if err != nil {
		text(w, "text/plain; charset=utf-8", http.StatusNotFound, fmt.Sprintf("not found %q", r.URL.Path))
		return
	}
	kind := mime.TypeByExtension(path.Ext(name))
	if kind == "" {
		kind = "application/octet-stream"
	}
	body := string(data)
	if path.Ext(name) == ".html" {
		kind = "text/html; charset=utf-8"
		if at := headTag.FindStringIndex(body); at != nil {
			body = body[:at[1]] + observerTag + body[at[1]:]
		} else {
			body = observerTag + body
		}
	}
	w.Header().Set("Cache-Control", "no-cache")
	text(w, kind, http.StatusOK, body)
}

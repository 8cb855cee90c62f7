// Package flaky holds pages that are flaky, each for one known reason, pages that are not, and recordings made on them.
//
// A page draws its fault from the variable lot, a number from 0 to 1 that the server gives anew to each run: a run begins with
// the first page of a recording. From one half on, the fault is there. The numbers depend on the seed of the server
// alone, and among any four runs there are two with the fault, so that short tests see it too.
package flaky

import (
	"embed"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"
)

//go:embed site
var files embed.FS

// slow is how long the server takes for an answer that is late by its fault.
const slow = 3400 * time.Millisecond

// Server serves the pages on a free port. Besides them it answers /lot.js and /data, the latter with the faults that it is
// asked for: ?fault=fails and ?fault=slow.
type Server struct {
	*httptest.Server

	mu   sync.Mutex
	seed uint64
	runs int
	lot  float64
}

// Serve starts a server; the caller closes it. Runs on it must follow one another, each beginning at first, such as
// "late-button.html".
func Serve(seed uint64, first string) (*Server, error) {
	site, err := fs.Sub(files, "site")
	if err != nil {
		return nil, err
	}
	s := &Server{seed: seed}
	pages := http.FileServerFS(site)
	mux := http.NewServeMux()
	mux.HandleFunc("/lot.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		w.Header().Set("Cache-Control", "no-store")
		fmt.Fprintf(w, "const lot = %.4f;", s.now())
	})
	mux.HandleFunc("/data", s.data)
	mux.HandleFunc("/favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/"+first && r.URL.RawQuery == "" {
			s.next()
		}
		w.Header().Set("Cache-Control", "no-store")
		pages.ServeHTTP(w, r)
	})
	s.Server = httptest.NewServer(mux)
	return s, nil
}

// next draws the lot of another run. Of four runs in a row each gets a lot from another quarter.
func (s *Server) next() {
	s.mu.Lock()
	defer s.mu.Unlock()
	const quarters = 4
	order := rand.New(rand.NewPCG(s.seed, uint64(s.runs/quarters))).Perm(quarters)
	within := rand.New(rand.NewPCG(s.seed, uint64(s.runs))).Float64()
	s.lot = (float64(order[s.runs%quarters]) + within) / quarters
	s.runs++
}

func (s *Server) now() float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lot
}

// data answers a request of a page.
func (s *Server) data(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	switch fault := r.URL.Query().Get("fault"); {
	case s.now() < 0.5:
	case fault == "fails":
		http.Error(w, "out of order", http.StatusServiceUnavailable)
		return
	case fault == "slow":
		select { // the fault itself
		case <-time.After(slow):
		case <-r.Context().Done():
			return
		}
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprint(w, "{}")
}

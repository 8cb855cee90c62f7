// Package flaky holds pages that are flaky, each for one known reason, pages that are not, and recordings made on them.
//
// A page draws its fault from the variable lot, a number from 0 to 1 that the server gives anew to each run: a run begins with
// the first page of a recording, which sets a cookie, so that several runs can be under way. From one half on, the fault is there.
// The numbers depend on the seed of the server and on which run begins first alone, and among any four runs there are two with the
// fault, so that short tests see it too.
package flaky

import (
	"embed"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync/atomic"
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

	seed uint64
	runs atomic.Int64
}

// lotCookie holds the lot of a run.
const lotCookie = "lot"

// Serve starts a server; the caller closes it. Each run on it begins at first, such as "late-button.html", with a cookie jar of its
// own.
func Serve(seed uint64, first string) (*Server, error) {
	site, err := fs.Sub(files, "site")
	if err != nil {
		return nil, err
	}
	s := &Server{seed: seed}
	pages := http.FileServerFS(site)
	mux := http.NewServeMux()
	mux.HandleFunc("/lot.js", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		w.Header().Set("Cache-Control", "no-store")
		fmt.Fprintf(w, "const lot = %.4f;", lot(r))
	})
	mux.HandleFunc("/data", s.data)
	mux.HandleFunc("/favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/"+first && r.URL.RawQuery == "" {
			http.SetCookie(w, &http.Cookie{Name: lotCookie, Value: fmt.Sprintf("%.4f", s.next()), Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
		}
		w.Header().Set("Cache-Control", "no-store")
		pages.ServeHTTP(w, r)
	})
	s.Server = httptest.NewServer(mux)
	return s, nil
}

// next draws the lot of another run. Of four runs in a row each gets a lot from another quarter.
func (s *Server) next() float64 {
	const quarters = 4
	run := int(s.runs.Add(1)) - 1
	order := rand.New(rand.NewPCG(s.seed, uint64(run/quarters))).Perm(quarters)
	within := rand.New(rand.NewPCG(s.seed, uint64(run))).Float64()
	return (float64(order[run%quarters]) + within) / quarters
}

// lot is that of the run which a request is of.
func lot(r *http.Request) float64 {
	c, err := r.Cookie(lotCookie)
	if err != nil {
		return 0
	}
	n, err := strconv.ParseFloat(c.Value, 64)
	if err != nil {
		return 0
	}
	return n
}

// data answers a request of a page.
func (s *Server) data(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	switch fault := r.URL.Query().Get("fault"); {
	case lot(r) < 0.5:
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

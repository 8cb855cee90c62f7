package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
)

// frames is the number of frames of the frames flow; those from apart on are shown from another site, so that Chrome gives
// them a process of their own.
const (
	frames = 5
	apart  = 4
)

// flow is a task on generated pages.
type flow struct {
	// Name is how the table calls it; Rows is how many rows the page has below the form, for flows on the form.
	Name string
	Rows int
	make func(base string) *recording
	Slow bool // it takes so long that fewer rounds have to do
}

// flows are the flows of the benchmark, in the order of the table.
func flows() []flow {
	return []flow{
		formFlow("form", 0, 1), formFlow("form, 1,000 rows", 1_000, 1), formFlow("form, 5,000 rows", 5_000, 1), formFlow("form, 10,000 rows", 10_000, 1),
		formFlow("form, 50,000 elements", 16_640, 1), {Name: "20 page loads", make: chapters}, {Name: "5 frames", make: parts}, {Name: "hover and keys", make: pointer},
	}
}

// formFlow fills the form in, times times over.
func formFlow(name string, rows, times int) flow {
	return flow{Name: name, Rows: rows, Slow: rows >= 10_000, make: func(base string) *recording { return form(base, rows, times) }}
}

func form(base string, rows, times int) *recording {
	url := fmt.Sprintf("%s/form.html?rows=%d", base, rows)
	r := &recording{start: url}
	values := map[string]string{}
	shot := func(said string) int {
		return r.state(url, "Order form", func(refs *refs) []string { return formLines(refs, values, said, rows) })
	}
	at := shot("")
	for n := range times {
		for i := 1; i <= fields; i++ {
			value := fmt.Sprint("value ", letters(i+n))
			r.step("fill", at, at, "textbox", fieldName(i), map[string]any{"value": value, "commit": "blur"})
			values[fieldName(i)] = value
		}
		for i := 1; i <= lists; i++ {
			value := colours[(i+n)%len(colours)]
			r.step("select", at, at, "combobox", listName(i), map[string]any{"selection": []any{map[string]any{"value": value, "label": value}}})
			values[listName(i)] = value
		}
		for i := 1; i <= buttons; i++ {
			after := shot(message(i))
			r.step("click", at, after, "button", buttonName(i), nil)
			at = after
		}
	}
	return r
}

func chapters(base string) *recording {
	r := &recording{start: base + "/chapter-1.html"}
	chapter := func(i int) int {
		return r.state(fmt.Sprintf("%s/chapter-%d.html", base, i), fmt.Sprintf("Chapter %d", i), func(refs *refs) []string { return chapterLines(refs, i) })
	}
	at := chapter(1)
	for i := 2; i <= 21; i++ {
		after := chapter(i)
		r.step("click", at, after, "link", "Next chapter", nil)
		at = after
	}
	return r
}

func parts(base string) *recording {
	url := base + "/frames.html"
	r := &recording{start: url}
	values := map[string]string{}
	shot := func(kept int) int {
		return r.state(url, "Frames", func(refs *refs) []string { return framesLines(refs, values, kept) })
	}
	at := shot(0)
	for i := 1; i <= frames; i++ {
		note := "Note " + letters(i)
		r.step("fill", at, at, "textbox", note, map[string]any{"value": "about " + letters(i), "commit": "blur"})
		values[note] = "about " + letters(i)
		after := shot(i)
		r.step("click", at, after, "button", "Keep "+letters(i), nil)
		at = after
	}
	return r
}

func pointer(base string) *recording {
	url := base + "/keys.html"
	r := &recording{start: url}
	shot := func(said string) int {
		return r.state(url, "Keys", func(refs *refs) []string { return pointerLines(refs, said) })
	}
	at := shot("")
	for i := 1; i <= 5; i++ {
		after := shot("Over " + letters(i))
		r.step("hover", at, after, "button", "Item "+letters(i), nil)
		at = after
	}
	for i := 1; i <= 5; i++ {
		after := shot("Pressed " + letters(i))
		r.step("press", at, after, "textbox", "Key "+letters(i), map[string]any{"key": "ArrowDown"})
		at = after
	}
	return r
}

// site serves the pages of all flows.
func site() *httptest.Server {
	var s *httptest.Server
	s = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		var n int
		switch {
		case r.URL.Path == "/form.html":
			fmt.Sscanf(r.URL.Query().Get("rows"), "%d", &n)
			fmt.Fprint(w, formHTML(n))
		case r.URL.Path == "/keys.html":
			fmt.Fprint(w, pointerHTML())
		case r.URL.Path == "/frames.html":
			var addresses []string
			for i := 1; i <= frames; i++ {
				host := s.URL
				if i >= apart {
					host = strings.Replace(host, "127.0.0.1", "localhost", 1)
				}
				addresses = append(addresses, fmt.Sprintf("%s/part-%d.html", host, i))
			}
			fmt.Fprint(w, framesHTML(addresses))
		case scan(r.URL.Path, "/part-%d.html", &n):
			fmt.Fprint(w, partHTML(n))
		case scan(r.URL.Path, "/chapter-%d.html", &n):
			fmt.Fprint(w, chapterHTML(n))
		default:
			http.NotFound(w, r)
		}
	}))
	return s
}

func scan(path, form string, n *int) bool {
	_, err := fmt.Sscanf(path, form, n)
	return err == nil
}

package replay

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"strings"
)

// collect moves what the page reported meanwhile into the step's result.
func (r *runner) collect(s *StepResult) {
	if r.context == nil {
		return
	}
	r.collectDialogs(s)
	for _, d := range r.context.TakeDownloads() {
		name := d.Path
		if rel, err := filepath.Rel(r.o.ReportDir, d.Path); err == nil && d.Path != "" {
			name = rel
		}
		if name == "" {
			name = clip(d.SuggestedName, 120) + " (" + d.State + ")"
		}
		if d.TooLarge {
			s.warnf("the download %q was cancelled: with it there would be more than %d bytes, the limit of a run", clip(d.SuggestedName, 120), r.o.DownloadLimit)
		}
		s.Downloads = append(s.Downloads, name)
	}
	s.Console = append(s.Console, r.context.TakeConsole()...)
	for _, line := range r.context.TakeFailedRequests() {
		if !strings.HasSuffix(line, "/favicon.ico") { // asked for by the browser itself, on sites that have none
			s.Requests = append(s.Requests, line)
		}
	}
	r.collectTraffic(s)
}

// collectTraffic adds the requests since the last call to those of the step.
func (r *runner) collectTraffic(s *StepResult) {
	sent := r.context.TakeRequests()
	if t := r.counters[r.page]; t == nil || t.unknown {
		return
	}
	if s.Traffic == nil {
		s.Traffic = &Traffic{}
	}
	s.Traffic.Sent += sent.Sent
	s.Traffic.Parts += sent.Parts
	for _, q := range sent.List {
		if len(s.Traffic.List) < mostRequests {
			s.Traffic.List = append(s.Traffic.List, Request{Method: q.Method, URL: r.hide(q.URL), Kind: strings.ToLower(q.Kind), Status: q.Status, Failed: q.Failed})
		}
	}
}

// mostRequests bounds the requests that a step lists.
const mostRequests = 20

func (r *runner) collectDialogs(s *StepResult) {
	for _, d := range r.context.TakeDialogs() {
		s.Dialogs = append(s.Dialogs, Dialog{Type: d.Type, Text: d.Text, Answer: d.Answer})
	}
}

// fingerprint sums up everything that a person could notice on the page, the focus aside.
func (v *view) fingerprint() uint64 {
	h := fnv.New64a()
	put := func(parts ...string) {
		for _, p := range parts {
			h.Write([]byte(p))
			h.Write([]byte{0})
		}
	}
	put(v.url, v.title)
	if v.tree == nil {
		data, _ := json.Marshal(v.probe) // maps are written in order
		h.Write(data)
		return h.Sum64()
	}
	for _, n := range v.tree.Nodes {
		l := n.Live
		put(n.Role, n.Name, n.Value, l.Checked, l.Pressed, l.Expanded, l.Selected, fmt.Sprint(l.Disabled, l.ReadOnly, l.Hidden))
	}
	return h.Sum64()
}

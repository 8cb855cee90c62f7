package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"time"
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
		s.Downloads = append(s.Downloads, name)
	}
	s.Console = append(s.Console, r.context.TakeConsole()...)
	s.Requests = append(s.Requests, r.context.TakeFailedRequests()...)
}

func (r *runner) collectDialogs(s *StepResult) {
	for _, d := range r.context.TakeDialogs() {
		s.Dialogs = append(s.Dialogs, Dialog{Type: d.Type, Text: d.Text, Answer: d.Answer})
	}
}

// shoot takes a picture of a failed step into the report directory. A page into which a secret was typed is not shown.
func (r *runner) shoot(ctx context.Context, s *StepResult) {
	if r.o.ReportDir == "" || r.page == nil || ctx.Err() != nil {
		return
	}
	if len(r.typed) > 0 {
		s.notef("no screenshot, since the page may show a secret")
		return
	}
	short, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	data, err := r.page.Screenshot(short, "jpeg", 70)
	if err != nil {
		r.o.Log.Debug("no screenshot", "err", err)
		return
	}
	name := fmt.Sprintf("step-%d.jpg", s.Index)
	if r.attempt > 1 {
		name = fmt.Sprintf("attempt-%d-%s", r.attempt, name)
	}
	dir := filepath.Join(r.o.ReportDir, "screenshots")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		s.notef("the screenshot could not be written: %v", err)
		return
	}
	f, err := os.CreateTemp(dir, "shot-*.jpg")
	if err == nil {
		_, err = f.Write(data)
		if e := f.Close(); err == nil {
			err = e
		}
		if err == nil {
			err = os.Rename(f.Name(), filepath.Join(dir, name))
		}
	}
	if err != nil {
		s.notef("the screenshot could not be written: %v", err)
		return
	}
	s.Screenshot = filepath.Join("screenshots", name)
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

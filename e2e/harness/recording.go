package harness

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Recording is a recording and what is known about it.
type Recording struct {
	Name string // of its directory
	Dir  string
	// Check is an expression of JavaScript that is true in the page in which the task is done.
	Check string
	// Secrets are the values that the recording does not hold.
	Secrets map[string]string
	// Want are the verdicts that a good engine may get.
	Want []Verdict
	// Reason says why, in words.
	Reason string
	// Unjudged is set when the recording misleads beyond what anyone could know.
	Unjudged bool

	touched map[string]bool // data-truth names and paths of elements that may be touched
	within  []string        // paths of elements with all that is in them
}

// Recordings reads every recording in dir, in the order of their names.
func Recordings(dir string) ([]*Recording, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("recordings: %w", err)
	}
	var out []*Recording
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		r, err := readRecording(filepath.Join(dir, e.Name()))
		if errors.Is(err, fs.ErrNotExist) {
			continue // a directory without expect.json is not a recording
		}
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("recordings: none in %s", dir)
	}
	return out, nil
}

func readRecording(dir string) (*Recording, error) {
	var expect struct {
		Check     string            `json:"check"`
		Secrets   map[string]string `json:"secrets"`
		Want      string            `json:"want"`
		Reason    string            `json:"reason"`
		Faithful  *bool             `json:"faithful"`
		Unjudged  bool              `json:"unjudged"`
		Untouched any               `json:"untouched"` // true for everything, or a list of names
	}
	if err := readJSON(filepath.Join(dir, "expect.json"), &expect); err != nil {
		return nil, err
	}
	var events []Event
	if err := readJSON(filepath.Join(dir, "events.json"), &events); err != nil {
		return nil, fmt.Errorf("%s: %v", dir, err) // not absence of the recording
	}
	r := &Recording{Name: filepath.Base(dir), Dir: dir, Check: expect.Check, Secrets: expect.Secrets, Reason: expect.Reason, Unjudged: expect.Unjudged, touched: map[string]bool{}}
	if r.Check == "" {
		r.Check = "window.__done"
	}
	if expect.Want == "" {
		expect.Want = string(OK)
		if expect.Faithful != nil && !*expect.Faithful {
			expect.Want = string(OK) + "|" + string(Stop)
		}
	}
	for w := range strings.SplitSeq(expect.Want, "|") {
		r.Want = append(r.Want, Verdict(w))
	}
	for _, e := range events {
		if touches(e) {
			r.touched[e.name()], r.touched[e.CSS] = true, true
		}
		if e.Within != nil && e.Within != false {
			r.within = append(r.within, e.CSS)
		}
	}
	switch untouched := expect.Untouched.(type) {
	case bool:
		if untouched {
			clear(r.touched)
		}
	case []any:
		for _, name := range untouched {
			delete(r.touched, fmt.Sprint(name))
		}
	}
	return r, nil
}

func readJSON(file string, into any) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

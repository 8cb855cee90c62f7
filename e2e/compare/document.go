package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"retrace/e2e/harness"
	"retrace/e2e/peers"
)

// ours is the name of retrace in tables.
const ours = "retrace"

// tools are the columns.
var tools = []string{ours, peers.Playwright.Name, peers.Replay.Name}

// document is the JSON form.
type document struct {
	Date     string            `json:"date"`
	Machine  string            `json:"machine"`
	Timeout  string            `json:"timeout"`
	Versions map[string]string `json:"versions"`
	Sums     []sum             `json:"sums"`
	Rows     []row             `json:"rows"`
}

// row are the verdicts on one recording.
type row struct {
	Set      string                     `json:"set"`
	Name     string                     `json:"name"`
	Want     []harness.Verdict          `json:"want"`
	Verdicts map[string]harness.Verdict `json:"verdicts"`
	// Says is what a tool said that did not do the task.
	Says map[string]string `json:"says,omitempty"`
}

// sum counts what became of the recordings of a set.
type sum struct {
	Set  string `json:"set"`
	Tool string `json:"tool"`
	// Right are verdicts that the recording allows: the task done, or a stop where only a stop will do. Stopped are stops where
	// the task could have been done, or was. Silent and Wrong are the lies.
	Right   int `json:"right"`
	Stopped int `json:"stopped"`
	Silent  int `json:"silent"`
	Wrong   int `json:"wrong"`
	Of      int `json:"of"`
}

func newDocument(ctx context.Context, timeout string) (*document, error) {
	d := &document{
		Date: time.Now().UTC().Format(time.DateOnly), Timeout: timeout, Versions: map[string]string{},
		Machine: fmt.Sprintf("%s/%s, %d cores", runtime.GOOS, runtime.GOARCH, runtime.NumCPU()),
	}
	var err error
	if d.Versions["node"], err = peers.NodeVersion(ctx); err != nil {
		return nil, err
	}
	for _, t := range []peers.Tool{peers.Playwright, peers.Replay} {
		if d.Versions[t.Name], err = t.Version(); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func (r row) line() string {
	var parts []string
	for _, t := range tools {
		parts = append(parts, fmt.Sprintf("%s %s", t, r.Verdicts[t]))
	}
	return strings.Join(parts, ", ")
}

func (d *document) sum() {
	for _, set := range sets {
		for _, t := range tools {
			s := sum{Set: set.name, Tool: t}
			for _, r := range d.Rows {
				if r.Set != set.name {
					continue
				}
				s.Of++
				switch v := r.Verdicts[t]; {
				case slices.Contains(r.Want, v):
					s.Right++
				case v == harness.Silent:
					s.Silent++
				case v == harness.Wrong:
					s.Wrong++
				default:
					s.Stopped++
				}
			}
			d.Sums = append(d.Sums, s)
		}
	}
}

// table is the sums as Markdown.
func (d *document) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s, node %s, %s for an action\n\n", d.Date, d.Machine, d.Versions["node"], d.Timeout)
	b.WriteString("| | tool | right | stopped needlessly | silent: success without it | wrong element |\n|---|---|---|---|---|---|\n")
	for _, s := range d.Sums {
		name := s.Tool
		if v := d.Versions[s.Tool]; v != "" {
			name += " " + v
		}
		fmt.Fprintf(&b, "| %d %s | %s | %d | %d | %d | %d |\n", s.Of, s.Set, name, s.Right, s.Stopped, s.Silent, s.Wrong)
	}
	return b.String()
}

func milliseconds(d string) (string, error) {
	parsed, err := time.ParseDuration(d)
	if err != nil {
		return "", fmt.Errorf("--timeout: %w", err)
	}
	return strconv.FormatInt(parsed.Milliseconds(), 10), nil
}

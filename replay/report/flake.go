package report

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"retrace/replay"
	"retrace/replay/flake"
)

// Names of the files that a hunt for flakiness leaves in a report directory, beside those of its runs.
const (
	FlakeFile     = "flake.html"
	FlakeJSONFile = "flake.json"
)

// PrepareFlake refuses a report directory whose flake.html or flake.json is of another origin.
func PrepareFlake(dir string) error {
	if err := check(filepath.Join(dir, FlakeFile), ownPage); err != nil {
		return err
	}
	return CheckFlake(filepath.Join(dir, FlakeJSONFile))
}

// CheckFlake refuses a file that [WriteFlakeJSON] could not write or should not overwrite.
func CheckFlake(file string) error {
	return check(file, func(head []byte) bool { return bytes.Contains(head, []byte(`"generator": "retrace-flake"`)) })
}

// WriteFlakeJSON writes what a hunt found to file, atomically.
func WriteFlakeJSON(file string, r *flake.Report) error {
	if err := CheckFlake(file); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := EncodeJSON(&b, r); err != nil {
		return fmt.Errorf("flake: %w", err)
	}
	return write(file, b.Bytes())
}

// Hunt shows the runs of a hunt as they end, and what they tell.
type Hunt struct {
	*Terminal
	began bool
}

// NewHunt writes to w.
func NewHunt(w io.Writer, style Style) *Hunt { return &Hunt{Terminal: NewTerminal(w, style, "", nil)} }

// Run shows one run that has ended, the done-th of so many that are planned.
func (h *Hunt) Run(v flake.Variant, r *replay.Result, done, planned int) {
	if !h.began {
		h.began = true
		fmt.Fprintf(h.w, "%s %s\n", h.paint(bold, text(r.Trace)), h.paint(dim, plural(len(r.Steps), "step")))
	}
	line := fmt.Sprintf("%s %*d/%d %s", h.mark(r.Verdict), len(strconv.Itoa(planned)), done, planned, text(v.Name))
	if v.Seed != 0 {
		line += h.paint(dim, " seed "+strconv.FormatUint(v.Seed, 10))
	}
	line += "  " + h.paint(dim, seconds(r.DurationMS)+"s")
	if r.Failure != nil {
		line += "  " + h.paint(red, heading(r))
	}
	fmt.Fprintln(h.w, line)
}

// Found shows what the runs tell: a table of the steps, then each that is not stable with its causes.
func (h *Hunt) Found(r *flake.Report) {
	if len(r.Steps) > 0 {
		fmt.Fprintln(h.w)
		h.steps(r)
	}
	for _, s := range r.Steps {
		if s.Verdict != flake.Stable {
			h.suspect(&s, s.Index == r.First)
		}
	}
	if r.Failure != nil && r.First < 0 {
		fmt.Fprintf(h.w, "\n%s\n", h.paint(red, "✗ "+string(r.Failure.Code)+": "+text(r.Failure.Text)))
		if r.Failure.Hint != "" {
			fmt.Fprintf(h.w, "  hint: %s\n", text(r.Failure.Hint))
		}
	}
	fmt.Fprintf(h.w, "\n%s: %s\n", h.paint(flakeColor(r.Verdict), string(r.Verdict)), text(FlakeSummary(r)))
}

func flakeColor(v flake.Verdict) sgr {
	switch v {
	case flake.Stable:
		return green
	case flake.Unsteady, flake.Starved:
		return yellow
	}
	return red
}

func (h *Hunt) steps(r *flake.Report) {
	rows := [][]string{{"", "step", "title", "plain", "stress", "there", "ready", "effect", "margin"}}
	for _, s := range r.Steps {
		plain, stress := flakeRates(&s)
		rows = append(rows, []string{flakeMark(s.Verdict), stepIDs(s.Steps), text(s.Title), plain, stress, times(s.Found), times(s.Ready), times(s.Shown), margin(&s)})
	}
	width := h.style.Width
	if width < 60 {
		width = 120
	}
	for i, line := range table(rows, width, []float64{1. / 40, 1. / 20, 1. / 3}) {
		if i == 0 {
			line = h.paint(dim, line)
		}
		fmt.Fprintln(h.w, line)
	}
}

func flakeMark(v flake.Verdict) string {
	switch v {
	case flake.Stable:
		return "✓"
	case flake.Unsteady, flake.Starved:
		return "!"
	}
	return "✗"
}

// flakeRates are "18/20" for the plain runs and for those under stress.
func flakeRates(s *flake.Step) (plain, stress string) {
	var p, n, sp, sn int
	for _, r := range s.Rates {
		if r.Of == flake.Plain {
			p, n = p+r.Passed, n+r.Reached
		} else {
			sp, sn = sp+r.Passed, sn+r.Reached
		}
	}
	if n > 0 {
		plain = fmt.Sprintf("%d/%d", p, n)
	}
	if sn > 0 {
		stress = fmt.Sprintf("%d/%d", sp, sn)
	}
	return plain, stress
}

// times are the least, the median and the greatest of milliseconds, in seconds.
func times(s *flake.Spread) string {
	if s == nil {
		return ""
	}
	if seconds(s.Min) == seconds(s.Max) {
		return seconds(s.Min) + "s"
	}
	return seconds(s.Min) + "…" + seconds(s.Median) + "…" + seconds(s.Max) + "s"
}

// margin says by how much the chosen element was ahead of the next.
func margin(s *flake.Step) string {
	switch {
	case s.Margin == nil && s.Alone > 0:
		return "alone"
	case s.Margin == nil:
		return ""
	case s.Margin.Min == s.Margin.Max:
		return fmt.Sprintf("%.2f", s.Margin.Min)
	}
	return fmt.Sprintf("%.2f…%.2f", s.Margin.Min, s.Margin.Max)
}

func (h *Hunt) suspect(s *flake.Step, first bool) {
	head := fmt.Sprintf("%s step %s %s: %s", flakeMark(s.Verdict), stepIDs(s.Steps), text(s.Title), s.Verdict)
	if first {
		head += ", the first step that differs"
	}
	fmt.Fprintf(h.w, "\n%s\n  %s\n", h.paint(flakeColor(s.Verdict), head), text(s.Why))
	for i, c := range s.Causes {
		word := "cause"
		if i > 0 {
			word = "or"
		}
		fmt.Fprintf(h.w, "  %s: %s %s\n", word, h.paint(bold, string(c.Cause)), h.paint(dim, fmt.Sprintf("%.2f", c.Weight)))
		for _, e := range c.Evidence {
			fmt.Fprintf(h.w, "    · %s\n", text(e))
		}
		if i == 0 {
			fmt.Fprintf(h.w, "    cure: %s\n", text(c.Cure))
		}
	}
	for _, c := range s.Changed {
		fmt.Fprintf(h.w, "  changed: %s: %s\n", text(c.What), text(changed(c)))
	}
}

// changed lists the values of a kind of evidence with their numbers of runs.
func changed(c flake.Change) string {
	parts := make([]string, len(c.Values))
	for i, v := range c.Values {
		parts[i] = fmt.Sprintf("%s (%d)", v.Text, v.Runs)
	}
	return strings.Join(parts, ", ")
}

// FlakeSummary is the line that sums a hunt up.
func FlakeSummary(r *flake.Report) string {
	plain, stress := 0, 0
	for _, run := range r.Runs {
		if run.Kind == flake.Plain {
			plain++
		} else {
			stress++
		}
	}
	runs := fmt.Sprintf("%s, %d under stress, seed %d", plural(plain, "plain run"), stress, r.Seed)
	for _, s := range r.Steps {
		if s.Index != r.First {
			continue
		}
		at := fmt.Sprintf("step %s %s", stepIDs(s.Steps), s.Title)
		if len(s.Causes) > 0 {
			return fmt.Sprintf("%s at %s; %s", s.Causes[0].Cause, at, runs)
		}
		return at + " " + s.Why + "; " + runs
	}
	return runs
}

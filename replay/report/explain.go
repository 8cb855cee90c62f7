package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"retrace/replay"
	"retrace/resolve"
)

// Explain writes an explanation for people: what was looked for and where, the candidates with their evidence, the decision,
// and what would have made it certain.
func Explain(w io.Writer, style Style, e *replay.Explanation) error {
	t := &Terminal{w: w, style: style}
	b := &strings.Builder{}
	t.w = b
	fmt.Fprintf(b, "%s\n", t.paint(bold, fmt.Sprintf("step %d %s", e.Step, text(e.Title))))
	fmt.Fprintf(b, "  recorded: %s\n", text(recordedTarget(e.Target)))
	if e.Recorded != "" {
		fmt.Fprintf(b, "  recorded page: %s\n", text(e.Recorded))
	}
	if e.URL != "" {
		fmt.Fprintf(b, "  live page: %s %s\n", text(strconv.Quote(e.PageTitle)), text(e.URL))
	}
	for _, n := range e.Notes {
		fmt.Fprintf(b, "  note: %s\n", text(n))
	}
	if e.Decision != nil {
		t.evidence(e.Decision)
		t.decision(e.Decision)
	}
	if n := len(e.Before); n > 0 && e.Before[n-1].Failure != nil {
		s := &e.Before[n-1]
		fmt.Fprintf(b, "  the replay stopped before it, at step %s %s\n", stepIDs(s.Steps), text(s.Title))
	}
	if f := e.Failure; f != nil && (e.Decision == nil || f.Text != e.Decision.Why) {
		fmt.Fprintf(b, "  %s\n", t.paint(red, string(f.Code)+": "+text(f.Text)))
		for _, l := range f.Evidence {
			if e.Decision == nil || l != e.Decision.Why {
				fmt.Fprintf(b, "  · %s\n", text(l))
			}
		}
	}
	for _, c := range e.Certain {
		fmt.Fprintf(b, "  certain with: %s\n", text(c))
	}
	if e.Failure != nil && e.Failure.Hint != "" {
		fmt.Fprintf(b, "  hint: %s\n", text(e.Failure.Hint))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// recordedTarget is what the recording says about a target, in one line.
func recordedTarget(r replay.RecordedTarget) string {
	parts := []string{}
	if r.Role != "" {
		parts = append(parts, r.Role)
	}
	if r.Name != "" {
		parts = append(parts, strconv.Quote(r.Name))
	}
	if r.Context != "" {
		parts = append(parts, "near "+strconv.Quote(r.Context))
	}
	if r.Ref != "" {
		parts = append(parts, "line "+r.Ref+" of the page text")
	}
	if r.Unmatched {
		parts = append(parts, "(known from the document only)")
	}
	return strings.Join(parts, " ")
}

// evidence writes the table of candidates: the chosen one is marked, and each has a line for every piece of evidence.
func (t *Terminal) evidence(d *resolve.Decision) {
	if len(d.Candidates) == 0 {
		fmt.Fprintln(t.w, "  candidates: none")
		return
	}
	fmt.Fprintf(t.w, "  candidates: %d", max(d.Total, len(d.Candidates)))
	if d.Total > len(d.Candidates) {
		fmt.Fprintf(t.w, ", the first %d", len(d.Candidates))
	}
	fmt.Fprintln(t.w)
	rows := [][]string{{"#", "role", "name", "where", "state", "evidence"}}
	for i := range d.Candidates {
		c := &d.Candidates[i]
		mark := strconv.Itoa(i + 1)
		if c.Chosen {
			mark += " ✓"
		}
		rows = append(rows, candidateRow(mark, c, fmt.Sprintf("%s, surroundings %.2f", c.Tier, c.Score)))
	}
	width := t.style.Width
	if width < 60 {
		width = 120
	}
	for i, line := range table(rows, width-4, []float64{1. / 16, 1. / 8, 1. / 4, 1. / 4, 1. / 8}) {
		if i == 0 {
			fmt.Fprintf(t.w, "    %s\n", t.paint(dim, line))
			continue
		}
		fmt.Fprintf(t.w, "    %s\n", line)
		for _, e := range d.Candidates[i-1].Evidence {
			sign := t.paint(red, "−")
			if e.Agrees {
				sign = t.paint(green, "+")
			}
			fmt.Fprintf(t.w, "        %s %s: %s\n", sign, text(e.Kind), text(e.Text))
		}
	}
}

// decision writes the outcome of a search.
func (t *Terminal) decision(d *resolve.Decision) {
	word := t.paint(green, string(d.Outcome))
	if d.Outcome != resolve.One {
		word = t.paint(red, string(d.Outcome))
	}
	fmt.Fprintf(t.w, "  decision: %s: %s\n", word, text(d.Why))
	for _, w := range d.Warnings {
		fmt.Fprintf(t.w, "  weak: %s\n", text(w))
	}
}

// Decision writes the candidates of a search with their evidence, and its outcome.
func Decision(w io.Writer, style Style, d *resolve.Decision) {
	t := &Terminal{w: w, style: style}
	t.evidence(d)
	t.decision(d)
}

package report

import (
	"fmt"
	"slices"
	"strings"

	"retrace/replay"
	"retrace/resolve"
)

// candidates writes the table of a failed step's candidates: role, name, where, state and what differs.
func (t *Terminal) candidates(s *replay.StepResult) {
	d := s.Decision
	if len(d.Candidates) == 0 {
		return
	}
	const shown = 8
	total := max(d.Total, len(d.Candidates))
	rows := [][]string{{"role", "name", "where", "state", "what differs"}}
	for i := range d.Candidates[:min(shown, len(d.Candidates))] {
		c := &d.Candidates[i]
		rows = append(rows, candidateRow("", c, differs(c))[1:])
	}
	fmt.Fprintf(t.w, "  candidates: %d", total)
	if total > len(rows)-1 {
		fmt.Fprintf(t.w, ", the first %d", len(rows)-1)
	}
	fmt.Fprintln(t.w)
	width := t.style.Width
	if width < 60 {
		width = 120
	}
	for i, line := range table(rows, width-4, shares) {
		if i == 0 {
			line = t.paint(dim, line)
		}
		fmt.Fprintf(t.w, "    %s\n", line)
	}
}

// candidateRow are the cells of a candidate: mark, role, name, where, state, and a last one.
func candidateRow(mark string, c *resolve.Candidate, last string) []string {
	where := c.Where
	if c.Frame != "" {
		where = strings.TrimSpace("frame " + c.Frame + " " + where)
	}
	return []string{mark, Clean(c.Role), Clean(fmt.Sprintf("%q", c.Name)), Clean(where), Clean(c.State), Clean(last)}
}

// shares are the parts of the line that the columns may take; the last one takes what it needs, since it says what
// matters.
var shares = []float64{1. / 8, 1. / 4, 1. / 3, 1. / 8}

// table lays rows out in columns; the first row is the head, and a column that says nothing is left out.
func table(rows [][]string, width int, shares []float64) []string {
	lines := make([]string, len(rows))
	for c := range rows[0] {
		if !slices.ContainsFunc(rows[1:], func(r []string) bool { return r[c] != "" }) {
			continue
		}
		room := longest
		if c < len(shares) {
			room = max(int(shares[c]*float64(width)), 12)
		}
		widest := 0
		for _, r := range rows {
			widest = max(widest, columns(fit(r[c], room)))
		}
		for i, r := range rows {
			lines[i] += pad(fit(r[c], room), widest) + "  "
		}
	}
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}

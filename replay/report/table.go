package report

import (
	"fmt"
	"slices"
	"strings"

	"retrace/replay"
)

// candidates writes the table of a failed step's candidates: role, name, where, state and what differs. A column that
// says nothing is left out, and no column but the last takes more than a part of the line.
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
		where := c.Where
		if c.Frame != "" {
			where = strings.TrimSpace("frame " + c.Frame + " " + where)
		}
		rows = append(rows, []string{Clean(c.Role), Clean(fmt.Sprintf("%q", c.Name)), Clean(where), Clean(c.State), Clean(differs(c))})
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
	for i, line := range table(rows, width-4) {
		if i == 0 {
			line = t.paint(dim, line)
		}
		fmt.Fprintf(t.w, "    %s\n", line)
	}
}

// table lays rows out in columns within width; the first row is the head.
func table(rows [][]string, width int) []string {
	var keep []int
	for c := range rows[0] {
		if slices.ContainsFunc(rows[1:], func(r []string) bool { return r[c] != "" }) {
			keep = append(keep, c)
		}
	}
	lines := make([]string, len(rows))
	used := 0
	for k, c := range keep {
		room := max(width-used, 12)
		if k < len(keep)-1 {
			room = min(room, max(width/5, 12))
		}
		widest := 0
		for _, r := range rows {
			widest = max(widest, columns(fit(r[c], room)))
		}
		for i, r := range rows {
			lines[i] += pad(fit(r[c], room), widest) + "  "
		}
		used += widest + 2
	}
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}

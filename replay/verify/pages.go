package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"retrace/resolve"
	"retrace/resolve/axtree"
)

// Change says how a line of one page relates to the other page.
type Change string

// Changes.
const (
	Same        Change = "same"
	Moved       Change = "moved"       // it stands elsewhere
	Altered     Change = "changed"     // another name, value or state in the same place
	Appeared    Change = "appeared"    // only the live page has it
	Disappeared Change = "disappeared" // only the recorded page has it
	Left        Change = "left_out"    // stands for lines that are the same
)

// Row is a line of two pages side by side.
type Row struct {
	Change   Change `json:"change"`
	Depth    int    `json:"depth"`
	Recorded string `json:"recorded,omitempty"`
	Live     string `json:"live,omitempty"`
}

// Pages are a recorded and a live page side by side.
type Pages struct {
	Rows []Row `json:"rows"`
	// Appeared, Disappeared, Changed and Same count the lines of the whole pages; one that only moved counts as the same.
	Appeared    int `json:"appeared"`
	Disappeared int `json:"disappeared"`
	Changed     int `json:"changed"`
	Same        int `json:"same"`
	// Cut counts rows that are left out at the end.
	Cut int `json:"cut,omitempty"`
	// Notes say what the comparison cannot tell.
	Notes []string `json:"notes,omitempty"`
}

// Limits of a comparison.
const (
	mostLines   = 4000 // of a page
	mostRows    = 160
	contextRows = 2
)

// Compare puts two pages side by side. Lines are compared by role family and name, in their order; what stands elsewhere is
// found again. Of long runs of equal lines only the ends are shown.
func Compare(recorded, live *axtree.Tree) Pages {
	was, is := outline(recorded), outline(live)
	var p Pages
	if len(was) > mostLines || len(is) > mostLines {
		p.Notes = append(p.Notes, fmt.Sprintf("the pages are large: only the first %d lines of each are compared", mostLines))
		was, is = was[:min(len(was), mostLines)], is[:min(len(is), mostLines)]
	}
	if recorded.Truncated {
		p.Notes = append(p.Notes, "the recorded page text was cut off: what stands after its end is not known")
	}
	if d := newModal(recorded, live); d != nil {
		p.Notes = append(p.Notes, "a dialog is open that the recording does not show; what is behind it is not compared")
		was = nil
	}
	onlyDialog := recorded.Modal()
	if onlyDialog {
		p.Notes = append(p.Notes, "when this was recorded a dialog was open, and what is behind it is not in the recording")
	}
	rows := align(was, is)
	swapped(rows)
	kept := rows[:0]
	for _, r := range rows {
		switch r.Change {
		case Appeared:
			if onlyDialog && !r.open {
				continue
			}
			p.Appeared++
		case Disappeared:
			p.Disappeared++
		case Altered:
			p.Changed++
		default:
			p.Same++
		}
		kept = append(kept, r)
	}
	p.Rows = condense(kept)
	if len(p.Rows) > mostRows {
		p.Cut = len(p.Rows) - mostRows
		p.Rows = p.Rows[:mostRows]
	}
	return p
}

// newModal is the modal dialog that is open on a live page and that the recorded one has not; nil when there is none. The browser
// takes all that is behind it from the accessibility tree.
func newModal(recorded, live *axtree.Tree) *axtree.Node {
	for _, n := range live.Nodes {
		if n.Live == nil || !n.Live.Modal || n.Live.Hidden {
			continue
		}
		if !slices.ContainsFunc(recorded.Nodes, func(r *axtree.Node) bool {
			return resolve.Family(r.Role) == resolve.Family(n.Role) && resolve.Normalise(r.Name) == resolve.Normalise(n.Name)
		}) {
			return n
		}
	}
	return nil
}

// Differs reports whether there is anything that is not the same.
func (p *Pages) Differs() bool { return p.Appeared+p.Disappeared+p.Changed > 0 }

// aligned is a row with what it was made of.
type aligned struct {
	Row
	was, is *line
	open    bool
}

// align finds out which line of one page is which of the other.
func align(was, is []line) []aligned {
	var rows []aligned
	i, j := 0, 0
	for _, op := range script(was, is) {
		switch op {
		case udiff.Equal:
			rows = append(rows, both(&was[i], &is[j], Same))
			i, j = i+1, j+1
		case udiff.Delete:
			rows = append(rows, aligned{Row: Row{Change: Disappeared, Depth: was[i].Depth, Recorded: was[i].Text}, was: &was[i]})
			i++
		case udiff.Insert:
			rows = append(rows, aligned{Row: Row{Change: Appeared, Depth: is[j].Depth, Live: is[j].Text}, is: &is[j], open: is[j].open})
			j++
		}
	}
	var out, gap []aligned
	for _, r := range moved(rows) {
		if r.Change == Disappeared || r.Change == Appeared {
			gap = append(gap, r)
			continue
		}
		out = append(append(out, pair(gap)...), r)
		gap = nil
	}
	return append(out, pair(gap)...)
}

// script are the operations that lead from the one list of lines to the other.
func script(was, is []line) []udiff.OpKind {
	text := func(lines []line) string {
		var b strings.Builder
		for _, l := range lines {
			b.WriteString(strings.ReplaceAll(l.key, "\n", " "))
			b.WriteByte('\n')
		}
		return b.String()
	}
	before, after := text(was), text(is)
	ops := make([]udiff.OpKind, 0, len(was)+len(is))
	fill := func(kind udiff.OpKind, n int) {
		for range n {
			ops = append(ops, kind)
		}
	}
	at := 0 // byte of before
	for _, e := range udiff.Lines(before, after) {
		fill(udiff.Equal, strings.Count(before[at:e.Start], "\n"))
		fill(udiff.Delete, strings.Count(before[e.Start:e.End], "\n"))
		fill(udiff.Insert, strings.Count(e.New, "\n"))
		at = e.End
	}
	fill(udiff.Equal, strings.Count(before[at:], "\n"))
	return ops
}

// both is a row of two lines. Equal names with another value or state are a change, as far as both sides say something about it.
func both(was, is *line, c Change) aligned {
	if c == Same && !agree(was, is) {
		c = Altered
	}
	return aligned{Row: Row{Change: c, Depth: is.Depth, Recorded: was.Text, Live: is.Text}, was: was, is: is, open: is.open}
}

// agree reports whether two lines show the same value, as far as the recorded one shows any. A recording has the value of the chosen
// option of a list where the live page shows its text.
func agree(was, is *line) bool {
	switch {
	case was.value == "" || was.value == is.value || strings.Contains(was.value, "•••"):
		return true
	case is.sent != "" && was.value == is.sent:
		return true
	}
	return strings.HasSuffix(was.value, "…") && strings.HasPrefix(is.value, strings.TrimSuffix(was.value, "…"))
}

// swapped finds lines of the same name of which one shows the value that the other had: their rows have changed places.
func swapped(rows []aligned) {
	differ := map[string][]int{}
	for i, r := range rows {
		if r.Change == Altered && r.was.key == r.is.key {
			differ[r.was.key] = append(differ[r.was.key], i)
		}
	}
	for _, places := range differ {
		if len(places)*len(places) > mostPairs {
			continue
		}
		for _, i := range places {
			for _, j := range places {
				if i != j && rows[i].Change == Altered && rows[j].Change == Altered && agree(rows[i].was, rows[j].is) {
					was, is, other := rows[i].was, rows[j].is, rows[i].is
					rows[j] = both(rows[j].was, other, Same)
					rows[i] = both(was, is, Moved)
					break
				}
			}
		}
	}
}

// mostPairs bounds the pairs of lines that are compared in one gap.
const mostPairs = 40000

// pair finds in a gap the lines that are the same thing with another name: same role, and a name that is alike, or no other
// of that role on either side.
func pair(gap []aligned) []aligned {
	var gone, come []int
	for i, r := range gap {
		if r.Change == Disappeared {
			gone = append(gone, i)
		} else {
			come = append(come, i)
		}
	}
	if len(gone)*len(come) > mostPairs {
		return gap
	}
	soft := make([]string, len(gap))
	roles := map[Change]map[string]int{Disappeared: {}, Appeared: {}}
	for i, r := range gap {
		l := r.line()
		soft[i], _ = resolve.Soften(l.name)
		roles[r.Change][resolve.Family(l.role)]++
	}
	used := map[int]bool{}
	for _, alike := range []func(g, c int) bool{
		func(g, c int) bool { return soft[g] == soft[c] },
		func(g, c int) bool { return similar(gap[g].was.name, gap[c].is.name) },
		func(g, c int) bool {
			f := resolve.Family(gap[g].was.role)
			return f != "StaticText" && roles[Disappeared][f] == 1 && roles[Appeared][f] == 1
		},
	} {
		for _, g := range gone {
			for _, c := range come {
				if gap[g].Change == Disappeared && !used[c] && resolve.Family(gap[g].was.role) == resolve.Family(gap[c].is.role) && alike(g, c) {
					gap[g] = both(gap[g].was, gap[c].is, Altered)
					used[c] = true
				}
			}
		}
	}
	out := make([]aligned, 0, len(gap))
	for i, r := range gap {
		if !used[i] {
			out = append(out, r)
		}
	}
	return out
}

// line is the line of a row that has one side only.
func (r aligned) line() *line {
	if r.was != nil {
		return r.was
	}
	return r.is
}

// moved takes lines that disappeared in one place and appeared in another for the same.
func moved(rows []aligned) []aligned {
	elsewhere := map[string][]int{}
	for i, r := range rows {
		if r.Change == Appeared {
			elsewhere[r.is.key] = append(elsewhere[r.is.key], i)
		}
	}
	gone := map[int]bool{}
	for i, r := range rows {
		if r.Change != Disappeared || len(elsewhere[r.was.key]) == 0 {
			continue
		}
		j := elsewhere[r.was.key][0]
		elsewhere[r.was.key] = elsewhere[r.was.key][1:]
		rows[i] = both(r.was, rows[j].is, Same)
		if rows[i].Change == Same {
			rows[i].Change = Moved
		}
		gone[j] = true
	}
	out := rows[:0]
	for i, r := range rows {
		if !gone[i] {
			out = append(out, r)
		}
	}
	return out
}

// similar reports whether two names share at least a third of their words.
func similar(a, b string) bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(strings.ToLower(a)) {
		words[w] = true
	}
	total := len(words)
	shared := 0
	seen := map[string]bool{}
	for _, w := range strings.Fields(strings.ToLower(b)) {
		if seen[w] {
			continue
		}
		seen[w] = true
		if words[w] {
			shared++
		} else {
			total++
		}
	}
	return shared > 0 && 3*shared >= total
}

// condense leaves out equal lines that are far from any change.
func condense(rows []aligned) []Row {
	near := make([]bool, len(rows))
	for i, r := range rows {
		if r.Change == Same || r.Change == Moved {
			continue
		}
		for j := max(0, i-contextRows); j <= min(len(rows)-1, i+contextRows); j++ {
			near[j] = true
		}
	}
	out := []Row{}
	skipped := 0
	flush := func() {
		text := fmt.Sprintf("%d lines that are the same", skipped)
		if skipped == 1 {
			text = "1 line that is the same"
		}
		if skipped > 0 {
			out = append(out, Row{Change: Left, Recorded: text})
		}
		skipped = 0
	}
	for i, r := range rows {
		if !near[i] {
			skipped++
			continue
		}
		flush()
		out = append(out, r.Row)
	}
	flush()
	return out
}

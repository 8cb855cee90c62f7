package verify

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"retrace/replay/trace"
	"retrace/resolve"
)

type kind int

const (
	appeared kind = iota
	vanished
	address
	retitled
)

// item is one recorded change.
type item struct {
	kind       kind
	role, name string
	count      int  // how often the later recorded page has it
	message    bool // it stands in a live region
	weight     float64

	seen, already, soft bool
	heard               bool // seen in a text that came to the page, and may be gone again
}

// Expectation watches a live page for the recorded effect of one step.
type Expectation struct {
	items  []*item
	base   *index
	last   *index
	after  *index          // the recorded page after the step; nil when no effect is recorded
	known  map[string]bool // every text of the recorded pages
	kept   []key           // what both recorded pages show, and the live one showed before the step
	ahead  []*item         // what the page after the next one shows: a live page may be there already
	passed bool
}

// Expect prepares for the effect that led from one recorded page to another. Live is the page as it was before the step.
// Ahead is a later recorded page that the live page may reach without a further action; nil when there is none.
func Expect(before, after, ahead *trace.State, live Sight) *Expectation {
	e := &Expectation{base: live.index, known: map[string]bool{}}
	e.last = e.base
	if before == nil || after == nil || before == after || before.ID == after.ID {
		return e
	}
	e.items = difference(before, after)
	if ahead != nil && ahead.ID != after.ID && ahead.ID != before.ID {
		e.ahead = difference(after, ahead)
	}
	for _, s := range []*trace.State{before, after, ahead} {
		if s == nil {
			continue
		}
		for _, n := range s.Tree.Nodes {
			e.known[resolve.Normalise(n.Name)] = true
		}
	}
	was, is := recorded(before.Tree), recorded(after.Tree)
	e.after = is
	for k := range was.counts {
		if is.counts[k] > 0 && e.base.any(k) > 0 {
			e.kept = append(e.kept, k)
		}
	}
	for _, it := range append(slices.Clone(e.items), e.ahead...) {
		it.already = e.base.shows(it, nil)
	}
	return e
}

// shows reports whether the index shows the item now. Base, when given, is the page before the step: volatile text counts
// only when it was not there before.
func (x *index) shows(it *item, base *index) bool {
	switch it.kind {
	case address:
		return SamePage(it.name, x.url) && (SameQuery(it.name, x.url) || base != nil && x.url != base.url)
	case retitled:
		return resolve.Normalise(x.title) == it.name
	case vanished:
		n := x.count(it.role, it.name)
		return n <= it.count || base != nil && n < base.count(it.role, it.name)
	}
	n := x.count(it.role, it.name)
	if n > 0 && n >= it.count {
		return true
	}
	return base != nil && n > base.count(it.role, it.name)
}

// softly reports whether the index shows text that differs from the item's only in numbers and dates, and that was not
// there before.
func (x *index) softly(it *item, base *index) bool {
	if it.kind == retitled {
		s, ok := resolve.Soften(it.name)
		t, _ := resolve.Soften(resolve.Normalise(x.title))
		return ok && s == t && x.title != base.title
	}
	if it.kind != appeared {
		return false
	}
	s, ok := resolve.Soften(it.name)
	if !ok {
		return false
	}
	for t := range x.soft[s] {
		if base.texts[t] == 0 {
			return true
		}
	}
	return false
}

// Observe looks at the page as it is now.
func (e *Expectation) Observe(live Sight) {
	x := live.index
	e.last = x
	covered := e.covered(x)
	for _, it := range e.items {
		if it.seen && it.kind != vanished {
			continue
		}
		switch {
		case it.already:
		case it.kind == vanished:
			it.seen = !covered && x.shows(it, e.base) // what comes back, or was only being drawn anew, has not vanished
		case x.shows(it, e.base):
			it.seen = true
		case x.softly(it, e.base):
			it.seen, it.soft = true, true
		}
	}
	n := 0
	for _, it := range e.ahead {
		if !it.already && it.kind == appeared && x.shows(it, e.base) {
			n++
		}
	}
	e.passed = len(e.ahead) > 0 && n > 0 && 2*n >= countNew(e.ahead)
}

// covered reports whether a modal dialog is open that came with the step and that the recording does not show: what is behind it
// has gone from the accessibility tree, and not from the page.
func (e *Expectation) covered(x *index) bool {
	return e.after != nil && slices.ContainsFunc(x.modals, func(m key) bool {
		return !slices.Contains(e.base.modals, m) && !slices.Contains(e.after.boxes, m)
	})
}

func countNew(items []*item) int {
	n := 0
	for _, it := range items {
		if !it.already && it.kind == appeared {
			n++
		}
	}
	return n
}

// ObserveText takes texts that the page showed since the step began, however shortly.
func (e *Expectation) ObserveText(texts []string) {
	if len(texts) == 0 {
		return
	}
	was := map[string]bool{}
	for _, t := range texts {
		was[resolve.Normalise(t)] = true
	}
	for _, it := range e.items {
		if it.kind == appeared && !it.seen && !it.already && textual[it.role] && was[it.name] {
			it.seen, it.heard = true, true
		}
	}
}

// Empty reports whether there is nothing to watch for.
func (e *Expectation) Empty() bool { return len(e.items) == 0 }

// Fulfilled reports whether the page showed everything that was recorded before the step began: it is in the state that
// the step should lead to. False when nothing is expected.
func (e *Expectation) Fulfilled() bool {
	for _, it := range e.items {
		if !it.already {
			return false
		}
	}
	return len(e.items) > 0
}

// leastSeen is the part of a recorded effect, by weight, of which a page must show something to have been changed by the step:
// less is what happens to a page by itself.
const leastSeen = 1.0 / 3

// Effect is the verdict so far.
func (e *Expectation) Effect() Effect {
	var f Effect
	var seen, open, total float64
	key, elsewhere := 0, e.replaced() // changes of weight that are missing; the page is another one
	for _, it := range e.items {
		switch {
		case it.seen:
			f.Seen = append(f.Seen, it.String())
			seen += it.weight
			total += it.weight
			if it.soft && len(f.Softened) == 0 {
				f.Softened = []string{"numbers and dates"}
			}
		case it.already:
			f.Already = append(f.Already, it.String())
		case e.passed && !slices.ContainsFunc(e.ahead, func(a *item) bool { return a.kind == it.kind && a.name == it.name }) && e.transient(it):
			// The page is further than the recorded one: what it showed in passing need not be there any more.
		default:
			f.Missing = append(f.Missing, it.String())
			open += it.weight
			total += it.weight
			if it.weight >= 3 {
				key++
			}
			if it.kind == address && !SamePage(it.name, e.last.url) {
				elsewhere = true
			}
		}
	}
	f.Instead = e.instead()
	switch {
	case len(f.Seen) == 0 && len(f.Missing) == 0:
		f.Verdict = NothingToCheck
		if e.passed {
			f.Verdict = Confirmed
			f.Seen = []string{"the page is already where the next step was recorded"}
		}
	case len(f.Seen) == 0:
		f.Verdict = NotSeen
	case len(f.Missing) == 0:
		f.Verdict = Confirmed
	case seen < leastSeen*total, elsewhere, len(f.Instead) > 0 && e.messageMissing():
		f.Verdict = NotSeen
	case key == 0 && len(e.items) >= 8 && open/total <= 0.3:
		f.Verdict = Confirmed
	default:
		f.Verdict = Partly
	}
	return f
}

// replaced reports whether most of what both recorded pages show has gone from the live one: what vanished was not the
// step's doing, but that of another page in its place.
func (e *Expectation) replaced() bool {
	gone := 0
	for _, k := range e.kept {
		if e.last.any(k) == 0 {
			gone++
		}
	}
	return len(e.kept) >= 3 && 3*gone >= 2*len(e.kept)
}

// transient reports whether the later recorded page does not show the item any more.
func (e *Expectation) transient(it *item) bool {
	for _, a := range e.ahead {
		if a.name == it.name && a.kind != it.kind {
			return true
		}
	}
	return false
}

func (e *Expectation) messageMissing() bool {
	return slices.ContainsFunc(e.items, func(it *item) bool { return it.message && it.kind == appeared && !it.seen && !it.already })
}

// instead lists messages that came with the step and that no recorded page shows.
func (e *Expectation) instead() []string {
	var out []string
	for _, m := range e.last.messages {
		soft, _ := resolve.Soften(m)
		known := e.known[m]
		for k := range e.known {
			if s, ok := resolve.Soften(k); ok && s == soft {
				known = true
			}
		}
		if !known && e.base.texts[m] == 0 && !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	return out
}

// Revoked lists the messages with which the page took back what it had shown of the effect: some of that is gone again, on
// the same page, and no recorded page shows the messages. It is empty as long as the effect stands. That a message of
// success is gone takes nothing back.
func (e *Expectation) Revoked(live Sight) []string {
	x := live.index
	if e.last == nil || !SamePage(e.last.url, x.url) {
		return nil
	}
	e.last = x
	return e.TakenBack()
}

// TakenBack is Revoked for the page that was observed last.
func (e *Expectation) TakenBack() []string {
	x := e.last
	if x == nil {
		return nil
	}
	for _, it := range e.items {
		if it.seen && !it.message && !it.heard && !x.shows(it, e.base) && !(it.soft && x.softly(it, e.base)) {
			return e.instead()
		}
	}
	return nil
}

// Changed reports whether anything at all is different from the page before the step.
func (e *Expectation) Changed() bool {
	if e.last.url != e.base.url || e.last.title != e.base.title || e.last.all != e.base.all {
		return true
	}
	return !maps.Equal(e.base.counts, e.last.counts) || e.base.probed && !maps.Equal(e.base.texts, e.last.texts)
}

func (it *item) String() string {
	switch it.kind {
	case address:
		return "address: " + it.name
	case retitled:
		return "title: " + strconv.Quote(it.name)
	case vanished:
		return fmt.Sprintf("vanished: %s %s", it.role, short(it.name))
	}
	return fmt.Sprintf("appeared: %s %s", it.role, short(it.name))
}

func short(s string) string {
	if r := []rune(s); len(r) > 100 {
		s = string(r[:99]) + "…"
	}
	return strconv.Quote(s)
}

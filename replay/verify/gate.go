package verify

import (
	"slices"

	"retrace/replay/trace"
	"retrace/resolve"
)

// Agreement says how far a live page is the recorded one.
type Agreement struct {
	// Address is set when host, path and route are the recorded ones.
	Address bool
	// Title is set when the title is the recorded one, numbers aside.
	Title bool
	// Share is the part of the recorded headings, landmarks and controls that the page shows, 0 to 1; 1 when the recording
	// has none.
	Share float64
	// Missing are some of those that it does not show.
	Missing []string
}

// Here reports whether the page is the recorded one, as far as can be told: at the recorded address it must show a third
// of what was recorded, elsewhere nearly all.
func (a Agreement) Here() bool {
	if a.Address {
		return a.Share >= 0.34
	}
	return a.Share >= 0.8 && a.Title
}

// Agree compares the live page with a recorded state.
func Agree(s *trace.State, live Sight) Agreement {
	x := live.index
	a := Agreement{Address: SamePage(s.URL, x.url), Share: 1}
	want, _ := resolve.Soften(resolve.Normalise(s.Title))
	have, _ := resolve.Soften(resolve.Normalise(x.title))
	a.Title = s.Title == "" || want == have
	seen := map[key]bool{}
	found := 0
	for _, n := range s.Tree.Nodes {
		name := resolve.Normalise(n.Name)
		if name == "" || n.Role == "RootWebArea" || n.Role == "option" || n.Ref == "" && n.Role != "heading" && n.Role != "dialog" && n.Role != "region" && n.Role != "navigation" && n.Role != "Iframe" && n.Role != "form" {
			continue
		}
		k := key{resolve.Family(n.Role), name}
		if seen[k] {
			continue
		}
		seen[k] = true
		soft, ok := resolve.Soften(name)
		if x.count(n.Role, name) > 0 || x.texts[name] > 0 || ok && len(x.soft[soft]) > 0 {
			found++
			continue
		}
		if len(a.Missing) < 8 && !slices.Contains(a.Missing, n.Role+" "+short(name)) {
			a.Missing = append(a.Missing, n.Role+" "+short(name))
		}
	}
	if len(seen) > 0 {
		a.Share = float64(found) / float64(len(seen))
	}
	return a
}

// Reached reports whether the live page shows at least half of what makes one recorded page different from another, by
// weight, or all that is more than plain text.
func Reached(from, to *trace.State, live Sight) bool {
	x := live.index
	var got, total float64
	open := false
	for _, it := range difference(from, to) {
		total += it.weight
		soft, ok := resolve.Soften(it.name)
		if it.kind == address && SamePage(it.name, x.url) || x.shows(it, nil) || ok && it.kind == appeared && len(x.soft[soft]) > 0 {
			got += it.weight
		} else if it.weight >= 2 {
			open = true
		}
	}
	return !open || 2*got >= total
}

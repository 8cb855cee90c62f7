package resolve

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"retrace/resolve/axtree"
)

// following is what the recording shows after the step, as evidence for one of several equals.
type following struct {
	chosen *match
	why    string
	weak   bool // what follows is another step, not the effect of this one
}

// follow chooses among equal candidates by what the recording shows after the step: the text that appeared or vanished
// names what stands with one candidate and with no other; or a later step acts in the same item (weak). A candidate whose
// surroundings contradict the recording is never chosen.
func (s *search) follow(ms []*match) following {
	own := ownTexts(ms)
	only := s.recordedTexts(naming(own))
	nodes := make([]*axtree.Node, len(ms))
	for i, m := range ms {
		nodes[i] = m.node
	}
	equals := newEquals(s.q.Target.Name, nodes)
	choose := func(texts [][]string, test func(string) string, weak bool) following {
		i, why := unique(texts, test)
		if j, _ := unique(own, test); i < 0 || i != j || ms[i].stranger || ms[i].contra > maxContra {
			return following{}
		}
		if n, _ := equals.run(s.live, ms[i].node); n > 1 && s.anchor.line == nil {
			return following{} // another one stands beside it, to which all the same applies
		}
		return following{ms[i], why, weak}
	}
	pick := func(test func(string) string, weak bool) following { return choose(only, test, weak) }
	appeared, vanished := changes(s.q.Before, s.q.After)
	appeared = without(appeared, names(s.live)) // what is there before the step says nothing of it
	f := pick(func(t string) string {
		for _, a := range appeared {
			if a == t || containsWords(a, t) {
				return fmt.Sprintf("%s appeared after the step", quote(a))
			}
		}
		return ""
	}, false)
	if f.chosen == nil {
		f = pick(func(t string) string {
			if slices.Contains(vanished, t) {
				return fmt.Sprintf("%s was gone after the step", quote(t))
			}
			return ""
		}, false)
		if i := slices.Index(ms, f.chosen); i >= 0 && slices.ContainsFunc(own[i], func(t string) bool { return !meaningless(t) && !s.recordedText(t) }) {
			f = following{} // what was gone stood with something else
		}
	}
	if f.chosen == nil {
		label := s.label()
		f = choose(own, func(t string) string {
			if label != "" && strings.TrimRight(t, ":： ") == label {
				return fmt.Sprintf("it was recorded beside %s", quote(t))
			}
			return ""
		}, true)
	}
	if f.chosen == nil {
		led := addressWords(s.q.Before, s.q.After)
		f = pick(func(t string) string {
			if word := fold(t); len([]rune(word)) >= 3 && slices.Contains(led, word) {
				return fmt.Sprintf("the step led to an address with %s in it", quote(t))
			}
			return ""
		}, true)
	}
	for _, next := range s.q.Next {
		if f.chosen != nil {
			break
		}
		beside := besideTarget(next)
		f = pick(func(t string) string {
			if beside[t] {
				return fmt.Sprintf("a later step acts beside %s", quote(t))
			}
			return ""
		}, true)
	}
	return f
}

// label is the text that a recording without the page text gives with the target; empty when the page text says more.
func (s *search) label() string {
	if s.anchor.line != nil || s.q.Before != nil && len(s.q.Before.Nodes) > 0 {
		return ""
	}
	return strings.TrimRight(Normalise(cmp.Or(s.q.Target.NearbyLabel, s.q.Target.Ctx)), ":： ")
}

// addressWords lists the parts of the path and the query that only the later address has, folded, when of the later page
// nothing but the address is known ("orders" of "/admin?view=orders").
func addressWords(before, after *axtree.Tree) []string {
	if before == nil || after == nil || len(after.Nodes) > 0 {
		return nil
	}
	words := func(address string) []string {
		u, err := url.Parse(address)
		if err != nil {
			return nil
		}
		parts := strings.Split(u.Path, "/")
		for _, values := range u.Query() {
			parts = append(parts, values...)
		}
		for i, p := range parts {
			parts[i] = fold(Normalise(strings.NewReplacer("-", " ", "_", " ", "+", " ").Replace(p)))
		}
		return parts
	}
	return without(words(after.URL), words(before.URL))
}

// recordedTexts leaves out the texts that the page before the step does not show, as far as it is known: what has come with the
// step, or later, does not say beside what it was done.
func (s *search) recordedTexts(lists [][]string) [][]string {
	if s.q.Before == nil || len(s.q.Before.Nodes) == 0 || s.q.Truncated || s.anchor.tree != s.q.Before {
		return lists
	}
	before, _ := set(names(s.q.Before))
	for i := range lists {
		lists[i] = slices.DeleteFunc(lists[i], func(t string) bool { return !before[t] })
	}
	return lists
}

// containsWords reports whether a text contains another as whole words; in scripts that are written without spaces, anywhere.
func containsWords(text, words string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], words)
		if i < 0 || words == "" {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		first, _ := utf8.DecodeRuneInString(words)
		last, _ := utf8.DecodeLastRuneInString(words)
		after, _ := utf8.DecodeRuneInString(text[i+len(words):])
		if !joined(before, first) && !joined(last, after) {
			return true
		}
		from = i + utf8.RuneLen(first)
	}
}

// joined reports whether two characters side by side belong to one word.
func joined(a, b rune) bool {
	letter := func(r rune) bool {
		return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
	}
	return letter(a) && letter(b)
}

// naming keeps of the texts of each candidate those that name it: the first that means something, and keys. A status or a
// town beside it may be said of any other.
func naming(lists [][]string) [][]string {
	out := make([][]string, len(lists))
	for i, list := range lists {
		named := false
		for _, t := range list {
			if keyNumber.MatchString(t) || !named && !meaningless(t) && len([]rune(t)) > 1 {
				out[i] = append(out[i], t)
			}
			named = named || !meaningless(t)
		}
	}
	return out
}

// ownTexts lists for each candidate the texts that stand with it and with no other, in reading order.
func ownTexts(ms []*match) [][]string {
	nodes := make([]*axtree.Node, len(ms))
	for i, m := range ms {
		nodes[i] = m.node
	}
	equals := newEquals(displayName(nodes[0]), nodes)
	own := make([][]string, len(ms))
	count := map[string]int{}
	for i, n := range nodes {
		near := equals.around(n)
		if near.top {
			near = equals.tight(n, nearby{before: make([]string, 6)})
		}
		before, after := near.before, near.after
		if len(before)+len(after) == 0 {
			before = near.left
		}
		before = slices.Clone(before)
		slices.Reverse(before)
		for _, t := range append(before, after...) {
			if !slices.Contains(own[i], t) {
				own[i] = append(own[i], t)
				count[t]++
			}
		}
	}
	for i := range own {
		own[i] = slices.DeleteFunc(own[i], func(t string) bool { return count[t] > 1 })
	}
	return own
}

// besideTarget are the texts that stand with the target of a later step.
func besideTarget(f Follow) map[string]bool {
	out := map[string]bool{}
	if n := f.Tree.ByRef(f.Target.Ref); n != nil {
		if item := itemOf(n); item != nil {
			for _, t := range textsIn(item, n, 0) {
				out[t] = true
			}
		}
	}
	if ctx := Normalise(f.Target.Ctx); ctx != "" {
		out[ctx] = true
	}
	return out
}

// unique returns the only list of which test accepts a text, and what it says of it; -1 when there is none or several.
func unique(lists [][]string, test func(string) string) (int, string) {
	at, why := -1, ""
	for i, l := range lists {
		for _, t := range l {
			if s := test(t); s != "" {
				if at >= 0 && at != i {
					return -1, ""
				}
				if at < 0 {
					at, why = i, s
				}
			}
		}
	}
	return at, why
}

// changes lists the normalised names that only the later and only the earlier page has. What a modal layer hides is not
// gone, so nothing counts as vanished when only one of the pages shows such a layer.
func changes(before, after *axtree.Tree) (appeared, vanished []string) {
	if before == nil || after == nil || before == after || len(before.Nodes) == 0 || len(after.Nodes) == 0 {
		return nil, nil
	}
	was, is := names(before), names(after)
	appeared = without(is, was)
	if before.Modal() == after.Modal() {
		vanished = without(was, is)
	}
	return appeared, vanished
}

// names lists the normalised names of a tree, each once.
func names(t *axtree.Tree) []string {
	seen := map[string]bool{}
	var out []string
	for _, n := range t.Nodes {
		if s := Normalise(n.Name); s != "" && !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// without lists the texts of a that are not in b.
func without(a, b []string) []string {
	in, _ := set(b)
	var out []string
	for _, s := range a {
		if !in[s] {
			out = append(out, s)
		}
	}
	return out
}

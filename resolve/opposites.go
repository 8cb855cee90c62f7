package resolve

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
)

// The tolerant mode lets words of a name go, and one word can turn a name into its opposite: "Follow Anna" becomes "Unfollow Anna"
// when it has been done, on the very same button. No list of words is complete; this one holds those that stand on buttons.

//go:embed opposites.json
var oppositesJSON []byte

// contrary is what opposites.json holds: words that negate, words that must be in both names or in neither, beginnings and whole
// words that mean the opposite of each other.
var contrary = loadOpposites()

type opposites struct {
	Negations, Strong []string
	Prefixes, Pairs   [][2]string
}

func loadOpposites() opposites {
	var o opposites
	if err := json.Unmarshal(oppositesJSON, &o); err != nil {
		panic("opposites.json: " + err.Error())
	}
	return o
}

// opposed reports whether two names that share words may ask for opposite or for quite different things.
func opposed(a, b string) bool {
	x, y := strings.Fields(strings.ToLower(a)), strings.Fields(strings.ToLower(b))
	onlyX, onlyY := without(x, y), without(y, x)
	for _, w := range append(slices.Clone(onlyX), onlyY...) {
		if slices.Contains(contrary.Negations, w) || slices.Contains(contrary.Strong, w) {
			return true
		}
	}
	for _, v := range onlyX {
		for _, w := range onlyY {
			if opposite(v, w) {
				return true
			}
		}
	}
	return false
}

func opposite(v, w string) bool {
	for _, p := range contrary.Pairs {
		if v == p[0] && w == p[1] || v == p[1] && w == p[0] {
			return true
		}
	}
	stem := func(word, prefix string) string {
		s, ok := strings.CutPrefix(word, prefix)
		if !ok || len([]rune(s)) < 3 {
			return ""
		}
		return s
	}
	for _, p := range contrary.Prefixes {
		for _, q := range [][2]string{p, {p[1], p[0]}} {
			if s := stem(v, q[0]); s != "" && s == stem(w, q[1]) {
				return true
			}
		}
	}
	return false
}

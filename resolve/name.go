package resolve

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// name is a recorded name in the forms in which it is compared.
type name struct {
	plain  string
	prefix string // of a name that the recorder cut: all but the "…"; otherwise empty
	whole  string // of a name that the recorder cut: the name in full, when the page text has it
	folded string
	soft   string
	isSoft bool
}

// shortestCut is the length, in characters with the "…", from which on a recorded name that ends in "…" may have been cut.
const shortestCut = 48

func newName(recorded string) name {
	n := name{plain: Normalise(recorded)}
	n.prefix = cutName(n.plain)
	n.folded = fold(n.plain)
	n.soft, n.isSoft = Soften(n.plain)
	return n
}

// cutName returns what is left of a name that the recorder cut, without the "…" (which NFKC writes as three dots); "" for a
// name that is whole.
func cutName(normalised string) string {
	rest, dots := strings.CutSuffix(normalised, "...")
	if !dots {
		if rest, dots = strings.CutSuffix(normalised, "…"); !dots {
			return ""
		}
	}
	if utf8.RuneCountInString(rest)+1 < shortestCut {
		return ""
	}
	return rest
}

// behind is a count in brackets at the end of a name. It comes and goes with what it counts.
var behind = regexp.MustCompile(` ?\(\d+\+?\)$`)

// counted reports whether a normalised name is the recorded one but for a count behind it, which only one of them has.
func (n name) counted(normalised string) bool {
	was, is := behind.ReplaceAllString(n.plain, ""), behind.ReplaceAllString(normalised, "")
	return was == is && was != "" && n.plain != normalised
}

// equal reports whether a normalised name is the recorded one, or begins with what the recorder kept of it.
func (n name) equal(normalised string) bool {
	return n.plain == normalised || n.prefix != "" && len(normalised) > len(n.prefix) && strings.HasPrefix(normalised, n.prefix)
}

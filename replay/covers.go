package replay

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/domsnapshot"

	"retrace/replay/browser"
)

// covers are the places of the viewport that show the value of a secret, or may: the fields that one was typed into, and
// every text that holds one, shadow roots included. A frame that shows one is covered as a whole. What only a picture, a
// canvas or a style sheet shows is not found.
func (r *runner) covers(ctx context.Context) ([]Box, error) {
	frames, err := r.page.Frames(ctx)
	if err != nil {
		return nil, fmt.Errorf("frames: %w", err)
	}
	byID := map[cdp.FrameID]browser.Frame{}
	var sessions []cdp.Session
	for _, f := range frames {
		byID[f.ID] = f
		if !slices.Contains(sessions, f.Session) {
			sessions = append(sessions, f.Session)
		}
	}
	var out []Box
	inside := map[cdp.FrameID]bool{} // frames of the top document that show a secret somewhere in them
	for _, session := range sessions {
		snap, err := cdp.Call(ctx, session, domsnapshot.CaptureSnapshot, domsnapshot.CaptureSnapshotParams{ComputedStyles: []string{}})
		if err != nil {
			return nil, fmt.Errorf("dom snapshot: %w", err)
		}
		for _, doc := range snap.Documents {
			if doc == nil || doc.Layout == nil || doc.Nodes == nil {
				continue
			}
			boxes := r.covered(snap.Strings, doc, session)
			id := cdp.FrameID(stringAt(snap.Strings, doc.FrameID))
			if len(boxes) == 0 {
				continue
			}
			if id == r.page.MainFrame() {
				out = append(out, boxes...)
				continue
			}
			f, ok := byID[id]
			for ok && f.Parent != r.page.MainFrame() {
				f, ok = byID[f.Parent]
			}
			if !ok {
				return nil, errors.New("a frame that shows a secret has no place")
			}
			inside[f.ID] = true
		}
	}
	for _, f := range frames {
		if !inside[f.ID] {
			continue
		}
		box, err := cdp.Call(ctx, r.page.Session(), dom.GetBoxModel, dom.GetBoxModelParams{BackendNodeID: f.Owner})
		if err != nil || box.Model == nil || len(box.Model.Border) != 8 {
			return nil, fmt.Errorf("measuring a frame that shows a secret: %w", err)
		}
		q := box.Model.Border
		out = append(out, Box{min(q[0], q[6]), min(q[1], q[3]), max(q[2], q[4]) - min(q[0], q[6]), max(q[5], q[7]) - min(q[1], q[3])})
	}
	return out, nil
}

// covered are the places of one document that show a secret, in its viewport.
func (r *runner) covered(strs []string, doc *domsnapshot.DocumentSnapshot, session cdp.Session) []Box {
	l := doc.Layout
	var texts []string
	var at []int // the layout objects that the texts are of
	hit := map[int]bool{}
	values := map[int64]string{}
	for _, rare := range []*domsnapshot.RareStringData{doc.Nodes.InputValue, doc.Nodes.TextValue} {
		if rare == nil {
			continue
		}
		for i, n := range rare.Index {
			if i < len(rare.Value) {
				values[n] = stringAt(strs, rare.Value[i])
			}
		}
	}
	for i, n := range l.NodeIndex {
		if n >= 0 && int(n) < len(doc.Nodes.BackendNodeID) && r.filled[secretField{session, doc.Nodes.BackendNodeID[n]}] || r.tells(values[n]) {
			hit[i] = true
		}
		if i < len(l.Text) {
			if t := stringAt(strs, l.Text[i]); t != "" {
				texts, at = append(texts, t), append(at, i)
			}
		}
	}
	for _, i := range showing(texts, r.secretValues()) {
		hit[at[i]] = true
	}
	var out []Box
	for i, b := range l.Bounds {
		if hit[i] && len(b) == 4 && b[2] > 0 && b[3] > 0 {
			out = append(out, Box{math.Floor(b[0] - doc.ScrollOffsetX), math.Floor(b[1] - doc.ScrollOffsetY), math.Ceil(b[2]), math.Ceil(b[3])})
		}
	}
	return out
}

// secretField is a field that a secret was typed into.
type secretField struct {
	session cdp.Session
	backend cdp.BackendNodeID
}

func (r *runner) secretValues() []string {
	var out []string
	for _, v := range r.o.Secrets {
		if v != "" {
			out = append(out, v)
		}
	}
	return out
}

// tells reports whether a text holds the value of a secret.
func (r *runner) tells(text string) bool {
	return text != "" && len(showing([]string{text}, r.secretValues())) > 0
}

func stringAt(strs []string, i domsnapshot.StringIndex) string {
	if i < 0 || int(i) >= len(strs) {
		return ""
	}
	return strs[i]
}

// shortSecret is the length in runes below which a value is looked for as a word of its own: else it would be found in the
// midst of too many others.
const shortSecret = 4

// showing gives the places of the texts that show one of the values, alone or together with their neighbours. Neither white
// space nor case counts, since a page may change both.
func showing(texts, values []string) []int {
	var all strings.Builder
	starts := make([]int, len(texts))
	for i, t := range texts {
		starts[i] = all.Len()
		all.WriteString(plainText(t))
	}
	text := all.String()
	hit := map[int]bool{}
	for _, v := range values {
		p := plainText(v)
		if p == "" {
			continue
		}
		if utf8.RuneCountInString(p) < shortSecret {
			for i, t := range texts {
				if slices.ContainsFunc(strings.FieldsFunc(t, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }), func(w string) bool { return plainText(w) == p }) {
					hit[i] = true
				}
			}
			continue
		}
		for from := 0; ; {
			n := strings.Index(text[from:], p)
			if n < 0 {
				break
			}
			begin, end := from+n, from+n+len(p)
			first := sort.Search(len(starts), func(i int) bool { return starts[i] > begin }) - 1
			for i := first; i < len(starts) && starts[i] < end; i++ {
				hit[i] = true
			}
			from = begin + 1
		}
	}
	out := make([]int, 0, len(hit))
	for i := range texts {
		if hit[i] {
			out = append(out, i)
		}
	}
	return out
}

// plainText leaves out white space and case.
func plainText(s string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsSpace(c) || c == '\u00ad' || c == '\u200b' {
			return -1
		}
		return unicode.ToLower(c)
	}, s)
}

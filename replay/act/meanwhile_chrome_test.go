package act

import (
	"testing"
	"time"
)

// TestMeanwhileTellsOfChanges: a page that reacts to a value in the next frame is not the same any more, and one that has
// shadow trees cannot be told to be.
func TestMeanwhileTellsOfChanges(t *testing.T) {
	const reacts = `<script>b.onchange = () => requestAnimationFrame(() => { o.textContent = 'new' })</script>`
	for _, c := range []struct {
		name, html string
		want       bool
	}{
		{"field", `<input id=b><p id=o>`, true},
		{"field, and the page reacts", `<input id=b><p id=o>` + reacts, false},
		{"field, and an attribute changes", `<input id=b><p id=o><script>b.onblur = () => requestAnimationFrame(() => { o.className = 'x' })</script>`, false},
		{"field beside a shadow tree", `<input id=b><p id=o></p><div id=h></div><script>h.attachShadow({mode:'open'})</script>`, false},
		{"field beside a closed shadow tree", `<input id=b><p id=o></p><x-y></x-y><script>document.querySelector('x-y').attachShadow({mode:'closed'})</script>`, false},
		{"list", `<select id=b><option>one<option>x</select><p id=o>`, true},
		{"list, and the page reacts", `<select id=b><option>one<option>x</select><p id=o>` + reacts, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := open(t, c.html)
			e := tb.el("#b")
			var told []bool
			e.Meanwhile = func() func(bool) { return func(still bool) { told = append(told, still) } }
			var err error
			if tb.eval("b.localName") == "select" {
				_, err = Select(tb.wait(5*time.Second), e, []Choice{{Value: "x"}})
			} else {
				_, err = Fill(tb.wait(5*time.Second), e, FillOptions{Value: "x"})
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(told) != 1 || told[0] != c.want {
				t.Errorf("still the same: %v, want %t", told, c.want)
			}
			if got := tb.eval("b.value"); got != "x" {
				t.Errorf("it holds %q", got)
			}
		})
	}
}

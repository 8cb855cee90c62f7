package act

import (
	"testing"
	"time"
)

func TestClick(t *testing.T) {
	tb := open(t, `<button id=b onclick="document.title=[event.isTrusted,event.detail,event.clientX].join()">Save</button>`)
	e := tb.el("#b")
	before := tb.session.calls.Load()
	r, err := Click(tb.wait(5*time.Second), e, ClickOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("commands: %d, times %v, notes %v", tb.session.calls.Load()-before, r.Times, r.Notes)
	if got := tb.eval("document.title"); got == "" {
		t.Errorf("the page saw no click")
	} else {
		t.Log(got)
	}
}

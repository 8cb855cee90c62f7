package browser

import (
	"fmt"
	"testing"
)

func TestDialogs(t *testing.T) {
	base, _ := serve(t, map[string]string{
		"/": `<body onload="document.title = [alert('A'), confirm('C'), prompt('P', 'given'), prompt('Q')].join('|')">`,
	})
	tests := []struct {
		policy     DialogPolicy
		title      string
		answer     string
		unexpected bool
	}{
		{"", "|true|given|", "accept", false},
		{DialogAccept, "|true|given|", "accept", false},
		{DialogDismiss, "|false||", "dismiss", false},
		{DialogFail, "|false||", "dismiss", true},
	}
	for _, tt := range tests {
		t.Run(string(tt.policy), func(t *testing.T) {
			c := newContext(t, ContextOptions{Dialogs: tt.policy})
			p := openPage(t, c, base+"/")
			if got := eval[string](t, p, "document.title"); got != tt.title {
				t.Errorf("answers = %q, want %q", got, tt.title)
			}
			var got string
			for _, d := range c.TakeDialogs() {
				if d.Page != p || d.At.IsZero() {
					t.Errorf("dialog = %+v", d)
				}
				got += fmt.Sprintf("%s %s %s;", d.Type, d.Text, d.Answer)
			}
			a := tt.answer
			if want := fmt.Sprintf("alert A %s;confirm C %s;prompt P %s;prompt Q %s;", a, a, a, a); got != want {
				t.Errorf("dialogs = %q, want %q", got, want)
			}
			if len(c.TakeDialogs()) != 0 {
				t.Error("dialogs were not taken")
			}
			if d := c.UnexpectedDialog(); (d != nil) != tt.unexpected || d != nil && d.Text != "A" {
				t.Errorf("unexpected dialog = %+v", d)
			}
		})
	}
	if _, err := launch(t).NewContext(testContext(t), ContextOptions{Dialogs: "maybe"}); err == nil {
		t.Error("an unknown policy is taken")
	}
}

// A dialog that opens after the verdict of an attempt is failed is dismissed, whatever the policy: to accept it is to act.
func TestDialogsWhileHeld(t *testing.T) {
	base, _ := serve(t, map[string]string{"/": `<title>held</title>`})
	c := newContext(t, ContextOptions{Dialogs: DialogAccept})
	p := openPage(t, c, base+"/")
	for _, held := range []bool{false, true, false} {
		c.Hold(held)
		if got, want := eval[string](t, p, "[confirm('C'), prompt('P', 'given')].join('|')"), map[bool]string{false: "true|given", true: "false|"}[held]; got != want {
			t.Errorf("held %v: answers %q, want %q", held, got, want)
		}
		for _, d := range c.TakeDialogs() {
			if want := map[bool]string{false: "accept", true: "dismiss"}[held]; d.Answer != want {
				t.Errorf("held %v: dialog told as %s", held, d.Answer)
			}
		}
	}
}

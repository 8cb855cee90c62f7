package plan

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"retrace/replay/trace"
)

// TestLostSubmitOfTheOldForm: a checkbox leads nowhere, so the address that the old form gives as its effect is that of a
// submission without a step; a button may lead there itself.
func TestLostSubmitOfTheOldForm(t *testing.T) {
	for _, c := range []struct{ name, last, want string }{
		{"checkbox", "- checkbox Remember", `click #2 s1 -> s2 checkbox "Remember" missing: submit(#2) | submit-lost`},
		{"button", "- button Sign in", `click #2 s1 -> s2 button "Sign in"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := recording(home, map[string]string{"s1": home, "s2": list},
				step(trace.Fill, "s1 s1", target("- textbox Name"), value("Ann")),
				step(trace.Click, "s1 s2", target(c.last)),
			)
			r.Version = 2
			got := short(Make(r))
			if diff := cmp.Diff(c.want, got[len(got)-1]); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
		})
	}
}

package replay

import (
	"testing"

	"retrace/replay/plan"
	"retrace/replay/trace"
	"retrace/replay/verify"
	"retrace/resolve"
)

func TestInPlace(t *testing.T) {
	row := func(c verify.Change, was, is string) verify.Row {
		return verify.Row{Change: c, Recorded: was, Live: is}
	}
	tests := []struct {
		name string
		code Code
		rows []verify.Row
		want string
	}{
		{"renamed", TargetMissing, []verify.Row{row(verify.Altered, `button "Send" disabled`, `button "Submit"`)}, `button "Submit"`},
		{"another role", TargetMissing, []verify.Row{row(verify.Altered, `heading "Send"`, `heading "Submit"`)}, ""},
		{"another name", TargetMissing, []verify.Row{row(verify.Altered, `button "Send all"`, `button "Submit"`)}, ""},
		{"gone", TargetMissing, []verify.Row{row(verify.Disappeared, `button "Send"`, "")}, ""},
		{"two of them", TargetMissing, []verify.Row{row(verify.Altered, `button "Send"`, `button "A"`), row(verify.Altered, `button "Send"`, `button "B"`)}, ""},
		{"another failure", TargetAmbiguous, []verify.Row{row(verify.Altered, `button "Send"`, `button "A"`)}, ""},
	}
	it := &plan.Intent{Step: &trace.Step{Target: &resolve.Descriptor{Role: "button", Name: "Send"}}}
	for _, tt := range tests {
		if got := inPlace(it, &Failure{Code: tt.code}, &Comparison{Pages: verify.Pages{Rows: tt.rows}}); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

package replay

import (
	"strings"
	"testing"

	"retrace/replay/verify"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// parsed is a page in the form of a recording; live has it as a live page.
func parsed(lines string) *axtree.Tree {
	return axtree.Parse("@vom 1\n@view 1280x720\n@layers 1 focus=L1\nL1 page\n" + lines)
}

func live(tree *axtree.Tree) *axtree.Tree {
	for _, n := range tree.Nodes {
		n.Live = &axtree.Live{Clickable: n.Role == "button"}
	}
	return tree
}

// What a failure has to do with is read from the page, its console and its requests.
func TestClues(t *testing.T) {
	const rows = "  table\n    row\n      cell \"Brunner AG\"\n      cell\n        @e1 button \"Mark paid\"\n    row\n      cell \"Costa\"\n      cell\n        @e2 button \"Mark paid\"\n"
	const frame = "  main\n    Iframe \"Bank transfer\"\n      @e1 button \"Confirm\"\n"
	whole, half := resolve.Candidate{Evidence: []resolve.Evidence{{Kind: "row", Agrees: true}}}, resolve.Candidate{Evidence: []resolve.Evidence{{Kind: "row"}}}
	for _, tt := range []struct {
		name       string
		code       Code
		hint       string // that the failure has already
		before     string
		want, live string
		step       StepResult
		still      bool
		says       string // "" for nothing
	}{
		{name: "a request failed", code: EffectNotSeen, step: StepResult{Requests: []string{"503 http://a/save"}, Console: []string{"TypeError"}}, says: "503 http://a/save"},
		{name: "a script failed", code: EffectNotSeen, step: StepResult{Console: []string{"Uncaught TypeError: x"}}, says: "Uncaught TypeError: x"},
		{name: "nothing happened", code: EffectNotSeen, step: StepResult{Effect: &Effect{Verdict: verify.NotSeen}}, still: true, says: "the page did nothing at all"},
		{name: "something else happened", code: EffectNotSeen, step: StepResult{Effect: &Effect{Verdict: verify.NotSeen}}},
		{name: "the page says something else", code: EffectNotSeen, step: StepResult{Effect: &Effect{Verdict: verify.NotSeen, Instead: []string{"Error (500)"}}}, says: `the page says "Error (500)" itself`},
		{name: "a dialog came instead", code: EffectNotSeen, step: StepResult{Console: []string{"TypeError"}}, live: "  dialog\n    heading \"Your session has ended\"\n    button \"Sign in\"\n", says: `a dialog is open that the recording does not show ("Your session has ended", "Sign in")`},
		{name: "the dialog of the step stayed open", code: EffectNotSeen, before: "  dialog \"Delete?\"\n", live: "  dialog \"Delete?\"\n"},
		{name: "a dialog that can be answered", code: TargetCovered, want: "  @e1 button \"Go\"\n", live: "  button \"Go\"\n  dialog \"Privacy\"\n    button \"Accept\"\n    button \"Refuse\"\n", says: `dialog "Privacy" is not in the recording; it offers "Accept", "Refuse"`},
		{name: "a veil", code: TargetCovered, want: "  @e1 button \"Go\"\n", live: "  button \"Go\"\n  status \"Loading\"\n", says: "the page has to take it away by itself"},
		{name: "something with a button", code: TargetCovered, want: "  @e1 button \"Go\"\n", live: "  button \"Go\"\n  button \"Close\"\n"},
		{name: "its own style", code: TargetCovered, hint: "its style", want: "  @e1 button \"Go\"\n", live: "  button \"Go\"\n"},
		{name: "twins", code: TargetAmbiguous, step: StepResult{Decision: &resolve.Decision{Total: 3, Candidates: []resolve.Candidate{half, whole, whole}}}, says: "candidates 2 and 3 each have all"},
		{name: "equals that all lack something", code: TargetAmbiguous, step: StepResult{Decision: &resolve.Decision{Total: 2, Candidates: []resolve.Candidate{half, half}}}},
		{name: "equals that lack nothing", code: TargetAmbiguous, step: StepResult{Decision: &resolve.Decision{Total: 2, Candidates: []resolve.Candidate{whole, whole}}}},
		{name: "the row is gone", code: TargetMissing, want: rows, live: "  table\n    row\n      cell \"Costa\"\n      cell\n        button \"Mark paid\"\n", says: `recorded in the same row: "Brunner AG"`},
		{name: "the row is there", code: TargetMissing, want: rows, live: rows},
		{name: "the frame is gone", code: TargetMissing, want: frame, live: "  main\n    button \"Confirm\"\n", says: `the frame "Bank transfer", in which the recording shows it, is not on the page`},
		{name: "no row and no frame", code: TargetMissing, want: "  main\n    @e1 button \"Go\"\n", live: "  main\n"},
		{name: "another code", code: Timeout, step: StepResult{Console: []string{"TypeError"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := clues{before: parsed(tt.before), want: parsed(tt.want), live: live(parsed(tt.live)), still: tt.still, step: &tt.step}
			c.target = c.want.ByRef("e1")
			got := c.hint(&Failure{Code: tt.code, Hint: tt.hint})
			if (got == "") != (tt.says == "") || !strings.Contains(got, tt.says) {
				t.Errorf("%q, want %q", got, tt.says)
			}
		})
	}
}

// What the page says otherwise is evidence when it is little.
func TestDiffers(t *testing.T) {
	few := &Comparison{Pages: verify.Pages{Appeared: 1, Disappeared: 1, Rows: []verify.Row{{Change: verify.Disappeared, Recorded: `text "3 left"`}, {Change: verify.Appeared, Live: `text "Sold out"`}, {Change: verify.Same, Live: "main"}}}}
	many := &Comparison{Pages: verify.Pages{Appeared: 9, Rows: few.Rows}}
	for _, tt := range []struct {
		name string
		code Code
		c    *Comparison
		want int
	}{{"little", TargetDisabled, few, 2}, {"much", TargetDisabled, many, 0}, {"another code", EffectNotSeen, few, 0}, {"no comparison", TargetHidden, nil, 0}} {
		if got := differs(&Failure{Code: tt.code}, tt.c); len(got) != tt.want {
			t.Errorf("%s: %q, want %d lines", tt.name, got, tt.want)
		}
	}
}

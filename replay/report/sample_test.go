package report

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"retrace/replay"
	"retrace/replay/verify"
	"retrace/resolve"
)

var update = flag.Bool("update", false, "write golden files anew")

// golden compares got with testdata/name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

var began = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)

// failing is a run with a step of each verdict and with hostile text in it.
func failing() *replay.Result {
	failure := &replay.Failure{
		Code: replay.TargetAmbiguous, Text: `2 buttons "Remove" fit equally`, Hint: "record the step again on a page where the row has a name",
		Evidence: []string{"the recorded row \"Marker buoy\" is gone", "evil \x1b[2J\u202e line\nbreak"},
	}
	return &replay.Result{
		Schema: replay.SchemaVersion, Trace: "cart-voucher", File: "traces/cart-voucher/trace.json", Purpose: "Change quantity <b>now</b>",
		Verdict: replay.Failed, Failure: failure, Started: began, DurationMS: 12345, Confirmed: 1, Expected: 3,
		Attempt:     1,
		Warnings:    []string{"states/s3.txt is missing"},
		Environment: replay.Environment{Chrome: "Chromium 156.0.8078.108", Sandbox: true, Width: 1280, Height: 720, Recorder: "0.1.6"},
		Steps: []replay.StepResult{
			{Index: 0, Steps: []int{}, Op: "open", Title: "open http://127.0.0.1/shop/cart.html", Verdict: replay.Passed, DurationMS: 412, Phases: replay.Phases{Act: 300, Settle: 112}, Traffic: &replay.Traffic{}},
			{Index: 1, Steps: []int{1, 2, 3}, Op: "fill", Title: `fill spinbutton "Quantity" with "5"`, Verdict: replay.Warned, DurationMS: 210.4,
				Planned: []string{"3 fills of one field become the last one"}, Notes: []string{"the field kept its focus"},
				Decision: &resolve.Decision{Outcome: resolve.One, Tier: resolve.TierFamily, Why: "the only spinbutton in the row \"Deck lamp\"", Warnings: []string{"recorded as textbox, found as spinbutton"}, Total: 1, Candidates: []resolve.Candidate{{Role: "spinbutton", Name: "Quantity", Where: `main › row "Deck lamp"`, Tier: resolve.TierFamily, Score: 1, Chosen: true, Evidence: []resolve.Evidence{{Kind: "row", Agrees: true, Text: `row has "Deck lamp"`}}}}},
				Effect:   &replay.Effect{Verdict: verify.Partly, Seen: []string{`changed: spinbutton "Quantity"`}, Missing: []string{`appeared: StaticText "5"`}, Instead: []string{"Out of stock"}, Already: []string{"title"}},
				Phases:   replay.Phases{Gate: 10, Resolve: 40, Actionability: 60, Act: 50, Settle: 20, Verify: 30.4}},
			{Index: 2, Steps: []int{4}, Op: "click", Title: `click button "Remove"`, Verdict: replay.Failed, Failure: failure, DurationMS: 10002, URL: "http://127.0.0.1/shop/cart.html?a=1&b=<script>alert(1)</script>",
				Decision: &resolve.Decision{Outcome: resolve.Ambiguous, Why: "two rows fit", Total: 3, Candidates: []resolve.Candidate{
					{Role: "button", Name: "Remove", Where: `main › row "柠檬绿茶"`, Tier: resolve.TierExact, Score: 0.5, Evidence: []resolve.Evidence{{Kind: "row", Text: `row has "柠檬绿茶", not "Marker buoy"`}}},
					{Role: "button", Name: "Remove", Where: `main › row "Deck lamp"`, Frame: "basket", State: "disabled", Tier: resolve.TierExact, Score: 0.5, Evidence: []resolve.Evidence{{Kind: "row", Text: `row has "Deck lamp", not "Marker buoy"`}, {Kind: "name", Agrees: true, Text: "same name"}}},
				}},
				Dialogs: []replay.Dialog{{Type: "confirm", Text: "Sure?", Answer: "accept"}}, Console: []string{"a", "b", "c", "d", "e", "f", "g"}, Requests: []string{"GET /x 500"}, Traffic: &replay.Traffic{Sent: 9, Parts: 5, List: []replay.Request{
					{Method: "POST", URL: "http://127.0.0.1/cart?<b>", Kind: "fetch", Status: 201}, {Method: "GET", URL: "http://127.0.0.1/x", Kind: "image", Status: 500}, {Method: "GET", URL: "http://127.0.0.1/poll\x1b[2J", Kind: "xhr"},
				}}, Downloads: []string{"cart-voucher/list.csv"},
				Screenshot: "cart-voucher/step-4.png", Shots: []replay.Shot{
					{When: replay.Before, File: "cart-voucher/step-4.png", Width: 1280, Height: 720, Target: &replay.Box{X: 10, Y: 20, W: 80, H: 24}},
					{When: replay.After, File: "cart-voucher/gone.jpg", Width: 1280, Height: 720, Target: &replay.Box{X: 10, Y: 20, W: 80, H: 24}, Point: &replay.Point{X: 50, Y: 32}},
					{When: replay.After, File: "cart-voucher/step-4.png", Width: 1280, Height: 720, Target: &replay.Box{X: 10, Y: 20, W: 80, H: 24}, Point: &replay.Point{X: 50, Y: 32}},
					{When: replay.AtFailure, File: "cart-voucher/step-4.png", Width: 1280, Height: 720, Candidates: []*replay.Box{nil, {X: 1, Y: 2, W: 3, H: 4}}, Covered: 2},
				},
				Around: []verify.Line{{Text: "main"}, {Depth: 40, Text: `button "Remove"`, Target: true}},
				Comparison: &replay.Comparison{
					State: "s1", Was: replay.PageName{URL: "http://127.0.0.1/shop/cart.html", Title: "Basket"}, Is: replay.PageName{URL: "http://127.0.0.1/shop/cart.html"},
					Pages: verify.Pages{Disappeared: 1, Appeared: 1, Same: 12, Cut: 3, Notes: []string{"the recorded page text was cut off"}, Rows: []verify.Row{
						{Change: verify.Left, Recorded: "12 lines that are the same"}, {Change: verify.Disappeared, Depth: 3, Recorded: `row "Marker buoy"`},
						{Change: verify.Appeared, Depth: 3, Live: "row \"</script>\x1b[2J\""},
					}},
				},
				Phases: replay.Phases{Resolve: 10000}},
			{Index: 3, Steps: []int{5, 7}, Op: "click", Title: `click button "Apply voucher"`, Verdict: replay.NotRun},
		},
	}
}

// passing is a run that verified nothing.
func passing() *replay.Result {
	return &replay.Result{Schema: replay.SchemaVersion, Trace: "quiet", File: "quiet.json", Verdict: replay.Passed, Started: began, DurationMS: 640, Attempt: 1,
		Steps: []replay.StepResult{{Index: 0, Steps: []int{1}, Op: "click", Title: `click link "Home"`, Verdict: replay.Passed, DurationMS: 180, Effect: &replay.Effect{Verdict: verify.NothingToCheck}}}}
}

// flaky is a run that passed at its second attempt, with assertions and proposals.
func flaky() *replay.Result {
	first := failing()
	first.Warnings = nil
	first.Assertions = []replay.Assertion{{Text: `text "Thank you" is present`, Line: 2, After: 4, Verdict: replay.NotRun}}
	r := passing()
	r.Trace, r.Verdict, r.Attempt, r.Earlier = "cart-voucher", replay.Flaky, 2, []*replay.Result{first}
	r.Assertions = []replay.Assertion{{Text: `text "Thank you" is present`, Line: 2, After: 4, Verdict: replay.Passed}, {Text: "alert is absent", Line: 3, Verdict: replay.Failed, Instead: []string{`there is alert "<b>No</b>"`}}}
	r.Proposals = []replay.Proposal{{Step: 4, Field: "name", From: "Remove", To: "Take\x1b out", Why: "the only button"}}
	return r
}

// explanation is what was found about a target, and why.
func explanation() *replay.Explanation {
	d := failing().Steps[2].Decision
	for i := range d.Candidates {
		d.Candidates[i].Tier = resolve.TierExact
	}
	return &replay.Explanation{
		Schema: replay.SchemaVersion, Trace: "cart-voucher", Step: 4, Title: `click button "Remove"`, Target: replay.RecordedTarget{Role: "button", Name: "Remove", Context: "Marker buoy", Ref: "e6"},
		URL: "http://127.0.0.1/shop/cart.html", PageTitle: "Basket \u202e", Recorded: "http://127.0.0.1/shop/cart.html", Decision: d,
		Certain: []string{"a recording that says the place: a or b"}, Notes: []string{"scrolled to find the target"},
		Failure: &replay.Failure{Code: replay.TargetAmbiguous, Text: d.Why, Hint: "see the candidates"},
	}
}

// play sends the events of a result to a view.
func play(v View, r *replay.Result) {
	v.Event(replay.Event{Kind: replay.RunStarted, Time: began, Trace: r.Trace, Total: len(r.Steps)})
	for _, e := range r.Earlier {
		playSteps(v, e)
		v.Event(replay.Event{Kind: replay.RunRetried, Time: began, Trace: r.Trace, Attempt: e.Attempt, Result: e})
	}
	playSteps(v, r)
	v.Event(replay.Event{Kind: replay.RunFinished, Time: began, Trace: r.Trace, Attempt: r.Attempt, Result: r})
}

func playSteps(v View, r *replay.Result) {
	for i := range r.Steps {
		s := r.Steps[i]
		if s.Verdict != replay.NotRun {
			v.Event(replay.Event{Kind: replay.StepStarted, Time: began, Trace: r.Trace, Step: &replay.StepResult{Index: s.Index, Steps: s.Steps, Op: s.Op, Title: s.Title}})
		}
		v.Event(replay.Event{Kind: replay.StepFinished, Time: began, Trace: r.Trace, Step: &s})
	}
}

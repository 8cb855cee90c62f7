package replay

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"retrace/resolve"
)

func TestCertain(t *testing.T) {
	target := &resolve.Descriptor{Role: "button", Name: "Remove"}
	at := func(where string) resolve.Candidate {
		return resolve.Candidate{Role: "button", Name: "Remove", Where: where}
	}
	tests := []struct {
		name  string
		d     resolve.Decision
		known bool
		want  []string
	}{
		{"certain", resolve.Decision{Outcome: resolve.One, Candidates: []resolve.Candidate{at("row")}}, true, nil},
		{"certain without page", resolve.Decision{Outcome: resolve.One, Candidates: []resolve.Candidate{at("row")}}, false, nil},
		{"other name and role", resolve.Decision{Outcome: resolve.One, Warnings: []string{"w"}, Candidates: []resolve.Candidate{{Role: "link", Name: "Remove 2", Chosen: true}}}, true,
			[]string{"the recorded role: recorded as button, is link", `the recorded name: recorded as "Remove", is "Remove 2"`}},
		{"only by position", resolve.Decision{Outcome: resolve.One, Warnings: []string{"only its position tells it"}, Candidates: []resolve.Candidate{{Role: "button", Name: "Remove", Chosen: true}}}, true,
			[]string{"surroundings that tell it from its equals: it was found, but only its position tells it"}},
		{"two places", resolve.Decision{Outcome: resolve.Ambiguous, Candidates: []resolve.Candidate{at(`row "A"`), at(`row "B"`)}}, true, []string{`a recording that says the place: row "A" or row "B"`}},
		{"equal", resolve.Decision{Outcome: resolve.Ambiguous, Candidates: []resolve.Candidate{at("main"), at("main")}}, false,
			[]string{"a name or a place of its own on the page: the candidates differ in nothing that a recording keeps", "a recording with page texts: this one has none for the step, so places could not be compared"}},
		{"nothing there", resolve.Decision{Outcome: resolve.Missing}, true, []string{`an element that is button "Remove", or is called so in another way`}},
		{"another row", resolve.Decision{Outcome: resolve.Missing, Candidates: []resolve.Candidate{{Role: "button", Name: "Remove", Evidence: []resolve.Evidence{{Kind: "name", Agrees: true, Text: "same"}, {Kind: "row", Text: `lacks "A"`}}}}}, true,
			[]string{`agreement in row: the nearest, button "Remove", lacks "A"`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, certain(tt.d, target, tt.known)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

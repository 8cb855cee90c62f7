package replay

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"retrace/resolve"
	"retrace/resolve/axtree"
)

func TestMayDiffer(t *testing.T) {
	never := map[Code]bool{SecretMissing: true, SecretOrigin: true, FileMissing: true, BlockedURL: true, NotReplayable: true, BrowserMissing: true, Interrupted: true, ReportUnusable: true}
	for _, c := range []Code{
		TargetMissing, TargetAmbiguous, PageMismatch, EffectNotSeen, AssertionFailed, NavigationFailed, ValueRejected, DialogUnexpected, TabMissing,
		PageCrashed, BrowserCrashed, Timeout, SecretMissing, SecretOrigin, FileMissing, BlockedURL, NotReplayable, BrowserMissing, Interrupted, ReportUnusable,
	} {
		if got := mayDiffer(&Failure{Code: c}); got == never[c] {
			t.Errorf("mayDiffer(%s) = %v", c, got)
		}
	}
}

func TestCorrections(t *testing.T) {
	tests := []struct {
		name   string
		target resolve.Descriptor
		node   axtree.Node
		want   []Proposal
	}{
		{"same", resolve.Descriptor{Role: "button", Name: "Save  now"}, axtree.Node{Role: "button", Name: "Save now"}, nil},
		{"name", resolve.Descriptor{Role: "button", Name: "Save"}, axtree.Node{Role: "button", Name: "Store"}, []Proposal{{4, "name", "Save", "Store", "w"}}},
		{"both", resolve.Descriptor{Role: "button", Name: "Save"}, axtree.Node{Role: "link", Name: "Store"}, []Proposal{{4, "role", "button", "link", "w"}, {4, "name", "Save", "Store", "w"}}},
		{"nothing is added", resolve.Descriptor{Name: "Save"}, axtree.Node{Role: "link", Name: "Save"}, nil},
		{"nothing is emptied", resolve.Descriptor{Role: "button", Name: "Save"}, axtree.Node{Role: "button"}, nil},
		{"document names", resolve.Descriptor{Role: "button", Name: "Save", Unmatched: true}, axtree.Node{Role: "generic", Name: "x", Live: &axtree.Live{DOMRole: "button", DOMName: "Store"}}, []Proposal{{4, "name", "Save", "Store", "w"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, corrections(4, &tt.target, &tt.node, "w")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestWeaker(t *testing.T) {
	found := func(tier resolve.Tier, warnings ...string) *resolve.Decision {
		return &resolve.Decision{Outcome: resolve.One, Tier: tier, Warnings: warnings, Candidates: []resolve.Candidate{{Role: "button", Name: "No"}, {Role: "searchbox", Name: "Search (3)", Chosen: true}}}
	}
	tests := []struct {
		name   string
		target resolve.Descriptor
		d      *resolve.Decision
		want   int
	}{
		{"exact", resolve.Descriptor{Role: "textbox", Name: "Search (2)"}, found(resolve.TierExact, "w"), 0},
		{"without warning", resolve.Descriptor{Role: "textbox", Name: "Search (2)"}, found(resolve.TierFamily), 0},
		{"volatile", resolve.Descriptor{Role: "searchbox", Name: "Search (2)"}, found(resolve.TierVolatile, "w"), 1},
		{"family", resolve.Descriptor{Role: "textbox", Name: "Search (2)"}, found(resolve.TierFamily, "w"), 2},
		{"role of a v2 target", resolve.Descriptor{Role: "textbox", Name: "Search (2)", Tag: "input"}, found(resolve.TierRole, "w"), 0},
	}
	for _, tt := range tests {
		if got := weaker(1, &tt.target, tt.d); len(got) != tt.want {
			t.Errorf("%s: %v, want %d", tt.name, got, tt.want)
		}
	}
}

func TestHide(t *testing.T) {
	r := &runner{o: Options{Secrets: Secrets{"Password": "harbour-42", "PIN": "42"}}}
	tests := []struct{ in, want string }{{"nothing", "nothing"}, {"holds 4 2", "holds 4 2"}, {"holds 42", "•••"}}
	for _, tt := range tests {
		if got := r.hide(tt.in); got != tt.want {
			t.Errorf("hide(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
	r.o.Secrets = Secrets{"Password": "harbour-42"}
	if got := r.hide(`holds "harbour-42"`); got != `holds "•••"` {
		t.Errorf("hide = %q", got)
	}
}

package plan

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"retrace/replay/trace"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestRecordings plans real recordings and compares with what was checked by hand.
func TestRecordings(t *testing.T) {
	dirs, err := filepath.Glob("testdata/recordings/*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			recording, err := trace.Load(dir)
			if err != nil {
				t.Fatal(err)
			}
			intents := Make(recording)
			checkCoverage(t, recording, intents)
			got := render(intents)
			golden := filepath.Join("testdata", "golden", filepath.Base(dir)+".txt")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
		})
	}
}

// checkCoverage checks what holds for every plan: it begins with the only Open, and the intents cover all steps, each
// once, in their order.
func checkCoverage(t *testing.T, recording *trace.Trace, intents []Intent) {
	t.Helper()
	var covered, recorded []int
	for i, in := range intents {
		if (in.Kind == Open) != (i == 0) {
			t.Errorf("intent %d is %s", i, in.Kind)
		}
		if (in.Step == nil) != (in.Kind == Open) {
			t.Errorf("intent %d (%s) has step %v", i, in.Kind, in.Step)
		}
		for _, s := range in.Covers {
			covered = append(covered, s.ID)
		}
	}
	for _, s := range recording.Steps {
		recorded = append(recorded, s.ID)
	}
	if diff := cmp.Diff(recorded, covered); diff != "" {
		t.Errorf("steps covered (-recorded +plan):\n%s", diff)
	}
}

// render writes intents as text, one field after the other, each only when it is set.
func render(intents []Intent) string {
	var b strings.Builder
	for _, in := range intents {
		fmt.Fprintf(&b, "%s", in.Kind)
		for _, s := range in.Covers {
			fmt.Fprintf(&b, " #%d", s.ID)
		}
		fmt.Fprintf(&b, "  %s -> %s", stateID(in.Before), stateID(in.After))
		if in.Step != nil && in.Step.Target != nil {
			fmt.Fprintf(&b, "  %s %q", in.Step.Target.Role, in.Step.Target.Name)
		}
		if in.To != "" {
			fmt.Fprintf(&b, "  to %s", in.To)
		}
		if in.Kind == Press {
			fmt.Fprintf(&b, "  key %s%s", in.Step.Modifiers, in.Step.Key)
		}
		if in.Kind == Fill {
			fmt.Fprintf(&b, "  value %q", in.Value)
		}
		for _, f := range []struct {
			set  bool
			name string
		}{{in.Append, "append"}, {in.Enter, "enter"}, {in.Suggest, "suggest"}, {in.Send, "send"}, {in.Optional, "optional"}} {
			if f.set {
				b.WriteString("  " + f.name)
			}
		}
		if in.Choice != "" {
			fmt.Fprintf(&b, "  choice %q", in.Choice)
		}
		if o := in.Opener; o != nil {
			fmt.Fprintf(&b, "  opener %s %q", o.Target.Role, o.Target.Name)
		}
		if m := in.Missing; m != nil {
			b.WriteString("  missing:")
			if m.Submit {
				fmt.Fprintf(&b, " submit(#%d)", m.Field.ID)
			}
			if m.Navigate {
				b.WriteString(" navigate")
			}
		}
		b.WriteByte('\n')
		for _, r := range in.Reasons {
			fmt.Fprintf(&b, "    %s: %s\n", r.Rule, r.Text)
		}
	}
	return b.String()
}

func stateID(s *trace.State) string {
	if s == nil {
		return "?"
	}
	return s.ID
}

package e2e

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"retrace/e2e/harness"
	"retrace/e2e/site"
)

// TestRecordings replays every recording of the fixture site. Each must be OK, or have a verdict that its own
// expectation or expectations.json allows; SILENT and WRONG are allowed by nothing.
func TestRecordings(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	bin := binary(t)
	exceptions := readExceptions(t)
	for _, dir := range []string{"traces", "traces-v2"} {
		recordings, err := harness.Recordings(dir)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range recordings {
			exception, excepted := exceptions[r.Name]
			delete(exceptions, r.Name)
			t.Run(r.Name, func(t *testing.T) {
				oneIn(t, 2, i)
				t.Parallel()
				server := harness.Serve(site.FS)
				defer server.Close()
				o, err := server.Replay(t.Context(), bin, t.TempDir(), r)
				if err != nil {
					t.Fatal(err)
				}
				if o.Verdict == harness.Silent || o.Verdict == harness.Wrong {
					t.Errorf("%s with exit code %d, touched %q\n%s", o.Verdict, o.Code, o.Strays, o.Output)
					return
				}
				switch {
				case excepted && r.AsWanted(o):
					t.Errorf("%s, though expectations.json allows %s (%s): remove it there", o.Verdict, exception.Verdict, exception.Reason)
				case excepted && o.Verdict == exception.Verdict:
					t.Logf("%s, as expected for now: %s", o.Verdict, exception.Reason)
				case !r.AsWanted(o):
					t.Errorf("%s with exit code %d, want %v\n%s", o.Verdict, o.Code, r.Want, o.Output)
				}
			})
		}
	}
	for name := range exceptions {
		t.Errorf("expectations.json names %s, which is no recording", name)
	}
}

// exception is a recording that does not replay for now.
type exception struct {
	Verdict harness.Verdict `json:"verdict"`
	Reason  string          `json:"reason"`
}

// readExceptions reads expectations.json. It can excuse a stop, and nothing worse.
func readExceptions(t *testing.T) map[string]exception {
	t.Helper()
	data, err := os.ReadFile("expectations.json")
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]exception
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatalf("expectations.json: %v", err)
	}
	for name, e := range out {
		if e.Verdict != harness.Stop && e.Verdict != harness.Late {
			t.Fatalf("expectations.json: %s: %s cannot be excused", name, e.Verdict)
		}
		if strings.TrimSpace(e.Reason) == "" {
			t.Fatalf("expectations.json: %s: needs a reason", name)
		}
	}
	return out
}

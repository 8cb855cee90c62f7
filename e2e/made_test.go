package e2e

import (
	"io/fs"
	"slices"
	"testing"

	"retrace/e2e/harness"
	"retrace/e2e/made"
	"retrace/e2e/site"
)

// TestMade replays the recordings that were made in the recorder's manner: each must have a verdict that it allows.
func TestMade(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	bin, attach := binary(t), slices.Clip(sharedBrowser(t))
	pages, err := made.Site()
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range []struct {
		dir   string
		pages fs.FS
	}{{"made/traces", pages}, {"made/fixture", site.FS}} {
		recordings, err := harness.Recordings(set.dir)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range recordings {
			t.Run(r.Name, func(t *testing.T) {
				oneIn(t, 3, i)
				t.Parallel()
				server := harness.Serve(set.pages)
				defer server.Close()
				o, err := server.Replay(t.Context(), bin, t.TempDir(), r, attach...)
				if err != nil {
					t.Fatal(err)
				}
				if !r.AsWanted(o) {
					t.Errorf("%s with exit code %d, want %v, touched %q\n%s", o.Verdict, o.Code, r.Want, o.Strays, o.Output)
				}
			})
		}
	}
}

package replay

import (
	"testing"
	"time"

	"retrace/resolve"
)

// TestWeak: an element found by weaker evidence is taken only when nothing better has come for a while.
func TestWeak(t *testing.T) {
	type look struct {
		ms   int
		tier resolve.Tier // empty for nothing found
		want bool
	}
	for _, c := range []struct {
		name  string
		looks []look
	}{
		{"the recorded name at once", []look{{0, resolve.TierExact, false}}},
		{"a role of the same family, and other names of the recorder", []look{{0, resolve.TierFamily, false}, {0, resolve.TierRecorder, false}, {0, resolve.TierStructural, false}}},
		{"another role", []look{{0, resolve.TierRole, true}, {599, resolve.TierRole, true}, {600, resolve.TierRole, false}}},
		{"another number", []look{{0, resolve.TierVolatile, true}, {600, resolve.TierVolatile, false}}},
		{"other words", []look{{0, resolve.TierTolerant, true}, {600, resolve.TierTolerant, false}}},
		{"the recorded name comes", []look{{0, resolve.TierVolatile, true}, {300, resolve.TierExact, false}}},
		{"nothing between", []look{{0, resolve.TierRole, true}, {300, "", false}, {600, resolve.TierRole, false}}},
		{"nothing first", []look{{0, "", false}, {5000, resolve.TierRole, true}, {5599, resolve.TierRole, true}, {5600, resolve.TierRole, false}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var w weak
			start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
			for i, l := range c.looks {
				d := resolve.Decision{Outcome: resolve.One, Tier: l.tier}
				if l.tier == "" {
					d.Outcome = resolve.Missing
				}
				if got := w.wait(d, start.Add(time.Duration(l.ms)*time.Millisecond)); got != l.want {
					t.Errorf("look %d at %d ms: %v, want %v", i, l.ms, got, l.want)
				}
			}
		})
	}
}

package replay

import (
	"testing"
	"time"
)

func TestRest(t *testing.T) {
	type look struct {
		ms    int
		print uint64
		want  bool
	}
	for _, c := range []struct {
		name  string
		looks []look
	}{
		{"a still page", []look{{0, 1, false}, {300, 1, false}, {500, 1, true}}},
		{"a page that changes once", []look{{0, 1, false}, {400, 2, false}, {800, 2, false}, {900, 2, true}}},
		{"a page that never rests", []look{{0, 1, false}, {400, 2, false}, {800, 3, false}, {2900, 4, false}, {3000, 5, true}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var r rest
			start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
			for i, l := range c.looks {
				if got := r.at(l.print, start.Add(time.Duration(l.ms)*time.Millisecond)); got != l.want {
					t.Errorf("look %d at %d ms: %v, want %v", i, l.ms, got, l.want)
				}
			}
		})
	}
}

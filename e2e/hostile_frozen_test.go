//go:build unix

package e2e

import (
	"slices"
	"syscall"
	"testing"

	"retrace/e2e/hostile"
	"retrace/replay"
)

// A browser that stands still without ending is given up at the deadline, and killed.
func TestFrozenBrowser(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	for _, m := range moments {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			site := hostile.Serve()
			defer site.Close()
			tr := m.do(t, site, func(r running) {
				if err := ownBrowser(t, r).Signal(syscall.SIGSTOP); err != nil {
					t.Error(err)
				}
			})
			want := ends{replay.Timeout, replay.TargetMissing, replay.TargetDisabled, replay.EffectNotSeen}
			if tr.code != 1 || !slices.Contains(want, tr.reason()) {
				t.Errorf("exit code %d with reason %q\n%s", tr.code, tr.reason(), tr.text())
			}
		})
	}
}

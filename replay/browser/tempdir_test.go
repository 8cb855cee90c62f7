package browser

import (
	"os"
	"sync"
	"testing"
)

// TestOrphansOfOthers makes directories while another program removes orphans all the time: none of them is one.
func TestOrphansOfOthers(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					removeOrphans()
				}
			}
		})
	}
	for range 200 {
		d, err := newTempDir()
		if err != nil {
			t.Error(err)
			break
		}
		if _, err := os.Stat(d.profile()); err != nil {
			t.Errorf("taken for an orphan: %v", err)
			break
		}
		if err := d.remove(t.Context()); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	wg.Wait()
}

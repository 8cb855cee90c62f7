package main

import (
	"os"
	"runtime"
	"slices"
	"testing"

	"retrace/replay"
	"retrace/replay/browser"
)

// Bounds of what a recording may grow by: the live heap with each step, which is what the result holds of it, and on top of
// that once.
const (
	heapOfStep = 4 << 10
	heapSlack  = 1 << 20
)

// TestLongRecording: a step late in a long recording costs what an early one does, in commands and in bytes, and the memory that
// is in use grows by what the result holds of each step. It has 2,000 steps when it is to be thorough.
func TestLongRecording(t *testing.T) {
	needBrowser(t)
	times := 4
	if os.Getenv("RETRACE_E2E_THOROUGH") != "" {
		times = 100
	}
	const round = fields + lists + buttons
	pages := site()
	defer pages.Close()
	var (
		heap        []uint64 // at the begin of each round
		sent, bytes []int    // in each round
		steps       int
		each        commands // of the first round
	)
	replayed(t, form(pages.URL, 0, times), func(e replay.Event) {
		if steps < round { // later the elements are known already
			each.event(e)
		}
		if e.Kind != replay.StepStarted || e.Step.Op == "open" {
			return
		}
		if steps%round == 0 {
			heap, sent, bytes = append(heap, liveHeap()), append(sent, 0), append(bytes, 0)
		}
		steps++
	}, func(m browser.Message) {
		if steps <= round {
			each.message(m)
		}
		if len(sent) > 0 {
			if m.Sent {
				sent[len(sent)-1]++
			}
			bytes[len(bytes)-1] += len(m.Params) + len(m.Result)
		}
	})
	if steps != times*round {
		t.Fatalf("%d steps, want %d", steps, times*round)
	}
	each.check(t)

	// The first round has the start of the page in it, the last what follows the last step.
	inner := min(5, (times-2+1)/2) // rounds that are compared with as many
	early, late := 1, times-1-inner
	for what, of := range map[string][]int{"commands": sent, "bytes": bytes} {
		before, after := slices.Min(of[early:early+inner]), slices.Min(of[late:late+inner])
		if after*10 > before*12 {
			t.Errorf("a late round of %d steps takes %d %s, an early one %d", round, after, what, before)
		}
	}
	flat := min(5, times-2) // after so many rounds, 100 steps of a long recording
	t.Logf("live heap %d kB after %d steps and %d kB after %d; in rounds of %d steps between them %d to %d commands and %d to %d bytes", heap[flat]>>10, flat*round, heap[times-1]>>10, (times-1)*round,
		round, slices.Min(sent[flat:times-1]), slices.Max(sent[flat:times-1]), slices.Min(bytes[flat:times-1]), slices.Max(bytes[flat:times-1]))
	grown := int64(heap[times-1]) - int64(heap[flat])
	if most := int64((times-1-flat)*round*heapOfStep + heapSlack); grown > most {
		t.Errorf("the live heap has grown by %d kB since step %d, want at most %d", grown>>10, flat*round, most>>10)
	}
}

// liveHeap is the memory in bytes that is in use after a collection.
func liveHeap() uint64 {
	runtime.GC()
	runtime.GC() // what finalizers let go
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

package main

import (
	"context"
	"sort"
	"sync"
	"time"

	"retrace/e2e/harness"
	"retrace/e2e/hostile"
	"retrace/e2e/peers"
)

// wire is what passed between a tool and the browser.
type wire struct {
	// Commands and Bytes are medians for a step of each kind.
	Commands map[string]float64 `json:"commands"`
	Bytes    map[string]float64 `json:"bytes"`
	// Total are all commands of the replay, its start and its end included, by method.
	Total map[string]int `json:"total"`
	// ToolMB and ChromeMB are the most memory that was seen, in megabytes; 0 where that cannot be told.
	ToolMB   float64 `json:"tool_mb"`
	ChromeMB float64 `json:"chrome_mb"`
}

// passed is a message on its way.
type passed struct {
	at      float64 // milliseconds since 1970
	command bool
	size    int
}

// count replays a recording once through a relay, in a browser of its own.
func (t tool) count(ctx context.Context, chrome, trace string) (*wire, error) {
	b, err := hostile.StartChrome(chrome)
	if err != nil {
		return nil, err
	}
	defer b.Stop()
	var mu sync.Mutex
	var all []passed
	w := &wire{Total: map[string]int{}}
	relay, err := harness.NewTap(b.URL, func(m harness.Message) {
		p := passed{peers.Milliseconds(time.Now()), m.Command, m.Size}
		mu.Lock()
		defer mu.Unlock()
		all = append(all, p)
		if m.Command {
			w.Total[m.Method]++
		}
	})
	if err != nil {
		return nil, err
	}
	defer relay.Close()
	s, err := t.replay(ctx, trace, relay.URL, "", func(pid int) func() { return watchMemory(w, pid, b.PID()) })
	if err != nil {
		return nil, err
	}
	mu.Lock()
	defer mu.Unlock()
	w.perStep(s.times.Steps, all)
	return w, nil
}

// perStep counts what passed in each step: from its begin to the begin of the next one, so that what a tool does between two
// steps is not lost.
func (w *wire) perStep(steps []peers.Step, all []passed) {
	commands, bytes := map[string][]float64{}, map[string][]float64{}
	for i, s := range steps {
		end := s.Ended
		if i+1 < len(steps) {
			end = steps[i+1].Began
		}
		from := sort.Search(len(all), func(k int) bool { return all[k].at >= s.Began })
		var n, size float64
		for _, p := range all[from:] {
			if p.at >= end {
				break
			}
			size += float64(p.size)
			if p.command {
				n++
			}
		}
		commands[s.Op], bytes[s.Op] = append(commands[s.Op], n), append(bytes[s.Op], size)
	}
	w.Commands, w.Bytes = map[string]float64{}, map[string]float64{}
	for op := range commands {
		w.Commands[op], w.Bytes[op] = spreadOf(commands[op]).Median, spreadOf(bytes[op]).Median
	}
}

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"retrace/e2e/peers"
)

// many is what many short recordings take at once.
type many struct {
	Recordings int `json:"recordings"`
	// PerSecond are recordings a second, by the ways to replay them.
	PerSecond map[string]spread `json:"per_second"`
	// Gain is the throughput of two workers by that of one, ByPeer by that of Playwright Test with as many workers, round by round.
	Gain   spread `json:"gain"`
	ByPeer spread `json:"by_playwright_test"`
}

// The ways to replay many recordings.
const (
	oneWorker  = "retrace, 1 worker"
	twoWorkers = "retrace, 2 workers"
	peerTest   = "Playwright Test, 2 workers"
)

// manyRounds is how often each way replays all recordings.
const manyRounds = 3

// short is a task of five steps on the form.
func short(base string) *recording {
	url := base + "/form.html?rows=0"
	r := &recording{start: url}
	values := map[string]string{}
	shot := func(said string) int {
		return r.state(url, "Order form", func(refs *refs) []string { return formLines(refs, values, said, 0) })
	}
	at := shot("")
	for i := 1; i <= 2; i++ {
		r.step("fill", at, at, "textbox", fieldName(i), map[string]any{"value": letters(i), "commit": "blur"})
		values[fieldName(i)] = letters(i)
	}
	r.step("select", at, at, "combobox", listName(1), map[string]any{"selection": []any{map[string]any{"value": colours[1], "label": colours[1]}}})
	values[listName(1)] = colours[1]
	for i := 1; i <= 2; i++ {
		after := shot(message(i))
		r.step("click", at, after, "button", buttonName(i), nil)
		at = after
	}
	return r
}

// manyAtOnce replays n short recordings in each of the ways, in turn.
func (b *bench) manyAtOnce(ctx context.Context, base string, n int) (*many, error) {
	traces := filepath.Join(b.work, "many")
	for i := range n {
		if err := short(base).write(filepath.Join(traces, fmt.Sprintf("short-%03d", i))); err != nil {
			return nil, err
		}
	}
	ours := func(workers string) func(out string) *exec.Cmd {
		return func(out string) *exec.Cmd {
			return exec.CommandContext(ctx, b.bin, "run", traces, "--workers", workers, "--report", out, "--chrome", b.chrome)
		}
	}
	ways := []struct {
		name string
		line func(out string) *exec.Cmd
	}{
		{oneWorker, ours("1")}, {twoWorkers, ours("2")},
		{peerTest, func(out string) *exec.Cmd {
			line := peers.TestLine(2)
			cmd := exec.CommandContext(ctx, line[0], line[1:]...)
			cmd.Env = append(os.Environ(), "RETRACE_TRACES="+traces, "RETRACE_CHROME="+b.chrome, "RETRACE_OUT="+out)
			return cmd
		}},
	}
	rates := map[string][]float64{}
	for range manyRounds {
		for _, w := range ways {
			out, err := os.MkdirTemp(b.work, "many-out-")
			if err != nil {
				return nil, err
			}
			cmd := w.line(out)
			var output bytes.Buffer
			cmd.Stdout, cmd.Stderr = &output, &output
			start := time.Now()
			if err := cmd.Run(); err != nil {
				return nil, fmt.Errorf("%s: %w\n%s", w.name, err, output.String())
			}
			rates[w.name] = append(rates[w.name], float64(n)/time.Since(start).Seconds())
			fmt.Fprintf(os.Stderr, "%-25s %-20s %6.1f recordings a second\n", fmt.Sprintf("%d recordings", n), w.name, rates[w.name][len(rates[w.name])-1])
		}
	}
	m := &many{Recordings: n, PerSecond: map[string]spread{}}
	for name, r := range rates {
		m.PerSecond[name] = spreadOf(r)
	}
	m.Gain, m.ByPeer = spreadOf(ratios(rates[twoWorkers], rates[oneWorker])), spreadOf(ratios(rates[twoWorkers], rates[peerTest]))
	return m, nil
}

// line is the result in words.
func (m *many) line() string {
	return fmt.Sprintf("%d recordings of 5 steps: %.1f a second with one worker, %.1f with two (%.2f times, %.2f–%.2f); Playwright Test with two %.1f (retrace %.2f times, %.2f–%.2f)\n", m.Recordings,
		m.PerSecond[oneWorker].Median, m.PerSecond[twoWorkers].Median, m.Gain.Median, m.Gain.Low, m.Gain.High, m.PerSecond[peerTest].Median, m.ByPeer.Median, m.ByPeer.Low, m.ByPeer.High)
}

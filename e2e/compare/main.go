// Command compare replays the given recordings and the given fault pages with retrace, with a plain Playwright script and with
// @puppeteer/replay, and judges all three from outside by the same rules; see package harness for them and package peers for
// the scripts. It prints a table and writes every verdict as JSON.
//
// The three replay side by side, each in a browser that it keeps for all recordings, in a context of its own for each. All get
// the same time for an action. The scripts wait two seconds at their end, since a script that ends with its
// last click would be blamed for what the page does then; retrace waits by itself.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"golang.org/x/sync/errgroup"

	"retrace/e2e/harness"
	"retrace/e2e/hostile"
	"retrace/e2e/peers"
	"retrace/replay/browser"
)

func main() {
	var o options
	flag.StringVar(&o.json, "json", "compare.json", "write the verdicts to this `file`")
	flag.StringVar(&o.timeout, "timeout", "10s", "time for an action, for every tool")
	flag.StringVar(&o.only, "only", "", "only recordings whose names contain this `text`")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

type options struct{ json, timeout, only string }

func run(ctx context.Context, o options) error {
	if err := peers.Ready(); err != nil {
		return err
	}
	chrome, err := browser.Find("")
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "retrace-compare-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	c := &comparison{options: o, chrome: chrome.Path, work: work, browsers: map[string]*hostile.Chrome{}}
	if c.bin, err = harness.Build(ctx, work); err != nil {
		return err
	}
	defer c.close()
	for _, tool := range tools {
		b, err := hostile.StartChrome(c.chrome)
		if err != nil {
			return err
		}
		c.browsers[tool] = b
	}
	doc, err := c.measure(ctx)
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(o.json, append(data, '\n'), 0o644); err != nil {
		return err
	}
	fmt.Print(doc.table())
	return nil
}

// comparison is one run of the command.
type comparison struct {
	options
	bin, chrome, work string
	browsers          map[string]*hostile.Chrome // by tool; each replay gets a context of its own there
}

func (c *comparison) close() {
	for _, b := range c.browsers {
		if err := b.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, "compare:", err)
		}
	}
}

// sets are the recordings, and the sites that they are replayed on.
var sets = []struct{ name, traces, site string }{
	{"recordings", "e2e/traces", "e2e/site"},
	{"fault pages", "e2e/faults/given/traces", "e2e/faults/given/live"},
}

func (c *comparison) measure(ctx context.Context) (*document, error) {
	doc, err := newDocument(ctx, c.timeout)
	if err != nil {
		return nil, err
	}
	for _, set := range sets {
		recordings, err := harness.Recordings(set.traces)
		if err != nil {
			return nil, err
		}
		for _, r := range recordings {
			if r.Unjudged || !strings.Contains(r.Name, c.only) {
				continue
			}
			row := row{Set: set.name, Name: r.Name, Want: r.Want, Verdicts: map[string]harness.Verdict{}, Says: map[string]string{}}
			outcomes := make([]harness.Outcome, len(tools))
			g, ctx := errgroup.WithContext(ctx)
			for i, tool := range tools {
				g.Go(func() (err error) {
					outcomes[i], err = c.replay(ctx, tool, r, set.site)
					return err
				})
			}
			if err := g.Wait(); err != nil {
				return nil, err
			}
			for i, tool := range tools {
				row.Verdicts[tool] = outcomes[i].Verdict
				if outcomes[i].Verdict != harness.OK {
					row.Says[tool] = said(outcomes[i])
				}
			}
			fmt.Fprintf(os.Stderr, "%-12s %-32s %s\n", set.name, r.Name, row.line())
			for tool, text := range row.Says {
				fmt.Fprintf(os.Stderr, "%*s %s: %s\n", 12, "", tool, text)
			}
			doc.Rows = append(doc.Rows, row)
		}
	}
	doc.sum()
	return doc, nil
}

// said is the first line of what a tool said, and what it touched wrongly.
func said(o harness.Outcome) string {
	line, _, _ := strings.Cut(strings.TrimSpace(o.Output), "\n")
	if len(o.Strays) > 0 {
		line = "touched " + strings.Join(o.Strays, ", ") + "; " + line
	}
	if r := []rune(line); len(r) > 300 {
		line = string(r[:300]) + "…"
	}
	return line
}

func (c *comparison) replay(ctx context.Context, tool string, r *harness.Recording, site string) (harness.Outcome, error) {
	server := harness.Serve(os.DirFS(site))
	defer server.Close()
	work, err := os.MkdirTemp(c.work, "run-")
	if err != nil {
		return harness.Outcome{}, err
	}
	where := c.browsers[tool].URL
	if tool == ours {
		return server.Replay(ctx, c.bin, work, r, "--timeout", c.timeout, "--remote", where)
	}
	t := peers.Playwright
	if tool == peers.Replay.Name {
		t = peers.Replay
	}
	ms, err := milliseconds(c.timeout)
	if err != nil {
		return harness.Outcome{}, err
	}
	flags := []string{"--remote", where, "--base", server.URL, "--timeout", ms, "--linger", "2000"}
	secrets, err := r.WriteSecrets(work)
	if err != nil {
		return harness.Outcome{}, err
	}
	if secrets != "" {
		flags = append(flags, "--secrets", secrets)
	}
	trace, err := filepath.Abs(r.Dir)
	if err != nil {
		return harness.Outcome{}, err
	}
	return server.Run(ctx, r, t.Line(trace, flags...))
}

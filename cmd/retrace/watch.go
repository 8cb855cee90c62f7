package main

import (
	"context"
	"fmt"
	"os"

	"golang.org/x/term"

	"github.com/spf13/pflag"

	"retrace/replay"
	"retrace/replay/report"
)

// watchOptions are ways to look into a run while it goes on.
type watchOptions struct {
	pauseOnFailure bool
	traceCDP       string
}

// watchFlags are the names of the flags of watchOptions.
var watchFlags = []string{"pause-on-failure", "trace-cdp"}

func (o *watchOptions) addFlags(f *pflag.FlagSet) {
	f.BoolVar(&o.pauseOnFailure, "pause-on-failure", false, "when a step fails, keep the page and wait: at a terminal for commands as in debug, else (with --headed) until the window is closed")
	f.StringVar(&o.traceCDP, "trace-cdp", "", "write the messages of the DevTools protocol to `FILE` as JSON lines; what was typed and secrets are masked")
}

// check finds what is wrong, before anything is read or started.
func (o *watchOptions) check(a *app, headed bool, workers int, traces []string) error {
	const hint = "see retrace run --help"
	if o.traceCDP != "" {
		if err := report.CheckProtocol(o.traceCDP); err != nil {
			return &usageError{fmt.Errorf("--trace-cdp: %w", err), hint}
		}
	}
	if !o.pauseOnFailure {
		return nil
	}
	if !a.atTerminal() && !headed {
		return usagef(hint, "--pause-on-failure: nobody is there to go on: it needs a terminal, or --headed")
	}
	if workers > 1 {
		return usagef(hint, "--pause-on-failure and --workers %d exclude each other", workers)
	}
	for _, t := range traces {
		if t == "-" && a.atTerminal() {
			return usagef(hint, "--pause-on-failure: commands come from standard input, so the recording cannot")
		}
	}
	return nil
}

// atTerminal reports whether a person can give commands.
func (a *app) atTerminal() bool {
	if a.terminal != nil {
		return a.terminal()
	}
	f, ok := a.stdin.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// open opens the protocol log; nil when there is none. Everything that a recording types is replaced in it.
func (o *watchOptions) open(a *app, jobs []job, masked []string) (*report.Protocol, error) {
	if o.traceCDP == "" {
		return nil, nil
	}
	hidden := append([]string(nil), masked...)
	for i := range jobs {
		t, err := jobs[i].load(a)
		if err != nil {
			return nil, &usageError{err: fmt.Errorf("--trace-cdp: %w", err)}
		}
		for _, s := range t.Steps {
			hidden = append(hidden, s.Value)
		}
	}
	p, err := report.OpenProtocol(o.traceCDP, report.Mask(nil, hidden...), len(masked) > 0)
	if err != nil {
		return nil, &usageError{err: fmt.Errorf("--trace-cdp: %w", err)}
	}
	return p, nil
}

// paused gives the function that waits at a failed step.
func (o *watchOptions) paused(a *app, mask *report.Masker, headed bool) func(context.Context, *replay.Debugger) {
	if !o.pauseOnFailure {
		return nil
	}
	return func(ctx context.Context, d *replay.Debugger) {
		if !a.atTerminal() {
			fmt.Fprintln(a.stderr, "paused at the failed step; close the window, or press Ctrl-C, to go on")
			select {
			case <-d.Gone():
			case <-ctx.Done():
			}
			return
		}
		fmt.Fprintln(a.stdout, "paused at the failed step; help lists the commands, quit goes on")
		newPrompt(a, d, mask, headed).loop(ctx)
	}
}

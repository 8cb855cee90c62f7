package main

import (
	"context"
	"log/slog"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"retrace/replay"
	"retrace/replay/assert"
	"retrace/replay/report"
	"retrace/replay/trace"
)

type runOptions struct {
	traces      []string
	reportDir   string
	json        string // a file, or "-" for event lines on standard output
	secretsFile string
	secrets     []string // KEY=env:NAME
	files       []string // NAME=PATH
	verbose     bool
	environment environmentOptions
	config      configOptions
	each        []*runOptions   // for every recording, with the settings of its project file; nil for the options themselves
	warned      map[string]bool // warnings that were written
	assertFile  string          // empty for the one of the bundle
	ci          ciOptions
	actions     actions
	replay      replay.Options
	again       func(*replay.Result) string
}

func newRunCmd(a *app) *cobra.Command {
	o := &runOptions{}
	cmd := &cobra.Command{
		Use:   "run TRACE…",
		Short: "Replay recordings",
		Long: `Replay recordings in headless Chrome, one after the other, each in a fresh profile.
TRACE is a directory that "bsk record" wrote, a JSON file, or - for standard input.
When one of them is not valid, none is replayed.`,
		Example: `  retrace run ./trace
  retrace run ./trace --report ./report --base-url http://localhost:3000
  retrace run ./login --secret Password=env:LOGIN_PASSWORD
  retrace run traces/* --json results.json
  retrace run traces/* --retries 2 --junit junit.xml
  retrace run ./trace --assert checks.json --retries 2
  retrace run ./trace --propose
  retrace run ./trace --headed --slow 500ms`,
		Args: arguments(1, -1, "TRACE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.traces = args
			o.again = againCommand(cmd)
			o.ci.detect(a, cmd.Flags())
			return runRun(cmd.Context(), a, o, cmd.Flags())
		},
	}
	o.addFlags(cmd.Flags())
	return cmd
}

func runRun(ctx context.Context, a *app, o *runOptions, flags *pflag.FlagSet) error {
	if err := o.check(); err != nil {
		return err
	}
	if err := o.forEach(a, flags); err != nil {
		return err
	}
	o.actions = o.ci.actions(a, a.human(o.json == "-"))
	o.actions.hold()
	defer o.actions.release()
	recordings, err := a.loadAll(o.traces)
	if err != nil {
		return err
	}
	asserts, err := a.loadAsserts(recordings, o)
	if err != nil {
		return err
	}
	return a.replayAll(ctx, recordings, asserts, o)
}

// of are the options of the engine for recording i.
func (o *runOptions) of(i int) replay.Options {
	if o.each == nil {
		return o.replay
	}
	own := o.each[i].replay
	own.Log = o.replay.Log
	return own
}

// loadAll reads every recording before it gives up, so that one call shows all problems.
func (a *app) loadAll(paths []string) ([]*trace.Trace, error) {
	var out []*trace.Trace
	bad := false
	for i, path := range paths {
		if path == "-" && slices.Contains(paths[:i], "-") {
			return nil, usagef("", "standard input can be read only once")
		}
		t, err := a.load(path)
		if err != nil {
			a.complain(err.Error(), "")
			bad = true
			continue
		}
		out = append(out, t)
	}
	if bad {
		return nil, codeError(exitUsage)
	}
	return out, nil
}

// replayAll replays one recording after the other, each with its assertions (nil for none), and writes what was asked for, also after a signal. It goes on after
// a failure, and stops when there is no browser at all.
func (a *app) replayAll(ctx context.Context, recordings []*trace.Trace, asserts []*assert.Set, o *runOptions) error {
	out, err := newOutputs(a, o)
	if err != nil {
		return err
	}
	o.replay.Log = slog.New(slog.DiscardHandler)
	if o.verbose {
		o.replay.Log = slog.New(slog.NewTextHandler(out.mask.Writer(a.stderr), &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	worst := exitPassed
	for i, t := range recordings {
		options := o.of(i)
		if asserts != nil {
			options.Assert = asserts[i]
		}
		sub, err := out.runDir(t.Name)
		if err != nil {
			return err
		}
		options.ReportDir = sub.path
		options.OnEvent = report.Tee(out.mask, sub.name, out.views...)
		result, err := a.replay(ctx, t, options)
		if err != nil {
			a.complain(out.mask.String(err.Error()), "")
			worst = max(worst, exitUsage)
			break
		}
		worst = max(worst, exitOf(result, o.ci.failOnFlaky))
		if err := out.patch(a, result, sub); err != nil {
			a.complain(out.mask.String(err.Error()), "")
			worst = max(worst, exitFailed)
		}
		if ctx.Err() != nil {
			worst = exitInterrupted
			break
		}
		if result.Failure != nil && result.Failure.Code == replay.BrowserMissing {
			break
		}
	}
	if err := out.finish(); err != nil {
		a.complain(err.Error(), "")
		worst = max(worst, exitFailed)
	}
	if worst != exitPassed {
		return codeError(worst)
	}
	return nil
}

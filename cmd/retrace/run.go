package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"retrace/replay"
	"retrace/replay/batch"
	"retrace/replay/report"
)

type runOptions struct {
	traces      []string
	reportDir   string
	json        string // a file, or "-" for event lines on standard output
	secretsFile string
	secrets     []string // KEY=env:NAME
	files       []string // NAME=PATH
	verbose     int
	environment environmentOptions
	config      configOptions
	flags       *pflag.FlagSet  // that set these options, for those of one recording
	each        []*runOptions   // for every recording, with the settings of its project file; nil for the options themselves
	warned      map[string]bool // warnings that were written
	assertFile  string          // empty for the one of the bundle
	ci          ciOptions
	many        manyOptions
	watch       watchOptions
	actions     actions
	replay      replay.Options
	again       func(*replay.Result) string
}

func newRunCmd(a *app) *cobra.Command {
	o := &runOptions{}
	cmd := &cobra.Command{
		Use:   "run TRACE…",
		Short: "Replay recordings",
		Long: `Replay recordings in headless Chrome, several at a time, each in a fresh profile.
TRACE is a directory that "bsk record" wrote, a directory with such directories in it,
a JSON file, a pattern, or - for standard input. When one of them is not valid, none is
replayed. What is told of the runs comes in the order of the arguments.`,
		Example: `  retrace run ./trace
  retrace run ./trace --report ./report --base-url http://localhost:3000
  retrace run ./login --secret Password=env:LOGIN_PASSWORD
  retrace run traces --json results.json --workers 4
  retrace run traces --retries 2 --junit junit.xml --fail-fast
  retrace run traces --shard 2/5 --timings results.json --report shard-2
  retrace run traces --remote ws://chrome-1:9222,ws://chrome-2:9222
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
	if err := o.many.check(o.replay); err != nil {
		return err
	}
	if err := o.watch.check(a, o.replay.Headed, o.many.workers, o.traces); err != nil {
		return err
	}
	var shard *report.Shard
	paths, err := find(o.traces)
	if err == nil {
		o.traces, shard, err = o.many.part(a, paths)
	}
	if err != nil {
		return err
	}
	if err := o.forEach(a, flags); err != nil {
		return err
	}
	if err := o.many.check(o.replay); err != nil { // with the settings of a project file
		return err
	}
	o.actions = o.ci.actions(a, a.human(o.json == "-"))
	o.actions.hold()
	defer o.actions.release()
	jobs, err := a.loadAll(ctx, o.traces, o)
	if err != nil {
		return err
	}
	return a.replayAll(ctx, jobs, shard, o)
}

// of are the options of the engine for recording i.
func (o *runOptions) of(i int) replay.Options {
	if o.each == nil {
		return o.replay
	}
	own := o.each[i].replay
	own.Log, own.Pool, own.Protocol = o.replay.Log, o.replay.Pool, o.replay.Protocol
	return own
}

// replayAll replays the recordings, several at a time, and writes what was asked for, also after a signal. What is told of
// them comes in their order. It goes on after a failure, unless too many failed, and stops when there is no browser at all.
func (a *app) replayAll(ctx context.Context, jobs []job, shard *report.Shard, o *runOptions) error {
	workers := o.many.atATime(len(jobs), o.replay, o.watch.pauseOnFailure)
	out, err := newOutputs(a, o, len(jobs), workers)
	if err != nil {
		return err
	}
	o.replay.Log = logger(out.mask.Writer(a.stderr), o.verbose)
	if out.shard = shard; shard != nil {
		fmt.Fprintf(out.human, "shard %s: %d of %d traces\n", shard, shard.Traces, shard.Of)
	}
	dirs, err := out.runDirs(jobs)
	if err != nil {
		return err
	}
	protocol, err := o.watch.open(a, jobs, o.masked())
	if err != nil {
		return err
	}
	if protocol != nil {
		o.replay.Protocol = protocol.Message
	}
	if err := out.begin(); err != nil {
		return errors.Join(err, protocol.Close())
	}
	o.replay.Pool = o.many.pool(o.replay)
	f := &fleet{app: a, o: o, out: out, jobs: jobs, dirs: dirs}
	started := batch.RunSparing(ctx, len(jobs), workers, func(i int, spare func()) bool {
		if workers == 1 || o.many.maxFailures > 0 {
			spare = nil // who wants one after the other, or an end after a failure, gets it
		}
		return f.run(ctx, i, spare)
	})
	if err := o.replay.Pool.Close(); err != nil {
		a.warn("closing the browsers: " + out.mask.String(err.Error()))
	}
	if ctx.Err() != nil {
		f.worst = exitInterrupted
	}
	out.notRun = len(jobs) - started
	if err := errors.Join(out.finish(), protocol.Close()); err != nil {
		a.complain(err.Error(), "")
		f.worst = max(f.worst, exitFailed)
	}
	if f.worst != exitPassed {
		return codeError(f.worst)
	}
	return nil
}

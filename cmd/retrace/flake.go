package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"retrace/replay"
	"retrace/replay/batch"
	"retrace/replay/flake"
	"retrace/replay/report"
	"retrace/replay/trace"
)

type flakeOptions struct {
	page      pageOptions // the flags that a replay needs
	runs      int
	workers   int
	stress    string
	seed      uint64
	json      string
	reportDir string
}

func newFlakeCmd(a *app) *cobra.Command {
	o := &flakeOptions{}
	cmd := &cobra.Command{
		Use:   "flake TRACE",
		Short: "Find out why a recording passes at one time and not at another",
		Long: `Replay a recording many times in fresh contexts of one browser, first as it is and then
under stress, and say of each step how the runs differ: how often it passes, when its
target is there and can be used, what evidence changed, and for which reason. Variants of
stress are named, and with the seed they can be repeated: --stress takes kinds (cpu, net,
animations, timers, viewport, locale, timezone), names of variants, all or none. The exit
code is 1 when the recording is flaky or always fails, and 3 when the machine was too busy
to tell.`,
		Example: `  retrace flake ./trace
  retrace flake ./trace --runs 20 --report ./report
  retrace flake ./trace --runs 0 --stress net-jitter --seed 7
  retrace flake ./trace --stress none --timeout 3s --json flake.json`,
		Args: arguments(1, 1, "TRACE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.page.trace = args[0]
			return runFlake(cmd.Context(), a, o, cmd.Flags())
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.IntVar(&o.runs, "runs", 10, "replay `N` times as it is")
	f.IntVar(&o.workers, "workers", 0, "`N` runs at a time (0: one for each processor, as memory allows); those with a slower processor are always alone")
	f.StringVar(&o.stress, "stress", "all", "`LIST` of kinds or names of stress that follow: cpu,net,animations,timers,viewport,locale,timezone, all or none")
	f.Uint64Var(&o.seed, "seed", 1, "begin all random numbers with `N`")
	f.StringVar(&o.json, "json", "", "write what was found to `FILE`; - for standard output")
	f.StringVar(&o.reportDir, "report", "", "leave a report in `DIR` (flake.html, flake.json, and the runs that tell most)")
	f.StringVar((*string)(&o.page.run.replay.Match), "match", "strict", "`MODE` in which names are compared: strict or tolerant")
	o.page.addFlags(f)
	return cmd
}

func runFlake(ctx context.Context, a *app, o *flakeOptions, flags *pflag.FlagSet) error {
	const hint = "see retrace flake --help"
	if o.runs < 0 {
		return usagef(hint, "--runs: must not be negative")
	}
	if o.workers < 0 {
		return usagef(hint, "--workers: must not be negative")
	}
	stress, err := flake.Stress(o.stress, o.seed)
	if err != nil {
		return &usageError{fmt.Errorf("--stress: %w", err), hint}
	}
	if o.runs == 0 && len(stress) == 0 {
		return usagef(hint, "--runs 0 and no stress: nothing to do")
	}
	mask, err := o.page.prepare(a, flags)
	if err != nil {
		return err
	}
	t, err := a.load(o.page.trace)
	if err != nil {
		return err
	}
	out, err := newFlakeOutputs(a, o, mask)
	if err != nil {
		return err
	}
	settings := flake.Settings{Runs: o.runs, Workers: o.atATime(), Stress: stress, Seed: o.seed, Replay: o.page.run.replay, OnRun: out.run}
	if o.reportDir != "" {
		settings.ReportDir = out.runDir
	}
	return out.hunt(ctx, t, settings)
}

// atATime is how many runs there are at a time; one when somebody watches.
func (o *flakeOptions) atATime() int {
	r := o.page.run.replay
	switch {
	case o.workers > 0:
		return o.workers
	case r.Headed || r.Slow > 0:
		return 1
	}
	return batch.Workers()
}

// flakeOutputs are the views of a hunt.
type flakeOutputs struct {
	a     *app
	o     *flakeOptions
	mask  *report.Masker
	human io.Writer
	term  *report.Hunt
	dirs  report.Dirs

	mu    sync.Mutex
	names map[int]string // directories of the runs, by their places
}

// newFlakeOutputs refuses places that must not be written to.
func newFlakeOutputs(a *app, o *flakeOptions, mask *report.Masker) (*flakeOutputs, error) {
	out := &flakeOutputs{a: a, o: o, mask: mask, human: a.human(o.json == "-"), names: map[int]string{}}
	if o.json != "" && o.json != "-" {
		if err := report.CheckFlake(o.json); err != nil {
			return nil, &usageError{err: fmt.Errorf("--json: %w", err)}
		}
	}
	if o.reportDir != "" {
		if err := errors.Join(report.Prepare(o.reportDir), report.PrepareFlake(o.reportDir)); err != nil {
			return nil, &usageError{err: err, hint: "choose another directory with --report"}
		}
		// What a killed program leaves must not tell of another hunt.
		unfinished := &report.Document{Version: version(), Unfinished: true}
		if err := errors.Join(unfinished.Write(filepath.Join(o.reportDir, report.ResultsFile)), report.DiscardPages(o.reportDir)); err != nil {
			return nil, &usageError{err: err, hint: "choose another directory with --report"}
		}
	}
	out.term = report.NewHunt(out.human, a.style(out.human))
	return out, nil
}

// runDir makes the directory of one run below that of the report.
func (out *flakeOutputs) runDir(run int, v flake.Variant) (string, error) {
	out.mu.Lock()
	defer out.mu.Unlock()
	name, err := out.dirs.Make(out.o.reportDir, fmt.Sprintf("run-%02d-%s", run+1, v.Name))
	out.names[run] = name
	return filepath.Join(out.o.reportDir, name), err
}

// dir is the directory of a run; empty when it has none.
func (out *flakeOutputs) dir(run int) string {
	out.mu.Lock()
	defer out.mu.Unlock()
	return out.names[run]
}

// run shows a run that has ended, and takes away what it left empty.
func (out *flakeOutputs) run(r *flake.Run, done, planned int) {
	out.term.Run(r.Variant, out.mask.Result(r.Result), done, planned)
	if name := out.dir(done - 1); name != "" {
		dir := filepath.Join(out.o.reportDir, name)
		_ = os.Remove(filepath.Join(dir, "downloads")) // it may hold files, and is then to stay
		_ = os.Remove(dir)
	}
}

// hunt replays, shows what was found, writes what was asked for, and gives the exit code.
func (out *flakeOutputs) hunt(ctx context.Context, t *trace.Trace, s flake.Settings) error {
	runs, err := out.a.hunt(ctx, t, s)
	if err != nil {
		return &usageError{err: err}
	}
	found := flake.Analyse(runs, s.Replay.Timeout, s.Seed)
	found.Version = version()
	found = report.MaskAll(out.mask, found)
	out.term.Found(found)
	if err := out.write(found, runs); err != nil {
		out.a.complain(err.Error(), "")
		return codeError(exitFailed)
	}
	return flakeExit(ctx, found)
}

func flakeExit(ctx context.Context, found *flake.Report) error {
	switch {
	case ctx.Err() != nil:
		return codeError(exitInterrupted)
	case found.Verdict == flake.Unknown && found.Failure != nil:
		return codeError(exitOf(&replay.Result{Verdict: replay.Error, Failure: found.Failure}, false))
	case found.Verdict == flake.Starved:
		return codeError(exitBrowser)
	case found.Verdict == flake.Flaky || found.Verdict == flake.Failing || found.Verdict == flake.Unknown:
		return codeError(exitFailed)
	}
	return nil
}

// write writes the files.
func (out *flakeOutputs) write(found *flake.Report, runs []*flake.Run) error {
	var errs []error
	switch out.o.json {
	case "":
	case "-":
		errs = append(errs, report.EncodeJSON(out.a.stdout, found))
	default:
		errs = append(errs, report.WriteFlakeJSON(out.o.json, found))
	}
	if dir := out.o.reportDir; dir != "" {
		results := out.telling(runs)
		err := errors.Join(report.WriteFlake(dir, found), report.WriteResults(filepath.Join(dir, report.ResultsFile), version(), results), report.WriteHTML(dir, version(), results))
		if err == nil {
			fmt.Fprintf(out.human, "report: %s\n", report.Clean(filepath.Join(dir, report.FlakeFile)))
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// mostRuns bounds the runs that the report shows step by step.
const mostRuns = 8

// telling are the results of the first run and of those that did not end as it did, named by their variants.
func (out *flakeOutputs) telling(runs []*flake.Run) []*replay.Result {
	var results []*replay.Result
	seen := map[string]int{}
	for i, r := range runs {
		key := string(r.Result.Verdict)
		if f := r.Result.Failure; f != nil {
			key += string(f.Code)
		}
		if seen[key]++; seen[key] > 2 || len(results) == mostRuns {
			continue
		}
		res := out.mask.Result(r.Result)
		report.Tee(nil, out.dir(i), view(func(e replay.Event) { res = e.Result }))(replay.Event{Kind: replay.RunFinished, Result: res})
		res.Trace = fmt.Sprintf("%s, run %d (%s)", res.Trace, i+1, r.Name)
		results = append(results, res)
	}
	return results
}

// view makes a [report.View] of a function.
type view func(replay.Event)

func (f view) Event(e replay.Event) { f(e) }

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"retrace/replay"
	"retrace/replay/report"
)

type reportOptions struct {
	from []string
	to   string
	ci   ciOptions
}

func newReportCmd(a *app) *cobra.Command {
	o := &reportOptions{}
	cmd := &cobra.Command{
		Use:   "report DIR… -o OUT",
		Short: "Merge the reports of several machines",
		Long: `Merge reports, each of which "retrace run --report DIR" left, into one: index.html,
results.json and the screenshots in OUT. Results of one trace from several reports
are kept apart. The exit code is the one that a single run over all of them would
have had. No browser is started.`,
		Example: `  retrace report shard-1 shard-2 -o merged
  retrace report shards/* -o merged --junit junit.xml --fail-on-flaky`,
		Args: arguments(1, -1, "DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.from = args
			o.ci.detect(a, cmd.Flags())
			return runReport(cmd.Context(), a, o)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&o.to, "output", "o", "", "leave the merged report in `OUT`")
	o.ci.addFlags(f)
	return cmd
}

func runReport(ctx context.Context, a *app, o *reportOptions) error {
	const hint = "see retrace report --help"
	if o.to == "" {
		return usagef(hint, "retrace report: -o OUT is missing")
	}
	if err := o.ci.check(hint); err != nil {
		return err
	}
	if err := o.apart(); err != nil {
		return err
	}
	if err := o.ci.prepare(); err != nil {
		return err
	}
	if err := report.Prepare(o.to); err != nil {
		return &usageError{err: err, hint: "choose another directory with -o"}
	}
	merged, err := merge(ctx, o)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return &usageError{err: err}
	}
	gh := o.ci.actions(a, a.stdout)
	gh.hold()
	defer gh.release()
	return a.showMerged(ctx, o, gh, merged)
}

// merge is [report.Merge], given up when ctx ends: reading a large file cannot be. What goes on then ends with the process, and
// what it leaves in the new report is named nowhere.
func merge(ctx context.Context, o *reportOptions) (*report.Merged, error) {
	type outcome struct {
		merged *report.Merged
		err    error
	}
	done := make(chan outcome, 1)
	go func() {
		merged, err := report.Merge(o.to, o.from)
		done <- outcome{merged, err}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case end := <-done:
		return end.merged, end.err
	}
}

// apart makes sure that the merged report does not go over one that it is made of.
func (o *reportOptions) apart() error {
	to, err := os.Stat(o.to)
	if err != nil {
		return nil // it does not exist, or Prepare will say what is wrong
	}
	for _, dir := range o.from {
		if info, err := os.Stat(dir); err == nil && os.SameFile(info, to) {
			return usagef("choose another directory with -o", "%s is both merged and written to", dir)
		}
	}
	return nil
}

// showMerged shows results as a run does at its end, writes what was asked for, and gives the exit code of the worst. Once it
// writes, it is not interrupted.
func (a *app) showMerged(ctx context.Context, o *reportOptions, gh actions, merged *report.Merged) error {
	out := &outputs{human: a.stdout, reportDir: o.to, ci: o.ci, actions: gh, results: merged.Results}
	style := a.style(out.human)
	style.Live = false
	out.terminal = report.NewTerminal(out.human, style, o.to, nil)
	worst := exitPassed
	for _, r := range merged.Results {
		if err := ctx.Err(); err != nil {
			return err
		}
		out.terminal.Event(replay.Event{Kind: replay.RunStarted, Trace: r.Trace, Total: len(r.Steps)})
		out.terminal.Event(replay.Event{Kind: replay.RunFinished, Trace: r.Trace, Result: r})
		worst = max(worst, exitOf(r, o.ci.failOnFlaky))
	}
	for _, text := range merged.Lacking {
		a.complain(text, "")
		worst = max(worst, exitFailed)
	}
	for _, dir := range merged.Empty {
		a.complain(fmt.Sprintf("%s: holds no run, or those of a program that was killed, so something there went wrong", filepath.Join(dir, report.ResultsFile)), "")
		worst = max(worst, exitFailed)
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

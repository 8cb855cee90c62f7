package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/nats-io/nuid"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"retrace/replay"
	"retrace/replay/queue"
	"retrace/replay/queue/pack"
	"retrace/replay/report"
)

// submitFlags are the flags of run that submit has beside those that go along.
var submitFlags = []string{"assert", "config", "no-config", "report", "json", "junit", "junit-cases", "ctrf", "github", "fail-on-flaky"}

type submitOptions struct {
	nats  natsOptions
	run   runOptions
	batch string
	wait  bool
}

func newSubmitCmd(a *app) *cobra.Command {
	o := &submitOptions{}
	cmd := &cobra.Command{
		Use:   "submit [TRACE…]",
		Short: "Have recordings replayed by workers, through a queue on NATS",
		Long: `Put recordings into a queue on NATS JetStream, where "retrace worker" takes them, and with
--wait collect the results into one report with one exit code. Submitting a batch of the
same name again adds nothing, and only waits: repeat the command when it was interrupted.
Without TRACE the results of an earlier --batch are collected. Values of secrets are never
submitted; workers have them. A recording may be replayed more than once when workers die,
so submit only what may be repeated. What a recording itself holds is stored in the queue.`,
		Example: `  retrace submit traces --wait --report report --junit junit.xml
  retrace submit traces --batch nightly-2026-11-30
  retrace submit --batch nightly-2026-11-30 --wait --report report`,
		Args: arguments(0, -1, "TRACE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.run.traces = args
			o.run.ci.detect(a, cmd.Flags())
			return runSubmit(cmd.Context(), a, o, cmd.Flags())
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	o.nats.addFlags(f)
	f.StringVar(&o.batch, "batch", "", "`NAME` of the batch, which makes it safe to repeat the command (default: a new one)")
	f.BoolVar(&o.wait, "wait", false, "wait for the results")
	take(f, &o.run, slices.Concat(submitFlags, submitted))
	return cmd
}

func runSubmit(ctx context.Context, a *app, o *submitOptions, flags *pflag.FlagSet) error {
	if err := o.check(); err != nil {
		return err
	}
	paths, err := find(o.run.traces)
	if err != nil {
		return err
	}
	o.run.traces = paths
	if err := o.run.forEach(a, flags); err != nil {
		return err
	}
	o.warnOfKept(a)
	jobs, err := a.loadAll(ctx, paths, &o.run)
	if err != nil {
		return err
	}
	q, closeQueue, err := o.nats.open(ctx, a, "submit")
	if err != nil {
		return err
	}
	defer closeQueue()
	human := a.human(o.run.json == "-")
	if len(jobs) > 0 {
		if o.batch == "" {
			o.batch = time.Now().UTC().Format("20060102-150405-") + nuid.Next()[16:]
		}
		err := q.Submit(ctx, o.batch, len(jobs), func(i int) (queue.Item, error) { return o.run.item(jobs, i) })
		if err != nil {
			if ctx.Err() != nil {
				return codeError(exitInterrupted)
			}
			return &usageError{err: err}
		}
		fmt.Fprintf(human, "batch %s: %s submitted\n", o.batch, count(len(jobs), "trace"))
	}
	if !o.wait {
		return nil
	}
	return a.collect(ctx, q, o)
}

func (o *submitOptions) check() error {
	const hint = "see retrace submit --help"
	if err := o.nats.check(hint); err != nil {
		return err
	}
	if o.batch != "" {
		if err := queue.CheckName(o.batch); err != nil {
			return usagef(hint, "--batch: %w", err)
		}
	}
	if slices.Contains(o.run.traces, "-") {
		return usagef(hint, "retrace submit: standard input cannot be submitted")
	}
	if len(o.run.traces) == 0 && (o.batch == "" || !o.wait) {
		return usagef(hint, "retrace submit: TRACE is missing, or --batch NAME --wait")
	}
	return o.run.check()
}

// warnOfKept says which settings of project files do not go along.
func (o *submitOptions) warnOfKept(a *app) {
	for _, one := range o.run.each {
		for _, name := range kept {
			if values(one.flags.Lookup(name)) != nil {
				o.run.warn(a, "the setting "+name+" of "+one.replay.Config+" is not submitted: workers have their own")
			}
		}
	}
}

// collect makes one report of the results of a batch, and gives the exit code of the worst.
func (a *app) collect(ctx context.Context, q *queue.Queue, o *submitOptions) error {
	o.run.actions = o.run.ci.actions(a, a.human(o.run.json == "-"))
	o.run.actions.hold()
	defer o.run.actions.release()
	out, err := newOutputs(a, &o.run, len(o.run.traces), 0)
	if err != nil {
		return err
	}
	if err := out.begin(); err != nil {
		return err
	}
	worst, last := exitPassed, -1
	err = q.Collect(ctx, o.batch, func(outcome queue.Outcome) error {
		last = max(last, outcome.Job.Number)
		r, err := out.take(outcome)
		if err != nil {
			return err
		}
		worst = max(worst, exitOf(r, o.run.ci.failOnFlaky))
		return nil
	})
	for i := range last + 1 {
		out.lanes.Done(i) // those that never came hold up nobody
	}
	switch {
	case ctx.Err() != nil:
		a.complain("not all results are there yet", fmt.Sprintf("they are collected by: retrace submit --batch %s --wait", o.batch))
		worst = exitInterrupted
	case err != nil:
		a.complain(err.Error(), "")
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

// take brings an outcome into the report, and tells of it in its turn.
func (out *outputs) take(o queue.Outcome) (*replay.Result, error) {
	n := o.Job.Number
	defer out.lanes.Done(n)
	r, err := report.DecodeResult(o.Result)
	switch {
	case o.SetAside != "":
		r = failedResult(o.Job.Name, "", replay.SetAside, o.SetAside)
	case err != nil:
		r = failedResult(o.Job.Name, "", replay.NotReplayable, "the result that a worker stored cannot be read: "+err.Error())
	}
	name := ""
	if out.reportDir != "" {
		name = out.dirs.Name(fmt.Sprintf("%d-%s", n+1, o.Job.Name))
		dir := filepath.Join(out.reportDir, name)
		if err := out.place.Intact(); err != nil {
			return nil, err
		}
		if err := report.MakeDir(dir); err != nil {
			return nil, err
		}
		if err := pack.Unpack(o.Files, dir, unpacking); err != nil {
			r.Warnings = append(r.Warnings, "its files cannot be unpacked: "+err.Error())
		}
	}
	tell := report.Tee(out.mask, name, out.lane(n))
	tell(replay.Event{Kind: replay.RunStarted, Time: time.Now(), Trace: r.Trace, Attempt: 1, Total: len(r.Steps)})
	tell(replay.Event{Kind: replay.RunFinished, Time: time.Now(), Trace: r.Trace, Attempt: r.Attempt, Result: r})
	return r, nil
}

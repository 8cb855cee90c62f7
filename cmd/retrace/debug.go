package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"retrace/replay"
	"retrace/replay/trace"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// debugger is a replay that is led step by step; see [replay.Debugger].
type debugger interface {
	At() int
	Steps() []replay.StepResult
	Step(context.Context) replay.StepResult
	Skip()
	URL() string
	Look(context.Context, *resolve.Descriptor) (resolve.Decision, error)
	Use(resolve.Descriptor) error
	Highlight(context.Context, *resolve.Descriptor) (bool, error)
	Tree(context.Context) (*axtree.Tree, error)
	Screenshot(context.Context) ([]byte, error)
	Close()
}

// openDebugger is [replay.Debug].
func openDebugger(ctx context.Context, t *trace.Trace, o replay.Options) (debugger, error) {
	d, err := replay.Debug(ctx, t, o)
	if err != nil {
		return nil, err
	}
	return d, nil
}

func newDebugCmd(a *app) *cobra.Command {
	o := &pageOptions{}
	cmd := &cobra.Command{
		Use:   "debug TRACE",
		Short: "Replay a recording step by step, and look at the page in between",
		Long: `Open the recording and wait for commands, a line each, from standard input: a person at a
terminal, or a file. ` + debugHelp + `

The exit code is 1 when the last step that was tried failed, else 0.`,
		Example: `  retrace debug ./trace
  retrace debug ./trace --step 4 --headed
  printf 'run 3\nlook\nshot page.jpg\n' | retrace debug ./trace`,
		Args: arguments(1, 1, "TRACE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.trace = args[0]
			return runDebug(cmd.Context(), a, o, cmd.Flags())
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.IntVar(&o.step, "step", 0, "begin with the recorded step of id `N`; those before it are replayed")
	f.StringVar((*string)(&o.run.replay.Match), "match", "strict", "`MODE` in which names are compared: strict or tolerant")
	o.addFlags(f)
	return cmd
}

func runDebug(ctx context.Context, a *app, o *pageOptions, flags *pflag.FlagSet) error {
	if o.step < 0 {
		return usagef("see retrace debug --help", "--step: must not be negative")
	}
	if o.trace == "-" {
		return usagef("", "retrace debug: commands come from standard input, so the recording cannot")
	}
	mask, err := o.prepare(a, flags)
	if err != nil {
		return err
	}
	t, err := a.load(o.trace)
	if err != nil {
		return err
	}
	d, err := a.debug(ctx, t, o.run.replay)
	if f, ok := errors.AsType[*replay.Failure](err); ok {
		a.complain(mask.String(f.Error()), mask.String(f.Hint))
		return codeError(exitOf(&replay.Result{Verdict: replay.Failed, Failure: f}, false))
	}
	if err != nil {
		return &usageError{err: err}
	}
	defer d.Close()
	p := newPrompt(a, d, mask, o.run.replay.Headed)
	if o.step > 0 {
		if err := p.check(o.step); err != nil {
			return usagef("see retrace show TRACE for the steps of a recording", "--step: %s", err)
		}
		p.runTo(ctx, o.step)
	}
	p.loop(ctx)
	switch {
	case ctx.Err() != nil:
		return codeError(exitInterrupted)
	case p.failed:
		return codeError(exitFailed)
	}
	return nil
}

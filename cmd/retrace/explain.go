package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"retrace/replay"
	"retrace/replay/report"
)

// pageOptions say which page a command looks at: the one before a step of a recording, or the one at an address.
type pageOptions struct {
	run   runOptions // the flags that a replay up to the step needs
	trace string
	step  int
	url   string
}

// addFlags are the flags that a replay up to a step has in common with a whole one.
func (o *pageOptions) addFlags(f *pflag.FlagSet) {
	f.SortFlags = false
	f.DurationVar(&o.run.replay.Timeout, "timeout", replay.DefaultTimeout, "deadline of one step, a `DURATION`")
	f.StringVar(&o.run.replay.BaseURL, "base-url", "", "replay on the origin of `URL` instead of the recorded one")
	o.run.addPolicyFlags(f)
	f.StringVar(&o.run.secretsFile, "secrets", "", "JSON `FILE` with the values that the recording does not hold, by target name or step id")
	f.StringArrayVar(&o.run.secrets, "secret", nil, "one such value from the environment: `KEY=env:NAME` (can be repeated)")
	o.run.addSecretOriginFlag(f)
	f.StringArrayVar(&o.run.files, "file", nil, "file for an upload field: `NAME=PATH` (can be repeated)")
	f.StringVar(&o.run.replay.Dialogs, "dialogs", "accept", "`ANSWER` to JavaScript dialogs: accept, dismiss or fail")
	f.StringVar(&o.run.replay.Verify, "verify", "effects", "`LEVEL` of what must be seen after a step: off, effects or strict")
	o.run.addEnvironmentFlags(f)
	o.run.addPermissionFlag(f)
	o.run.config.addFlags(f)
	o.run.addBrowserFlags(f)
	f.StringVar(&o.run.replay.Remote, "remote", "", "attach to the running browser at `URL` (ws:// or http://)")
	f.CountVarP(&o.run.verbose, "verbose", "v", "log what happens to standard error; -vv also the protocol")
}

// prepare checks the flags and completes the options of the replay; the masker is for all output.
func (o *pageOptions) prepare(a *app, flags *pflag.FlagSet) (*report.Masker, error) {
	file, err := o.run.config.find(o.trace)
	if err != nil {
		return nil, &usageError{err: err, hint: "see docs/config.md"}
	}
	settings := configured(file, o.trace)
	if err := apply(flags, settings); err != nil {
		return nil, err
	}
	if file != nil {
		o.run.replay.Config = file.Path
	}
	if err := o.run.complete(a, flags, settings); err != nil {
		return nil, err
	}
	if err := checkURL("--url", o.url, "http", "https"); err != nil {
		return nil, err
	}
	mask := report.Mask(nil, o.run.masked()...)
	o.run.replay.Log = logger(mask.Writer(a.stderr), o.run.verbose)
	return mask, nil
}

func newExplainCmd(a *app) *cobra.Command {
	o := &pageOptions{}
	asJSON := false
	cmd := &cobra.Command{
		Use:   "explain TRACE --step N",
		Short: "Show how the target of a step is found, or why it is not",
		Long: `Replay a recording up to a step, and show what the search for its target finds: the
candidates with the evidence for and against each, the decision, and what would have
made it certain. The step itself is not done. With --url the page at that address is
searched, and nothing is replayed. The exit code is 0 when the target is found, else 1.`,
		Example: `  retrace explain ./trace --step 4
  retrace explain ./trace --step 4 --url http://localhost:3000/orders
  retrace explain ./trace --step 4 --json`,
		Args: arguments(1, 1, "TRACE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.trace = args[0]
			return runExplain(cmd.Context(), a, o, cmd.Flags(), asJSON)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.IntVar(&o.step, "step", 0, "id `N` of the recorded step")
	f.StringVar(&o.url, "url", "", "look at the page at `URL` without replaying")
	f.BoolVar(&asJSON, "json", false, "write the explanation as JSON")
	f.StringVar((*string)(&o.run.replay.Match), "match", "strict", "`MODE` in which names are compared: strict or tolerant")
	o.addFlags(f)
	return cmd
}

func runExplain(ctx context.Context, a *app, o *pageOptions, flags *pflag.FlagSet, asJSON bool) error {
	if o.step < 1 {
		return usagef("see retrace show TRACE for the steps of a recording", "retrace explain: --step N is missing")
	}
	mask, err := o.prepare(a, flags)
	if err != nil {
		return err
	}
	t, err := a.load(o.trace)
	if err != nil {
		return err
	}
	e, err := a.explain(ctx, t, o.run.replay, o.step, o.url)
	if err != nil {
		return &usageError{err: err}
	}
	e = report.MaskAll(mask, e)
	if err := writeExplanation(a, a.stdout, e, asJSON); err != nil {
		return err
	}
	switch {
	case ctx.Err() != nil:
		return codeError(exitInterrupted)
	case e.Failure != nil && (e.Failure.Code == replay.BrowserMissing || e.Failure.Code == replay.BrowserCrashed):
		return codeError(exitBrowser)
	case !e.Found():
		return codeError(exitFailed)
	}
	return nil
}

func writeExplanation(a *app, w io.Writer, e *replay.Explanation, asJSON bool) error {
	if asJSON {
		return report.EncodeJSON(w, e)
	}
	return report.Explain(w, a.style(w), e)
}

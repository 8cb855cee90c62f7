package main

import "github.com/spf13/cobra"

func newRootCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "retrace",
		Short: "Replay browser recordings in headless Chrome",
		Long: `retrace replays what a person once did in a browser and recorded with "bsk record".
It does it again in headless Chrome, step by step, and says of every step what it
looked for, what it found, what it did and what changed. It never guesses: a step
acts on the one right element, or the run stops with a reason.

Exit codes: 0 passed, 1 failed, 2 wrong usage or invalid trace,
3 no browser or the browser died, 130 interrupted.`,
		Example: `  retrace demo                              see it work
  retrace validate ./trace                  will this recording replay?
  retrace run ./trace --report ./report     replay it and leave a report`,
		SilenceErrors:              true,
		SilenceUsage:               true,
		DisableSuggestions:         true, // they become a hint
		SuggestionsMinimumDistance: 2,
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return &usageError{err, "see " + cmd.CommandPath() + " --help"}
	})
	cmd.AddCommand(newRunCmd(a), newValidateCmd(a), newShowCmd(a), newExplainCmd(a), newTreeCmd(a), newFlakeCmd(a), newDebugCmd(a), newAuthCmd(a), newBrowserCmd(a), newReportCmd(a), newSubmitCmd(a), newWorkerCmd(a), newDemoCmd(a), newSchemaCmd(a), newVersionCmd(a))
	return cmd
}

// arguments checks the number of arguments: at least least, at most most (-1 for any number).
func arguments(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		hint := "see " + cmd.CommandPath() + " --help"
		switch {
		case len(args) < least:
			return usagef(hint, "%s: %s is missing", cmd.CommandPath(), what)
		case most >= 0 && len(args) > most:
			return usagef(hint, "%s: unexpected argument %q", cmd.CommandPath(), args[most])
		}
		return nil
	}
}

package main

import (
	"github.com/spf13/cobra"

	"retrace/replay/plan"
	"retrace/replay/report"
	"retrace/replay/trace"
)

func newShowCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "show TRACE",
		Short: "Show what a replay would do, step by step",
		Long: `Show the plan of a recording: what would be done, where that differs from what was
recorded, and why. No browser is started. TRACE is a directory that "bsk record"
wrote, a JSON file, or - for standard input.`,
		Example: "  retrace show ./trace\n  ssh desk cat trace.json | retrace show -",
		Args:    arguments(1, 1, "TRACE"),
		RunE: func(_ *cobra.Command, args []string) error {
			return runShow(a, args[0])
		},
	}
}

func runShow(a *app, path string) error {
	t, err := a.load(path)
	if err != nil {
		return err
	}
	return report.Show(a.stdout, t, plan.Make(t))
}

// load reads a recording; "-" is standard input.
func (a *app) load(path string) (*trace.Trace, error) {
	if path == "-" {
		return trace.Read(a.stdin, path)
	}
	return trace.Load(path)
}

package main

import (
	"strings"

	"github.com/spf13/cobra"

	"retrace/replay/report"
)

func newSchemaCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "schema [NAME]",
		Short: "Print the JSON Schema of results, events or findings",
		Long: `Print the JSON Schema (draft 2020-12) of what retrace writes for programs: results (the
results.json of a report, and run --json FILE), events (a line of run --json -), flake and
explain (what these commands write with --json). Without a name, the names are listed.`,
		Example:   `  retrace schema results > results.schema.json`,
		Args:      arguments(0, 1, "NAME"),
		ValidArgs: report.Schemas,
		RunE: func(_ *cobra.Command, args []string) error {
			text := []byte(strings.Join(report.Schemas, "\n") + "\n")
			if len(args) > 0 {
				var err error
				if text, err = report.Schema(args[0]); err != nil {
					return &usageError{err: err}
				}
			}
			_, err := a.stdout.Write(text)
			return err
		},
	}
}

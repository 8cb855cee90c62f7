package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"retrace/replay"
	"retrace/replay/report"
	"retrace/replay/trace"
	"retrace/resolve/axtree"
)

type treeOptions struct {
	pageOptions
	file string
	json bool
}

func newTreeCmd(a *app) *cobra.Command {
	o := &treeOptions{}
	cmd := &cobra.Command{
		Use:   "tree (URL | --trace TRACE --step N)",
		Short: "Print or save the accessibility tree of a live page",
		Long: `Read the accessibility tree of a page: the one at URL, or the one on which a recorded
step is done, after the steps before it were replayed. It is printed as page text; -o
saves it as JSON with everything that a search sees, so that it can go into a bug
report and from there into a test. The values of given secrets are masked.`,
		Example: `  retrace tree http://localhost:3000/orders
  retrace tree --trace ./trace --step 4 -o orders.json`,
		Args: arguments(0, 1, "URL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				o.url = args[0]
			}
			return runTree(cmd.Context(), a, o, cmd.Flags())
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&o.trace, "trace", "", "replay the recording `TRACE` up to the step")
	f.IntVar(&o.step, "step", 0, "id `N` of the recorded step")
	f.StringVarP(&o.file, "output", "o", "", "save the tree as JSON to `FILE`")
	f.BoolVar(&o.json, "json", false, "print the tree as JSON")
	o.run.replay.Match = "strict"
	o.addFlags(f)
	return cmd
}

func runTree(ctx context.Context, a *app, o *treeOptions, flags *pflag.FlagSet) error {
	const hint = "see retrace tree --help"
	switch {
	case o.url == "" && o.trace == "":
		return usagef(hint, "retrace tree: URL or --trace TRACE is missing")
	case o.url != "" && o.trace != "":
		return usagef(hint, "retrace tree: URL and --trace exclude each other")
	case o.trace != "" && o.step < 1:
		return usagef(hint, "retrace tree: --step N is missing")
	}
	if err := checkURL("URL", o.url, "http", "https"); err != nil {
		return err
	}
	mask, err := o.prepare(a, flags)
	if err != nil {
		return err
	}
	if o.file != "" {
		if err := report.CheckTree(o.file); err != nil {
			return &usageError{err: fmt.Errorf("-o: %w", err)}
		}
	}
	var t *trace.Trace
	if o.trace != "" {
		if t, err = a.load(o.trace); err != nil {
			return err
		}
	}
	tree, err := a.tree(ctx, t, o.run.replay, o.step, o.url)
	if f, ok := errors.AsType[*replay.Failure](err); ok {
		a.complain(mask.String(f.Error()), mask.String(f.Hint))
		return codeError(exitOf(&replay.Result{Verdict: replay.Failed, Failure: f}, false))
	}
	if err != nil {
		return &usageError{err: err}
	}
	return a.writeTree(mask, tree, o)
}

// writeTree prints or saves a tree.
func (a *app) writeTree(mask *report.Masker, tree *axtree.Tree, o *treeOptions) error {
	if o.file == "" && !o.json {
		for line := range bytes.Lines([]byte(mask.String(axtree.Format(tree)))) {
			fmt.Fprintln(a.stdout, report.Clean(string(bytes.TrimSuffix(line, []byte("\n")))))
		}
		return nil
	}
	data, err := axtree.Encode(tree)
	if err != nil {
		return fmt.Errorf("tree: %w", err)
	}
	data = []byte(mask.String(string(data)))
	if o.file == "" {
		_, err := a.stdout.Write(report.PlainJSON(data))
		return err
	}
	if err := report.WriteTree(o.file, data); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "tree: %s, %s\n", report.Clean(o.file), count(len(tree.Nodes), "node"))
	return nil
}

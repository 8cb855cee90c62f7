package main

import (
	"bufio"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"retrace/replay/report"
	"retrace/replay/trace"
)

type validateOptions struct {
	traces []string
	json   bool
}

func newValidateCmd(a *app) *cobra.Command {
	o := &validateOptions{}
	cmd := &cobra.Command{
		Use:   "validate TRACE…",
		Short: "Check recordings and say what will be hard to replay",
		Long: `Check recordings without a browser. Errors make a replay impossible (exit code 2);
warnings tell what it will find hard, or cannot verify.`,
		Example: "  retrace validate ./trace\n  retrace validate --json traces",
		Args:    arguments(1, -1, "TRACE"),
		RunE: func(_ *cobra.Command, args []string) error {
			o.traces = args
			return runValidate(a, o)
		},
	}
	cmd.Flags().BoolVar(&o.json, "json", false, "write the findings as JSON")
	return cmd
}

// finding is what was found about one recording, in the form of validate --json.
type finding struct {
	Trace    string    `json:"trace"`
	Valid    bool      `json:"valid"`
	Steps    int       `json:"steps"`
	Errors   []problem `json:"errors"`
	Warnings []problem `json:"warnings"`
}

type problem struct {
	File  string `json:"file"`
	Step  int    `json:"step,omitempty"`
	Field string `json:"field,omitempty"`
	Text  string `json:"text"`
}

func problems(ps []trace.Problem) []problem {
	out := make([]problem, len(ps))
	for i, p := range ps {
		out[i] = problem{p.File, p.Step, p.Field, p.Text}
	}
	return out
}

func runValidate(a *app, o *validateOptions) error {
	defer withoutGC()()
	paths, err := find(o.traces)
	if err != nil {
		return err
	}
	findings := make([]finding, 0, len(paths))
	valid := true
	for _, path := range paths {
		f := a.examine(path)
		valid = valid && f.Valid
		findings = append(findings, f)
	}
	if o.json {
		if err := report.EncodeJSON(a.stdout, findings); err != nil {
			return fmt.Errorf("findings: %w", err)
		}
	} else {
		a.showFindings(findings)
	}
	if !valid {
		return codeError(exitUsage)
	}
	return nil
}

// uncollected is how much memory may be in use before the garbage collector begins, in bytes.
const uncollected = 128 << 20

// withoutGC keeps the garbage collector from a command that ends before there is much to collect: it would take a third of the
// processor time. The function that it returns undoes that.
func withoutGC() (undo func()) {
	percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(uncollected)
	return func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}

func (a *app) examine(path string) finding {
	f := finding{Trace: path, Errors: []problem{}, Warnings: []problem{}}
	t, err := a.load(path)
	if listed, ok := invalid(err); ok {
		f.Errors = problems(listed)
		return f
	}
	if err != nil {
		f.Errors = []problem{{File: path, Text: strings.TrimPrefix(err.Error(), path+": ")}}
		return f
	}
	f.Valid, f.Steps = true, len(t.Steps)
	f.Warnings = append(problems(t.Warnings), problems(trace.Review(t))...)
	return f
}

func (a *app) showFindings(findings []finding) {
	out := bufio.NewWriter(a.stdout)
	defer out.Flush()
	for _, f := range findings {
		word := "valid"
		if !f.Valid {
			word = "not valid"
		}
		fmt.Fprintf(out, "%s: %s", report.Clean(f.Trace), word)
		if f.Valid {
			fmt.Fprintf(out, ", %s", count(f.Steps, "step"))
		} else {
			fmt.Fprintf(out, ", %s", count(len(f.Errors), "error"))
		}
		if len(f.Warnings) > 0 {
			fmt.Fprintf(out, ", %s", count(len(f.Warnings), "warning"))
		}
		fmt.Fprintln(out)
		for _, p := range f.Errors {
			fmt.Fprintf(out, "  error: %s\n", report.Clean(p.line(f.Trace)))
		}
		for _, p := range f.Warnings {
			fmt.Fprintf(out, "  warning: %s\n", report.Clean(p.line(f.Trace)))
		}
	}
}

// line is the problem as the reader of recordings words it, without the name of the file where the heading has it.
func (p problem) line(heading string) string {
	text := trace.Problem{File: p.File, Step: p.Step, Field: p.Field, Text: p.Text}.String()
	if p.File == heading || p.File == filepath.Join(heading, "trace.json") {
		text = strings.TrimLeft(strings.TrimPrefix(text, p.File), ": ")
	}
	return text
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"retrace/replay"
	"retrace/replay/report"
)

// outputs are the views of a command's runs. It is itself one: it keeps the results, as the other views saw them.
type outputs struct {
	mask      *report.Masker
	views     []report.View
	terminal  *report.Terminal
	lines     *report.Lines // nil unless events are streamed
	human     io.Writer
	jsonFile  string
	reportDir string
	ci        ciOptions
	actions   actions
	dirs      report.Dirs
	results   []*replay.Result
}

// newOutputs refuses places that must not be written to, before a run has cost any time.
func newOutputs(a *app, o *runOptions) (*outputs, error) {
	out := &outputs{mask: report.Mask(nil, o.masked()...), reportDir: o.reportDir, human: a.human(o.json == "-"), ci: o.ci, actions: o.actions}
	if o.json == "-" {
		out.lines = report.NewLines(a.stdout)
		out.views = append(out.views, out.lines)
	} else if o.json != "" {
		out.jsonFile = o.json
		if err := report.CheckResults(o.json); err != nil {
			return nil, &usageError{err: fmt.Errorf("--json: %w", err)}
		}
	}
	if err := o.ci.prepare(); err != nil {
		return nil, err
	}
	if o.reportDir != "" {
		if err := report.Prepare(o.reportDir); err != nil {
			return nil, &usageError{err: err, hint: "choose another directory with --report"}
		}
	}
	style := a.style(out.human)
	style.Live = style.Live && !o.verbose // log lines would run into the live one
	out.terminal = report.NewTerminal(out.human, style, o.reportDir, o.again)
	out.views = append(out.views, out.terminal, out)
	return out, nil
}

// runDir is the directory of one run below that of the report.
type runDir struct{ name, path string }

// runDir makes the directory of a run; without a report there is none.
func (out *outputs) runDir(trace string) (runDir, error) {
	if out.reportDir == "" {
		return runDir{}, nil
	}
	name, err := out.dirs.Make(out.reportDir, trace)
	if err != nil {
		return runDir{}, &usageError{err: err}
	}
	return runDir{name, filepath.Join(out.reportDir, name)}, nil
}

// Event implements [report.View].
func (out *outputs) Event(e replay.Event) {
	if e.Kind == replay.RunFinished {
		out.results = append(out.results, e.Result)
	}
}

// finish writes the files and says where they are.
func (out *outputs) finish() error {
	out.terminal.Total()
	var errs []error
	if out.lines != nil {
		errs = append(errs, out.lines.Err())
	}
	if out.jsonFile != "" {
		errs = append(errs, report.WriteResults(out.jsonFile, version(), out.results))
	}
	if out.reportDir != "" {
		err := errors.Join(
			report.WriteResults(filepath.Join(out.reportDir, report.ResultsFile), version(), out.results),
			report.WriteHTML(out.reportDir, version(), out.results))
		if err == nil {
			fmt.Fprintf(out.human, "report: %s\n", report.Clean(filepath.Join(out.reportDir, report.IndexFile)))
		}
		errs = append(errs, err)
	}
	errs = append(errs, out.ci.write(out.reportDir, out.results), out.actions.report(out.results))
	return errors.Join(errs...)
}

// human is where the lines for people go: standard output, unless that is taken for the lines of events.
func (a *app) human(taken bool) io.Writer {
	if taken {
		return a.stderr
	}
	return a.stdout
}

package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"retrace/replay"
	"retrace/replay/batch"
	"retrace/replay/report"
)

// outputs are the views of a command's runs. It is itself one: it keeps the results, as the other views saw them.
type outputs struct {
	mask      *report.Masker
	views     []report.View
	live      *report.Live // gets events as they come; what the terminal writes stands above it
	terminal  *report.Terminal
	lines     *report.Lines // nil unless events are streamed
	human     io.Writer
	jsonFile  string
	reportDir string
	own       bool         // the report directory held a report of ours before
	place     report.Place // the report directory as it was then
	written   int          // results in the document that was written last
	ci        ciOptions
	actions   actions
	dirs      report.Dirs
	results   []*replay.Result
	lanes     batch.Lanes
	shard     *report.Shard // nil when there is no other machine
	notRun    int           // recordings whose turn never came
	workers   int
	began     time.Time
}

// newOutputs refuses places that must not be written to, before a run has cost any time.
func newOutputs(a *app, o *runOptions, traces, workers int) (*outputs, error) {
	out := &outputs{mask: report.Mask(nil, o.masked()...), reportDir: o.reportDir, human: a.human(o.json == "-"), ci: o.ci, actions: o.actions, workers: workers, began: time.Now()}
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
		var err error
		if out.place, err = report.PlaceAt(o.reportDir); err != nil {
			return nil, &usageError{err: err, hint: "choose another directory with --report"}
		}
		out.own = report.Own(o.reportDir)
	}
	style := a.style(out.human)
	style.Live = style.Live && o.verbose == 0 // log lines would run into the live one
	out.live = report.NewLive(out.human, style, traces)
	out.terminal = report.NewTerminal(out.live, style, o.reportDir, o.again)
	out.views = append(out.views, out.terminal, out)
	return out, nil
}

// runDir is the directory of one run below that of the report.
type runDir struct{ name, path string }

// runDirs names the directories of the runs, so that the names do not depend on who is first; without a report there are none.
func (out *outputs) runDirs(jobs []job) ([]runDir, error) {
	dirs := make([]runDir, len(jobs))
	if out.reportDir == "" {
		return dirs, nil
	}
	for i, j := range jobs {
		name := out.dirs.Name(j.name)
		dirs[i] = runDir{name, filepath.Join(out.reportDir, name)}
		if err := report.CheckRunDir(dirs[i].path, out.own); err != nil {
			return nil, &usageError{err: err, hint: "choose another directory with --report"}
		}
	}
	return dirs, nil
}

// begin writes documents without results, in place of those of a run before, and takes away what is written at the end only:
// what a killed program leaves must not tell of another run.
func (out *outputs) begin() error {
	err := out.interim()
	if out.jsonFile != "" {
		report.Sweep(out.jsonFile)
	}
	if out.reportDir != "" {
		report.Sweep(filepath.Join(out.reportDir, report.ResultsFile))
		report.Sweep(filepath.Join(out.reportDir, report.IndexFile))
		err = errors.Join(err, report.DiscardPages(out.reportDir))
	}
	if err = errors.Join(err, out.ci.begin()); err != nil {
		return &usageError{err: err, hint: "choose another place for the results"}
	}
	return nil
}

// interim writes the results so far.
func (out *outputs) interim() error {
	out.written = len(out.results)
	d := out.document()
	d.Unfinished = true
	var errs []error
	if out.jsonFile != "" {
		errs = append(errs, d.Write(out.jsonFile))
	}
	if out.reportDir != "" {
		errs = append(errs, out.place.Intact())
		if errs[len(errs)-1] == nil {
			errs = append(errs, d.Write(filepath.Join(out.reportDir, report.ResultsFile)))
		}
	}
	return errors.Join(errs...)
}

// lane is where the events of run i go: to the views, in its turn.
func (out *outputs) lane(i int) report.View { return lane{out, i} }

type lane struct {
	out *outputs
	run int
}

// Event implements [report.View].
func (l lane) Event(e replay.Event) {
	e.Run = l.run + 1
	l.out.live.Event(e) // out of turn: it shows all that runs
	l.out.lanes.Do(l.run, func() {
		for _, v := range l.out.views {
			v.Event(e)
		}
	})
}

// Event implements [report.View].
func (out *outputs) Event(e replay.Event) {
	if e.Kind == replay.RunFinished {
		out.results = append(out.results, e.Result)
		// With many results only now and then, so that all the writing together stays in proportion to the last.
		if len(out.results) > out.written+out.written/20 {
			_ = out.interim() // the last writing tells of the error
		}
	}
}

// finish writes the files and says where they are.
func (out *outputs) finish() error {
	out.terminal.Total(report.Whole{Elapsed: time.Since(out.began), Workers: out.workers, NotRun: out.notRun})
	var errs []error
	if out.lines != nil {
		errs = append(errs, out.lines.Err())
	}
	if out.jsonFile != "" {
		errs = append(errs, out.document().Write(out.jsonFile))
	}
	if out.reportDir != "" {
		err := out.place.Intact()
		if err == nil {
			err = errors.Join(
				out.document().Write(filepath.Join(out.reportDir, report.ResultsFile)),
				report.WriteHTML(out.reportDir, version(), out.results))
		}
		if err == nil {
			fmt.Fprintf(out.human, "report: %s\n", report.Clean(filepath.Join(out.reportDir, report.IndexFile)))
		}
		errs = append(errs, err)
	}
	errs = append(errs, out.ci.write(out.reportDir, out.results), out.actions.report(out.results))
	return errors.Join(errs...)
}

func (out *outputs) document() *report.Document {
	return &report.Document{Version: version(), Shard: out.shard, Results: out.results}
}

// human is where the lines for people go: standard output, unless that is taken for the lines of events.
func (a *app) human(taken bool) io.Writer {
	if taken {
		return a.stderr
	}
	return a.stdout
}

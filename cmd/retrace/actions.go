package main

import (
	"io"

	"retrace/replay"
	"retrace/replay/report"
)

// actions is the output for GitHub Actions. The zero value writes nothing.
type actions struct {
	log     *report.GitHub // nil when it is off
	summary string         // file of the job summary; empty for none
}

// actions writes commands to w, which is where the lines for people go.
func (o *ciOptions) actions(a *app, w io.Writer) actions {
	if !o.github {
		return actions{}
	}
	return actions{report.NewGitHub(w, a.env("GITHUB_WORKSPACE")), a.env("GITHUB_STEP_SUMMARY")}
}

// hold keeps texts that follow from being taken for commands, until release.
func (g actions) hold() {
	if g.log != nil {
		g.log.Hold()
	}
}

func (g actions) release() {
	if g.log != nil {
		g.log.Release()
	}
}

// report writes the annotations and the job summary, after all texts that had to be held.
func (g actions) report(results []*replay.Result) error {
	if g.log == nil {
		return nil
	}
	g.log.Release()
	g.log.Annotate(results)
	if g.summary == "" {
		return nil
	}
	return report.AppendSummary(g.summary, results)
}

// Package report shows what a replay did: as lines on a terminal, as JSON and as an HTML page, and in the forms that
// systems of continuous integration read: [JUnit], [CTRF] and [GitHub].
//
// Its one idea: every view is made from the events of package replay, or from the results that they end with, and from
// nothing else. No view asks the browser, and none knows more than another. That is why [Merge] can make one report of
// several, on a machine that saw none of the runs.
//
// # What comes from outside
//
// Names, titles, URLs and console lines come from web pages and from recordings, and are nobody's friend. Two things
// happen to every string before a view sees or shows it:
//
//   - a [Masker] replaces the values of secrets by [Masked]. The engine does that too, where it knows the place; the
//     masker is the second net, and knows only the values.
//   - [Clean] makes control characters, terminal sequences and characters that reorder text visible. JSON keeps them,
//     as \u escapes. XML, Markdown and the commands of GitHub Actions have escapes of their own on top of that.
//
// # Files
//
// A report directory holds index.html, results.json and one directory for each trace with its screenshots and
// downloads. [Prepare] refuses a place in which these names belong to somebody else, before a run has cost any time.
package report

import (
	"path/filepath"

	"retrace/replay"
)

// A View shows events as they come. The calls of one run are made one after the other.
type View interface {
	Event(replay.Event)
}

// Tee gives a function for replay.Options.OnEvent that masks each event and hands it to all views. Screenshots and
// downloads are named relative to the run's own directory dir; the views get them relative to the report directory.
func Tee(m *Masker, dir string, views ...View) func(replay.Event) {
	return func(e replay.Event) {
		e = m.Event(e)
		if e.Step != nil {
			relocate(e.Step, dir)
		}
		if e.Result != nil {
			for _, r := range append([]*replay.Result{e.Result}, e.Result.Earlier...) {
				for i := range r.Steps {
					relocate(&r.Steps[i], dir)
				}
			}
		}
		for _, v := range views {
			v.Event(e)
		}
	}
}

// relocate puts dir before the names of a step's files.
func relocate(s *replay.StepResult, dir string) {
	if s.Screenshot != "" {
		s.Screenshot = filepath.ToSlash(filepath.Join(dir, s.Screenshot))
	}
	for i := range s.Shots {
		s.Shots[i].File = filepath.ToSlash(filepath.Join(dir, s.Shots[i].File))
	}
	for i, name := range s.Downloads {
		s.Downloads[i] = filepath.ToSlash(filepath.Join(dir, name))
	}
}

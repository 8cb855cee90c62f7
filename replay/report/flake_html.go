package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"math"
	"path/filepath"
	"sync"

	"retrace/replay"
	"retrace/replay/flake"
)

var flakeCSS = mustRead("flake.css")

// flakeTemplate has html/template escape everything; the style sheet is ours and constant. It is parsed when it is needed: most commands write
// no page.
var flakeTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("flake.html.tmpl").Funcs(template.FuncMap{
		"ids": stepIDs, "seconds": seconds, "plural": plural, "mark": flakeMark, "words": words,
	}).ParseFS(pageFiles, "flake.html.tmpl"))
})

// WriteFlake writes flake.html and flake.json into a prepared report directory.
func WriteFlake(dir string, r *flake.Report) error {
	file := filepath.Join(dir, FlakeFile)
	if err := check(file, ownPage); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := flakeTemplate().Execute(&b, newFlakePage(r)); err != nil {
		return fmt.Errorf("flake page: %w", err)
	}
	return errors.Join(write(file, b.Bytes()), WriteFlakeJSON(filepath.Join(dir, FlakeJSONFile), r))
}

// flakePage is what the template shows. All texts in it are cleaned and cut.
type flakePage struct {
	*flake.Report
	Policy  string
	CSS     template.CSS
	Summary string
	Steps   []flakeStep
	Runs    []flakeRun
	Most    float64 // milliseconds at the right edge of the drawings
}

type flakeStep struct {
	flake.Step
	ID            string
	Plain, Stress string
	Plots         []plot
	First         bool
	MarginText    string
}

type flakeRun struct {
	flake.RunSummary
	N     int
	Cells []cell // one for each step
}

// cell is what became of one step in one run.
type cell struct{ Class, Label string }

// plot is one distribution, drawn in a box of 400 by 26 units.
type plot struct {
	Label, Text string
	Dots        []dot
	Box         *box // quartiles; nil for fewer than four values
	Deadline    float64
}

type dot struct{ X, Y float64 }

type box struct{ X, W, Median float64 }

// plotWidth is the width of a drawing in its own units.
const plotWidth = 400

func newFlakePage(r *flake.Report) *flakePage {
	clean := mapStrings(r, func(s string) string { return Cut(Clean(s), longestInPage) })
	sum := sha256.Sum256([]byte(flakeCSS))
	p := &flakePage{
		Report: clean, CSS: template.CSS(flakeCSS), // constant of this package
		Policy:  "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'",
		Summary: FlakeSummary(clean), Most: longestTime(clean),
	}
	for i := range clean.Steps {
		p.Steps = append(p.Steps, p.step(&clean.Steps[i]))
	}
	for i, run := range clean.Runs {
		p.Runs = append(p.Runs, flakeRun{RunSummary: run, N: i + 1, Cells: cells(clean, run)})
	}
	return p
}

// longestTime is where the drawings end: at the deadline, or at the longest time when that is later.
func longestTime(r *flake.Report) float64 {
	most := r.TimeoutMS
	for _, s := range r.Steps {
		for _, d := range []*flake.Spread{s.Found, s.Ready, s.Shown, s.Waited} {
			if d != nil {
				most = max(most, d.Max)
			}
		}
	}
	return max(most, 1)
}

func (p *flakePage) step(s *flake.Step) flakeStep {
	out := flakeStep{Step: *s, ID: fmt.Sprintf("s%d", s.Index), First: s.Index == p.First, MarginText: margin(s)}
	out.Plain, out.Stress = flakeRates(s)
	for _, d := range []struct {
		label  string
		spread *flake.Spread
	}{{"there", s.Found}, {"ready", s.Ready}, {"effect shown", s.Shown}, {"waited", s.Waited}} {
		if d.spread != nil && d.spread.Max > 0 {
			out.Plots = append(out.Plots, p.plot(d.label, d.spread))
		}
	}
	return out
}

// plot draws the values of a distribution: a dot for each, and the quartiles behind them.
func (p *flakePage) plot(label string, s *flake.Spread) plot {
	x := func(ms float64) float64 { return math.Round(ms/p.Most*plotWidth*10) / 10 }
	out := plot{Label: label, Text: times(s), Deadline: x(p.TimeoutMS)}
	for i, v := range s.Values {
		out.Dots = append(out.Dots, dot{x(v), 6 + float64(i%3)*7}) // three lanes keep equal values apart
	}
	if s.N >= 4 {
		out.Box = &box{X: x(s.Q1), W: max(x(s.Q3)-x(s.Q1), 1), Median: x(s.Median)}
	}
	return out
}

// cells says of each step of a run how it went, as far as the run got.
func cells(r *flake.Report, run flake.RunSummary) []cell {
	var out []cell
	for _, s := range r.Steps {
		switch {
		case run.Verdict == replay.Error:
			out = append(out, cell{"not_run", "not run"})
		case run.Step == s.Index:
			out = append(out, cell{"failed", "failed"})
		case run.Step >= 0 && s.Index > run.Step:
			out = append(out, cell{"not_run", "not run"})
		default:
			out = append(out, cell{"passed", "passed"})
		}
	}
	return out
}

package report

import (
	"encoding/base64"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"retrace/replay"
)

// page is what the template shows. All texts in it are cleaned and cut.
type page struct {
	Version string
	Policy  string
	CSS     template.CSS
	JS      template.JS
	Verdict replay.Verdict
	Title   string
	Counts  []count
	Runs    []pageRun
}

// count is one button of the filter.
type count struct {
	Verdict replay.Verdict
	Label   string
	N       int
}

type pageRun struct {
	*replay.Result
	Summary    string
	When       string
	Steps      []pageStep
	FailedStep string // ID of the step with the failure; empty when the run failed as a whole
	Past       []pageRun
	Proposed   []string
	Emulated   []fact
}

type pageStep struct {
	replay.StepResult
	ID       string // of the element, unique in the page
	Bars     []bar
	Warnings []string
	Picture  template.URL // data URL; empty without a screenshot
	Lost     bool         // there was a screenshot, but it cannot be read
}

// bar is one phase of a step in a bar of 100 units.
type bar struct {
	Name     string
	MS, X, W float64
}

// longestInPage are the runes of one text that the page shows.
const longestInPage = 2000

// largestPicture is the size in bytes up to which a screenshot is put into the page.
const largestPicture = 8 << 20

func newPage(root *os.Root, version string, results []*replay.Result) *page {
	p := &page{
		Version: version, Policy: contentPolicy(), Verdict: Worst(results),
		CSS: template.CSS(pageCSS), JS: template.JS(pageJS), // constants of this package
	}
	n := map[replay.Verdict]int{}
	for r, result := range results {
		clean := mapStrings(result, func(s string) string { return Cut(Clean(s), longestInPage) })
		run := newPageRun(root, clean, result, "t"+strconv.Itoa(r+1))
		for i, e := range clean.Earlier {
			run.Past = append(run.Past, newPageRun(root, e, result.Earlier[i], fmt.Sprintf("t%d-a%d", r+1, i+1)))
		}
		for _, s := range run.Steps {
			n[s.Verdict]++
		}
		p.Runs = append(p.Runs, run)
	}
	p.Title = plural(len(results), "trace") + ": " + words(p.Verdict)
	if len(p.Runs) == 1 {
		p.Title = p.Runs[0].Trace + ": " + words(p.Verdict)
	}
	for _, c := range []count{{Verdict: replay.Passed, Label: "passed"}, {Verdict: replay.Warned, Label: "with warnings"}, {Verdict: replay.Failed, Label: "failed"}, {Verdict: replay.NotRun, Label: "not run"}} {
		if c.N = n[c.Verdict]; c.N > 0 {
			p.Counts = append(p.Counts, c)
		}
	}
	return p
}

// newPageRun prepares one attempt. The result clean has cleaned texts; result has the names of files as they are.
func newPageRun(root *os.Root, clean, result *replay.Result, id string) pageRun {
	run := pageRun{Result: clean, Summary: Summary(clean), Emulated: emulated(clean.Environment), When: clean.Started.UTC().Format("2006-01-02 15:04:05 UTC")}
	for i := range clean.Steps {
		s := pageStep{StepResult: clean.Steps[i], ID: id + "-s" + strconv.Itoa(i+1), Warnings: warnings(&clean.Steps[i])}
		s.Bars = bars(s.Phases)
		if name := result.Steps[i].Screenshot; name != "" {
			s.Picture = picture(root, name)
			s.Lost = s.Picture == ""
		}
		if s.Failure != nil {
			run.FailedStep = s.ID
		}
		run.Steps = append(run.Steps, s)
	}
	for _, p := range result.Proposals {
		run.Proposed = append(run.Proposed, Cut(Clean(proposal(p)), longestInPage))
	}
	return run
}

// Total is the number of steps of all runs, without those of earlier attempts.
func (p *page) Total() int {
	n := 0
	for _, r := range p.Runs {
		n += len(r.Steps)
	}
	return n
}

// bars lays the phases out one after the other; a phase that took no time has no bar.
func bars(p replay.Phases) []bar {
	all := []bar{{Name: "gate", MS: p.Gate}, {Name: "resolve", MS: p.Resolve}, {Name: "actionability", MS: p.Actionability}, {Name: "act", MS: p.Act}, {Name: "settle", MS: p.Settle}, {Name: "verify", MS: p.Verify}}
	sum := 0.0
	for _, b := range all {
		sum += max(b.MS, 0)
	}
	var out []bar
	x := 0.0
	for _, b := range all {
		if b.MS <= 0 {
			continue
		}
		b.X, b.W = x, b.MS/sum*100
		x += b.W
		out = append(out, b)
	}
	return out
}

// picture reads a screenshot of the report directory, which it cannot leave, as a data URL.
func picture(root *os.Root, name string) template.URL {
	name = filepath.FromSlash(name)
	info, err := root.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > largestPicture {
		return ""
	}
	kind := pictureKind(name)
	data, err := root.ReadFile(name)
	if err != nil || kind == "" {
		return ""
	}
	return template.URL("data:image/" + kind + ";base64," + base64.StdEncoding.EncodeToString(data)) // our own alphabet
}

// pictureKind is the subtype of image/… that a file is by its name; empty when it is no picture.
func pictureKind(name string) string {
	return map[string]string{".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp"}[strings.ToLower(filepath.Ext(name))]
}

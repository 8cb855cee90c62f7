package report

import (
	"fmt"
	"html/template"
	"os"
	"strconv"
	"strings"
	"time"

	"retrace/replay"
	"retrace/resolve"
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
	// RunCounts are the verdicts of the runs; nil when there is only one run.
	RunCounts []count
	Runs      []pageRun
	Legend    []string
	Bare      string // said when a run had no sandbox
}

// count is one button of the filter.
type count struct {
	Verdict replay.Verdict
	Label   string
	N       int
}

type pageRun struct {
	*replay.Result
	ID          string // of the element, unique in the page
	Open        bool   // shown from the start
	Summary     string
	Outline     string // the summary without its verdict
	When        string
	Steps       []pageStep
	FailedStep  string // ID of the step with the failure; empty when the run failed as a whole
	FailedTitle string
	Past        []pageRun
	Proposed    []string
	Emulated    []fact
}

type pageStep struct {
	replay.StepResult
	ID       string // of the element, unique in the page
	Bars     []bar
	Track    []bar // the same where they stand in the time of the whole run
	Warnings []string
	Remarks  []string // that are no warnings
	Found    bool     // the target was singled out
	Pictures []pagePicture
	Lost     []string // screenshots that cannot be read
}

// bar is one phase of a step in a bar of 100 units.
type bar struct {
	Name     string
	MS, X, W float64
}

// longestInPage are the runes of one text that the page shows.
const longestInPage = 2000

// Sizes of the screenshots that are put into the page, in bytes: of one, and of all together.
const (
	largestPicture = 8 << 20
	largestPage    = 64 << 20
)

func newPage(root *os.Root, version string, results []*replay.Result) *page {
	p := &page{
		Version: version, Policy: contentPolicy(), Verdict: Worst(results),
		CSS: template.CSS(pageCSS), JS: template.JS(pageJS), // constants of this package
	}
	album := &album{root: root, room: largestPage}
	n, runs := map[replay.Verdict]int{}, map[replay.Verdict]int{}
	for r, result := range results {
		clean := mapStrings(result, func(s string) string { return Cut(Clean(s), longestInPage) })
		run := newPageRun(album, clean, result, "t"+strconv.Itoa(r+1))
		for i, e := range clean.Earlier {
			run.Past = append(run.Past, newPageRun(album, e, result.Earlier[i], fmt.Sprintf("t%d-a%d", r+1, i+1)))
		}
		for _, s := range run.Steps {
			n[s.Verdict]++
		}
		runs[run.Verdict]++
		if unboxed(result) {
			p.Bare = noSandbox
		}
		run.Open = len(results) == 1 || run.Verdict != replay.Passed && run.Verdict != replay.Warned
		p.Runs = append(p.Runs, run)
	}
	p.Title = plural(len(results), "trace") + ": " + words(p.Verdict)
	if len(p.Runs) == 1 {
		p.Title = p.Runs[0].Trace + ": " + words(p.Verdict)
	}
	p.Counts = counts(n, replay.Passed, replay.Warned, replay.Failed, replay.NotRun)
	if len(p.Runs) > 1 {
		p.RunCounts = counts(runs, runVerdicts...)
	}
	for _, b := range phases(replay.Phases{}) {
		p.Legend = append(p.Legend, b.Name)
	}
	p.Legend = append(p.Legend, "other")
	return p
}

// counts are the verdicts that occur, in the given order.
func counts(n map[replay.Verdict]int, order ...replay.Verdict) []count {
	var out []count
	for _, v := range order {
		if n[v] == 0 {
			continue
		}
		label := words(v)
		if v == replay.Warned {
			label = "with warnings"
		}
		out = append(out, count{v, label, n[v]})
	}
	return out
}

// newPageRun prepares one attempt. The result clean has cleaned texts; result has the names of files as they are.
func newPageRun(album *album, clean, result *replay.Result, id string) pageRun {
	run := pageRun{Result: clean, Summary: Summary(clean), Emulated: emulated(clean.Environment), When: clean.Started.UTC().Format("2006-01-02 15:04:05 UTC")}
	_, run.Outline, _ = strings.Cut(run.Summary, ": ")
	begin, whole := span(clean)
	for i := range clean.Steps {
		s := pageStep{StepResult: clean.Steps[i], ID: id + "-s" + strconv.Itoa(i+1)}
		s.Remarks, s.Warnings = remarks(&clean.Steps[i])
		s.Bars, s.Track = bars(s.Phases), track(begin, whole, &s.StepResult)
		s.Found = s.Decision != nil && s.Decision.Outcome == resolve.One
		s.Pictures, s.Lost = album.of(&s, &result.Steps[i])
		if s.Failure != nil {
			run.FailedStep, run.FailedTitle = s.ID, s.Title
			if len(s.Steps) > 0 {
				run.FailedTitle = "step " + stepIDs(s.Steps) + ", " + s.Title
			}
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

// phases are the parts of a step's time, in their order.
func phases(p replay.Phases) []bar {
	return []bar{{Name: "gate", MS: p.Gate}, {Name: "resolve", MS: p.Resolve}, {Name: "actionability", MS: p.Actionability}, {Name: "act", MS: p.Act}, {Name: "settle", MS: p.Settle}, {Name: "verify", MS: p.Verify}}
}

// bars lays the phases out one after the other; a phase that took no time has no bar.
func bars(p replay.Phases) []bar {
	sum := 0.0
	for _, b := range phases(p) {
		sum += max(b.MS, 0)
	}
	var out []bar
	x := 0.0
	for _, b := range phases(p) {
		if b.MS <= 0 {
			continue
		}
		b.X, b.W = x, b.MS/sum*100
		x += b.W
		out = append(out, b)
	}
	return out
}

// span is the time from the beginning of the first step that ran to the end of the last: when it began, and milliseconds.
func span(r *replay.Result) (begin time.Time, ms float64) {
	for _, s := range r.Steps {
		if s.Verdict == replay.NotRun || s.Started.IsZero() {
			continue
		}
		if begin.IsZero() {
			begin = s.Started
		}
		ms = max(ms, float64(s.Started.Sub(begin).Microseconds())/1000+s.DurationMS)
	}
	return begin, ms
}

// track lays the phases of a step out where they stand in the time of all steps, in a bar of 1000 units. Time that no phase
// accounts for comes last.
func track(begin time.Time, whole float64, s *replay.StepResult) []bar {
	if s.Verdict == replay.NotRun || whole <= 0 || s.DurationMS <= 0 || s.Started.IsZero() {
		return nil
	}
	const units, least = 1000, 3 // a step that took next to no time is seen all the same
	at := float64(s.Started.Sub(begin).Microseconds()) / 1000
	x := min(max(at/whole*units, 0), units-least)
	end := min(x+max(s.DurationMS/whole*units, least), units)
	parts := append(phases(s.Phases), bar{Name: "other", MS: s.DurationMS})
	sum := 0.0
	for i := range parts {
		if last := i == len(parts)-1; last {
			parts[i].MS = max(s.DurationMS-sum, 0)
		}
		parts[i].MS = max(parts[i].MS, 0)
		sum += parts[i].MS
	}
	var out []bar
	room := end - x
	for _, b := range parts {
		if b.MS > 0 {
			b.X, b.W = x, b.MS/sum*room
			x += b.W
			out = append(out, b)
		}
	}
	return out
}

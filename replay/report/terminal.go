package report

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"retrace/replay"
	"retrace/replay/verify"
	"retrace/resolve"
)

// Rules of everything that a person reads in a terminal:
//
//   - One line a step: mark, ids of the recorded steps, title, seconds. What is unusual stands below it, indented.
//   - A failure is told at the end, in full: reason code, what was found, evidence, candidates, picture, how to repeat.
//   - Problems of the command itself are "retrace: " and a text in lower case without a full stop; what to do about it
//     follows as "hint: ".
//   - Text from pages and recordings goes through Clean and is cut; colour never carries a meaning alone.
//   - Only [Live] ever overwrites anything, and only on a terminal. Lines are complete.

// longest are the runes of a text from outside that are shown in one line.
const longest = 200

// Style is what a terminal can do. The zero Style is plain text.
type Style struct {
	Color bool // ANSI colours
	Live  bool // what is going on may be shown and overwritten
	Width int  // columns, used for Live and for tables; 0 for unknown
	// Tick is the time between two drawings of what is going on; 0 draws at events only.
	Tick time.Duration
}

// Terminal shows runs as text. It implements [View].
type Terminal struct {
	w         io.Writer
	style     Style
	again     func(*replay.Result) string
	reportDir string
	planned   int
	bare      bool // it was said that there is no sandbox
	results   []*replay.Result
}

// NewTerminal writes to w. The function again gives the command that repeats a run, and may be nil; reportDir is where
// screenshots are found.
func NewTerminal(w io.Writer, style Style, reportDir string, again func(*replay.Result) string) *Terminal {
	return &Terminal{w: w, style: style, again: again, reportDir: reportDir}
}

// Event implements [View].
func (t *Terminal) Event(e replay.Event) {
	defer t.gather()()
	switch e.Kind {
	case replay.RunStarted:
		t.planned = e.Total
		if len(t.results) > 0 {
			fmt.Fprintln(t.w)
		}
		fmt.Fprintf(t.w, "%s %s\n", t.paint(bold, text(e.Trace)), t.paint(dim, plural(e.Total, "step")))
	case replay.StepFinished:
		t.step(e.Step)
	case replay.RunRetried:
		t.retried(e.Attempt, e.Result)
	case replay.RunFinished:
		t.finish(e.Result)
		t.results = append(t.results, e.Result)
	}
}

// gather collects what is written until the function that it gives is called, so that it goes out at once.
func (t *Terminal) gather() func() {
	out, b := t.w, &bytes.Buffer{}
	t.w = b
	return func() {
		t.w = out
		if b.Len() > 0 {
			out.Write(b.Bytes())
		}
	}
}

// Whole is what there is to say about several runs together.
type Whole struct {
	Elapsed time.Duration // by the clock; 0 when the runs were elsewhere
	Workers int           // how many ran at a time
	NotRun  int           // recordings whose turn never came
}

// Total writes the lines over all runs, when there were several.
func (t *Terminal) Total(w Whole) {
	defer t.gather()()
	if len(t.results)+w.NotRun < 2 {
		return
	}
	count, ms := map[replay.Verdict]int{}, 0.0
	for _, r := range t.results {
		count[r.Verdict]++
		ms += wholeTime(r)
	}
	parts := []string{}
	for _, v := range runVerdicts {
		if count[v] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count[v], words(v)))
		}
	}
	if w.NotRun > 0 {
		parts = append(parts, fmt.Sprintf("%d not run", w.NotRun))
	}
	took := fmt.Sprintf("%.1f s", ms/1000)
	if w.Elapsed > 0 && w.Workers > 1 {
		took = fmt.Sprintf("%.1f s with %d workers", w.Elapsed.Seconds(), w.Workers)
	}
	fmt.Fprintf(t.w, "\n%s: %s, %s\n", plural(len(t.results)+w.NotRun, "trace"), strings.Join(parts, ", "), took)
	for _, line := range endpoints(t.results) {
		fmt.Fprintln(t.w, text(line))
	}
}

// endpoints says how many attempts took place in each remote browser, when there were several, and how many were lost there.
func endpoints(results []*replay.Result) []string {
	runs, lost, names := map[string]int{}, map[string]int{}, []string{}
	for _, r := range results {
		for _, a := range append(slices.Clone(r.Earlier), r) {
			e := a.Environment.Endpoint
			if e == "" {
				continue
			}
			if runs[e] == 0 {
				names = append(names, e)
			}
			runs[e]++
			if a.Infrastructure {
				lost[e]++
			}
		}
	}
	if len(names) < 2 {
		return nil
	}
	slices.Sort(names)
	lines := []string{}
	for _, e := range names {
		line := fmt.Sprintf("%s: %s", e, plural(runs[e], "run"))
		if lost[e] > 0 {
			line += fmt.Sprintf(", %d lost with the browser", lost[e])
		}
		lines = append(lines, line)
	}
	return lines
}

func (t *Terminal) step(s *replay.StepResult) {
	line := fmt.Sprintf("%s %s %s", t.mark(s.Verdict), t.ids(s), text(s.Title))
	if s.Verdict != replay.NotRun {
		line += "  " + t.paint(dim, seconds(s.DurationMS)+"s")
	}
	fmt.Fprintln(t.w, line)
	for _, l := range warnings(s) {
		fmt.Fprintf(t.w, "      %s\n", t.paint(dim, text(l)))
	}
	if s.Failure != nil {
		fmt.Fprintf(t.w, "      %s\n", t.paint(red, string(s.Failure.Code)+": "+text(s.Failure.Text)))
	}
}

// ids are right-aligned, so that titles of a usual recording stand below each other.
func (t *Terminal) ids(s *replay.StepResult) string { return fmt.Sprintf("%3s", stepIDs(s.Steps)) }

func (t *Terminal) finish(r *replay.Result) {
	if unboxed(r) && !t.bare {
		t.bare = true
		fmt.Fprintln(t.w, t.paint(dim, noSandbox))
	}
	for _, w := range r.Warnings {
		fmt.Fprintf(t.w, "%s %s\n", t.paint(yellow, "warning:"), text(w))
	}
	if r.Failure != nil {
		t.failure(r)
	}
	for _, p := range r.Proposals {
		fmt.Fprintf(t.w, "proposed: %s\n", text(proposal(p)))
	}
	color := green
	switch r.Verdict {
	case replay.Failed, replay.Error:
		color = red
	case replay.Warned, replay.Flaky:
		color = yellow
	}
	verdict, rest, _ := strings.Cut(Summary(r), ":")
	fmt.Fprintf(t.w, "%s:%s\n", t.paint(color, verdict), rest)
}

// retried tells of an attempt that failed, after which another one follows.
func (t *Terminal) retried(attempt int, r *replay.Result) {
	fmt.Fprintf(t.w, "%s\n", t.paint(yellow, fmt.Sprintf("attempt %d failed: %s; once more, in a fresh context", attempt, heading(r))))
}

// heading names what failed: the step with its title, and the reason code.
func heading(r *replay.Result) string {
	step := failedStep(r)
	if step == nil {
		return string(r.Failure.Code)
	}
	head := text(step.Title) + ": " + string(r.Failure.Code)
	if len(step.Steps) > 0 {
		head = "step " + stepIDs(step.Steps) + " " + head
	}
	return head
}

func (t *Terminal) failure(r *replay.Result) {
	step, head := failedStep(r), heading(r)
	fmt.Fprintf(t.w, "\n%s\n  %s\n", t.paint(red, "✗ "+head), text(r.Failure.Text))
	for _, e := range r.Failure.Evidence {
		fmt.Fprintf(t.w, "  · %s\n", text(e))
	}
	if step != nil {
		t.circumstances(step)
	}
	if r.Failure.Hint != "" {
		fmt.Fprintf(t.w, "  hint: %s\n", text(r.Failure.Hint))
	}
	if r.File != "" {
		where := Clean(r.File)
		if step != nil && len(step.Steps) > 0 {
			where += ", step " + stepIDs(step.Steps)
		}
		fmt.Fprintf(t.w, "  recording: %s\n", where)
	}
	if t.again != nil {
		fmt.Fprintf(t.w, "  again: %s\n", Clean(t.again(r)))
	}
	fmt.Fprintln(t.w)
}

// circumstances is what is known of a failed step beyond its failure.
func (t *Terminal) circumstances(s *replay.StepResult) {
	if s.URL != "" {
		fmt.Fprintf(t.w, "  page: %s\n", text(s.URL))
	}
	if d := s.Decision; d != nil && (d.Outcome != resolve.One || d.Total > 1) { // else there was nothing to choose
		if d.Why != "" && d.Why != s.Failure.Text && !slices.Contains(s.Failure.Evidence, d.Why) {
			fmt.Fprintf(t.w, "  search: %s\n", text(d.Why))
		}
		t.candidates(s)
	}
	if e := s.Effect; e != nil {
		for _, part := range []struct {
			word  string
			lines []string
		}{{"seen", e.Seen}, {"not seen", e.Missing}, {"instead", e.Instead}, {"there before", e.Already}} {
			for _, l := range firstFew(unsaid(part.word, part.lines, s.Failure)) {
				fmt.Fprintf(t.w, "  %s: %s\n", part.word, text(l))
			}
		}
	}
	for _, d := range s.Dialogs {
		fmt.Fprintf(t.w, "  dialog: %s \"%s\", answer %s\n", text(d.Type), text(d.Text), text(d.Answer))
	}
	for _, c := range firstFew(s.Console) {
		fmt.Fprintf(t.w, "  console: %s\n", text(c))
	}
	if s.Traffic != nil {
		fmt.Fprintf(t.w, "  requests: %s\n", requests(s.Traffic))
		for i, q := range s.Traffic.List {
			if i == few {
				break
			}
			fmt.Fprintf(t.w, "    %s %s  %s\n", text(q.Method), text(q.URL), text(answer(q)))
		}
	}
	for _, q := range firstFew(s.Requests) {
		fmt.Fprintf(t.w, "  request: %s\n", text(q))
	}
	shots := s.Shots
	if len(shots) == 0 && s.Screenshot != "" {
		shots = []replay.Shot{{File: s.Screenshot}}
	}
	for _, shot := range shots {
		word := "screenshot"
		if shot.When != "" && shot.When != replay.AtFailure {
			word += " " + string(shot.When)
		}
		fmt.Fprintf(t.w, "  %s: %s\n", word, Clean(filepath.Join(t.reportDir, filepath.FromSlash(shot.File))))
	}
	if c := s.Comparison; c != nil && c.Differs() {
		fmt.Fprintf(t.w, "  pages: %s\n", c.Told())
		for _, l := range firstFew(changedLines(c)) {
			fmt.Fprintf(t.w, "    %s\n", text(l))
		}
	}
}

// changedLines are the lines that only the recorded page has (-), only the live one (+), or both in another form (~).
func changedLines(c *replay.Comparison) []string {
	var out []string
	for _, r := range c.Rows {
		switch r.Change {
		case verify.Disappeared:
			out = append(out, "- "+r.Recorded)
		case verify.Appeared:
			out = append(out, "+ "+r.Live)
		case verify.Altered:
			out = append(out, "~ "+r.Recorded+" → "+r.Live)
		}
	}
	return out
}

// unsaid leaves out the lines of an effect that the failure has told already.
func unsaid(word string, lines []string, f *replay.Failure) []string {
	var out []string
	for _, l := range lines {
		if !slices.Contains(f.Evidence, word+": "+l) && !strings.Contains(f.Text, strconv.Quote(l)) {
			out = append(out, l)
		}
	}
	return out
}

// few are the lines of a kind that a failure shows.
const few = 5

// firstFew keeps a noisy page from pushing the reason off the screen; the report has all lines.
func firstFew(lines []string) []string {
	if len(lines) <= few {
		return lines
	}
	return append(lines[:few:few], fmt.Sprintf("… and %d more", len(lines)-few))
}

// text makes outside text fit for a line.
func text(s string) string { return Cut(Clean(s), longest) }

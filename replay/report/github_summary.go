package report

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"retrace/replay"
)

// largestSummary is the size in bytes of the Markdown that is added: GitHub drops the whole summary of a step above 1 MiB,
// and others may have written to it.
const largestSummary = 512 << 10

// AppendSummary adds the results as Markdown to file, which is what GITHUB_STEP_SUMMARY names in GitHub Actions.
func AppendSummary(file string, results []*replay.Result) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("job summary: %w", err)
	}
	_, err = f.WriteString(Markdown(results))
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("job summary: %w", err)
	}
	return nil
}

// Markdown is a summary of results in GitHub's Markdown: a table of the runs, then what failed, then what was flaky.
// Text from outside is escaped, so that it can neither format nor link nor mention anything.
func Markdown(results []*replay.Result) string {
	m := &markdown{}
	m.add("### retrace: %s\n\n", tally(results))
	m.add("| verdict | recording | steps | effects | time |\n|---|---|---:|---:|---:|\n")
	for _, r := range results {
		done := 0
		for _, s := range r.Steps {
			if s.Verdict == replay.Passed || s.Verdict == replay.Warned {
				done++
			}
		}
		effects := "–"
		if r.Expected > 0 {
			effects = fmt.Sprintf("%d of %d", r.Confirmed, r.Expected)
		}
		m.add("| %s | %s | %d of %d | %s | %.1f s |\n", symbol(r.Verdict)+" "+words(r.Verdict), md(r.Trace), done, len(r.Steps), effects, wholeTime(r)/1000)
	}
	m.section("Failed", results, func(r *replay.Result) bool { return r.Failure != nil }, func(r *replay.Result) string {
		item := fmt.Sprintf("- **%s**, %s  \n  %s\n", md(r.Trace), md(heading(r)), md(r.Failure.Text))
		for _, e := range firstFew(r.Failure.Evidence) {
			item += "  - " + md(e) + "\n"
		}
		if r.Failure.Hint != "" {
			item += "  - hint: " + md(r.Failure.Hint) + "\n"
		}
		return item
	})
	m.section("Flaky", results, func(r *replay.Result) bool { return r.Verdict == replay.Flaky }, func(r *replay.Result) string {
		item := fmt.Sprintf("- **%s** passed only at attempt %d\n", md(r.Trace), len(r.Earlier)+1)
		for _, l := range attemptLines(r) {
			item += "  - " + md(l) + "\n"
		}
		return item
	})
	if m.left > 0 {
		fmt.Fprintf(&m.Builder, "\n%d more had no room here.\n", m.left)
	}
	m.WriteString("\n")
	return m.String()
}

// markdown is a text that stops growing at largestSummary.
type markdown struct {
	strings.Builder
	left int // entries that had no room
}

func (m *markdown) add(format string, args ...any) {
	if entry := fmt.Sprintf(format, args...); m.Len()+len(entry) <= largestSummary {
		m.WriteString(entry)
	} else {
		m.left++
	}
}

// section writes the items of those results that belong to it; without any there is no heading.
func (m *markdown) section(title string, results []*replay.Result, belongs func(*replay.Result) bool, item func(*replay.Result) string) {
	head := "\n#### " + title + "\n\n"
	for _, r := range results {
		if belongs(r) {
			m.add("%s%s", head, item(r))
			head = ""
		}
	}
}

// tally counts verdicts: "1 failed, 1 flaky, 3 passed".
func tally(results []*replay.Result) string {
	count := map[replay.Verdict]int{}
	for _, r := range results {
		count[r.Verdict]++
	}
	var parts []string
	for i := len(runVerdicts) - 1; i >= 0; i-- {
		if n := count[runVerdicts[i]]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, words(runVerdicts[i])))
		}
	}
	if parts == nil {
		return "nothing was replayed"
	}
	return strings.Join(parts, ", ")
}

// symbol marks a verdict beside its word.
func symbol(v replay.Verdict) string {
	switch v {
	case replay.Passed:
		return "✅"
	case replay.Warned, replay.Flaky:
		return "⚠️"
	}
	return "❌"
}

// md makes outside text fit for a line of Markdown. Characters that could structure it are written as numeric references,
// which Markdown shows and never interprets.
func md(s string) string {
	var b strings.Builder
	for _, r := range text(s) {
		if strings.ContainsRune("\\`*_{}[]<>#+!|~&@:$^=.-", r) {
			b.WriteString("&#" + strconv.Itoa(int(r)) + ";")
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

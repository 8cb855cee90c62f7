package report

import (
	"crypto/rand"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"retrace/replay"
)

// GitHub writes the workflow commands of GitHub Actions to the log of a step: annotations of what failed.
//
// The runner looks for commands in every line of the log, also in the middle of a line (##[…]). So that a page cannot
// give one, commands are off between [GitHub.Hold] and [GitHub.Release], while texts of pages are written.
type GitHub struct {
	w         io.Writer
	workspace string
	token     string
	held      bool
}

// NewGitHub writes to w. Annotations name files relative to the directory workspace, where it is given and contains them.
func NewGitHub(w io.Writer, workspace string) *GitHub {
	return &GitHub{w: w, workspace: workspace, token: "retrace-" + rand.Text()}
}

// Hold turns workflow commands off, until [GitHub.Release]. Nobody can know the word that turns them on again.
func (g *GitHub) Hold() {
	if !g.held {
		fmt.Fprintf(g.w, "::stop-commands::%s\n", g.token)
		g.held = true
	}
}

// Release turns workflow commands on again.
func (g *GitHub) Release() {
	if g.held {
		fmt.Fprintf(g.w, "::%s::\n", g.token)
		g.held = false
	}
}

// Annotate writes an error for each run that failed and a warning for each flaky one, with the file of the recording.
func (g *GitHub) Annotate(results []*replay.Result) {
	for _, r := range results {
		switch {
		case r.Failure != nil:
			lines := append([]string{r.Failure.Text}, firstFew(r.Failure.Evidence)...)
			if r.Failure.Hint != "" {
				lines = append(lines, "hint: "+r.Failure.Hint)
			}
			g.annotation("error", r, heading(r), lines)
		case r.Verdict == replay.Flaky:
			g.annotation("warning", r, fmt.Sprintf("passed only at attempt %d", len(r.Earlier)+1), attemptLines(r))
		}
	}
}

// attemptLines tells of each failed attempt in a line.
func attemptLines(r *replay.Result) []string {
	var lines []string
	for _, e := range r.Earlier {
		lines = append(lines, fmt.Sprintf("attempt %d: %s: %s", e.Attempt, heading(e), e.Failure.Text))
	}
	return lines
}

func (g *GitHub) annotation(kind string, r *replay.Result, title string, lines []string) {
	for i, l := range lines {
		lines[i] = text(l)
	}
	properties := "title=" + escapeProperty(text(r.Trace+": "+title))
	if file := g.file(r.File); file != "" {
		properties = "file=" + escapeProperty(Clean(file)) + "," + properties
	}
	fmt.Fprintf(g.w, "::%s %s::%s\n", kind, properties, escapeData(strings.Join(lines, "\n")))
}

// file is the path of a recording as GitHub shows it: relative to the workspace, with slashes. Standard input has none.
func (g *GitHub) file(name string) string {
	if name == "" || name == "-" {
		return ""
	}
	if g.workspace != "" {
		if abs, err := filepath.Abs(name); err == nil {
			if rel, err := filepath.Rel(g.workspace, abs); err == nil && filepath.IsLocal(rel) {
				name = rel
			}
		}
	}
	return filepath.ToSlash(name)
}

var (
	dataEscapes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// escapeData writes the message of a workflow command, as the runner reads it.
func escapeData(s string) string { return dataEscapes.Replace(s) }

// escapeProperty writes the value of a property of a workflow command.
func escapeProperty(s string) string { return propertyEscapes.Replace(s) }

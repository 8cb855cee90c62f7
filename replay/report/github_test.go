package report

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"retrace/replay"
)

func TestGitHubGolden(t *testing.T) {
	work, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	inside := failing()
	inside.File = filepath.Join(work, "50%, a:b", "trace.json")
	var b strings.Builder
	g := NewGitHub(&b, work)
	g.Hold()
	g.Hold()
	g.Release()
	g.Annotate(append(everything(), inside))
	g.Release()
	golden(t, "github.txt", strings.ReplaceAll(b.String(), g.token, "TOKEN"))
}

func TestGitHubTokens(t *testing.T) {
	if a, b := NewGitHub(nil, "").token, NewGitHub(nil, "").token; a == b || len(a) < 24 {
		t.Errorf("tokens %q and %q can be guessed", a, b)
	}
}

// Each annotation is one line that begins with a command; nothing else looks like one at the beginning of a line, and the
// message cannot end it.
func TestGitHubHostileText(t *testing.T) {
	var b strings.Builder
	f := hostileResult()
	fl := hostileResult()
	fl.Verdict, fl.Failure = replay.Flaky, nil
	NewGitHub(&b, "").Annotate([]*replay.Result{f, fl})
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	form := regexp.MustCompile(`^::(error|warning) file=[^:,]+,title=[^:,]+::[^\r\n]+$`)
	if len(lines) != 2 {
		t.Errorf("%d lines, want 2", len(lines))
	}
	for _, l := range lines {
		if !form.MatchString(l) || strings.IndexFunc(l, unsafe) >= 0 {
			t.Errorf("line %q", l)
		}
	}
}

func TestMarkdownGolden(t *testing.T) { golden(t, "summary.md", Markdown(everything())) }

func TestMarkdownHostileText(t *testing.T) {
	got := Markdown([]*replay.Result{hostileResult()})
	for _, bad := range []string{"<", "[l]", "http:", "@you", "#1 ", "**b**", "\x1b", "\u202e"} {
		if strings.Contains(got, bad) {
			t.Errorf("%q is left in\n%s", bad, got)
		}
	}
	for line := range strings.Lines(got) {
		if n := strings.Count(line, "|"); n != 0 && n != 6 {
			t.Errorf("%d bars in %q", n, line)
		}
	}
}

func TestAppendSummary(t *testing.T) {
	file := filepath.Join(t.TempDir(), "summary.md")
	if err := os.WriteFile(file, []byte("# Of others\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := AppendSummary(file, []*replay.Result{passing()}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(data); !strings.HasPrefix(got, "# Of others\n### retrace: 1 passed\n") {
		t.Errorf("summary:\n%s", got)
	}
}

// A summary that GitHub would drop for its size tells less instead.
func TestMarkdownIsBounded(t *testing.T) {
	many := make([]*replay.Result, 3000)
	for i := range many {
		many[i] = failing()
	}
	got := Markdown(many)
	if len(got) > largestSummary+1000 || !strings.Contains(got, "more had no room here.") {
		t.Errorf("%d bytes, ends with %q", len(got), got[len(got)-200:])
	}
}

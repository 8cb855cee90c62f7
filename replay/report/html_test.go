package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"retrace/replay"
	"retrace/replay/verify"
)

func pageOf(t *testing.T, results ...*replay.Result) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "cart-voucher"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "cart-voucher", "step-4.png"), []byte("\x89PNG"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := WriteHTML(dir, "v1.2.3", results); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, IndexFile))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestHTMLShowsWhatHappened(t *testing.T) {
	html := pageOf(t, failing(), passing())
	for _, want := range []string{
		"2 traces: failed", "target_ambiguous", "2 buttons &#34;Remove&#34; fit equally", "Chromium 156.0.8078.108", "1280 × 720",
		"3 fills of one field become the last one", "not seen</span> appeared: StaticText", "instead</span> Out of stock", "there before</span> title", "confirm “Sure?”: accept", "GET /x 500",
		`data-show="failed"`, `data-verdict="not_run"`, `id="t1-s3" open`, "data:image/png;base64,iVBORw==", "record the step again",
		"Change quantity &lt;b&gt;now&lt;/b&gt;", `evil \u001b[2J\u202e line\nbreak`, "cart-voucher/list.csv", "nothing could be verified", "0.50",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("page lacks %q", want)
		}
	}
	if strings.Contains(html, "<script>alert") || strings.ContainsAny(html, "\x1b\u202e") {
		t.Error("page has text of a recording that was not escaped")
	}
}

// Failed attempts are kept apart: they are shown, and neither filtered nor counted as steps of the run.
func TestHTMLKeepsAttemptsApart(t *testing.T) {
	html := pageOf(t, flaky())
	for _, want := range []string{
		"cart-voucher: flaky", "Attempt 1 failed: target_ambiguous", `id="t1-a1-s3" open`, `id="t1-s1"`, `All steps <b>1</b>`, "held</span> after step 4", "not so</span> at the end",
		"there is alert &#34;&lt;b&gt;No&lt;/b&gt;&#34;", `Take\x1b out`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("page lacks %q", want)
		}
	}
	if n := strings.Count(html, `class="step"`); n != 1 {
		t.Errorf("%d steps can be filtered, want 1", n)
	}
}

// The policy names the hashes of exactly the style sheet and the script that stand in the page.
func TestHTMLPolicy(t *testing.T) {
	html := pageOf(t, failing())
	for element, directive := range map[string]string{"style": "style-src", "script": "script-src"} {
		blocks := regexp.MustCompile(`(?s)<`+element+`>(.*?)</`+element+`>`).FindAllStringSubmatch(html, -1)
		if len(blocks) != 1 {
			t.Fatalf("%d elements %s, want 1", len(blocks), element)
		}
		sum := sha256.Sum256([]byte(blocks[0][1]))
		// html/template writes + in an attribute as &#43;.
		want := directive + " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
		policy := strings.NewReplacer("&#43;", "+", "&#39;", "'").Replace(html[:strings.Index(html, "<style>")])
		if !strings.Contains(policy, want) {
			t.Errorf("policy lacks %s", want)
		}
		for _, want := range []string{"default-src 'none'", "img-src data:;", "base-uri 'none'", "form-action 'none'"} { // nothing is loaded from anywhere
			if !strings.Contains(policy, want) {
				t.Errorf("policy lacks %s", want)
			}
		}
	}
	if regexp.MustCompile(`\s(style|on\w+)=`).MatchString(html[strings.Index(html, "</style>"):strings.Index(html, "<script>")]) {
		t.Error("page has an attribute that its policy forbids")
	}
}

// Every element that is opened is closed in its place.
func TestHTMLNesting(t *testing.T) {
	html := pageOf(t, failing(), passing(), flaky())
	body := html[strings.Index(html, "<body>"):strings.Index(html, "<script>")] + "</body>"
	d := xml.NewDecoder(strings.NewReader(strings.ReplaceAll(body, " open>", ">")))
	d.AutoClose, d.Entity = xml.HTMLAutoClose, xml.HTMLEntity
	d.Strict = true
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("at byte %d: %v", d.InputOffset(), err)
		}
	}
}

func TestHTMLCannotLeaveItsDirectory(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret.png")
	if err := os.WriteFile(outside, []byte("outside"), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "link.png")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{outside, "../" + filepath.Base(filepath.Dir(outside)) + "/secret.png", "link.png"} {
		r := passing()
		r.Steps[0].Screenshot = name
		if err := WriteHTML(dir, "v1", []*replay.Result{r}); err != nil {
			t.Fatal(err)
		}
		html, err := os.ReadFile(filepath.Join(dir, IndexFile))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(html, []byte(base64.StdEncoding.EncodeToString([]byte("outside")))) {
			t.Errorf("%s was read", name)
		}
	}
}

func TestWriteHTMLRefusesForeignPage(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, IndexFile)
	if err := os.WriteFile(file, []byte("<h1>mine</h1>"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := WriteHTML(dir, "v1", nil); !errors.Is(err, ErrForeign) {
		t.Errorf("error %v, want %v", err, ErrForeign)
	}
	if data, err := os.ReadFile(file); err != nil || string(data) != "<h1>mine</h1>" {
		t.Errorf("file is now %q (%v)", data, err)
	}
}

func TestBars(t *testing.T) {
	got := bars(replay.Phases{Gate: 25, Act: 50, Verify: 25, Settle: -1})
	want := []bar{{"gate", 25, 0, 25}, {"act", 50, 25, 50}, {"verify", 25, 75, 25}}
	if len(got) != len(want) {
		t.Fatalf("bars %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("bar %d is %v, want %v", i, got[i], want[i])
		}
	}
	if bars(replay.Phases{}) != nil {
		t.Error("no time gives bars")
	}
}

func TestTrack(t *testing.T) {
	at := func(ms int, length float64, v replay.Verdict) replay.StepResult {
		return replay.StepResult{Verdict: v, Started: began.Add(time.Duration(ms) * time.Millisecond), DurationMS: length, Phases: replay.Phases{Act: length / 2}}
	}
	r := &replay.Result{Steps: []replay.StepResult{at(0, 100, replay.Passed), at(100, 300, replay.Failed), {Verdict: replay.NotRun}, at(400, 0.1, replay.Passed)}}
	begin, whole := span(r)
	for i, want := range [][]bar{
		{{"act", 50, 0, 124.96875781054736}, {"other", 50, 124.96875781054736, 124.96875781054736}},
		{{"act", 150, 249.93751562109472, 374.9062734316421}, {"other", 150, 624.8437890527369, 374.9062734316421}},
		nil,
		{{"act", 0.05, 997, 1.5}, {"other", 0.05, 998.5, 1.5}},
	} {
		got := track(begin, whole, &r.Steps[i])
		if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 0.1)); diff != "" {
			t.Errorf("step %d (-want +got):\n%s", i, diff)
		}
	}
}

// What is drawn over a picture stands beside it, and the picture stays as it is.
func TestHTMLPictures(t *testing.T) {
	html := pageOf(t, failing())
	for _, want := range []string{
		`<svg viewBox="0 0 1280 720" aria-hidden="true">`, `<rect class="target" x="10.0" y="20.0" width="80.0" height="24.0" rx="3"/>`, `<circle class="point" cx="50.0" cy="32.0"`,
		`<rect class="candidate" x="1.0"`, `y="8.0">2</text>`, "Before the action (target marked)", "At the failure (1 candidate marked; 2 places covered, since a secret shows there)", "cannot be shown here",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("page lacks %q", want)
		}
	}
}

// The recorded page stands beside the live one, and the tree around the target is there.
func TestHTMLPagesSideBySide(t *testing.T) {
	html := pageOf(t, failing())
	for _, want := range []string{
		`<tr class="disappeared"><td>disappeared</td><td class="d3">row &#34;Marker buoy&#34;</td><td class="d3"></td></tr>`, "… 12 lines that are the same", "1 disappeared, 1 appeared, 12 are the same",
		`<li class="d12 target">button &#34;Remove&#34; <b>candidate 1</b></li>`, "the recorded page text was cut off", "Several elements fit",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("page lacks %q", want)
		}
	}
}

// Every reason code is said in plain words.
func TestMeanings(t *testing.T) {
	for _, c := range replay.Codes() {
		if meanings[c] == "" {
			t.Errorf("%s has no meaning", c)
		}
	}
}

// The page of a hundred steps of which one failed is small enough to be mailed.
func TestHTMLSize(t *testing.T) {
	dir := t.TempDir()
	picture := make([]byte, 120<<10) // more than a usual page takes
	if err := os.WriteFile(filepath.Join(dir, "step-100.jpg"), picture, 0o600); err != nil {
		t.Fatal(err)
	}
	r := failing()
	step := r.Steps[2]
	for i := range 20 {
		step.Decision.Candidates = append(step.Decision.Candidates, step.Decision.Candidates[i%2])
	}
	for range 160 {
		step.Comparison.Rows = append(step.Comparison.Rows, verify.Row{Change: verify.Altered, Depth: 4, Recorded: strings.Repeat("x", 120), Live: strings.Repeat("y", 120)})
	}
	for len(step.Around) < 30 {
		step.Around = append(step.Around, verify.Line{Text: strings.Repeat("z", 120)})
	}
	r.Steps = nil
	for range 99 {
		passed := step
		passed.Verdict, passed.Failure, passed.Comparison, passed.Shots, passed.Screenshot = replay.Passed, nil, nil, nil, ""
		r.Steps = append(r.Steps, passed)
	}
	step.Shots = []replay.Shot{{When: replay.Before, File: "step-100.jpg"}, {When: replay.AtFailure, File: "step-100.jpg"}}
	r.Steps = append(r.Steps, step)
	if err := WriteHTML(dir, "v1", []*replay.Result{r}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, IndexFile))
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > 5<<20 {
		t.Errorf("the page has %d bytes", info.Size())
	}
}

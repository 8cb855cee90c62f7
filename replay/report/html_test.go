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

	"retrace/replay"
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

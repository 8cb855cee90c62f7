package report

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"retrace/replay"
)

// missing is a run that never began.
func missing() *replay.Result {
	return &replay.Result{Schema: replay.SchemaVersion, Trace: "quiet", File: "-", Verdict: replay.Error, Attempt: 1,
		Failure: &replay.Failure{Code: replay.BrowserMissing, Text: "no browser was found", Hint: "retrace browser install"},
		Steps:   []replay.StepResult{{Steps: []int{1}, Title: `click link "Home"`, Verdict: replay.NotRun}, {Steps: []int{1}, Title: `click link "Home"`, Verdict: replay.NotRun}}}
}

// stubborn is a run that failed at each of three attempts: at a step, before it, and at the step again.
func stubborn() *replay.Result {
	first, second, last := failing(), failing(), failing()
	second.Attempt, second.Verdict = 2, replay.Error
	second.Failure = &replay.Failure{Code: replay.PageCrashed, Text: "the page crashed"}
	second.Steps[1].Verdict, second.Steps[1].Failure = replay.Failed, second.Failure
	second.Steps[2].Verdict, second.Steps[2].Failure = replay.NotRun, nil
	last.Attempt, last.Earlier, last.Trace = 3, []*replay.Result{first, second}, "stubborn"
	return last
}

// recovered is a run that failed at its third step and passed at the next attempt.
func recovered() *replay.Result {
	first, r := failing(), failing()
	r.Trace, r.Attempt, r.Verdict, r.Failure, r.Earlier, r.DurationMS = "recovered", 2, replay.Flaky, nil, []*replay.Result{first}, 2345
	for i := 2; i < len(r.Steps); i++ {
		r.Steps[i] = replay.StepResult{Index: i, Steps: r.Steps[i].Steps, Title: r.Steps[i].Title, Verdict: replay.Passed, DurationMS: 90}
	}
	return r
}

// unlike is a run whose last attempt did not come as far as the first.
func unlike() *replay.Result {
	r := stubborn()
	r.Trace, r.Attempt = "unlike", 2
	first, last := r.Earlier[0], r.Earlier[1]
	last.Trace, last.Earlier = "unlike", []*replay.Result{first}
	return last
}

// hostileResult has in every text what could break an output: control characters, markup, commands, and what is not UTF-8.
func hostileResult() *replay.Result {
	const evil = "\x00\x1b[2J\u202e\ufffe\uffff\xff]]><x a=\"'&amp;\">\r\n::error::x\n##[add-mask]y\u2028[[[ATTACHMENT|/etc/passwd]] | **b** [l](http://x) @you #1 </script> %0A::warning::z"
	f := &replay.Failure{Code: replay.TargetMissing, Text: evil, Hint: evil, Evidence: []string{evil, evil}}
	early := &replay.Result{Trace: evil, Verdict: replay.Failed, Failure: f, Attempt: 1, Steps: []replay.StepResult{{Steps: []int{}, Title: evil, Verdict: replay.Failed, Failure: f}}}
	return &replay.Result{Trace: evil, File: evil, Purpose: evil, Source: evil, Verdict: replay.Failed, Failure: f, Attempt: 2, Warnings: []string{evil}, Earlier: []*replay.Result{early},
		Environment: replay.Environment{Chrome: evil, Recorder: evil},
		Steps:       []replay.StepResult{{Steps: []int{}, Title: evil, Verdict: replay.Failed, Failure: f, URL: evil, Notes: []string{evil}, Console: []string{evil}, Screenshot: "a/step.png"}, {Steps: []int{}, Title: strings.Repeat("x", 1<<20), Verdict: replay.NotRun}}}
}

func everything() []*replay.Result {
	return []*replay.Result{failing(), passing(), flaky(), missing(), stubborn(), unlike(), recovered()}
}

func TestJUnitGolden(t *testing.T) {
	for _, tt := range []struct {
		name     string
		perTrace bool
	}{{"junit-steps.xml", false}, {"junit-traces.xml", true}} {
		file := filepath.Join(t.TempDir(), tt.name)
		j := JUnit{Version: "v1.2.3", PerTrace: tt.perTrace, ReportDir: "report"}
		for range 2 { // the second time over the first
			if err := j.Write(file, everything()); err != nil {
				t.Fatal(err)
			}
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, tt.name, string(data))
	}
}

func TestJUnitRefusesForeign(t *testing.T) {
	file := filepath.Join(t.TempDir(), "junit.xml")
	if err := os.WriteFile(file, []byte(xml.Header+`<testsuites name="pytest">`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (JUnit{}).Write(file, nil); !errors.Is(err, ErrForeign) {
		t.Errorf("Write: %v, want %v", err, ErrForeign)
	}
}

// element is what the Surefire schema 3.0 says of an element: its attributes (those with a ! are required) and its children
// in their order, with how often they may come (0 for any number). An element without children may hold text.
type element struct {
	attributes []string
	children   []child
}

type child struct {
	name string
	most int
}

var (
	surefireRerun = element{[]string{"message", "type!"}, []child{{"stackTrace", 1}, {"system-out", 1}, {"system-err", 1}}}
	surefire      = map[string]element{
		"testsuites": {[]string{"name", "time", "tests!", "errors!", "skipped!", "failures!"}, []child{{"testsuite", 0}}}, // not of the schema
		"testsuite":  {[]string{"version", "name!", "time", "tests!", "errors!", "skipped!", "failures!", "group"}, []child{{"properties", 0}, {"testcase", 0}}},
		"properties": {nil, []child{{"property", 0}}},
		"property":   {[]string{"name!", "value!"}, nil},
		"testcase": {[]string{"name!", "classname", "group", "time!"}, []child{{"failure", 0}, {"rerunFailure", 0}, {"flakyFailure", 0}, {"skipped", 1},
			{"error", 1}, {"rerunError", 0}, {"flakyError", 0}, {"system-out", 1}, {"system-err", 1}}},
		"failure": {[]string{"message", "type!"}, nil}, "error": {[]string{"message", "type!"}, nil}, "skipped": {[]string{"message"}, nil},
		"rerunFailure": surefireRerun, "flakyFailure": surefireRerun, "rerunError": surefireRerun, "flakyError": surefireRerun,
		"stackTrace": {}, "system-out": {}, "system-err": {},
	}
	surefireTime = regexp.MustCompile(`^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]{0,3})?$`)
)

// validate checks a document against the schema, and that the counts of each suite are those of its testcases.
func validate(data []byte) error {
	type open struct {
		name        string
		place, same int // in the children of the element
		seen        map[string]int
	}
	var stack []*open
	d := xml.NewDecoder(strings.NewReader(string(data)))
	for {
		token, err := d.Token()
		if err == io.EOF && len(stack) == 0 {
			return nil
		}
		if err != nil {
			return err
		}
		switch e := token.(type) {
		case xml.StartElement:
			name := e.Name.Local
			rule, known := surefire[name]
			if !known {
				return fmt.Errorf("element %s is not known", name)
			}
			if len(stack) > 0 {
				parent := stack[len(stack)-1]
				children := surefire[parent.name].children
				at := slices.IndexFunc(children, func(c child) bool { return c.name == name })
				if at < parent.place {
					return fmt.Errorf("%s is not allowed in %s, or comes too late", name, parent.name)
				}
				if at > parent.place {
					parent.place, parent.same = at, 0
				}
				if parent.same++; children[at].most > 0 && parent.same > children[at].most {
					return fmt.Errorf("more than %d %s in %s", children[at].most, name, parent.name)
				}
				parent.seen[name]++
				if parent.name == "testcase" && len(stack) > 1 {
					stack[len(stack)-2].seen[name]++
				}
			} else if name != "testsuites" {
				return fmt.Errorf("root is %s", name)
			}
			if err := checkAttributes(e, rule.attributes); err != nil {
				return err
			}
			seen := map[string]int{}
			for _, a := range e.Attr {
				seen["@"+a.Name.Local] = atoi(a.Value)
			}
			stack = append(stack, &open{name: name, seen: seen})
		case xml.EndElement:
			top := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if strings.HasPrefix(top.name, "rerun") || strings.HasPrefix(top.name, "flaky") {
				if top.seen["stackTrace"] != 1 {
					return fmt.Errorf("%s has %d stackTrace, want 1", top.name, top.seen["stackTrace"])
				}
			}
			if top.name == "testsuite" {
				for attribute, name := range map[string]string{"@tests": "testcase", "@failures": "failure", "@errors": "error", "@skipped": "skipped"} {
					if top.seen[attribute] != top.seen[name] {
						return fmt.Errorf("%s is %d, and there are %d %s", attribute, top.seen[attribute], top.seen[name], name)
					}
				}
			}
		case xml.CharData:
			if len(stack) > 0 && surefire[stack[len(stack)-1].name].children != nil && strings.TrimSpace(string(e)) != "" {
				return fmt.Errorf("text %q in %s", e, stack[len(stack)-1].name)
			}
		}
	}
}

func atoi(s string) int {
	var n int
	if _, err := fmt.Sscanf(s, "%d", &n); err != nil {
		return -1
	}
	return n
}

func checkAttributes(e xml.StartElement, rules []string) error {
	for _, a := range e.Attr {
		if !slices.Contains(rules, a.Name.Local) && !slices.Contains(rules, a.Name.Local+"!") {
			return fmt.Errorf("attribute %s is not allowed in %s", a.Name.Local, e.Name.Local)
		}
		if a.Name.Local == "time" && !surefireTime.MatchString(a.Value) {
			return fmt.Errorf("time %q", a.Value)
		}
	}
	for _, r := range rules {
		if name, required := strings.CutSuffix(r, "!"); required && !slices.ContainsFunc(e.Attr, func(a xml.Attr) bool { return a.Name.Local == name }) {
			return fmt.Errorf("attribute %s is missing in %s", name, e.Name.Local)
		}
	}
	return nil
}

func TestJUnitFollowsSchema(t *testing.T) {
	for _, perTrace := range []bool{false, true} {
		for _, results := range [][]*replay.Result{everything(), {hostileResult(), hostileResult()}, nil} {
			data, err := JUnit{PerTrace: perTrace}.encode(results)
			if err != nil {
				t.Fatal(err)
			}
			if err := validate(data); err != nil {
				t.Errorf("per trace %v: %v\n%s", perTrace, err, data)
			}
		}
	}
}

// The check itself must be able to fail.
func TestValidateRefuses(t *testing.T) {
	const suite = `<testsuites tests="1" errors="0" skipped="0" failures="0"><testsuite name="x" tests="1" errors="0" skipped="0" failures="0">%s</testsuite></testsuites>`
	for _, tt := range []struct{ name, inside string }{
		{"unknown element", `<testcase name="a" time="1"><oops/></testcase>`},
		{"wrong order", `<testcase name="a" time="1"><system-out/><flakyFailure type="x"><stackTrace/></flakyFailure></testcase>`},
		{"no type", `<testcase name="a" time="1"><flakyFailure><stackTrace/></flakyFailure></testcase>`},
		{"no stack trace", `<testcase name="a" time="1"><flakyFailure type="x"/></testcase>`},
		{"time", `<testcase name="a" time="1s"/>`},
		{"two outputs", `<testcase name="a" time="1"><system-out/><system-out/></testcase>`},
		{"wrong count", `<testcase name="a" time="1"><failure type="x"/></testcase>`},
		{"text", `<testcase name="a" time="1">text</testcase>`},
		{"control character", "<testcase name=\"a\x01\" time=\"1\"/>"},
	} {
		if err := validate(fmt.Appendf(nil, suite, tt.inside)); err == nil {
			t.Errorf("%s is accepted", tt.name)
		}
	}
	if err := validate(fmt.Appendf(nil, suite, `<testcase name="a" time="1"/>`)); err != nil {
		t.Errorf("a good document: %v", err)
	}
}

func TestJUnitHostileText(t *testing.T) {
	data, err := JUnit{ReportDir: "report"}.encode([]*replay.Result{hostileResult()})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(data), attachmentMark); n != 1 {
		t.Errorf("%d attachments, want that of the step only:\n%s", n, data)
	}
	if strings.IndexFunc(string(data), func(r rune) bool { return unsafe(r) && r != '\n' }) >= 0 {
		t.Errorf("control characters in\n%q", data)
	}
	if len(data) > 32<<10 {
		t.Errorf("%d bytes", len(data))
	}
}

func TestDistinct(t *testing.T) {
	d := distinct{}
	var got []string
	for _, name := range []string{"a", "a", "a (2)", "a"} {
		got = append(got, d.name(name))
	}
	if diff := cmp.Diff([]string{"a", "a (2)", "a (2) (2)", "a (3)"}, got); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"retrace/replay"
)

// JUnit says how results become JUnit XML, in the form of Maven Surefire's report schema 3.0: a testsuite for each
// trace, below the testsuites element that readers of several suites in one file expect.
type JUnit struct {
	Version   string // of the program
	PerTrace  bool   // one testcase for a trace instead of one for each step
	ReportDir string // where screenshots are found
}

// Write writes the results to file, atomically. A file of another origin is not overwritten ([ErrForeign]).
//
// A failure has the reason code as its type. A testcase that failed at first and passed at a retry has a flakyFailure for
// each failed attempt; one that failed at each attempt has the first as its failure and the others as rerunFailure.
// A run that ended from outside (no browser, its crash, a signal) is an error instead of a failure. What belongs to no
// step is a testcase of its own. Steps that were not run are skipped.
func (j JUnit) Write(file string, results []*replay.Result) error {
	if err := CheckJUnit(file); err != nil {
		return err
	}
	data, err := j.encode(results)
	if err != nil {
		return fmt.Errorf("junit: %w", err)
	}
	return write(file, data)
}

// CheckJUnit refuses a file that [JUnit.Write] could not write or should not overwrite.
func CheckJUnit(file string) error {
	return check(file, func(head []byte) bool { return bytes.HasPrefix(head, []byte(xml.Header+`<testsuites name="retrace"`)) })
}

// The elements and attributes of the schema, in its order.
type (
	junitSuites struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		Time    string   `xml:"time,attr"`
		junitCounts
		Suites []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name string `xml:"name,attr"`
		Time string `xml:"time,attr"`
		junitCounts
		Properties []junitProperty `xml:"properties>property"`
		Cases      []junitCase     `xml:"testcase"`
	}
	junitCounts struct {
		Tests    int `xml:"tests,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
		Failures int `xml:"failures,attr"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Name         string        `xml:"name,attr"`
		Class        string        `xml:"classname,attr"`
		Time         string        `xml:"time,attr"`
		Failure      *junitProblem `xml:"failure"`
		RerunFailure []junitRerun  `xml:"rerunFailure"`
		FlakyFailure []junitRerun  `xml:"flakyFailure"`
		Skipped      *junitSkipped `xml:"skipped"`
		Error        *junitProblem `xml:"error"`
		RerunError   []junitRerun  `xml:"rerunError"`
		FlakyError   []junitRerun  `xml:"flakyError"`
		Out          *junitText    `xml:"system-out"`
	}
	junitProblem struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Body    string `xml:",cdata"`
	}
	junitRerun struct {
		Message string    `xml:"message,attr"`
		Type    string    `xml:"type,attr"`
		Trace   junitText `xml:"stackTrace"`
	}
	junitSkipped struct {
		Message string `xml:"message,attr"`
	}
	junitText struct {
		Text string `xml:",cdata"`
	}
)

func (j JUnit) encode(results []*replay.Result) ([]byte, error) {
	doc := junitSuites{Name: generator}
	names := distinct{}
	ms := 0.0
	for _, r := range results {
		s := j.suite(r, names.name(xmlText(r.Trace)))
		doc.Tests += s.Tests
		doc.Errors += s.Errors
		doc.Skipped += s.Skipped
		doc.Failures += s.Failures
		ms += wholeTime(r)
		doc.Suites = append(doc.Suites, s)
	}
	doc.Time = junitTime(ms)
	data, err := xml.MarshalIndent(doc, "", "  ")
	if err != nil {
		return nil, err
	}
	return append([]byte(xml.Header), append(data, '\n')...), nil
}

func (j JUnit) suite(r *replay.Result, name string) junitSuite {
	s := junitSuite{Name: name, Time: junitTime(wholeTime(r)), Properties: j.properties(r)}
	if j.PerTrace {
		s.Cases = []junitCase{j.traceCase(r, name)}
	} else {
		s.Cases = j.stepCases(r, name)
	}
	s.Tests = len(s.Cases)
	for _, c := range s.Cases {
		switch {
		case c.Error != nil:
			s.Errors++
		case c.Failure != nil:
			s.Failures++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
	return s
}

// properties are the circumstances of a run; those that are not known are left out.
func (j JUnit) properties(r *replay.Result) []junitProperty {
	var out []junitProperty
	add := func(name, value string) {
		if value != "" {
			out = append(out, junitProperty{name, xmlText(value)})
		}
	}
	add("file", r.File)
	add("purpose", r.Purpose)
	add("verdict", string(r.Verdict))
	if !r.Started.IsZero() {
		add("started", r.Started.UTC().Format(time.RFC3339))
	}
	add("attempts", strconv.Itoa(len(r.Earlier)+1))
	add("effects", fmt.Sprintf("%d of %d confirmed", r.Confirmed, r.Expected))
	for _, f := range environment(r) {
		add(f.name, f.value)
	}
	add("source", r.Source)
	add("retrace", j.Version)
	return out
}

// environment is where a run took place, as far as it is known.
func environment(r *replay.Result) []fact {
	e := r.Environment
	if e.Chrome == "" {
		return []fact{{"recorder", e.Recorder}}
	}
	facts := []fact{
		{"browser", e.Chrome}, {"viewport", fmt.Sprintf("%dx%d", e.Width, e.Height)}, {"headed", strconv.FormatBool(e.Headed)},
		{"remote", strconv.FormatBool(e.Remote)}, {"sandbox", strconv.FormatBool(e.Sandbox)}, {"recorder", e.Recorder},
	}
	for _, f := range emulated(e) {
		facts = append(facts, fact{strings.ReplaceAll(strings.ToLower(f.name), " ", "-"), f.value})
	}
	return facts
}

// wholeTime is the time of all attempts in milliseconds.
func wholeTime(r *replay.Result) float64 {
	ms := r.DurationMS
	for _, e := range r.Earlier {
		ms += e.DurationMS
	}
	return ms
}

// junitTime writes milliseconds as seconds with three decimals, as the schema wants it.
func junitTime(ms float64) string { return strconv.FormatFloat(max(ms, 0)/1000, 'f', 3, 64) }

// attachmentMark begins a line by which GitLab and Jenkins find a file to show with a testcase.
const attachmentMark = "[[ATTACHMENT|"

func (j JUnit) attachment(screenshot string) string {
	return attachmentMark + xmlLine(Clean(filepath.Join(j.ReportDir, filepath.FromSlash(screenshot)))) + "]]"
}

// out makes system-out of lines from outside and of screenshots, and is nil when there is nothing to say.
func (j JUnit) out(lines []string, steps []replay.StepResult) *junitText {
	const most = 20
	for i, l := range lines {
		lines[i] = xmlText(l)
	}
	if n := len(lines); n > most {
		lines = append(lines[:most:most], fmt.Sprintf("… and %d more", n-most))
	}
	for i := range steps {
		if steps[i].Screenshot != "" {
			lines = append(lines, j.attachment(steps[i].Screenshot))
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return &junitText{strings.Join(lines, "\n")}
}

// xmlText makes outside text fit for one line of an XML file: what XML forbids is written visibly or replaced, and no
// text can name a file to attach.
func xmlText(s string) string { return xmlLine(text(s)) }

// xmlLine is xmlText for a line that is cleaned and cut already.
func xmlLine(s string) string { return xmlReplacer.Replace(s) }

// xmlReplacer replaces the two characters that are neither control characters nor allowed in XML, and makes a mark of
// attachments harmless.
var xmlReplacer = strings.NewReplacer("[ATTACHMENT|", "[ATTACHMENT |", "\ufffe", "\ufffd", "\uffff", "\ufffd")

// distinct hands out names, each once: the second "cart" is "cart (2)".
// The number of each name that was taken is the last one tried for it, so that a hundred thousand of one name are no more work
// than those of as many names.
type distinct map[string]int

func (d distinct) name(s string) string {
	unique, n := s, max(d[s], 1)
	for d[unique] > 0 {
		n++
		unique = fmt.Sprintf("%s (%d)", s, n)
	}
	d[s] = n
	d[unique] = max(d[unique], 1)
	return unique
}

package report

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"

	"retrace/replay"
)

// CTRF says how results become a document of the Common Test Report Format: one test for each trace, with its steps.
type CTRF struct {
	Version   string // of the program
	ReportDir string // where screenshots are found
}

// ctrfVersion is the version of the format that is written.
const ctrfVersion = "1.0.0"

// Write writes the results to file, atomically. A file of another origin is not overwritten ([ErrForeign]).
//
// A test is passed or failed; rawStatus is the verdict. A flaky run is a passed test that is marked flaky. Every attempt of
// a repeated run is in retryAttempts, the last one included.
func (c CTRF) Write(file string, results []*replay.Result) error {
	if err := CheckCTRF(file); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := EncodeJSON(&b, c.document(results)); err != nil {
		return fmt.Errorf("ctrf: %w", err)
	}
	return write(file, b.Bytes())
}

// CheckCTRF refuses a file that [CTRF.Write] could not write or should not overwrite.
func CheckCTRF(file string) error {
	return check(file, func(head []byte) bool {
		return bytes.HasPrefix(head, []byte("{\n  \"reportFormat\": \"CTRF\"")) && bytes.Contains(head, []byte(`"generatedBy": "`+generator+`"`))
	})
}

type (
	ctrfDocument struct {
		Format      string      `json:"reportFormat"`
		SpecVersion string      `json:"specVersion"`
		GeneratedBy string      `json:"generatedBy"`
		Results     ctrfResults `json:"results"`
	}
	ctrfResults struct {
		Tool    ctrfTool    `json:"tool"`
		Summary ctrfSummary `json:"summary"`
		Tests   []ctrfTest  `json:"tests"`
	}
	ctrfTool struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
	}
	// ctrfSummary counts tests; times are milliseconds, start and stop since 1970.
	ctrfSummary struct {
		Tests    int   `json:"tests"`
		Passed   int   `json:"passed"`
		Failed   int   `json:"failed"`
		Skipped  int   `json:"skipped"`
		Pending  int   `json:"pending"`
		Other    int   `json:"other"`
		Flaky    int   `json:"flaky"`
		Start    int64 `json:"start"`
		Stop     int64 `json:"stop"`
		Duration int64 `json:"duration"`
	}
	ctrfTest struct {
		Name        string           `json:"name"`
		Status      string           `json:"status"`
		RawStatus   string           `json:"rawStatus"`
		Duration    int64            `json:"duration"`
		Start       int64            `json:"start,omitempty"`
		Stop        int64            `json:"stop,omitempty"`
		Message     string           `json:"message,omitempty"`
		Trace       string           `json:"trace,omitempty"`
		Type        string           `json:"type"`
		FilePath    string           `json:"filePath,omitempty"`
		Flaky       bool             `json:"flaky,omitempty"`
		Retries     int              `json:"retries,omitempty"`
		Attempts    []ctrfAttempt    `json:"retryAttempts,omitempty"`
		Browser     string           `json:"browser,omitempty"`
		Attachments []ctrfAttachment `json:"attachments,omitempty"`
		Steps       []ctrfStep       `json:"steps,omitempty"`
		Extra       map[string]any   `json:"extra,omitempty"`
	}
	ctrfAttempt struct {
		Attempt     int              `json:"attempt"`
		Status      string           `json:"status"`
		Duration    int64            `json:"duration"`
		Start       int64            `json:"start,omitempty"`
		Stop        int64            `json:"stop,omitempty"`
		Message     string           `json:"message,omitempty"`
		Trace       string           `json:"trace,omitempty"`
		Attachments []ctrfAttachment `json:"attachments,omitempty"`
	}
	ctrfAttachment struct {
		Name        string `json:"name"`
		ContentType string `json:"contentType"`
		Path        string `json:"path"`
	}
	ctrfStep struct {
		Name   string         `json:"name"`
		Status string         `json:"status"`
		Extra  map[string]any `json:"extra,omitempty"`
	}
)

func (c CTRF) document(results []*replay.Result) ctrfDocument {
	r := ctrfResults{Tool: ctrfTool{generator, c.Version}, Tests: []ctrfTest{}}
	names := distinct{}
	for _, result := range results {
		t := c.test(result, names.name(nameOr(text(result.Trace), "trace")))
		r.Tests = append(r.Tests, t)
		s := &r.Summary
		s.Tests++
		if t.Status == "passed" {
			s.Passed++
		} else {
			s.Failed++
		}
		if t.Flaky {
			s.Flaky++
		}
		if t.Start != 0 {
			if s.Start == 0 || t.Start < s.Start {
				s.Start = t.Start
			}
			s.Stop = max(s.Stop, t.Stop)
		}
	}
	r.Summary.Duration = r.Summary.Stop - r.Summary.Start
	return ctrfDocument{"CTRF", ctrfVersion, generator, r}
}

// nameOr is s, or instead when s is empty.
func nameOr(s, instead string) string {
	if s == "" {
		return instead
	}
	return s
}

func (c CTRF) test(r *replay.Result, name string) ctrfTest {
	last := c.attempt(r)
	t := ctrfTest{
		Name: name, Status: last.Status, RawStatus: string(r.Verdict), Duration: last.Duration, Start: last.Start, Stop: last.Stop,
		Message: last.Message, Trace: last.Trace, Type: "e2e", FilePath: Clean(r.File), Flaky: r.Verdict == replay.Flaky, Retries: len(r.Earlier),
		Browser: text(r.Environment.Chrome), Attachments: last.Attachments,
	}
	if len(r.Earlier) > 0 {
		for _, a := range attempts(r) {
			t.Attempts = append(t.Attempts, c.attempt(a))
		}
		t.Start = t.Attempts[0].Start
	}
	for i := range r.Steps {
		s := &r.Steps[i]
		step := ctrfStep{Name: nameOr(text(s.Title), "step"), Status: ctrfStatus(s.Verdict), Extra: map[string]any{"steps": stepIDs(s.Steps), "duration": millis(s.DurationMS), "verdict": s.Verdict}}
		if s.Failure != nil {
			step.Extra["code"] = s.Failure.Code
		}
		t.Steps = append(t.Steps, step)
	}
	t.Extra = map[string]any{"effectsConfirmed": r.Confirmed, "effectsExpected": r.Expected}
	if r.Failure != nil {
		t.Extra["code"] = r.Failure.Code
	}
	if r.Source != "" {
		t.Extra["source"] = text(r.Source)
	}
	for _, f := range environment(r) {
		if f.value != "" && f.name != "browser" {
			t.Extra[f.name] = text(f.value)
		}
	}
	return t
}

func (c CTRF) attempt(r *replay.Result) ctrfAttempt {
	a := ctrfAttempt{Attempt: max(r.Attempt, 1), Status: ctrfStatus(r.Verdict), Duration: millis(r.DurationMS)}
	if !r.Started.IsZero() {
		a.Start = r.Started.UnixMilli()
		a.Stop = a.Start + a.Duration
	}
	if r.Failure != nil {
		a.Message = string(r.Failure.Code) + ": " + text(r.Failure.Text)
		a.Trace = failureBlock(r, c.ReportDir, func(line string) string { return line })
	}
	for _, s := range r.Steps {
		if s.Screenshot != "" {
			a.Attachments = append(a.Attachments, ctrfAttachment{
				"step " + stepIDs(s.Steps), "image/" + nameOr(pictureKind(s.Screenshot), "png"),
				filepath.ToSlash(filepath.Join(c.ReportDir, filepath.FromSlash(s.Screenshot))),
			})
		}
	}
	return a
}

// ctrfStatus is the status of the format for the verdict of a run or a step.
func ctrfStatus(v replay.Verdict) string {
	switch v {
	case replay.Passed, replay.Warned, replay.Flaky:
		return "passed"
	case replay.NotRun:
		return "skipped"
	}
	return "failed"
}

// millis are whole milliseconds.
func millis(ms float64) int64 { return int64(math.Round(ms)) }

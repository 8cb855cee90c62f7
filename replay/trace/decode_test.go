package trace

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// sample is a valid recording with one step of most kinds. Tests of errors change it in one place.
const sample = `{
  "version": 3,
  "purpose": "Order a jacket",
  "started_at": "2026-11-30T06:11:02.226Z",
  "recorded_at": "2026-11-30T06:11:23.805Z",
  "stopped_by": "user_finish",
  "entry": {"start_url": "http://shop.example/"},
  "recorder": {"bsk": "0.1.7", "vom": 1},
  "states": [
    {"id": "s1", "url": "http://shop.example/", "title": "Shop", "body": "L1 page\n  @e1 textbox \"Name\"\n"},
    {"id": "s2", "url": "http://shop.example/cart", "page": "s2.txt", "truncated": true}
  ],
  "steps": [
    {"op": "navigate", "id": 1, "state": "s1", "result": {"state": "s1"}, "to": "http://shop.example/", "cause": "user_typed"},
    {"op": "fill", "id": 2, "state": "s1", "result": {"state": "s1"}, "target": {"ref": "e1", "role": "textbox", "name": "Name"}, "value": "Ada", "commit": "enter"},
    {"op": "press", "id": 3, "state": "s1", "result": {"state": "s2"}, "key": "Enter", "modifiers": ["shift", "Alt"], "target": null},
    {"op": "select", "id": 4, "state": "s2", "result": {"state": "s2"}, "target": {"role": "combobox", "name": "Size"}, "selection": [{"value": "m", "label": null}]},
    {"op": "click", "id": 5, "state": "s2", "result": {"state": "s2"}, "target": {"unmatched": true}},
    {"op": "scroll", "id": 6, "state": "s2", "result": {"state": "s2"}}
  ]
}`

const sampleV2 = `{
  "recorded_at": "2026-08-20T06:11:23.805Z",
  "entry": {"start_url": "http://shop.example/"},
  "pages": [{"id": "p1", "url": "http://shop.example/"}, {"id": "p2", "url": "http://shop.example/cart"}],
  "steps": [
    {"op": "navigate", "id": 1, "page": "p1", "to": "http://shop.example/"},
    {"op": "fill", "id": 2, "page": "p1", "target": {"tag": "input", "name_attr": "q", "nearby_label": "Find"}, "value": "jacket"},
    {"op": "click", "id": 4, "page": "p1", "target": {"tag": "button", "role": "button", "name": "Go"}, "effect": {"navigated_to": "p2"}}
  ]
}`

var sampleTexts = fstest.MapFS{"s2.txt": {Data: []byte("L1 page\n  @e1 combobox \"Size\"\n")}}

func TestDecodeSample(t *testing.T) {
	got, err := Decode([]byte(sample), "sample.json", sampleTexts)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/golden/sample.txt", show(got))
	got, err = Decode([]byte(sampleV2), "sample-v2.json", nil)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/golden/sample-v2.txt", show(got))
}

// TestDecodeRefuses has one thing wrong in each recording, and the exact words that a person is given.
func TestDecodeRefuses(t *testing.T) {
	for _, tt := range []struct{ name, old, new, want string }{
		// root
		{"version of another type", `"version": 3`, `"version": "3"`, `version is a string, want a number`},
		{"unknown version", `"version": 3`, `"version": 5`,
			`version is 5, want 3 (or a recording of version 2, which has pages and no version)`},
		{"fraction", `"version": 3`, `"version": 3.5`, `version is 3.5, want a whole number`},
		{"no version", `"version": 3,`, ``, `version is missing`},
		{"both forms", `"version": 3`, `"version": 3, "pages": []`, `pages are of version 2, but version is 3`},
		{"early version 3", `"states": [`, `"pictures": [`,
			`states is missing: this is an early form of version 3 that was never released; record again with BrowserSkill 0.1.11 or later`},
		{"states of another type", `"states": [`, `"states": {}, "x": [`, `states is an object, want an array`},
		{"no steps", `"steps": [`, `"stages": [`, `steps is missing`},
		{"null steps", `"steps": [`, `"steps": null, "x": [`, `steps is null, want an array`},
		{"steps of another type", `"steps": [`, `"steps": "none", "x": [`, `steps is a string, want an array`},
		{"no entry", `"entry"`, `"entrance"`, `entry is missing`},
		{"null entry", `{"start_url": "http://shop.example/"}`, `null`, `entry is null, want an object`},
		{"entry of another type", `{"start_url": "http://shop.example/"}`, `"http://shop.example/"`, `entry is a string, want an object`},
		{"no start", `"start_url"`, `"url"`, `entry.start_url is missing`},
		{"empty start", `{"start_url": "http://shop.example/"}`, `{"start_url": ""}`, `entry.start_url is empty`},
		{"purpose of another type", `"Order a jacket"`, `["Order"]`, `purpose is an array, want a string`},
		{"recorder of another type", `{"bsk": "0.1.7", "vom": 1}`, `true`, `recorder is a boolean, want an object`},
		{"recorder version of another type", `"bsk": "0.1.7"`, `"bsk": 0.1`, `recorder.bsk is a number, want a string`},
		// states
		{"no state id", `"id": "s1", "url"`, `"url"`, `states[0]: id is missing`},
		{"state id of another type", `"id": "s1"`, `"id": 1`, `states[0]: id is a number, want a string`},
		{"state id of another form", `"id": "s1"`, `"id": "s01"`, `states[0]: id is "s01", want s1, s2 …`},
		{"state id that is a path", `"id": "s1"`, `"id": "s1/../../x"`, `states[0]: id is "s1/../../x", want s1, s2 …`},
		{"equal state ids", `"id": "s2"`, `"id": "s1"`, `states[1]: id is "s1" a second time`},
		{"no url", `"url": "http://shop.example/cart", `, ``, `states[1]: url is missing`},
		{"title of another type", `"title": "Shop"`, `"title": {}`, `states[0]: title is an object, want a string`},
		{"truncated of another type", `"truncated": true`, `"truncated": 1`, `states[1]: truncated is a number, want a boolean`},
		{"state of another type", `{"id": "s2", "url": "http://shop.example/cart", "page": "s2.txt", "truncated": true}`, `"s2"`,
			`states[1] is a string, want an object`},
		{"neither body nor page", `"page": "s2.txt", `, ``, `states[1]: page is missing`},
		{"body of another type", `"page": "s2.txt"`, `"body": []`, `states[1]: body is an array, want a string`},
		{"null body", `"page": "s2.txt"`, `"body": null`, `states[1]: body is null, want a string`},
		{"empty page", `"s2.txt"`, `""`, `states[1]: page is empty`},
		{"page in the parent", `"s2.txt"`, `"../s2.txt"`,
			`states[1]: page is "../s2.txt", want the plain name of a file in the directory states`},
		{"page is the parent", `"s2.txt"`, `".."`, `states[1]: page is "..", want the plain name of a file in the directory states`},
		{"absolute page", `"s2.txt"`, `"/etc/passwd"`,
			`states[1]: page is "/etc/passwd", want the plain name of a file in the directory states`},
		{"page with a backslash", `"s2.txt"`, `"..\\s2.txt"`,
			`states[1]: page is "..\\s2.txt", want the plain name of a file in the directory states`},
		{"page with a drive", `"s2.txt"`, `"c:s2.txt"`,
			`states[1]: page is "c:s2.txt", want the plain name of a file in the directory states`},
		{"page with NUL", `"s2.txt"`, `"s2.txt\u0000.png"`,
			`states[1]: page is "s2.txt\x00.png", want the plain name of a file in the directory states`},
		// steps
		{"step of another type", `{"op": "scroll", "id": 6, "state": "s2", "result": {"state": "s2"}}`, `6`,
			`steps[5] is a number, want an object`},
		{"no id", `"id": 4, `, ``, `steps[3]: id is missing`},
		{"id of another type", `"id": 4`, `"id": "4"`, `steps[3]: id is a string, want a number`},
		{"huge id", `"id": 4`, `"id": 1e300`, `steps[3]: id is 1e300, want a whole number`},
		{"equal ids", `"id": 6`, `"id": 5`, `steps[5]: id is 5 a second time`},
		{"gap in the ids", `"id": 6`, `"id": 8`, `steps[5]: id is 8, want 6`},
		{"ids from 0", `"id": 1`, `"id": 0`, `steps[0]: id is 0, want 1`},
		{"no op", `"op": "scroll", `, ``, `step 6: op is missing`},
		{"unknown op", `"scroll"`, `"drag"`,
			`step 6: op is "drag", want navigate, switch_tab, click, hover, fill, select, press or scroll`},
		{"op of another type", `"op": "scroll"`, `"op": 7`, `step 6: op is a number, want a string`},
		{"no state", `"id": 6, "state": "s2", `, `"id": 6, `, `step 6: scroll: state is missing`},
		{"unknown state", `"id": 6, "state": "s2"`, `"id": 6, "state": "s9"`, `step 6: scroll: state is "s9", which is not in states`},
		{"state of another type", `"id": 6, "state": "s2"`, `"id": 6, "state": 2`, `step 6: scroll: state is a number, want a string`},
		{"no result", `"id": 6, "state": "s2", "result": {"state": "s2"}`, `"id": 6, "state": "s2"`, `step 6: scroll: result is missing`},
		{"empty result", `"id": 6, "state": "s2", "result": {"state": "s2"}`, `"id": 6, "state": "s2", "result": {}`,
			`step 6: scroll: result.state is missing`},
		{"unknown result", `"id": 6, "state": "s2", "result": {"state": "s2"}`, `"id": 6, "state": "s2", "result": {"state": "s3"}`,
			`step 6: scroll: result.state is "s3", which is not in states`},
		{"result of another type", `"id": 6, "state": "s2", "result": {"state": "s2"}`, `"id": 6, "state": "s2", "result": "s2"`,
			`step 6: scroll: result is a string, want an object`},
		{"no to", `"to": "http://shop.example/", `, ``, `step 1: navigate: to is missing`},
		{"empty to", `"to": "http://shop.example/"`, `"to": ""`, `step 1: navigate: to is empty`},
		{"no cause", `, "cause": "user_typed"`, ``, `step 1: navigate: cause is missing`},
		{"unknown cause", `"user_typed"`, `"typed"`,
			`step 1: navigate: cause is "typed", want user_typed, link, form_submit, reload, history, script or browser`},
		{"no target", `, "target": {"unmatched": true}`, ``, `step 5: click: target is missing`},
		{"null target", `{"unmatched": true}`, `null`, `step 5: click: target is null, want an object`},
		{"target of another type", `{"unmatched": true}`, `"Buy"`, `step 5: click: target is a string, want an object`},
		{"role of another type", `{"unmatched": true}`, `{"role": 1}`, `step 5: click: target.role is a number, want a string`},
		{"unmatched of another type", `{"unmatched": true}`, `{"unmatched": "yes"}`,
			`step 5: click: target.unmatched is a string, want a boolean`},
		{"no value", `"value": "Ada", `, ``, `step 2: fill: value is missing`},
		{"null value", `"value": "Ada"`, `"value": null`, `step 2: fill: value is null, want a string`},
		{"value of another type", `"value": "Ada"`, `"value": 7`, `step 2: fill: value is a number, want a string`},
		{"unknown commit", `"enter"`, `"tab"`, `step 2: fill: commit is "tab", want enter, suggestion or blur`},
		{"redacted of another type", `"commit": "enter"`, `"redacted": "no"`, `step 2: fill: redacted is a string, want a boolean`},
		{"no key", `"key": "Enter", `, ``, `step 3: press: key is missing`},
		{"empty key", `"key": "Enter"`, `"key": ""`, `step 3: press: key is empty`},
		{"unknown modifier", `"Alt"`, `"hyper"`, `step 3: press: modifiers[1] is "hyper", want alt, ctrl, meta or shift`},
		{"modifier of another type", `"Alt"`, `8`, `step 3: press: modifiers[1] is a number, want a string`},
		{"modifiers of another type", `["shift", "Alt"]`, `9`, `step 3: press: modifiers is a number, want an array`},
		{"selection of another type", `[{"value": "m", "label": null}]`, `"m"`, `step 4: select: selection is a string, want an array`},
		{"option of another type", `{"value": "m", "label": null}`, `"m"`, `step 4: select: selection[0] is a string, want an object`},
		{"option without a value", `"value": "m", `, ``, `step 4: select: selection[0].value is missing`},
		{"label of another type", `"label": null`, `"label": 5`, `step 4: select: selection[0].label is a number, want a string`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if strings.Count(sample, tt.old) == 0 {
				t.Fatalf("the sample has no %s", tt.old)
			}
			refused(t, strings.Replace(sample, tt.old, tt.new, 1), "trace.json: "+tt.want)
		})
	}
}

// refused decodes a recording that must be refused with these problems and no others.
func refused(t *testing.T, recording, want string) {
	t.Helper()
	got, err := Decode([]byte(recording), "trace.json", sampleTexts)
	if err == nil {
		t.Fatalf("was read, want %q", want)
	}
	if got != nil {
		t.Error("there is a trace besides the error")
	}
	if !errors.As(err, new(Errors)) {
		t.Errorf("is a %T", err)
	}
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestDecodeRefusesV2(t *testing.T) {
	for _, tt := range []struct{ name, old, new, want string }{
		{"pages of another type", `"pages": [`, `"pages": 7, "x": [`, `pages is a number, want an array`},
		{"page of another type", `{"id": "p1", "url": "http://shop.example/"}`, `{"id": "p1", "url": "http://shop.example/"}, 1`,
			`pages[1] is a number, want an object`},
		{"no page url", `, "url": "http://shop.example/cart"`, ``, `pages[1]: url is missing`},
		{"equal page ids", `{"id": "p1"`, `{"id": "p2", "url": ""}, {"id": "p1"`, `pages[2]: id is "p2" a second time`},
		{"no page", `"id": 2, "page": "p1"`, `"id": 2`, `step 2: fill: page is missing`},
		{"unknown page", `"id": 2, "page": "p1"`, `"id": 2, "page": "p7"`, `step 2: fill: page is "p7", which is not in pages`},
		{"unknown effect", `"navigated_to": "p2"`, `"navigated_to": "p7"`,
			`step 4: click: effect.navigated_to is "p7", which is not in pages`},
		{"ids that fall", `"id": 4`, `"id": 1`, `steps[2]: id is 1, want 3`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if strings.Count(sampleV2, tt.old) == 0 {
				t.Fatalf("the sample has no %s", tt.old)
			}
			refused(t, strings.Replace(sampleV2, tt.old, tt.new, 1), "trace.json: "+tt.want)
		})
	}
}

// TestDecodeRefusesOtherFiles has what people hand over by mistake.
func TestDecodeRefusesOtherFiles(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", "", "trace.json is empty"},
		{"blank", "\uFEFF \n", "trace.json is empty"},
		{"UTF-16", "\xFF\xFE{\x00}\x00", "trace.json is UTF-16 text, want UTF-8"},
		{"another language", "version: 3\n",
			"trace.json is not valid JSON: line 1, column 1: invalid character 'v' looking for beginning of value"},
		{"cut short", "{\n  \"version\": 3,\n",
			"trace.json is not valid JSON: line 2, column 16: unexpected end of JSON input"},
		{"comma at the end", "{\n  \"purpose\": \"买夹克\", }",
			"trace.json is not valid JSON: line 2, column 21: invalid character '}' looking for beginning of object key string"},
		{"two values", "{}\n{}", "trace.json is not valid JSON: line 2, column 1: invalid character '{' after top-level value"},
		{"too deep", strings.Repeat("[", 20_000),
			"trace.json is not valid JSON: line 1, column 10001: invalid character '[' exceeded max depth"},
		{"an array", "[]", "trace.json is an array, want a recording (an object)"},
		{"null", "null", "trace.json is null, want a recording (an object)"},
		{"another object", `{"check": "true"}`, "trace.json holds no recording: it has neither states nor pages"},
		{"wrapped nothing", `{"trace": "t1"}`, "trace.json is a string, want a recording (an object)"},
		{"wrappers", `{"trace":{"trace":{"trace":{"trace":{"trace":{}}}}}}`,
			"trace.json holds no recording: it has wrappers inside wrappers"},
	} {
		t.Run(tt.name, func(t *testing.T) { refused(t, tt.text, tt.want) })
	}
}

// TestAllProblemsAtOnce has several things wrong. A state that cannot be read is not reported again by the steps that
// refer to it.
func TestAllProblemsAtOnce(t *testing.T) {
	recording := sample
	for _, change := range [][2]string{
		{`"id": "s2"`, `"id": "two"`},
		{`"value": "Ada"`, `"value": 7`},
		{`"commit": "enter"`, `"commit": "return"`},
		{`"key": "Enter", `, ``},
	} {
		recording = strings.Replace(recording, change[0], change[1], 1)
	}
	refused(t, recording, `trace.json: states[1]: id is "two", want s1, s2 …
trace.json: step 2: fill: value is a number, want a string
trace.json: step 2: fill: commit is "return", want enter, suggestion or blur
trace.json: step 3: press: key is missing`)
}

func TestProblemsAreNotEndless(t *testing.T) {
	steps := strings.Repeat(`{},`, 400) + `{}`
	_, err := Decode(fmt.Appendf(nil, `{"entry": {"start_url": "http://a/"}, "pages": [], "steps": [%s]}`, steps), "t", nil)
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != maxProblems+1 || lines[maxProblems] != "t has 702 more problems" {
		t.Errorf("%d lines, the last is %q", len(lines), lines[len(lines)-1])
	}
}

func TestTextOfARecordingIsQuoted(t *testing.T) {
	op := `\u001b[2J` + strings.Repeat("长", 100)
	refused(t, strings.Replace(sample, `"scroll"`, `"`+op+`"`, 1),
		`trace.json: step 6: op is "\x1b[2J`+strings.Repeat("长", 56)+
			`…", want navigate, switch_tab, click, hover, fill, select, press or scroll`)
}

package trace

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/fstest"
)

// recordingOf is a v3 recording with these states and steps.
func recordingOf(states, steps string) string {
	return fmt.Sprintf(`{"version": 3, "entry": {"start_url": "http://a/"}, "states": [%s], "steps": [%s]}`, states, steps)
}

func list(n int, format string) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		if i > 1 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

const (
	anyState = `{"id": "s%d", "url": "http://a/", "body": ""}`
	anyStep  = `{"op": "scroll", "id": %d, "state": "s1", "result": {"state": "s1"}}`
)

func TestLargestRecording(t *testing.T) {
	recording := recordingOf(list(maxStates, anyState), list(maxSteps, anyStep))
	got, err := Decode([]byte(recording), "-", nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.States) != maxStates || len(got.Steps) != maxSteps {
		t.Errorf("%d states and %d steps", len(got.States), len(got.Steps))
	}
}

func TestLimits(t *testing.T) {
	lines := strings.Repeat("main\n", maxStateLines)
	one := fmt.Sprintf(anyState, 1)
	withPage := `{"id": "s1", "url": "http://a/", "page": "s1.txt"}`
	for _, tt := range []struct{ name, recording, text, want string }{
		{"steps", recordingOf(one, list(maxSteps+1, anyStep)), "", "trace.json: steps has more than 10000 entries"},
		{"states", recordingOf(list(maxStates+1, anyState), ""), "", "trace.json: states has more than 10000 entries"},
		{"options", recordingOf(one, `{"op": "select", "id": 1, "state": "s1", "result": {"state": "s1"}, "target": {}, "selection": [`+
			strings.Repeat(`{"value": ""},`, maxListed)+`{"value": ""}]}`), "",
			"trace.json: step 1: select: selection has more than 10000 entries"},
		{"modifiers", recordingOf(one, `{"op": "press", "id": 1, "state": "s1", "result": {"state": "s1"}, "key": "a", "modifiers": [`+
			strings.Repeat(`"alt",`, maxListed)+`"alt"]}`), "",
			"trace.json: step 1: press: modifiers has more than 10000 entries"},
		{"lines of a body", recordingOf(fmt.Sprintf(`{"id": "s1", "url": "http://a/", "body": %q}`, lines+"main"), ""), "",
			"trace.json: states[0]: body has 100001 lines, at most 100000 are read"},
		{"lines of a text", recordingOf(withPage, ""), lines + "main",
			"states/s1.txt has 100001 lines, at most 100000 are read"},
		{"bytes of a text", recordingOf(withPage, ""), strings.Repeat(" ", maxFileBytes+1), "states/s1.txt is larger than 64 MiB"},
		{"lines of all texts", recordingOf(list(11, `{"id": "s%d", "url": "http://a/", "page": "s1.txt"}`), ""), lines,
			"states/s1.txt is too much: all page texts together may have 1000000 lines"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Decode([]byte(tt.recording), "trace.json", fstest.MapFS{"s1.txt": {Data: []byte(tt.text)}})
			if err == nil || err.Error() != tt.want {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

func TestBudgetOfBytes(t *testing.T) {
	b := budget{bytes: 10, lines: 10}
	if excess := b.take(10, 1); excess != "" {
		t.Errorf("the whole budget %s", excess)
	}
	if got, want := b.take(1, 1), "is too much: all page texts together may have 256 MiB"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// blanks is a stream without an end.
type blanks struct{}

func (blanks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestReadStops(t *testing.T) {
	_, err := Read(blanks{}, "-")
	if want := "- is larger than 64 MiB"; err == nil || err.Error() != want {
		t.Errorf("%v, want %q", err, want)
	}
	_, err = Read(io.MultiReader(bytes.NewReader([]byte("{")), broken{}), "-")
	if want := "-: unexpected EOF"; err == nil || err.Error() != want {
		t.Errorf("%v, want %q", err, want)
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

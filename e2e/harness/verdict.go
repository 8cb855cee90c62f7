package harness

import (
	"slices"
	"strings"
)

// Verdict says what became of a replay; see the package comment.
type Verdict string

// The verdicts.
const (
	OK     Verdict = "OK"
	Stop   Verdict = "STOP"
	Late   Verdict = "LATE"
	Silent Verdict = "SILENT"
	Wrong  Verdict = "WRONG"
)

// Outcome is a replay as it was seen from outside.
type Outcome struct {
	Verdict Verdict
	Code    int
	Hung    bool
	Done    bool
	// Strays are the elements that were touched and should not have been.
	Strays []string
	// Output is what the binary wrote to standard output and standard error.
	Output string
	Events []Event
}

// AsWanted tells whether the verdict is one of those that the recording allows.
func (r *Recording) AsWanted(o Outcome) bool { return r.Unjudged || slices.Contains(r.Want, o.Verdict) }

// judge sets the verdict from the rest of an outcome.
func (r *Recording) judge(o *Outcome) {
	for _, e := range o.Events {
		switch {
		case e.Type == "check":
			o.Done = e.Value == true
		case touches(e) && !r.allows(e):
			if stray := e.Type + " " + e.name(); !slices.Contains(o.Strays, stray) {
				o.Strays = append(o.Strays, stray)
			}
		}
	}
	switch {
	case o.Hung || len(o.Strays) > 0:
		o.Verdict = Wrong
	case o.Code == 0 && o.Done && slices.Contains(r.Want, OK):
		o.Verdict = OK
	case o.Code == 0:
		o.Verdict = Silent
	case o.Done:
		o.Verdict = Late
	default:
		o.Verdict = Stop
	}
}

// touches tells whether an event is a touch of an element; keys go to whatever has the focus.
func touches(e Event) bool { return e.Type == "click" || e.Type == "input" || e.Type == "change" }

// name is the data-truth name of the element, or its path where it has none.
func (e Event) name() string {
	if e.Truth != "" {
		return e.Truth
	}
	return e.CSS
}

// allows tells whether the person touched the element too, or the label or field that belongs to it. A click on the
// bare page hits nothing.
func (r *Recording) allows(e Event) bool {
	if slices.Contains([]string{"", "#root", "body", "html"}, e.CSS) {
		return true
	}
	for _, key := range []string{e.name(), e.Control} {
		if key == "" {
			continue
		}
		if r.touched[key] {
			return true
		}
		for _, w := range r.within {
			if key == w || strings.HasPrefix(key, w+" >") {
				return true
			}
		}
	}
	return false
}

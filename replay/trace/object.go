package trace

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// maxProblems is how many problems of one recording are listed; a file that is something else entirely has thousands.
const maxProblems = 100

// decoder collects what is wrong with one recording, so that all of it can be said at once.
type decoder struct {
	file     string
	version  int // 3 or 2, once it is known
	problems Errors
	unlisted int
	warnings []Problem
}

func (d *decoder) refuse(p Problem) {
	if len(d.problems) == maxProblems {
		d.unlisted++
		return
	}
	d.problems = append(d.problems, p)
}

// err returns what was collected, or nil.
func (d *decoder) err() error {
	if len(d.problems) == 0 {
		return nil
	}
	if d.unlisted > 0 {
		return append(d.problems, Problem{File: d.file, Text: fmt.Sprintf("has %d more problems", d.unlisted)})
	}
	return d.problems
}

// object is a JSON object of the recording together with the words that name its fields in a problem. Its readers report
// a field that has the wrong type and return a zero value for it.
type object struct {
	d      *decoder
	step   int
	path   string // what comes before a field's name: "states[2]: ", "fill: target."
	fields fields
}

func (o object) refuse(field, format string, args ...any) {
	o.d.refuse(Problem{File: o.d.file, Step: o.step, Field: o.path + field, Text: fmt.Sprintf(format, args...)})
}

// has reports whether a field is there and not null.
func (o object) has(name string) bool {
	v, ok := o.fields.get(name)
	return ok && !v.isNull()
}

// absent reports a field that must be there.
func (o object) absent(name, want string) {
	if _, null := o.fields.get(name); null {
		o.refuse(name, "is null, want %s", want)
	} else {
		o.refuse(name, "is missing")
	}
}

// typed returns a field if it is of the wanted kind. Absent and null fields are not reported.
func (o object) typed(name, want string) (value, bool) {
	if !o.has(name) {
		return nil, false
	}
	v, _ := o.fields.get(name)
	if v.kind() != want {
		o.refuse(name, "is %s, want %s", v.kind(), want)
		return nil, false
	}
	return v, true
}

// text reads a string that may be absent.
func (o object) text(name string) string {
	v, ok := o.typed(name, "a string")
	if !ok {
		return ""
	}
	return v.text()
}

// needText reads a string that must be there, though it may be empty.
func (o object) needText(name string) (string, bool) {
	if !o.has(name) {
		o.absent(name, "a string")
		return "", false
	}
	v, ok := o.typed(name, "a string")
	if !ok {
		return "", false
	}
	return v.text(), true
}

// needWord reads a string that must be there and not be empty.
func (o object) needWord(name string) (string, bool) {
	s, ok := o.needText(name)
	if ok && s == "" {
		o.refuse(name, "is empty")
		return "", false
	}
	return s, ok
}

// flag reads a boolean that may be absent.
func (o object) flag(name string) bool {
	v, ok := o.typed(name, "a boolean")
	return ok && v[0] == 't'
}

// needWhole reads a whole number that must be there.
func (o object) needWhole(name string) (int, bool) {
	if !o.has(name) {
		o.absent(name, "a whole number")
		return 0, false
	}
	v, ok := o.typed(name, "a number")
	if !ok {
		return 0, false
	}
	n, ok := v.whole()
	if !ok {
		o.refuse(name, "is %s, want a whole number", shorten(string(v)))
	}
	return n, ok
}

// whole reads a number that has no fraction and fits 32 bits, in whatever way it is written.
func (v value) whole() (int, bool) {
	if n, err := strconv.ParseInt(string(v), 10, 64); err == nil && n == int64(int32(n)) {
		return int(n), true
	}
	f, err := strconv.ParseFloat(string(v), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > math.MaxInt32 {
		return 0, false
	}
	return int(f), true
}

// child reads an object that may be absent.
func (o object) child(name string, fields ...string) (object, bool) {
	v, ok := o.typed(name, "an object")
	if !ok {
		return object{}, false
	}
	return object{o.d, o.step, o.path + name + ".", v.pick(fields...)}, true
}

// choice reads a string that must be one of known.
func choice[T ~string](o object, name string, known []T) (T, bool) {
	s, ok := o.needText(name)
	if !ok {
		return "", false
	}
	if !slices.Contains(known, T(s)) {
		o.refuse(name, "is %s, want %s", quote(s), oneOf(known))
		return "", false
	}
	return T(s), true
}

// oneOf lists words: "enter, suggestion or blur".
func oneOf[T ~string](words []T) string {
	var b strings.Builder
	for i, w := range words {
		switch {
		case i > 0 && i == len(words)-1:
			b.WriteString(" or ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(string(w))
	}
	return b.String()
}

// quote shows text of a recording inside a message: on one line, without control characters, and not at length.
func quote(s string) string { return strconv.Quote(shorten(s)) }

func shorten(s string) string {
	const most = 60
	n := 0
	for i := range s {
		if n == most {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

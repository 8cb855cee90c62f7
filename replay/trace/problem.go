package trace

import (
	"strconv"
	"strings"
)

// Problem is one thing that is wrong, or noteworthy, in a recording. Its text names file, step and field.
type Problem struct {
	File  string // path as given, or the state file inside the bundle
	Step  int    // step id, 0 when it is not about a step
	Field string // "fill: value", "states[2]: page"; empty when it is about the whole file
	Text  string // "is missing"
}

// String gives the problem on one line: "trace.json: step 3: fill: value is missing".
func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Step != 0 {
		b.WriteString(": step " + strconv.Itoa(p.Step))
	}
	if p.Field != "" {
		b.WriteString(": " + p.Field)
	} else if p.Step != 0 {
		b.WriteByte(':')
	}
	b.WriteString(" " + p.Text)
	return b.String()
}

// Errors are all the problems for which a recording was refused, in the order of the file.
type Errors []Problem

// Error gives one problem a line.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, p := range e {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

package jsonast

import (
	"fmt"
	"strings"
)

// Problem is one thing that is wrong with a file that people write.
type Problem struct {
	File string
	// Line is from 1; 0 when the problem is the file.
	Line int
	// Field is the place in the JSON ("assertions[2].state"); may be empty.
	Field string
	Text  string
}

// String is "FILE: line 3: assertions[2].state: is a number, want a string".
func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.File + ": ")
	if p.Line > 0 {
		fmt.Fprintf(&b, "line %d: ", p.Line)
	}
	if p.Field != "" {
		b.WriteString(p.Field + ": ")
	}
	b.WriteString(p.Text)
	return b.String()
}

// Errors are all problems of a file, in its order.
type Errors []Problem

// Error has a line for each problem.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, p := range e {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

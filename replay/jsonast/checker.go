package jsonast

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// maxProblems bounds what is told of one file.
const maxProblems = 50

// maxValues bounds the values of one file, and with them the memory that reading it takes.
const maxValues = 200_000

// Full reports whether no further problem would be told.
func (c *Checker) Full() bool { return len(c.Errs) >= maxProblems }

// Checker reads a file that people write and collects what is wrong with it.
type Checker struct {
	File string
	Errs Errors

	data []byte
}

// NewChecker parses data; file stands for it in messages. The error is an [Errors].
func NewChecker(data []byte, file string) (*Checker, *Value, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	root, err := parse(data, maxValues)
	if err == nil {
		return &Checker{File: file, data: data}, root, nil
	}
	var syntax *SyntaxError
	if errors.Is(err, errTooMany) {
		return nil, nil, Errors{{File: file, Text: fmt.Sprintf("has more than %d values", maxValues)}}
	}
	if errors.As(err, &syntax) {
		return nil, nil, Errors{{File: file, Line: syntax.Line, Text: fmt.Sprintf("is not valid JSON at column %d: %s", syntax.Column, syntax.Text)}}
	}
	return nil, nil, Errors{{File: file, Text: err.Error()}}
}

// Line is the line of an offset.
func (c *Checker) Line(offset int) int {
	line, _ := Position(c.data, offset)
	return line
}

// Refuse notes a problem with the value of a field.
func (c *Checker) Refuse(v *Value, field, format string, args ...any) {
	c.RefuseAt(v.Start, field, format, args...)
}

// RefuseAt notes a problem at an offset.
func (c *Checker) RefuseAt(offset int, field, format string, args ...any) {
	if len(c.Errs) < maxProblems {
		c.Errs = append(c.Errs, Problem{c.File, c.Line(offset), field, fmt.Sprintf(format, args...)})
	}
}

// IsA reports whether a value is of a kind, and notes a problem when it is not.
func (c *Checker) IsA(v *Value, field string, kind Kind) bool {
	if v.Kind != kind {
		c.Refuse(v, field, "is %s, want %s", v.Kind, kind)
	}
	return v.Kind == kind
}

// Keys refuses keys that are not known, with the nearest one that is. path is put before a key to name its field.
func (c *Checker) Keys(v *Value, path string, known []string) {
	for _, m := range v.Members {
		if !slices.Contains(known, m.Key) {
			c.RefuseAt(m.At, path+Short(m.Key), "is not known%s", DidYouMean(m.Key, known))
		}
	}
}

// Words reads a text that must not be empty; v may be nil.
func (c *Checker) Words(v *Value, field string) string {
	if v == nil || !c.IsA(v, field, String) {
		return ""
	}
	if strings.TrimSpace(v.Text) == "" {
		c.Refuse(v, field, "is empty")
	}
	return v.Text
}

// Short cuts text of a file for a message.
func Short(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:59]) + "…"
	}
	return s
}

package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"unicode/utf8"
)

// value is one JSON value inside text that is known to be valid, without the white space around it. Values share the
// memory of the text, so that reading a recording costs no more than its own size whatever its shape.
type value []byte

// checkSyntax returns nil for one valid JSON value, else an error that names line and column, both from 1.
func checkSyntax(data []byte) error {
	if json.Valid(data) {
		return nil
	}
	var raw json.RawMessage
	err := json.Unmarshal(data, &raw)
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	at := int(min(max(syntax.Offset-1, 0), int64(len(data))))
	line := 1 + bytes.Count(data[:at], []byte("\n"))
	column := 1 + utf8.RuneCount(data[bytes.LastIndexByte(data[:at], '\n')+1:at])
	return fmt.Errorf("line %d, column %d: %w", line, column, err)
}

// kind names the type of a value as error messages do.
func (v value) kind() string {
	switch v[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

func (v value) isNull() bool { return v[0] == 'n' }

// text decodes a string.
func (v value) text() string {
	if bytes.IndexByte(v, '\\') < 0 {
		return string(v[1 : len(v)-1])
	}
	var s string
	if err := json.Unmarshal(v, &s); err != nil {
		return "" // not reached: the text is valid
	}
	return s
}

// fields are some fields of an object: names that were asked for, and their values. They are few, and looked for one after the
// other; a map for each of thousands of objects would cost most of the time of reading a recording.
type fields struct {
	names  []string
	values []value // nil for a field that is not there
}

// get returns a field that was asked for. It is false when the object has none.
func (f fields) get(name string) (value, bool) {
	if i := slices.Index(f.names, name); i >= 0 && f.values[i] != nil {
		return f.values[i], true
	}
	return nil, false
}

// count is the number of fields that are there.
func (f fields) count() int {
	n := 0
	for _, v := range f.values {
		if v != nil {
			n++
		}
	}
	return n
}

// pick returns the named fields of an object, skipping all others. Of a repeated key the last one counts.
func (v value) pick(names ...string) fields {
	found := fields{names, make([]value, len(names))}
	for i := skipSpace(v, 1); v[i] != '}'; {
		end := skipValue(v, i)
		key := v[i:end]
		i = skipSpace(v, skipSpace(v, end)+1) // past the colon
		end = skipValue(v, i)
		if name := key.name(names); name >= 0 {
			found.values[name] = v[i:end]
		}
		i = skipSpace(v, end)
		if v[i] == ',' {
			i = skipSpace(v, i+1)
		}
	}
	return found
}

// name returns the place of a key in names, -1 when it is not there.
func (v value) name(names []string) int {
	if bytes.IndexByte(v, '\\') >= 0 {
		return slices.Index(names, v.text())
	}
	return slices.IndexFunc(names, func(n string) bool { return string(v[1:len(v)-1]) == n })
}

// elements yields the elements of an array with their places.
func (v value) elements() iter.Seq2[int, value] {
	return func(yield func(int, value) bool) {
		n := 0
		for i := skipSpace(v, 1); v[i] != ']'; n++ {
			end := skipValue(v, i)
			if !yield(n, v[i:end]) {
				return
			}
			i = skipSpace(v, end)
			if v[i] == ',' {
				i = skipSpace(v, i+1)
			}
		}
	}
}

// topValue returns the one value of a valid text.
func topValue(data []byte) value {
	i := skipSpace(data, 0)
	return value(data[i:skipValue(data, i)])
}

func skipSpace(data []byte, i int) int {
	for i < len(data) && (data[i] == ' ' || data[i] == '\n' || data[i] == '\r' || data[i] == '\t') {
		i++
	}
	return i
}

// skipValue returns the end of the value that begins at i.
func skipValue(data []byte, i int) int {
	depth := 0
	for i < len(data) {
		switch data[i] {
		case '"':
			i = skipString(data, i)
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		case ' ', '\n', '\r', '\t', ',', ':':
			i++
			continue
		default:
			i = skipLiteral(data, i)
		}
		if depth == 0 {
			return i
		}
	}
	return i
}

func skipString(data []byte, i int) int {
	for i++; data[i] != '"'; i++ {
		if data[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// skipLiteral passes a number, true, false or null.
func skipLiteral(data []byte, i int) int {
	for i < len(data) {
		switch data[i] {
		case ' ', '\n', '\r', '\t', ',', ']', '}':
			return i
		}
		i++
	}
	return i
}

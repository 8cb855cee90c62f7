// Package jsonast reads JSON together with where each value stands, for what needs the places: problems of a file that
// people write name their line, and a correction replaces one value and leaves every other byte as it is.
//
// A [Value] knows the bytes that it was read from, as offsets into the text. Members of an object keep their order, and a
// repeated key is an error, since of two equal keys a reader would silently lose one.
package jsonast

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"
)

// Kind is the type of a value.
type Kind string

// Kinds, in the words of error messages.
const (
	Object Kind = "an object"
	Array  Kind = "an array"
	String Kind = "a string"
	Number Kind = "a number"
	Bool   Kind = "a boolean"
	Null   Kind = "null"
)

// Value is one JSON value.
type Value struct {
	Kind Kind
	// Start and End are the offsets of its first byte and of the byte after its last one.
	Start, End int
	// Text is the decoded text of a string and the digits of a number as written; True is the value of a boolean.
	Text string
	True bool
	// Members are those of an object, Items those of an array, in their order.
	Members []Member
	Items   []*Value
}

// Member is a key of an object and its value.
type Member struct {
	Key string
	// At is the offset of the key.
	At    int
	Value *Value
}

// Get returns the value of a key, nil when v is no object or has no such key.
func (v *Value) Get(key string) *Value {
	if v == nil {
		return nil
	}
	for _, m := range v.Members {
		if m.Key == key {
			return m.Value
		}
	}
	return nil
}

// SyntaxError says where a text stops being JSON.
type SyntaxError struct {
	Line, Column int // from 1
	Text         string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Text)
}

// maxDepth bounds how deep values may be nested.
const maxDepth = 100

var errTooMany = errors.New("more values than are read")

// Parse reads one JSON value that fills data. The error is a *[SyntaxError].
func Parse(data []byte) (*Value, error) { return parse(data, math.MaxInt) }

// parse refuses data with more values than most, of which each takes some hundred bytes of memory.
func parse(data []byte, most int) (*Value, error) {
	p := &parser{data: data, d: json.NewDecoder(bytes.NewReader(data)), left: most}
	p.d.UseNumber()
	var raw json.RawMessage
	var syntax *json.SyntaxError
	if err := json.Unmarshal(data, &raw); errors.As(err, &syntax) { // the offsets of a stream's errors are less exact
		return nil, p.errorf(int(syntax.Offset)-1, "%s", syntax.Error())
	}
	v, err := p.value(0)
	if err != nil {
		var ours *SyntaxError
		if errors.As(err, &ours) || errors.Is(err, errTooMany) {
			return nil, err
		}
		return nil, p.errorf(int(p.d.InputOffset()), "%s", err)
	}
	return v, nil
}

type parser struct {
	data []byte
	d    *json.Decoder
	left int // values that may still come
}

// next is the offset at which the next token begins.
func (p *parser) next() int {
	i := int(p.d.InputOffset())
	for i < len(p.data) && bytes.IndexByte([]byte(" \t\r\n,:"), p.data[i]) >= 0 {
		i++
	}
	return i
}

func (p *parser) value(depth int) (*Value, error) {
	v := &Value{Start: p.next()}
	if depth > maxDepth {
		return nil, p.errorf(v.Start, "nested too deeply")
	}
	if p.left--; p.left < 0 {
		return nil, errTooMany
	}
	t, err := p.d.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case string:
		v.Kind, v.Text = String, t
	case json.Number:
		v.Kind, v.Text = Number, t.String()
	case bool:
		v.Kind, v.True = Bool, t
	case nil:
		v.Kind = Null
	case json.Delim:
		if err := p.inside(v, t, depth); err != nil {
			return nil, err
		}
	}
	v.End = int(p.d.InputOffset())
	return v, nil
}

// inside reads what an object or array holds, its end included.
func (p *parser) inside(v *Value, open json.Delim, depth int) error {
	v.Kind = Array
	if open == '{' {
		v.Kind = Object
	}
	seen := map[string]bool{}
	for p.d.More() {
		if v.Kind == Array {
			item, err := p.value(depth + 1)
			if err != nil {
				return err
			}
			v.Items = append(v.Items, item)
			continue
		}
		at := p.next()
		key, err := p.d.Token()
		if err != nil {
			return err
		}
		m := Member{At: at}
		m.Key, _ = key.(string) // the decoder admits nothing else here
		if seen[m.Key] {
			return p.errorf(at, "the key %q is there a second time", m.Key)
		}
		seen[m.Key] = true
		if m.Value, err = p.value(depth + 1); err != nil {
			return err
		}
		v.Members = append(v.Members, m)
	}
	_, err := p.d.Token()
	return err
}

func (p *parser) errorf(offset int, format string, args ...any) *SyntaxError {
	line, column := Position(p.data, offset)
	return &SyntaxError{Line: line, Column: column, Text: fmt.Sprintf(format, args...)}
}

// Position is the line and the column of an offset, both from 1; columns count characters.
func Position(data []byte, offset int) (line, column int) {
	at := min(max(offset, 0), len(data))
	line = 1 + bytes.Count(data[:at], []byte("\n"))
	return line, 1 + utf8.RuneCount(data[bytes.LastIndexByte(data[:at], '\n')+1:at])
}

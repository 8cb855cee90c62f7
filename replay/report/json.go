package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"

	"retrace/replay"
)

const generator = "retrace"

// Document is the content of results.json.
type Document struct {
	// Schema is [replay.SchemaVersion]. It grows when a field goes away or changes its meaning, not when one is added.
	Schema    int    `json:"schema"`
	Generator string `json:"generator"` // "retrace"
	Version   string `json:"version"`   // of the program
	// Verdict is the gravest verdict of the results.
	Verdict replay.Verdict `json:"verdict"`
	// Unfinished is set while the runs go on. In a document that stays so, the program was killed; the verdict is error then.
	Unfinished bool `json:"unfinished,omitempty"`
	// Shard says which part of all traces this is; nil when it is not one of several.
	Shard   *Shard           `json:"shard,omitempty"`
	Results []*replay.Result `json:"results"`
}

// WriteResults writes the document of results to file, atomically. The version is that of the program.
func WriteResults(file, version string, results []*replay.Result) error {
	return (&Document{Version: version, Results: results}).Write(file)
}

// Write writes the document to file, atomically. Its Schema, Generator and Verdict are set before.
func (d *Document) Write(file string) error {
	if err := CheckResults(file); err != nil {
		return err
	}
	d.Schema, d.Generator, d.Verdict = replay.SchemaVersion, generator, Worst(d.Results)
	if d.Unfinished {
		d.Verdict = replay.Error
	}
	if d.Results == nil {
		d.Results = []*replay.Result{}
	}
	var b bytes.Buffer
	if err := EncodeJSON(&b, d); err != nil {
		return fmt.Errorf("results: %w", err)
	}
	return write(file, b.Bytes())
}

// EncodeJSON writes v to w as indented JSON, in which characters that could control a terminal are escaped.
func EncodeJSON(w io.Writer, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(PlainJSON(data), '\n'))
	return err
}

// Lines writes events as JSON, one in a line. It implements [View].
type Lines struct {
	w   io.Writer
	err error
}

// NewLines writes to w.
func NewLines(w io.Writer) *Lines { return &Lines{w: w} }

// Event implements [View]. After a failed write nothing more is written.
func (l *Lines) Event(e replay.Event) {
	if l.err != nil {
		return
	}
	data, err := json.Marshal(e)
	if err == nil {
		_, err = l.w.Write(append(PlainJSON(data), '\n'))
	}
	if err != nil {
		l.err = fmt.Errorf("event lines: %w", err)
	}
}

// Err is the first error of a write.
func (l *Lines) Err() error { return l.err }

// PlainJSON writes the characters that a terminal must not get as \u escapes. They can only stand in strings, so that
// the value stays the same.
func PlainJSON(data []byte) []byte {
	var b bytes.Buffer
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if unsafe(r) && r != '\n' { // line breaks are the ones between the members
			b.WriteString(escapeRune(r))
		} else {
			b.Write(data[i : i+n])
		}
		i += n
	}
	return b.Bytes()
}

package trace

import (
	"bytes"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"
	"unicode/utf8"
)

// Decode reads a recording from JSON. The name stands for it in messages; states is the directory of page texts
// (s1.txt, s2.txt …), or nil when there is none. Besides the recording itself it takes the answer of a recorder in which
// the recording is wrapped: {"trace": …}, {"result": {"trace": …}}.
//
// Unknown fields are ignored everywhere. Every other error is collected, and returned as [Errors]; there is no Trace
// then.
func Decode(data []byte, name string, states fs.FS) (*Trace, error) {
	d := &decoder{file: name}
	data = d.plainText(data, Problem{File: name})
	if data == nil {
		return nil, d.err()
	}
	if err := checkSyntax(data); err != nil {
		d.refuse(Problem{File: name, Text: fmt.Sprintf("is not valid JSON: %v", err)})
		return nil, d.err()
	}
	root, ok := d.unwrap(topValue(data))
	if !ok {
		return nil, d.err()
	}
	t := &Trace{Name: filepath.Base(name), File: name}
	if d.classify(root) {
		t.Version = d.version
		d.metadata(root, t)
		switch d.version {
		case 3:
			d.version3(root, t, states)
		case 2:
			d.version2(root, t)
		}
	}
	if err := d.err(); err != nil {
		return nil, err
	}
	t.Warnings = d.warnings
	return t, nil
}

// plainText removes a byte order mark and replaces bytes that are not UTF-8. It is nil for what cannot be text.
func (d *decoder) plainText(data []byte, about Problem) []byte {
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		about.Text = "is empty"
	case bytes.HasPrefix(data, []byte("\xFF\xFE")), bytes.HasPrefix(data, []byte("\xFE\xFF")):
		about.Text = "is UTF-16 text, want UTF-8"
	case utf8.Valid(data):
		return data
	default:
		d.warnings = append(d.warnings, replacedBytes(about))
		return bytes.ToValidUTF8(data, []byte("\uFFFD"))
	}
	d.refuse(about)
	return nil
}

func replacedBytes(about Problem) Problem {
	about.Text = "is not all UTF-8: what could not be read was replaced"
	return about
}

var rootFields = []string{
	"version", "purpose", "started_at", "recorded_at", "stopped_by", "entry", "recorder", "states", "pages", "steps",
	"trace", "result",
}

// unwrap finds the recording inside the answer of a recorder.
func (d *decoder) unwrap(v value) (object, bool) {
	for range 4 {
		if v.kind() != "an object" {
			d.refuse(Problem{File: d.file, Text: "is " + v.kind() + ", want a recording (an object)"})
			return object{}, false
		}
		o := object{d: d, fields: v.pick(rootFields...)}
		inner := "trace"
		if !o.has(inner) {
			inner = "result"
		}
		if o.has("steps") || o.has("states") || o.has("pages") || !o.has(inner) {
			return o, true
		}
		v, _ = o.fields.get(inner)
	}
	d.refuse(Problem{File: d.file, Text: "holds no recording: it has wrappers inside wrappers"})
	return object{}, false
}

// classify finds the version of a recording. A v3 recording says so; a v2 recording has pages and no version. Version 4
// is that of a fork, and is v3 with more fields. An early form that was never released also called itself version 3; it
// has no states.
func (d *decoder) classify(o object) bool {
	if !o.has("version") {
		switch {
		case o.has("states"):
			o.refuse("version", "is missing")
		case o.has("pages"):
			d.version = 2
		default:
			d.refuse(Problem{File: d.file, Text: "holds no recording: it has neither states nor pages"})
		}
		return d.version != 0
	}
	version, ok := o.needWhole("version")
	switch {
	case !ok:
		return false
	case version != 3 && version != 4:
		o.refuse("version", "is %d, want 3 (or a recording of version 2, which has pages and no version)", version)
		return false
	case o.has("pages"):
		o.refuse("pages", "are of version 2, but version is %d", version)
		return false
	case !o.has("states"):
		o.refuse("states", "is missing: this is an early form of version 3 that was never released; "+
			"record again with BrowserSkill 0.1.11 or later")
		return false
	}
	d.version = 3
	return true
}

// metadata reads what is said of the recording as a whole.
func (d *decoder) metadata(o object, t *Trace) {
	t.Purpose = o.text("purpose")
	t.StoppedBy = o.text("stopped_by")
	t.StartedAt = d.time(o, "started_at")
	t.RecordedAt = d.time(o, "recorded_at")
	if recorder, ok := o.child("recorder", "bsk"); ok {
		t.Recorder = recorder.text("bsk")
	}
	if entry, ok := o.child("entry", "start_url"); ok {
		t.StartURL, _ = entry.needWord("start_url")
	} else if !o.has("entry") {
		o.absent("entry", "an object")
	}
}

// time reads a time, which nothing depends on: one that cannot be read is a warning.
func (d *decoder) time(o object, name string) time.Time {
	s := o.text(name)
	if s == "" {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		d.warnings = append(d.warnings, Problem{
			File: d.file, Field: name,
			Text: "is " + quote(s) + ", which is not a time such as 2026-11-30T06:32:16Z",
		})
		return time.Time{}
	}
	return at
}

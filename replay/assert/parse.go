package assert

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"retrace/replay/jsonast"
)

// BundleFile is the name of the file of assertions that a bundle directory may hold.
const BundleFile = "assert.json"

// Limits of a file.
const (
	maxBytes      = 1 << 20
	maxAssertions = 1000
	maxProblems   = 50
)

// Load reads a file of assertions. The error is an [Errors] when it was read and is not valid.
func Load(file string) (*Set, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("assertions: %w", err)
	}
	defer f.Close()
	return read(f, file)
}

// LoadBundle reads the assertions of the bundle directory dir; there are none, and no error, when it holds no [BundleFile]. A
// bundle is not trusted: a link that leads out of the directory is not followed.
func LoadBundle(dir string) (*Set, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("assertions: %w", err)
	}
	defer root.Close()
	f, err := root.Open(BundleFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("assertions: %w", err)
	}
	defer f.Close()
	return read(f, f.Name())
}

func read(r io.Reader, file string) (*Set, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("assertions: %w", err)
	}
	if len(data) > maxBytes {
		return nil, Errors{{File: file, Text: fmt.Sprintf("is larger than %d bytes", maxBytes)}}
	}
	return Parse(data, file)
}

// Parse reads assertions from JSON; file stands for it in messages. The error is an [Errors] with every problem.
func Parse(data []byte, file string) (*Set, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	root, err := jsonast.Parse(data)
	if err != nil {
		var syntax *jsonast.SyntaxError
		if errors.As(err, &syntax) {
			return nil, Errors{{File: file, Line: syntax.Line, Text: fmt.Sprintf("is not valid JSON at column %d: %s", syntax.Column, syntax.Text)}}
		}
		return nil, Errors{{File: file, Text: err.Error()}}
	}
	p := &parser{file: file, data: data}
	s := &Set{File: file}
	if p.isA(root, "", jsonast.Object) {
		p.keys(root, "", []string{"assertions"})
		list := root.Get("assertions")
		if list == nil {
			p.refuse(root, "assertions", "is missing")
		} else if p.isA(list, "assertions", jsonast.Array) {
			if len(list.Items) == 0 {
				p.refuse(list, "assertions", "is empty: nothing would be asserted")
			}
			if len(list.Items) > maxAssertions {
				p.refuse(list, "assertions", "has more than %d entries", maxAssertions)
				list.Items = nil
			}
			for i, item := range list.Items {
				s.Assertions = append(s.Assertions, p.assertion(item, entry(i)))
			}
		}
	}
	if len(p.errs) > 0 {
		return nil, p.errs
	}
	return s, nil
}

type parser struct {
	file string
	data []byte
	errs Errors
}

func (p *parser) line(offset int) int {
	line, _ := jsonast.Position(p.data, offset)
	return line
}

func (p *parser) refuse(v *jsonast.Value, field, format string, args ...any) {
	p.refuseAt(v.Start, field, format, args...)
}

func (p *parser) refuseAt(offset int, field, format string, args ...any) {
	if len(p.errs) < maxProblems {
		p.errs = append(p.errs, Problem{p.file, p.line(offset), field, fmt.Sprintf(format, args...)})
	}
}

func (p *parser) isA(v *jsonast.Value, field string, kind jsonast.Kind) bool {
	if v.Kind != kind {
		p.refuse(v, field, "is %s, want %s", v.Kind, kind)
	}
	return v.Kind == kind
}

// keys refuses keys that are not known, with the nearest one that is.
func (p *parser) keys(v *jsonast.Value, path string, known []string) {
	for _, m := range v.Members {
		if !slices.Contains(known, m.Key) {
			p.refuseAt(m.At, path+short(m.Key), "is not known%s", didYouMean(m.Key, known))
		}
	}
}

var assertionKeys = []string{"after", "url", "title", "text", "role", "name", "absent", "state", "value"}

// assertion reads one entry and checks that it says one thing.
func (p *parser) assertion(v *jsonast.Value, path string) Assertion {
	a := Assertion{Line: p.line(v.Start)}
	if !p.isA(v, path, jsonast.Object) {
		return a
	}
	before := len(p.errs)
	p.keys(v, path+".", assertionKeys)
	a.URL = p.words(v.Get("url"), path+".url")
	a.Title = p.words(v.Get("title"), path+".title")
	a.Text = p.words(v.Get("text"), path+".text")
	a.Role = p.words(v.Get("role"), path+".role")
	a.Name = p.words(v.Get("name"), path+".name")
	if m := v.Get("after"); m != nil && p.isA(m, path+".after", jsonast.Number) {
		n, err := strconv.Atoi(m.Text)
		if err != nil || n < 1 {
			p.refuse(m, path+".after", "is %s, want the id of a step (1, 2 …)", short(m.Text))
		}
		a.After = n
	}
	if m := v.Get("absent"); m != nil && p.isA(m, path+".absent", jsonast.Bool) {
		a.Absent = m.True
	}
	if m := v.Get("value"); m != nil && p.isA(m, path+".value", jsonast.String) {
		a.Value = &m.Text
	}
	if m := v.Get("state"); m != nil && p.isA(m, path+".state", jsonast.String) {
		a.State = State(m.Text)
		if !slices.Contains(states, a.State) {
			p.refuse(m, path+".state", "is %q, want one of %s%s", short(m.Text), join(states), didYouMean(m.Text, words(states)))
		}
	}
	if len(p.errs) == before {
		p.sense(v, path, a)
	}
	return a
}

// sense refuses combinations that mean nothing.
func (p *parser) sense(v *jsonast.Value, path string, a Assertion) {
	var subjects []string
	for _, key := range []string{"url", "title", "text"} {
		if v.Get(key) != nil {
			subjects = append(subjects, key)
		}
	}
	element := v.Get("role") != nil || v.Get("name") != nil
	if element {
		subjects = append(subjects, "role and name")
	}
	switch {
	case len(subjects) == 0:
		p.refuse(v, path, "says nothing: it needs url, title, text, or role and name")
	case len(subjects) > 1:
		p.refuse(v, path, "has %s: one entry asserts one thing", strings.Join(subjects, " and "))
	case a.Absent && (a.URL != "" || a.Title != ""):
		p.refuse(v.Get("absent"), path+".absent", "goes with text, or with role and name")
	case a.State != "" && !element:
		p.refuse(v.Get("state"), path+".state", "goes with role and name")
	case a.Value != nil && !element:
		p.refuse(v.Get("value"), path+".value", "goes with role and name")
	case a.Absent && (a.State != "" || a.Value != nil):
		p.refuse(v.Get("absent"), path+".absent", "an element that is absent has neither state nor value")
	case a.State != "" && a.Value != nil:
		p.refuse(v, path, "has state and value: one entry asserts one thing")
	}
}

// words reads a text that must not be empty.
func (p *parser) words(v *jsonast.Value, field string) string {
	if v == nil || !p.isA(v, field, jsonast.String) {
		return ""
	}
	if strings.TrimSpace(v.Text) == "" {
		p.refuse(v, field, "is empty")
	}
	return v.Text
}

func words[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = string(w)
	}
	return out
}

func join[T ~string](list []T) string { return strings.Join(words(list), ", ") }

// short shows text of a file in a message.
func short(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:59]) + "…"
	}
	return s
}

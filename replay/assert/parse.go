package assert

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"retrace/replay/jsonast"
)

// BundleFile is the name of the file of assertions that a bundle directory may hold.
const BundleFile = "assert.json"

// Problem and Errors say what is wrong with a file.
type (
	Problem = jsonast.Problem
	Errors  = jsonast.Errors
)

// Limits of a file.
const (
	maxBytes      = 1 << 20
	maxAssertions = 1000
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
	if info, err := root.Stat(BundleFile); err == nil && !info.Mode().IsRegular() { // before it is opened: opening a pipe would wait
		return nil, Errors{{File: filepath.Join(dir, BundleFile), Text: "is not a regular file"}}
	}
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
	c, root, err := jsonast.NewChecker(data, file)
	if err != nil {
		return nil, err
	}
	p := parser{c}
	s := &Set{File: file}
	if p.IsA(root, "", jsonast.Object) {
		p.Keys(root, "", []string{"assertions"})
		list := root.Get("assertions")
		if list == nil {
			p.Refuse(root, "assertions", "is missing")
		} else if p.IsA(list, "assertions", jsonast.Array) {
			if len(list.Items) == 0 {
				p.Refuse(list, "assertions", "is empty: nothing would be asserted")
			}
			if len(list.Items) > maxAssertions {
				p.Refuse(list, "assertions", "has more than %d entries", maxAssertions)
				list.Items = nil
			}
			for i, item := range list.Items {
				s.Assertions = append(s.Assertions, p.assertion(item, entry(i)))
			}
		}
	}
	if len(p.Errs) > 0 {
		return nil, p.Errs
	}
	return s, nil
}

type parser struct{ *jsonast.Checker }

var assertionKeys = []string{"after", "url", "title", "text", "role", "name", "absent", "state", "value"}

// assertion reads one entry and checks that it says one thing.
func (p parser) assertion(v *jsonast.Value, path string) Assertion {
	a := Assertion{Line: p.Line(v.Start)}
	if !p.IsA(v, path, jsonast.Object) {
		return a
	}
	before := len(p.Errs)
	p.Keys(v, path+".", assertionKeys)
	a.URL = p.Words(v.Get("url"), path+".url")
	a.Title = p.Words(v.Get("title"), path+".title")
	a.Text = p.Words(v.Get("text"), path+".text")
	a.Role = p.Words(v.Get("role"), path+".role")
	a.Name = p.Words(v.Get("name"), path+".name")
	if m := v.Get("after"); m != nil && p.IsA(m, path+".after", jsonast.Number) {
		n, err := strconv.Atoi(m.Text)
		if err != nil || n < 1 {
			p.Refuse(m, path+".after", "is %s, want the id of a step (1, 2 …)", jsonast.Short(m.Text))
		}
		a.After = n
	}
	if m := v.Get("absent"); m != nil && p.IsA(m, path+".absent", jsonast.Bool) {
		a.Absent = m.True
	}
	if m := v.Get("value"); m != nil && p.IsA(m, path+".value", jsonast.String) {
		a.Value = &m.Text
	}
	if m := v.Get("state"); m != nil && p.IsA(m, path+".state", jsonast.String) {
		a.State = State(m.Text)
		if !slices.Contains(states, a.State) {
			p.Refuse(m, path+".state", "is %q, want one of %s%s", jsonast.Short(m.Text), join(states), jsonast.DidYouMean(m.Text, words(states)))
		}
	}
	if len(p.Errs) == before {
		p.sense(v, path, a)
	}
	return a
}

// sense refuses combinations that mean nothing.
func (p parser) sense(v *jsonast.Value, path string, a Assertion) {
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
		p.Refuse(v, path, "says nothing: it needs url, title, text, or role and name")
	case len(subjects) > 1:
		p.Refuse(v, path, "has %s: one entry asserts one thing", strings.Join(subjects, " and "))
	case a.Absent && (a.URL != "" || a.Title != ""):
		p.Refuse(v.Get("absent"), path+".absent", "goes with text, or with role and name")
	case a.State != "" && !element:
		p.Refuse(v.Get("state"), path+".state", "goes with role and name")
	case a.Value != nil && !element:
		p.Refuse(v.Get("value"), path+".value", "goes with role and name")
	case a.Absent && (a.State != "" || a.Value != nil):
		p.Refuse(v.Get("absent"), path+".absent", "an element that is absent has neither state nor value")
	case a.State != "" && a.Value != nil:
		p.Refuse(v, path, "has state and value: one entry asserts one thing")
	}
}

func words[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = string(w)
	}
	return out
}

func join[T ~string](list []T) string { return strings.Join(words(list), ", ") }

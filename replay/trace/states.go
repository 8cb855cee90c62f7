package trace

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"retrace/resolve/axtree"
)

// stateReader reads the states of a v3 recording and keeps them for the steps that refer to them.
type stateReader struct {
	d      *decoder
	texts  fs.FS
	budget budget
	buffer bytes.Buffer // of the last file
	byID   map[string]*State
	// parsing are the page texts that are parsed beside the reading of the next ones.
	parsing errgroup.Group
	// listed is set when the list of states is whole, so that a reference that is not in it is an error of its own.
	listed bool
}

var stateFields = []string{"id", "url", "title", "body", "page", "truncated"}

// read reads all states. Each has an id s1, s2 … and either its page text ("body") or the name of a file ("page").
func (r *stateReader) read(root object) []*State {
	list, ok := root.typed("states", "an array")
	if !ok {
		return nil
	}
	var states []*State
	r.listed = true
	r.parsing.SetLimit(runtime.GOMAXPROCS(0))
	defer r.parsing.Wait() // no task gives an error
	for i, v := range list.elements() {
		if i == maxStates {
			root.refuse("states", "has more than %d entries", maxStates)
			r.listed = false
			break
		}
		name := "states[" + strconv.Itoa(i) + "]"
		if v.kind() != "an object" {
			root.refuse(name, "is %s, want an object", v.kind())
			r.listed = false
			continue
		}
		if s, ok := r.state(object{d: r.d, path: name + ": ", fields: v.pick(stateFields...)}); ok {
			states = append(states, s)
		} else {
			r.listed = false
		}
	}
	return states
}

// state reads one state; its tree may be there only when all are read. It is false when the state has no id by which a step could refer to it.
func (r *stateReader) state(o object) (*State, bool) {
	s := &State{Title: o.text("title"), Truncated: o.flag("truncated")}
	s.Body = r.body(o)
	parse := func() error {
		s.Tree = axtree.Parse(s.Body)
		s.Tree.Truncated = s.Truncated
		return nil
	}
	if !o.has("url") || s.Title == "" || !r.parsing.TryGo(parse) {
		parse()
	}
	s.URL = o.text("url")
	if !o.has("url") {
		if s.URL = s.Tree.URL; s.URL == "" {
			o.absent("url", "a string")
		}
	}
	if s.Title == "" {
		s.Title = s.Tree.Title
	}
	id, ok := o.needText("id")
	if !ok {
		return nil, false
	}
	if !isStateID(id) {
		o.refuse("id", "is %s, want s1, s2 …", quote(id))
		return nil, false
	}
	if r.byID[id] != nil {
		o.refuse("id", "is %q a second time", id)
		return nil, false
	}
	s.ID = id
	r.byID[id] = s
	return s, true
}

func isStateID(id string) bool {
	number, ok := strings.CutPrefix(id, "s")
	return ok && number != "" && number[0] != '0' && strings.Trim(number, "0123456789") == ""
}

// body returns the page text of a state. That a text file is missing is a warning: the recording can be replayed without.
func (r *stateReader) body(o object) string {
	if o.has("body") || !o.has("page") {
		body, _ := o.needText(bodyOrPage(o))
		if excess := r.budget.take(len(body), lineCount(body)); excess != "" {
			o.refuse("body", "%s", excess)
			return ""
		}
		return body
	}
	page, ok := o.needWord("page")
	if !ok {
		return ""
	}
	if !isFileName(page) {
		o.refuse("page", "is %s, want the plain name of a file in the directory %s", quote(page), statesDir)
		return ""
	}
	if r.texts == nil {
		return ""
	}
	return r.file(page)
}

// bodyOrPage is the field to name when a state has no text: a null one if there is one.
func bodyOrPage(o object) string {
	if _, null := o.fields.get("body"); null {
		return "body"
	}
	return "page"
}

// isFileName reports whether a name stands for a file in the directory itself, on any system.
func isFileName(name string) bool {
	return name != "." && name != ".." && len(name) <= 255 && utf8.ValidString(name) &&
		!strings.ContainsFunc(name, func(c rune) bool { return c < ' ' || c == 0x7f || strings.ContainsRune(`/\:`, c) })
}

// file reads the page text in one file.
func (r *stateReader) file(page string) string {
	about := Problem{File: statesDir + "/" + page}
	data, err := r.readText(page)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		about.Text = "is missing"
		r.d.warnings = append(r.d.warnings, about)
		return ""
	case errors.Is(err, errTooLarge), errors.Is(err, errNoFile):
		about.Text = err.Error()
		r.d.refuse(about)
		return ""
	case err != nil:
		about.Text = fmt.Sprintf("cannot be read: %v", pathCause(err))
		r.d.refuse(about)
		return ""
	}
	body := strings.TrimPrefix(string(data), "\uFEFF")
	if !utf8.ValidString(body) {
		body = strings.ToValidUTF8(body, "\uFFFD")
		r.d.warnings = append(r.d.warnings, replacedBytes(about))
	}
	if excess := r.budget.take(len(body), lineCount(body)); excess != "" {
		about.Text = excess
		r.d.refuse(about)
		return ""
	}
	return body
}

var errNoFile = errors.New("is not a file")

// readText reads a regular file; anything else (a pipe, a device) could block for ever. The bytes are good until the next call.
func (r *stateReader) readText(name string) ([]byte, error) {
	info, err := fs.Stat(r.texts, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNoFile
	}
	f, err := r.texts.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readInto(&r.buffer, f, info.Size())
}

// pathCause drops the name of the file and of the system call, which the message has already.
func pathCause(err error) error {
	var cause *fs.PathError
	if errors.As(err, &cause) {
		return cause.Err
	}
	return err
}

func lineCount(body string) int {
	n := strings.Count(body, "\n")
	if body != "" && !strings.HasSuffix(body, "\n") {
		n++
	}
	return n
}

package project

import (
	"net/url"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"retrace/replay/jsonast"
)

// traces is the key of the settings for single recordings.
const traces = "traces"

// Parse reads the project file at file, which was named by the user or else found. The error is a [jsonast.Errors] with every
// problem; it never repeats the value of a header or a secret.
func Parse(data []byte, file string, named bool) (*File, error) {
	c, root, err := jsonast.NewChecker(data, file)
	if err != nil {
		return nil, err
	}
	f := &File{Path: file, Dir: filepath.Dir(file), Named: named}
	p := parser{c, f}
	if p.IsA(root, "", jsonast.Object) {
		f.settings = p.object(root, "", false)
		if v := root.Get(traces); v != nil && p.IsA(v, traces, jsonast.Object) {
			for _, m := range v.Members {
				f.overrides = append(f.overrides, p.override(m))
			}
		}
	}
	if len(p.Errs) > 0 {
		return nil, p.Errs
	}
	return f, nil
}

type parser struct {
	*jsonast.Checker
	file *File
}

func (p parser) override(m jsonast.Member) override {
	field := traces + "[" + strconv.Quote(jsonast.Short(m.Key)) + "]"
	if _, err := path.Match(m.Key, ""); err != nil || m.Key == "" {
		p.RefuseAt(m.At, field, "is no pattern for the name or the path of a recording")
	}
	if !p.IsA(m.Value, field, jsonast.Object) {
		return override{}
	}
	return override{path.Clean(m.Key), p.object(m.Value, field+".", true)}
}

// object reads the settings in an object; single is set for those of single recordings.
func (p parser) object(v *jsonast.Value, prefix string, single bool) []Setting {
	var out []Setting
	for _, m := range v.Members {
		if p.Full() { // to look for the likely meaning of every further key is work for nothing
			break
		}
		field := prefix + jsonast.Short(m.Key)
		key, known := keys[m.Key]
		switch {
		case m.Key == traces && !single:
		case m.Key == traces:
			p.RefuseAt(m.At, field, "cannot stand here: patterns are not nested")
		case !known:
			p.RefuseAt(m.At, field, "is not known%s", jsonast.DidYouMean(m.Key, append(Names(), traces)))
		case key.Scope == Whole && single:
			p.RefuseAt(m.At, field, "is about the whole run, and cannot differ between recordings")
		case key.Scope >= Named && !p.file.Named:
			p.RefuseAt(m.At, field, "is taken only from a project file that is named with --config, because one that is found by itself may have come with the recording")
		default:
			if values, ok := p.values(m.Value, field, key.Form); ok && p.believable(m, field, key, values) {
				out = append(out, Setting{m.Key, p.located(key, values), p.File, p.Line(m.At)})
			}
		}
	}
	return out
}

// values reads the value of a setting as the texts that would follow its flag.
func (p parser) values(v *jsonast.Value, field string, form Form) ([]string, bool) {
	switch form {
	case Text:
		text := p.Words(v, field)
		return []string{text}, text != ""
	case Number:
		return []string{v.Text}, p.IsA(v, field, jsonast.Number)
	case Switch:
		return []string{strconv.FormatBool(v.True)}, p.IsA(v, field, jsonast.Bool)
	case List:
		if !p.IsA(v, field, jsonast.Array) {
			return nil, false
		}
		var out []string
		for i, item := range v.Items {
			out = append(out, p.Words(item, field+"["+strconv.Itoa(i)+"]"))
		}
		return out, true
	}
	if !p.IsA(v, field, jsonast.Object) {
		return nil, false
	}
	var out []string
	for _, m := range v.Members {
		name := field + "." + jsonast.Short(m.Key)
		if m.Key == "" || strings.Contains(m.Key, "=") {
			p.RefuseAt(m.At, name, "is no name")
			return nil, false
		}
		if !p.IsA(m.Value, name, jsonast.String) {
			return nil, false
		}
		out = append(out, m.Key+"="+m.Value.Text)
	}
	return out, true
}

// believable refuses secrets in clear, and in a file that was found by itself what its scope does not allow.
func (p parser) believable(m jsonast.Member, field string, key Key, values []string) bool {
	before := len(p.Errs)
	for _, value := range values {
		name, rest, _ := strings.Cut(value, "=")
		switch fromEnv := strings.HasPrefix(rest, "env:"); {
		case m.Key == "secret" && !fromEnv:
			p.Refuse(m.Value, field+"."+jsonast.Short(name), "must be env:VARIABLE: a project file holds no secrets")
		case m.Key == "header" && !fromEnv && Confidential(name):
			p.Refuse(m.Value, field+"."+jsonast.Short(name), "must be env:VARIABLE: by its name it holds a secret, and a project file holds none")
		case p.file.Named:
		case m.Key == "header" && fromEnv:
			p.Refuse(m.Value, field+"."+jsonast.Short(name), "reads the environment, which only a project file that is named with --config can do")
		case key.Scope == Local && !local(value):
			p.Refuse(m.Value, field, "is no address of this machine; another one is taken only from a project file that is named with --config")
		case m.Key == "timeout" && tooLong(value):
			p.Refuse(m.Value, field, "is more than %v s, the most that a project file can ask for which is not named with --config", bounds.timeoutSeconds)
		case m.Key == "retries" && tooOften(value):
			p.Refuse(m.Value, field, "is more than %v, the most that a project file can ask for which is not named with --config", bounds.retries)
		case key.Scope == Below:
			if key.Form == Text {
				rest = value
			}
			if why := below(p.file.Dir, rest); why != "" {
				p.Refuse(m.Value, field, "%q %s; such a file is taken only from a project file that is named with --config", jsonast.Short(rest), why)
			}
		}
	}
	return len(p.Errs) == before
}

// located makes paths relative to the file.
func (p parser) located(key Key, values []string) []string {
	if !key.Path {
		return values
	}
	out := make([]string, len(values))
	for i, value := range values {
		name, rest, pair := strings.Cut(value, "=")
		if key.Form != Pairs || !pair {
			name, rest = "", value
		} else {
			name += "="
		}
		if !filepath.IsAbs(rest) && rest != "-" {
			rest = filepath.Join(p.file.Dir, filepath.FromSlash(rest))
		}
		out[i] = name + rest
	}
	return out
}

// local reports whether an address is of this machine.
func local(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	switch u.Hostname() {
	case "localhost", "127.0.0.1", "::1":
		return true
	}
	return false
}

func tooLong(value string) bool {
	d, err := time.ParseDuration(value)
	return err == nil && d.Seconds() > bounds.timeoutSeconds
}

func tooOften(value string) bool {
	n, err := strconv.ParseFloat(value, 64)
	return err == nil && n > bounds.retries
}

// Confidential reports whether a header of this name usually holds a secret.
func Confidential(name string) bool {
	name = strings.ToLower(name)
	for _, part := range []string{"auth", "cookie", "token", "secret", "key", "password", "session", "credential"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

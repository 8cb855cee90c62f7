package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"retrace/replay/queue"
	"retrace/replay/queue/pack"
)

// submitted are the flags of run that go along with a submitted recording. They say how it is replayed; what a worker can do,
// and what it knows that is secret, is its own.
var submitted = []string{
	"timeout", "base-url", "dialogs", "verify", "match", "retries", "screenshots",
	"viewport", "locale", "timezone", "user-agent", "color-scheme", "reduced-motion", "device-scale", "geolocation", "offline", "block-url",
}

// kept are the flags whose values may stand in a project file and do not go along.
var kept = []string{"secrets", "secret", "file", "header", "proxy", "ignore-https-errors", "auth", "profile", "allow-scheme", "allow-host", "deny-host", "block-private", "allow-permission", "secret-origin", "download-limit"}

// spec is what a job says of its recording.
type spec struct {
	File  string              `json:"file"` // as it was called where it was submitted
	Flags map[string][]string `json:"flags"`
}

// specOf is the spec for a recording whose options have these flags.
func specOf(file string, flags *pflag.FlagSet) (json.RawMessage, error) {
	s := spec{File: file, Flags: map[string][]string{}}
	for _, name := range submitted {
		if v := values(flags.Lookup(name)); v != nil {
			s.Flags[name] = v
		}
	}
	return json.Marshal(s)
}

// values are the values of a flag; nil when they are its default.
func values(f *pflag.Flag) []string {
	if f.Value.String() == f.DefValue {
		return nil
	}
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	return []string{f.Value.String()}
}

// apply gives the flags the values of a spec, which may come from anyone who can submit: those that are not to be submitted are
// refused.
func (s spec) apply(flags *pflag.FlagSet) error {
	allowed := map[string]bool{}
	for _, name := range submitted {
		allowed[name] = true
	}
	for name, vs := range s.Flags {
		if !allowed[name] || len(vs) == 0 {
			return fmt.Errorf("--%s: is not taken from a submission", name)
		}
		f := flags.Lookup(name)
		var err error
		if list, ok := f.Value.(pflag.SliceValue); ok {
			err = list.Replace(vs)
		} else {
			err = f.Value.Set(vs[0])
		}
		if err != nil {
			return fmt.Errorf("--%s: %w", name, err)
		}
	}
	return nil
}

// bundle packs a recording, its page texts and its assertions.
func bundle(recording, assertFile string) ([]byte, error) {
	file := recording
	if info, err := os.Stat(recording); err == nil && info.IsDir() {
		file = filepath.Join(recording, bundleTrace)
		if assertFile == "" {
			assertFile = filepath.Join(recording, "assert.json")
		}
	} else if filepath.Base(recording) == bundleTrace && assertFile == "" {
		assertFile = filepath.Join(filepath.Dir(recording), "assert.json")
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	files := []pack.File{{Name: bundleTrace, Data: data}}
	if assertFile != "" {
		switch data, err := os.ReadFile(assertFile); {
		case err == nil:
			files = append(files, pack.File{Name: "assert.json", Data: data})
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	root, err := os.OpenRoot(filepath.Dir(file))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	states, err := fs.ReadDir(root.FS(), "states")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range states {
		name := path.Join("states", e.Name())
		if !e.Type().IsRegular() || !bytes.Contains(data, []byte(e.Name())) { // others are of other recordings beside it
			continue
		}
		text, err := root.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, pack.File{Name: name, Data: text})
	}
	return pack.Files(files)
}

// item is what is submitted of a recording.
func (o *runOptions) item(jobs []job, i int) (queue.Item, error) {
	one := o.each[i]
	data, err := bundle(jobs[i].path, one.assertFile)
	if err != nil {
		return queue.Item{}, fmt.Errorf("submitting %s: %w", jobs[i].path, err)
	}
	text, err := specOf(strings.TrimSuffix(filepath.ToSlash(jobs[i].path), "/"), one.flags)
	return queue.Item{Name: jobs[i].name, Bundle: data, Spec: text}, err
}

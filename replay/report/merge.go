package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"retrace/replay"
)

// ErrNotResults says that a file does not hold results of this program.
var ErrNotResults = errors.New("does not hold results of retrace")

// ErrNewerSchema says that results were written by a later version of this program.
var ErrNewerSchema = errors.New("was written by a newer retrace")

// maxResultsBytes bounds a results.json: some 20 times that of ten thousand recordings.
const maxResultsBytes = 1 << 30

// ReadResults reads the document that [WriteResults] wrote. It fails with [ErrNotResults] for a file of another origin or
// one that is damaged, and with [ErrNewerSchema] for a schema that this program does not know.
func ReadResults(file string) (*Document, error) {
	switch info, err := os.Stat(file); { // before it is opened: opening a pipe would wait
	case err != nil:
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("results: %s: %w: is not a regular file", file, ErrNotResults)
	case info.Size() > maxResultsBytes:
		return nil, fmt.Errorf("results: %s: %w: is larger than %d MiB", file, ErrNotResults, maxResultsBytes>>20)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("results: %w", err)
	}
	var head struct {
		Schema    int    `json:"schema"`
		Generator string `json:"generator"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, fmt.Errorf("results: %s: %w: %w", file, ErrNotResults, err)
	}
	switch {
	case head.Generator != generator || head.Schema < 1:
		return nil, fmt.Errorf("results: %s: %w", file, ErrNotResults)
	case head.Schema > replay.SchemaVersion:
		return nil, fmt.Errorf("results: %s: %w: it has schema %d, and this program reads up to %d", file, ErrNewerSchema, head.Schema, replay.SchemaVersion)
	}
	var d Document
	if err := json.Unmarshal(data, &d); err != nil {
		return nil, fmt.Errorf("results: %s: %w: %w", file, ErrNotResults, err)
	}
	for i, r := range d.Results {
		if err := sound(r); err != nil {
			return nil, fmt.Errorf("results: %s: %w: results[%d]: %w", file, ErrNotResults, i, err)
		}
	}
	return &d, nil
}

// DecodeResult reads one result, as a machine elsewhere wrote it. It fails with [ErrNotResults] for anything else.
func DecodeResult(data []byte) (*replay.Result, error) {
	var r *replay.Result
	err := json.Unmarshal(data, &r)
	if err == nil {
		err = sound(r)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotResults, err)
	}
	return r, nil
}

// sound checks what the views rely on. A verdict that nobody knows must not pass for a good one.
func sound(r *replay.Result) error {
	switch {
	case r == nil:
		return errors.New("is null")
	case !slices.Contains(runVerdicts, r.Verdict):
		return fmt.Errorf("verdict %q is not known", r.Verdict)
	case (r.Verdict == replay.Failed || r.Verdict == replay.Error) != (r.Failure != nil):
		return fmt.Errorf("verdict %q does not go with its failure", r.Verdict)
	}
	for i, s := range r.Steps {
		if !slices.Contains([]replay.Verdict{replay.Passed, replay.Warned, replay.Failed, replay.NotRun}, s.Verdict) || s.Verdict == replay.Failed && s.Failure == nil {
			return fmt.Errorf("steps[%d]: verdict %q is not known or has no failure", i, s.Verdict)
		}
	}
	for i, e := range r.Earlier {
		if err := sound(e); err != nil {
			return fmt.Errorf("earlier[%d]: %w", i, err)
		}
		if e.Failure == nil || len(e.Earlier) > 0 {
			return fmt.Errorf("earlier[%d]: did not fail, or has earlier attempts", i)
		}
	}
	return nil
}

// Merged is what several reports hold together.
type Merged struct {
	Results []*replay.Result // in the order of the reports
	Empty   []string         // reports without any result, or of a program that was killed: whatever ran there did not end in order
	Lacking []string         // what is not there of the shards that the reports are, a line each
}

// Merge takes the results of the report directories from, in their order, into the prepared report directory to: their
// screenshots and downloads are copied, each run into a directory of its own, and the results name the copies. Two
// results of one trace stay two. A file that is not there, is not a picture where one is expected, or lies outside of
// its report, is left out, and told of by a warning of the result.
func Merge(to string, from []string) (*Merged, error) {
	out, err := os.OpenRoot(to)
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	defer out.Close()
	var docs []*Document
	var errs []error
	for _, dir := range from {
		d, err := ReadResults(filepath.Join(dir, ResultsFile))
		docs, errs = append(docs, d), append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	var dirs Dirs
	all := &Merged{Lacking: complete(docs, from)}
	for i, dir := range from {
		in, err := os.OpenRoot(dir)
		if err != nil {
			return nil, fmt.Errorf("report: %w", err)
		}
		for _, r := range docs[i].Results {
			if r.Source == "" {
				r.Source = filepath.ToSlash(dir)
			}
			name, err := dirs.Make(to, r.Trace)
			if err == nil {
				c := copier{in: in, out: out, dir: name, names: distinct{}, copied: map[string]string{}}
				err = c.result(r)
			}
			if err != nil {
				return nil, errors.Join(err, in.Close())
			}
			all.Results = append(all.Results, r)
		}
		if docs[i].Unfinished || len(docs[i].Results) == 0 && (docs[i].Shard == nil || docs[i].Shard.Traces > 0) {
			all.Empty = append(all.Empty, dir)
		}
		if err := in.Close(); err != nil {
			return nil, fmt.Errorf("report: %w", err)
		}
	}
	return all, nil
}

// safeExt are the extensions that a copied file keeps.
var safeExt = regexp.MustCompile(`^\.[A-Za-z0-9]{1,10}$`)

// copier copies the files of one run into its new directory.
type copier struct {
	in, out *os.Root
	dir     string
	names   distinct
	copied  map[string]string // new names by the old ones
}

// result copies the files of all attempts and changes their names in r.
func (c *copier) result(r *replay.Result) error {
	for _, a := range attempts(r) {
		for i := range a.Steps {
			s := &a.Steps[i]
			if err := c.shots(r, s); err != nil {
				return err
			}
			var downloads []string
			for _, d := range s.Downloads {
				name, err := c.file(r, d, false)
				if err != nil {
					return err
				}
				if name != "" {
					downloads = append(downloads, name)
				}
			}
			s.Downloads = downloads
		}
	}
	return nil
}

// shots copies the pictures of a step. The one that is named apart is the last of them, or stands alone.
func (c *copier) shots(r *replay.Result, s *replay.StepResult) error {
	var kept []replay.Shot
	last := s.Screenshot
	for _, shot := range s.Shots {
		name, err := c.file(r, shot.File, true)
		if err != nil {
			return err
		}
		if shot.File == last {
			s.Screenshot = name
		}
		if shot.File = name; name != "" {
			kept = append(kept, shot)
		}
	}
	if len(s.Shots) == 0 {
		name, err := c.file(r, s.Screenshot, true)
		if err != nil {
			return err
		}
		s.Screenshot = name
	}
	s.Shots = kept
	return nil
}

// file copies one file and gives its new name relative to the report directory; "" when it cannot be had.
func (c *copier) file(r *replay.Result, name string, isPicture bool) (string, error) {
	if name == "" {
		return "", nil
	}
	if unique, done := c.copied[name]; done {
		return unique, nil
	}
	c.copied[name] = ""
	in, err := c.open(name, isPicture)
	if err != nil {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%s was not copied: %v", name, err))
		return "", nil
	}
	defer in.Close()
	unique := path.Join(c.dir, c.unique(name))
	// What an earlier merge left is replaced, not written through.
	if err := c.out.Remove(filepath.FromSlash(unique)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("report: %w", err)
	}
	out, err := c.out.OpenFile(filepath.FromSlash(unique), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return "", fmt.Errorf("report: %w", err)
	}
	_, err = io.Copy(out, in)
	if err := errors.Join(err, out.Close()); err != nil {
		return "", fmt.Errorf("report: copy %s: %w", name, err)
	}
	c.copied[name] = unique
	return unique, nil
}

// open opens a regular file of a report, which a name cannot leave.
func (c *copier) open(name string, isPicture bool) (*os.File, error) {
	if isPicture && pictureKind(name) == "" {
		return nil, errors.New("is not a picture")
	}
	info, err := c.in.Stat(filepath.FromSlash(name)) // before it is opened: opening a pipe would wait
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("is not a regular file")
	}
	return c.in.Open(filepath.FromSlash(name))
}

// unique is a safe file name that no other file of the run has: "step-4.png", "step-4-2.png".
func (c *copier) unique(name string) string {
	base := path.Base(filepath.ToSlash(name))
	ext := path.Ext(base)
	stem := slug(strings.TrimSuffix(base, ext))
	if !safeExt.MatchString(ext) {
		ext = ""
	}
	first := strings.ToLower(stem + ext)
	unique, n := stem+ext, max(c.names[first], 1)
	for c.names[strings.ToLower(unique)] > 0 {
		n++
		unique = fmt.Sprintf("%s-%d%s", stem, n, ext)
	}
	c.names[first] = n
	c.names[strings.ToLower(unique)] = max(c.names[strings.ToLower(unique)], 1)
	return unique
}

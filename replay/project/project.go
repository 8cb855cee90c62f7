// Package project reads project files: a retrace.json beside the recordings that says how they are to be replayed, so that
// nobody has to repeat it on every command line.
//
//	{
//	  "viewport": "1440x900",
//	  "locale": "de-AT",
//	  "timeout": "20s",
//	  "header": {"X-Env": "staging"},
//	  "traces": {
//	    "checkout-*": {"timeout": "60s", "file": {"Receipt": "files/receipt.pdf"}}
//	  }
//	}
//
// A key is the name of a flag, its value what would follow the flag. "traces" holds settings for the recordings that fit a
// pattern; of two that fit, the later wins, and a list replaces the one before it. The package is pure but for [Load] and
// [Find]: it knows the names of settings and nothing of what they do.
//
// # Trust
//
// A project file that was found by itself may have come with a stranger's recording. It is believed in what changes how a page
// looks or how long is waited for it, and in nothing that lets a stranger read, write, reach or run something: see [Scope].
// Everything is believed in a file that the user named.
package project

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"retrace/replay/jsonast"
)

// FileName is the name of a project file.
const FileName = "retrace.json"

// File is a project file.
type File struct {
	// Path is where it was read from, Dir the directory that its paths are relative to.
	Path, Dir string
	// Named is set when the user named it.
	Named     bool
	settings  []Setting
	overrides []override
}

// Setting is one setting, with the texts that would follow its flag: one, or several for a list.
type Setting struct {
	Key    string
	Values []string
	// File and Line are where it stands.
	File string
	Line int
}

// Problem is something that is wrong with the value of a setting.
func (s Setting) Problem(format string, args ...any) error {
	return jsonast.Errors{{File: s.File, Line: s.Line, Field: s.Key, Text: fmt.Sprintf(format, args...)}}
}

// override are the settings of the recordings that fit a pattern.
type override struct {
	pattern  string
	settings []Setting
}

// For are the settings for a recording: those of the file, and those of the patterns that fit. trace is the path of the
// recording from the directory of the file, with slashes.
func (f *File) For(trace string) []Setting {
	if f == nil {
		return nil
	}
	out := slices.Clone(f.settings)
	for _, o := range f.overrides {
		if !fits(o.pattern, trace) {
			continue
		}
		for _, s := range o.settings {
			if i := slices.IndexFunc(out, func(have Setting) bool { return have.Key == s.Key }); i >= 0 {
				out[i] = s
			} else {
				out = append(out, s)
			}
		}
	}
	return out
}

// fits compares the path of a recording with a pattern. A pattern without a slash is about the last part of the path, any other
// about the whole of it; * stands for any text without a slash.
func fits(pattern, trace string) bool {
	trace = path.Clean(trace)
	if strings.HasSuffix(trace, "/trace.json") { // the recording is the directory
		trace = path.Dir(trace)
	}
	if !strings.Contains(pattern, "/") {
		trace = path.Base(trace)
	}
	ok, err := path.Match(pattern, trace)
	return err == nil && ok // patterns were checked when they were read
}

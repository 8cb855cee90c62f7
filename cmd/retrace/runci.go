package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"retrace/replay"
	"retrace/replay/report"
)

// ciOptions are the outputs that systems of continuous integration read, for every command with results.
type ciOptions struct {
	junit, junitCases string
	ctrf              string
	github            bool
	failOnFlaky       bool
}

// ciFlags are the names of the flags of ciOptions.
var ciFlags = []string{"junit", "junit-cases", "ctrf", "github", "fail-on-flaky"}

func (o *ciOptions) addFlags(f *pflag.FlagSet) {
	f.BoolVar(&o.failOnFlaky, "fail-on-flaky", false, "exit with 1 when a run passed only at a retry")
	f.StringVar(&o.junit, "junit", "", "write the results as JUnit XML to `FILE`")
	f.StringVar(&o.junitCases, "junit-cases", "step", "a JUnit testcase for each `UNIT`: step or trace")
	f.StringVar(&o.ctrf, "ctrf", "", "write the results as Common Test Report Format (JSON) to `FILE`")
	f.BoolVar(&o.github, "github", false, "annotations and job summary of GitHub Actions (there by itself, unless --github=false)")
}

// detect turns the output for GitHub Actions on where it is not said otherwise.
func (o *ciOptions) detect(a *app, f *pflag.FlagSet) {
	if !f.Changed("github") {
		o.github = a.env("GITHUB_ACTIONS") == "true"
	}
}

func (o *ciOptions) check(hint string) error {
	// The built-in demonstration has no such flags.
	if units := []string{"", "step", "trace"}; !slices.Contains(units, o.junitCases) {
		return usagef(hint, "--junit-cases: %q is none of %s", o.junitCases, strings.Join(units[1:], ", "))
	}
	return nil
}

// ciFile is a file that one of the flags names.
type ciFile struct {
	flag, path string
	check      func(string) error
}

// files are the files that were asked for.
func (o *ciOptions) files() []ciFile {
	return slices.DeleteFunc([]ciFile{{"--junit", o.junit, report.CheckJUnit}, {"--ctrf", o.ctrf, report.CheckCTRF}}, func(f ciFile) bool { return f.path == "" })
}

// prepare refuses places that must not be written to, and makes the directories of the files.
func (o *ciOptions) prepare() error {
	for _, f := range o.files() {
		if err := errors.Join(f.check(f.path), os.MkdirAll(filepath.Dir(f.path), 0o700)); err != nil {
			return &usageError{err: fmt.Errorf("%s: %w", f.flag, err)}
		}
	}
	return nil
}

// begin takes away the files of an earlier command.
func (o *ciOptions) begin() error {
	var errs []error
	for _, f := range o.files() {
		report.Sweep(f.path)
		errs = append(errs, report.Discard(f.path, f.check))
	}
	return errors.Join(errs...)
}

// write writes the files of results whose screenshots are in reportDir.
func (o *ciOptions) write(reportDir string, results []*replay.Result) error {
	var errs []error
	if o.junit != "" {
		errs = append(errs, report.JUnit{Version: version(), PerTrace: o.junitCases == "trace", ReportDir: reportDir}.Write(o.junit, results))
	}
	if o.ctrf != "" {
		errs = append(errs, report.CTRF{Version: version(), ReportDir: reportDir}.Write(o.ctrf, results))
	}
	return errors.Join(errs...)
}

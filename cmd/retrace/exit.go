package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"retrace/replay"
	"retrace/replay/browser"
	"retrace/replay/report"
	"retrace/replay/trace"
)

// Exit codes. Of several traces the worst wins, in the order of these constants.
const (
	exitPassed      = 0   // with warnings or without
	exitFailed      = 1   // a step failed
	exitUsage       = 2   // wrong arguments, or a recording that is not valid
	exitBrowser     = 3   // no browser, or it died
	exitInterrupted = 130 // by a signal
)

// usageError is a mistake in how the program was called.
type usageError struct {
	err  error
	hint string
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// usagef makes a [usageError] whose hint points to the help of the command.
func usagef(hint, format string, args ...any) error {
	return &usageError{fmt.Errorf(format, args...), hint}
}

// codeError ends a command whose outcome has been shown already.
type codeError int

func (e codeError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// exit shows an error as "retrace: …" with its hint, and gives its exit code.
func (a *app) exit(ctx context.Context, root *cobra.Command, err error) int {
	if err == nil {
		return exitPassed
	}
	if code, ok := errors.AsType[codeError](err); ok {
		return int(code)
	}
	code, hint := exitUsage, ""
	text := err.Error()
	switch {
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return exitInterrupted
	case is[*browser.NotFoundError](err):
		code = exitBrowser
		text, hint, _ = strings.Cut(text, "; ")
	case is[*usageError](err):
		u, _ := errors.AsType[*usageError](err)
		hint = u.hint
	case strings.HasPrefix(text, "unknown command"):
		hint = didYouMean(root, text)
	}
	a.complain(text, hint)
	return code
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// complain writes an error, a line for each of its lines.
func (a *app) complain(text, hint string) {
	for line := range strings.Lines(text) {
		fmt.Fprintf(a.stderr, "retrace: %s\n", report.Clean(strings.TrimRight(line, "\n")))
	}
	if hint != "" {
		fmt.Fprintf(a.stderr, "hint: %s\n", report.Clean(hint))
	}
}

// warn writes a line that does not change the outcome.
func (a *app) warn(text string) { fmt.Fprintf(a.stderr, "warning: %s\n", report.Clean(text)) }

// didYouMean takes the mistyped command from cobra's message, unknown command "x" for "retrace".
func didYouMean(root *cobra.Command, text string) string {
	if parts := strings.SplitN(text, `"`, 3); len(parts) == 3 {
		if near := root.SuggestionsFor(parts[1]); len(near) > 0 {
			return fmt.Sprintf("did you mean %q?", near[0])
		}
	}
	return "see retrace --help"
}

// exitOf is the exit code for one result. A flaky one passes unless that is to fail.
func exitOf(r *replay.Result, failOnFlaky bool) int {
	if r.Failure != nil {
		switch r.Failure.Code {
		case replay.Interrupted:
			return exitInterrupted
		case replay.BrowserMissing, replay.BrowserCrashed:
			return exitBrowser
		}
	}
	switch r.Verdict {
	case replay.Passed, replay.Warned:
		return exitPassed
	case replay.Flaky:
		if !failOnFlaky {
			return exitPassed
		}
	}
	return exitFailed
}

// invalid tells whether err is about the content of a recording, so that it lists problems.
func invalid(err error) (trace.Errors, bool) { return errors.AsType[trace.Errors](err) }

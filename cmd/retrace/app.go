package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"retrace/replay"
	"retrace/replay/flake"
	"retrace/replay/report"
	"retrace/replay/trace"
	"retrace/resolve/axtree"
)

// app is what the commands share: where they read and write, and what they call. Tests put their own in.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	terminal       func() bool // whether standard input is a terminal; nil to look
	lookupEnv      func(string) (string, bool)
	replay         func(context.Context, *trace.Trace, replay.Options) (*replay.Result, error)
	explain        func(ctx context.Context, t *trace.Trace, o replay.Options, step int, url string) (*replay.Explanation, error)
	debug          func(context.Context, *trace.Trace, replay.Options) (debugger, error)
	hunt           func(context.Context, *trace.Trace, flake.Settings) ([]*flake.Run, error)
	tree           func(ctx context.Context, t *trace.Trace, o replay.Options, step int, url string) (*axtree.Tree, error)
}

// patience is how long a second signal waits for the browser to be closed.
const patience = 5 * time.Second

// Main runs the program with its arguments (without the program's name) and gives its exit code. It returns only when
// the browser is closed, or 5 seconds after a second signal; the browser then dies with the process.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	// A reader that went away (retrace run … | head) must not end the process while a browser is open.
	signal.Ignore(syscall.SIGPIPE)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)

	a := &app{stdin: stdin, stdout: stdout, stderr: stderr, lookupEnv: os.LookupEnv, replay: replay.Run, explain: replay.Explain, hunt: flake.Hunt, debug: openDebugger, tree: replay.LiveTree}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := make(chan int, 1)
	go func() { done <- a.execute(ctx, args) }()
	return await(ctx, cancel, done, signals)
}

// await gives the exit code of the command, which comes from done. The first signal cancels its context. At the end of
// [patience] after the second, the command is given up.
func await(ctx context.Context, cancel func(), done <-chan int, signals <-chan os.Signal) int {
	var end <-chan time.Time
	for {
		select {
		case code := <-done:
			return code
		case <-signals:
			if ctx.Err() != nil && end == nil {
				end = time.After(patience)
			}
			cancel()
		case <-end:
			return exitInterrupted
		}
	}
}

// execute runs the command that args name and shows its error.
func (a *app) execute(ctx context.Context, args []string) int {
	root := newRootCmd(a)
	root.SetArgs(args)
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	err := root.ExecuteContext(ctx)
	return a.exit(ctx, root, err)
}

// style is what w can show when it is the program's own output.
func (a *app) style(w io.Writer) report.Style {
	f, ok := w.(*os.File)
	if !ok {
		return report.Style{}
	}
	return report.Detect(f, func(name string) string { v, _ := a.lookupEnv(name); return v })
}

// env is the value of an environment variable; empty when it is not set.
func (a *app) env(name string) string {
	if v, ok := a.lookupEnv(name); ok {
		return v
	}
	return ""
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"retrace/replay"
	"retrace/replay/batch"
	"retrace/replay/browser"
	"retrace/replay/queue"
	"retrace/replay/queue/pack"
	"retrace/replay/report"
)

// workerFlags are the flags of run that a worker has: what it can do, and what it knows.
var workerFlags = []string{"secrets", "secret", "file", "header", "proxy", "ignore-https-errors", "auth", "allow-scheme", "allow-host", "deny-host", "block-private", "allow-permission", "secret-origin", "download-limit", "chrome", "no-sandbox", "remote", "workers", "verbose"}

// unpacking bounds what is taken from a queue.
var unpacking = pack.Limits{Files: 20_000, Bytes: 256 << 20}

type workerOptions struct {
	nats     natsOptions
	run      runOptions
	drain    bool
	embedded string // directory of a NATS server in this process
	listen   string
}

// startServer starts a NATS server; nil in a build without one.
var startServer func(dir, address string) (url string, stop func(), err error)

func newWorkerCmd(a *app) *cobra.Command {
	o := &workerOptions{}
	cmd := &cobra.Command{
		Use:   "worker",
		Short: "Replay what others submit, from a queue on NATS",
		Long: `Take recordings from a queue on NATS JetStream, replay them, and store the results there,
until a signal comes. A recording is taken out of the queue when its result is stored:
that of a worker that dies is given to another. Values of secrets are never in the
queue: each worker gets them by its own --secrets and --secret.`,
		Example: `  retrace worker --nats nats://queue:4222 --workers 2 --secrets secrets.json
  retrace worker --drain                    end when the queue is empty
  retrace worker --embedded ./queue         with a NATS server in it (build with -tags embedded)`,
		Args: arguments(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runWorker(cmd.Context(), a, o, cmd.Flags())
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	o.nats.addFlags(f)
	f.BoolVar(&o.drain, "drain", false, "end when the queue is empty")
	f.StringVar(&o.embedded, "embedded", "", "run a NATS server in this process that stores the queue in `DIR`")
	f.StringVar(&o.listen, "listen", "127.0.0.1:4222", "`ADDRESS` of that server")
	take(f, &o.run, workerFlags)
	return cmd
}

// take gives a command some of the flags of run.
func take(f *pflag.FlagSet, o *runOptions, names []string) {
	all := newFlags(o)
	for _, name := range names {
		f.AddFlag(all.Lookup(name))
	}
}

// newFlags are all flags of run, which set o.
func newFlags(o *runOptions) *pflag.FlagSet {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	o.addFlags(f)
	return f
}

func runWorker(ctx context.Context, a *app, o *workerOptions, line *pflag.FlagSet) error {
	const hint = "see retrace worker --help"
	if err := o.nats.check(hint); err != nil {
		return err
	}
	if err := o.run.complete(a, line, nil); err != nil {
		return err
	}
	if err := o.run.many.check(o.run.replay); err != nil {
		return err
	}
	if len(o.run.many.remotes) == 0 {
		if _, err := browser.Find(o.run.replay.Chrome); err != nil {
			return err // before it takes what it cannot replay
		}
	}
	if o.embedded != "" {
		if startServer == nil {
			return usagef("run nats-server -js, or build retrace with: go build -tags embedded ./cmd/retrace", "--embedded: this build holds no NATS server")
		}
		url, stop, err := startServer(o.embedded, o.listen)
		if err != nil {
			return &usageError{err: err}
		}
		defer stop()
		o.nats.url = url
		fmt.Fprintf(a.stdout, "nats: %s\n", url)
	}
	q, closeQueue, err := o.nats.open(ctx, a, "worker")
	if err != nil {
		return err
	}
	defer closeQueue()
	return a.work(ctx, q, o, line)
}

// work does jobs until ctx ends.
func (a *app) work(ctx context.Context, q *queue.Queue, o *workerOptions, line *pflag.FlagSet) error {
	mask := report.Mask(nil, o.run.masked()...)
	log := logger(mask.Writer(a.stderr), o.run.verbose)
	o.run.replay.Log = log
	pool := o.run.many.pool(o.run.replay)
	n := o.run.many.workers
	if n == 0 && len(o.run.many.remotes) == 0 {
		n = batch.Workers()
	}
	n = max(n, len(o.run.many.remotes), 1)
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	w := &hand{app: a, line: line, mask: mask, log: log, pool: pool, name: fmt.Sprintf("%s-%d", host, os.Getpid())}
	fmt.Fprintf(a.stdout, "worker %s: waiting for recordings, %d at a time\n", w.name, n)
	err = q.Work(ctx, queue.Worker{Name: w.name, AtATime: n, Drain: o.drain, Do: w.do, Log: log})
	if err := pool.Close(); err != nil {
		a.warn("closing the browsers: " + mask.String(err.Error()))
	}
	switch {
	case ctx.Err() != nil:
		return codeError(exitInterrupted)
	case err != nil:
		return &usageError{err: err}
	}
	return nil
}

// hand replays the recordings that a worker takes.
type hand struct {
	*app
	line *pflag.FlagSet // what is said on the worker's command line
	mask *report.Masker
	log  *slog.Logger
	pool *browser.Pool
	name string

	mu sync.Mutex // of the output
}

// do replays the recording of one job. The error is for what another worker may do better.
func (w *hand) do(ctx context.Context, j queue.Job, data []byte) (result, files []byte, err error) {
	dir, err := os.MkdirTemp("", "retrace-job-")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir)
	r, err := w.replayJob(ctx, j, data, dir)
	if err != nil {
		return nil, nil, err
	}
	if f := r.Failure; f != nil && f.Code == replay.BrowserMissing {
		return nil, nil, errors.New(f.Text)
	}
	r.Environment.Worker = w.name
	r = w.mask.Result(r)
	w.tell(j, r)
	if result, err = json.Marshal(r); err != nil {
		return nil, nil, fmt.Errorf("result of %s: %w", j.Name, err)
	}
	files, err = pack.Dir(os.DirFS(filepath.Join(dir, "report")))
	return result, files, err
}

// replayJob replays in a directory of its own. What is wrong with the job itself is in the result.
func (w *hand) replayJob(ctx context.Context, j queue.Job, data []byte, dir string) (*replay.Result, error) {
	home, reports := filepath.Join(dir, "trace"), filepath.Join(dir, "report")
	for _, d := range []string{home, reports} {
		if err := os.Mkdir(d, 0o700); err != nil {
			return nil, err
		}
	}
	var s spec
	one := &runOptions{traces: []string{home}, warned: map[string]bool{}}
	flags := newFlags(one)
	err := override(flags, w.line)
	if err == nil {
		err = json.Unmarshal(j.Spec, &s)
	}
	if err == nil {
		err = s.apply(flags)
	}
	if err == nil {
		err = one.complete(w.app, flags, nil)
	}
	if err == nil {
		err = pack.Unpack(data, home, unpacking)
	}
	if err != nil {
		return refused(j, s, err), nil
	}
	prepared, err := w.prepare(home, nil)
	if err != nil {
		return refused(j, s, errors.New(strings.ReplaceAll(err.Error(), home, s.File))), nil
	}
	prepared.trace.Name, prepared.trace.File = j.Name, s.File
	options := one.replay
	options.Log, options.Pool, options.Assert, options.ReportDir = w.log, w.pool, prepared.assert, reports
	return w.replay(ctx, prepared.trace, options)
}

// refused is the result of a job that cannot be replayed by anyone.
func refused(j queue.Job, s spec, err error) *replay.Result {
	return failedResult(j.Name, s.File, replay.NotReplayable, "the submitted recording cannot be replayed: "+err.Error())
}

func failedResult(name, file string, code replay.Code, text string) *replay.Result {
	return &replay.Result{
		Schema: replay.SchemaVersion, Trace: name, File: file, Verdict: replay.Error, Attempt: 1, Steps: []replay.StepResult{},
		Failure: &replay.Failure{Code: code, Text: text},
	}
}

// tell writes a line for a replay that was done.
func (w *hand) tell(j queue.Job, r *replay.Result) {
	w.mu.Lock()
	defer w.mu.Unlock()
	fmt.Fprintf(w.stdout, "%s %d %s: %s\n", report.Clean(j.Batch), j.Number+1, report.Clean(report.Cut(j.Name, 80)), report.Clean(report.Summary(r)))
}

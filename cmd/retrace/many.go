package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"retrace/replay"
	"retrace/replay/batch"
	"retrace/replay/browser"
	"retrace/replay/report"
	"retrace/replay/trace"
)

// manyOptions say which of many recordings are replayed here, how many at a time, and in which browsers.
type manyOptions struct {
	workers     int
	maxFailures int
	failFast    bool
	shard       string
	timings     string
	remotes     []string
}

// manyFlags are the names of the flags of manyOptions that say nothing about a single run.
var manyFlags = []string{"workers", "max-failures", "fail-fast", "shard", "timings"}

func (o *manyOptions) addFlags(f *pflag.FlagSet) {
	f.IntVar(&o.workers, "workers", 0, "replay `N` recordings at a time (default: by processors and free memory; with --remote one for each address; with --headed or --slow 1)")
	f.IntVar(&o.maxFailures, "max-failures", 0, "start no further recording after `N` runs that did not pass")
	f.BoolVar(&o.failFast, "fail-fast", false, "the same as --max-failures 1")
	f.StringVar(&o.shard, "shard", "", "replay one `PART` of the recordings: 2/5 is the second of five, auto asks the variables of the CI system")
	f.StringVar(&o.timings, "timings", "", "balance the shards by the durations in the results.json `FILE` of an earlier run")
	f.StringSliceVar(&o.remotes, "remote", nil, "attach to the running browsers at `URL,…` (ws:// or http://; can be repeated)")
}

func (o *manyOptions) check(replay replay.Options) error {
	const hint = "see retrace run --help"
	if o.workers < 0 {
		return usagef(hint, "--workers: must not be negative")
	}
	if o.maxFailures < 0 {
		return usagef(hint, "--max-failures: must not be negative")
	}
	if o.failFast {
		if o.maxFailures > 1 {
			return usagef(hint, "--fail-fast and --max-failures exclude each other")
		}
		o.maxFailures = 1
	}
	for _, address := range o.remotes {
		if address == "" {
			return usagef(hint, "--remote: an address is empty")
		}
		if err := checkURL("--remote", address, "ws", "wss", "http", "https"); err != nil {
			return err
		}
	}
	if len(o.remotes) > 0 && replay.Chrome != "" {
		return usagef(hint, "--remote and --chrome exclude each other")
	}
	if o.timings != "" && o.shard == "" {
		return usagef(hint, "--timings: balances shards, and there is no --shard")
	}
	if o.shard != "" && o.shard != "auto" {
		if _, err := batch.ParseShard(o.shard); err != nil {
			return usagef(hint, "--shard: %v", err)
		}
	}
	return nil
}

// atATime is how many of n recordings are replayed at a time; one when somebody watches.
func (o *manyOptions) atATime(n int, replay replay.Options, watched bool) int {
	workers := o.workers
	switch {
	case workers > 0:
	case replay.Headed || replay.Slow > 0 || watched: // somebody watches
		workers = 1
	case len(o.remotes) > 0:
		workers = len(o.remotes)
	default:
		workers = batch.Workers()
	}
	return max(1, min(workers, n))
}

// pool is where the browsers of the runs come from.
func (o *manyOptions) pool(replay replay.Options) *browser.Pool {
	p := browser.PoolOptions{Remotes: o.remotes, MaxMemory: max(batch.FreeMemory()/4, 1<<30)}
	p.Path, p.Headed, p.NoSandbox, p.Protocol, p.Log = replay.Chrome, replay.Headed, replay.NoSandbox, replay.Protocol, replay.Log
	return browser.NewPool(p)
}

// part picks the recordings of this machine's shard; nil when everything is to be done here.
func (o *manyOptions) part(a *app, paths []string) ([]string, *report.Shard, error) {
	if o.shard == "" {
		return paths, nil, nil
	}
	if slices.Contains(paths, "-") {
		return nil, nil, usagef("", "--shard: standard input cannot be shared")
	}
	shard, err := batch.ParseShard(o.shard)
	if o.shard == "auto" {
		system := ""
		shard, system, err = batch.DetectShard(a.env)
		if err == nil && system == "" {
			a.warn("--shard auto: no variables of a CI system say which part this is; everything is replayed")
			return paths, nil, nil
		}
	}
	if err != nil {
		return nil, nil, &usageError{err: fmt.Errorf("--shard: %w", err)}
	}
	known, err := o.durations()
	if err != nil {
		return nil, nil, err
	}
	jobs := make([]batch.Job, len(paths))
	for i, path := range paths {
		jobs[i] = batch.Job{Name: filepath.ToSlash(filepath.Clean(path)), MS: known.Of(path)}
	}
	var mine []string
	for _, i := range shard.Pick(jobs) {
		mine = append(mine, paths[i])
	}
	return mine, &report.Shard{Shard: shard, Traces: len(mine), Of: len(paths)}, nil
}

func (o *manyOptions) durations() (report.Timings, error) {
	if o.timings == "" {
		return report.Timings{}, nil
	}
	t, err := report.ReadTimings(o.timings)
	if err != nil {
		return t, &usageError{err: fmt.Errorf("--timings: %w", err)}
	}
	return t, nil
}

// find gives the recordings that the arguments stand for, in the order of the arguments.
func find(paths []string) ([]string, error) {
	var out []string
	var errs []error
	for _, path := range paths {
		found, err := trace.Find(path)
		if err != nil {
			errs = append(errs, err)
		}
		out = append(out, found...)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, &usageError{err: err}
	}
	return out, nil
}

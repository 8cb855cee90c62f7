package main

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"retrace/replay"
	"retrace/replay/browser"
	"retrace/replay/report"
	"retrace/resolve"
)

func (o *runOptions) addFlags(f *pflag.FlagSet) {
	f.SortFlags = false
	f.StringVar(&o.reportDir, "report", "", "leave a report in `DIR` (index.html, results.json, screenshots)")
	f.StringVar(&o.replay.Screenshots, "screenshots", replay.ShotsFailed, "`WHICH` pictures are left in the report: of failed steps (failed), before and after each step (all), or none (off)")
	f.StringVar(&o.json, "json", "", "write the results to `FILE`; - streams events as JSON lines to standard output")
	f.DurationVar(&o.replay.Timeout, "timeout", 10*time.Second, "deadline of one step, a `DURATION`")
	f.StringVar(&o.replay.BaseURL, "base-url", "", "replay on the origin of `URL` instead of the recorded one")
	o.addPolicyFlags(f)
	f.StringVar(&o.secretsFile, "secrets", "", "JSON `FILE` with the values that the recording does not hold, by target name or step id")
	f.StringArrayVar(&o.secrets, "secret", nil, "one such value from the environment: `KEY=env:NAME` (can be repeated)")
	o.addSecretOriginFlag(f)
	f.StringArrayVar(&o.files, "file", nil, "file for an upload field: `NAME=PATH` (can be repeated)")
	f.StringVar(&o.replay.Dialogs, "dialogs", "accept", "`ANSWER` to JavaScript dialogs: accept, dismiss or fail")
	f.StringVar(&o.replay.Verify, "verify", "effects", "`LEVEL` of what must be seen after a step: off, effects or strict")
	f.StringVar((*string)(&o.replay.Match), "match", string(resolve.Strict), "`MODE` in which names are compared: strict, or tolerant (words may have changed)")
	f.BoolVar(&o.replay.Propose, "propose", false, "write corrections of recorded targets as a patch to review; act on none")
	f.StringVar(&o.assertFile, "assert", "", "`FILE` with assertions (default: assert.json in the directory of the recording)")
	f.IntVar(&o.replay.Retries, "retries", 0, "repeat a failed run up to `N` times, each time in a fresh profile")
	o.ci.addFlags(f)
	f.DurationVar(&o.replay.Slow, "slow", 0, "pause of `DURATION` after each step, for watching")
	o.watch.addFlags(f)
	o.addEnvironmentFlags(f)
	o.addPermissionFlag(f)
	o.replay.DownloadLimit = browser.DefaultDownloadLimit
	f.Var(size{&o.replay.DownloadLimit}, "download-limit", "cancel downloads that would make it more than `SIZE` in all")
	o.config.addFlags(f)
	o.addBrowserFlags(f)
	o.many.addFlags(f)
	f.CountVarP(&o.verbose, "verbose", "v", "log what happens to standard error; -vv also the protocol")
	f.Float64Var(&o.replay.CPUThrottle, "cpu-throttle", 0, "slow the pages' processor down `N` times, for tests under stress")
	_ = f.MarkHidden("cpu-throttle") // defined in the line before
}

// addBrowserFlags are the flags that every command which starts a browser has.
func (o *runOptions) addBrowserFlags(f *pflag.FlagSet) {
	f.BoolVar(&o.replay.Headed, "headed", false, "show the browser window")
	f.StringVar(&o.replay.Chrome, "chrome", "", "use the browser at `PATH`")
	f.BoolVar(&o.replay.NoSandbox, "no-sandbox", false, "start the browser without its sandbox")
	f.IntVar(&o.replay.LargePage, "large-page", replay.DefaultLargePage, "probe pages with `N` elements or more instead of reading them whole")
	f.MarkHidden("large-page")
}

// check finds what is wrong with the values of flags, before anything is read or started.
func (o *runOptions) check() error {
	const hint = "see retrace run --help"
	if o.replay.Screenshots == "" { // commands that leave no report have no such flag
		o.replay.Screenshots = replay.ShotsFailed
	}
	for _, choice := range []struct {
		flag, value string
		allowed     []string
	}{
		{"--dialogs", o.replay.Dialogs, []string{"accept", "dismiss", "fail"}},
		{"--verify", o.replay.Verify, []string{"off", "effects", "strict"}},
		{"--screenshots", o.replay.Screenshots, []string{replay.ShotsAll, replay.ShotsFailed, replay.ShotsOff}},
		{"--match", string(o.replay.Match), []string{string(resolve.Strict), string(resolve.Tolerant)}},
	} {
		if !slices.Contains(choice.allowed, choice.value) {
			return usagef(hint, "%s: %q is none of %s", choice.flag, choice.value, strings.Join(choice.allowed, ", "))
		}
	}
	if o.replay.Timeout <= 0 {
		return usagef(hint, "--timeout: must be more than 0")
	}
	if o.replay.Slow < 0 {
		return usagef(hint, "--slow: must not be negative")
	}
	if o.replay.Retries < 0 {
		return usagef(hint, "--retries: must not be negative")
	}
	if t := o.replay.CPUThrottle; t != 0 && t < 1 {
		return usagef(hint, "--cpu-throttle: must be 1 or more")
	}
	if o.replay.Propose && o.replay.Match == resolve.Tolerant {
		return usagef(hint, "--propose and --match tolerant exclude each other: corrections are for strict matching")
	}
	if o.replay.Propose && slices.Contains(o.traces, "-") {
		return usagef(hint, "--propose: standard input cannot be corrected")
	}
	if err := checkURL("--base-url", o.replay.BaseURL, "http", "https"); err != nil {
		return err
	}
	if err := checkURL("--remote", o.replay.Remote, "ws", "wss", "http", "https"); err != nil {
		return err
	}
	if o.replay.Remote != "" && o.replay.Chrome != "" {
		return usagef(hint, "--remote and --chrome exclude each other")
	}
	if err := o.checkPolicy(hint); err != nil {
		return err
	}
	if err := o.ci.check(hint); err != nil {
		return err
	}
	return o.readFiles()
}

func checkURL(flag, value string, schemes ...string) error {
	if value == "" {
		return nil
	}
	u, err := url.Parse(value)
	if err != nil || u.Host == "" || !slices.Contains(schemes, u.Scheme) {
		return usagef("", "%s: %q is no %s address", flag, value, strings.Join(schemes, " or "))
	}
	return nil
}

// readFiles takes --file apart and makes sure that the files are there.
func (o *runOptions) readFiles() error {
	o.replay.Files = map[string]string{}
	for _, arg := range o.files {
		name, path, ok := strings.Cut(arg, "=")
		if !ok || name == "" || path == "" {
			return usagef("", "--file: %q is not NAME=PATH", arg)
		}
		info, err := os.Stat(path)
		if err != nil {
			return &usageError{err: fmt.Errorf("--file %s: %w", name, err)}
		}
		if !info.Mode().IsRegular() {
			return usagef("", "--file %s: %s is not a regular file", name, path)
		}
		o.replay.Files[name] = path
	}
	return nil
}

// readSecrets reads the secrets' file, then the environment: the more specific wins.
func (o *runOptions) readSecrets(a *app) error {
	o.replay.Secrets = replay.Secrets{}
	if o.secretsFile != "" {
		secrets, warnings, err := replay.LoadSecrets(o.secretsFile)
		if err != nil {
			return &usageError{err: err}
		}
		for _, w := range warnings {
			o.warn(a, w)
		}
		o.replay.Secrets = secrets
	}
	for _, arg := range o.secrets {
		err := o.replay.Secrets.Set(arg, a.lookupEnv)
		if errors.Is(err, replay.ErrLiteralSecret) {
			return &usageError{err: fmt.Errorf("--secret: %w, where other users can read it", err), hint: "put the value into an environment variable and write --secret KEY=env:NAME, or use --secrets FILE"}
		}
		if err != nil {
			return &usageError{err: fmt.Errorf("--secret: %w", err)}
		}
	}
	return nil
}

// againCommand gives a function that writes the command with which a person watches a run again: the same flags, but
// with a window, slowly and without output files.
func againCommand(cmd *cobra.Command) func(*replay.Result) string {
	return againAs(cmd, cmd.CommandPath())
}

// againAs is againCommand for a command whose run is watched with another one.
func againAs(cmd *cobra.Command, path string) func(*replay.Result) string {
	words := []string{"--headed", "--slow", "500ms"}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains([]string{"report", "json", "headed", "slow", "verbose", "retries", "propose", "output"}, f.Name) || slices.Contains(ciFlags, f.Name) || slices.Contains(manyFlags, f.Name) || slices.Contains(watchFlags, f.Name) {
			return
		}
		if f.Name == "remote" { // one of its addresses is enough, and a key may stand in it
			words = append(words, "--remote", quote(browser.Redact(f.Value.(pflag.SliceValue).GetSlice()[0])))
			return
		}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			for _, v := range list.GetSlice() {
				if name, _, _ := strings.Cut(v, "="); f.Name == "header" && !strings.HasPrefix(v, name+"=env:") {
					v = name + "=" + report.Masked
				}
				words = append(words, "--"+f.Name, quote(v))
			}
			return
		}
		if f.Value.Type() == "bool" || f.NoOptDefVal != "" {
			words = append(words, "--"+f.Name+"="+f.Value.String())
			return
		}
		words = append(words, "--"+f.Name, quote(f.Value.String()))
	})
	return func(r *replay.Result) string {
		return strings.Join(append([]string{path, quote(r.File)}, words...), " ")
	}
}

// quote writes a word for a POSIX shell.
func quote(s string) string {
	safe := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:=,@%+", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !safe(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

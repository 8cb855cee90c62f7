package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"retrace/replay/jsonast"
	"retrace/replay/project"
)

// configOptions say which project file is used.
type configOptions struct {
	file string // empty for the one that is found
	off  bool
}

func (o *configOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.file, "config", "", "take settings from the project `FILE` (default: "+project.FileName+" beside the recording or above it)")
	f.BoolVar(&o.off, "no-config", false, "use no project file")
}

// find reads the project file for a recording: the named one, or the one that is found; nil for none. An address ("") and
// standard input have no place to search from.
func (o *configOptions) find(recording string) (*project.File, error) {
	switch {
	case o.off && o.file != "":
		return nil, errors.New("--config and --no-config exclude each other")
	case o.off:
		return nil, nil
	case o.file != "":
		return project.Load(o.file)
	case recording == "" || recording == "-":
		return nil, nil
	}
	return project.Find(recording, ".")
}

// configured are the settings of a project file for a recording, and what the file is called.
func configured(f *project.File, recording string) []project.Setting {
	if f == nil {
		return nil
	}
	if recording != "-" {
		if dir, err := filepath.Abs(f.Dir); err == nil {
			if at, err := filepath.Abs(recording); err == nil {
				if rel, err := filepath.Rel(dir, at); err == nil {
					recording = rel
				}
			}
		}
	}
	return f.For(filepath.ToSlash(recording))
}

// apply gives the flags the values of the settings, but for those that stand on the command line. Settings of flags that a
// command does not have are left out: a file serves all commands.
func apply(f *pflag.FlagSet, settings []project.Setting) error {
	var errs jsonast.Errors
	for _, s := range settings {
		flag := f.Lookup(s.Key)
		if flag == nil || flag.Changed {
			continue
		}
		var err error
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			err = list.Replace(s.Values)
		} else {
			err = flag.Value.Set(s.Values[0])
		}
		if problem, ok := errors.AsType[jsonast.Errors](s.Problem("%v", err)); ok && err != nil {
			errs = append(errs, problem...)
		}
	}
	if len(errs) > 0 {
		return &usageError{err: errs, hint: "see docs/config.md"}
	}
	return nil
}

// override gives the flags of one set the values that stand on the command line in another.
func override(f, line *pflag.FlagSet) error {
	var errs []error
	line.Visit(func(from *pflag.Flag) {
		to := f.Lookup(from.Name)
		if to == nil {
			return
		}
		to.Changed = true
		list, many := from.Value.(pflag.SliceValue)
		if target, ok := to.Value.(pflag.SliceValue); ok && many {
			errs = append(errs, target.Replace(list.GetSlice()))
			return
		}
		errs = append(errs, to.Value.Set(from.Value.String()))
	})
	return errors.Join(errs...)
}

var flagOfError = regexp.MustCompile(`^--([a-z-]+)( [^:]*)?: `)

// attribute names the place in the project file when an error is about a flag that got its value there.
func attribute(err error, f *pflag.FlagSet, settings []project.Setting) error {
	if err == nil {
		return nil
	}
	m := flagOfError.FindStringSubmatch(err.Error())
	if m == nil {
		return err
	}
	i := slices.IndexFunc(settings, func(s project.Setting) bool { return s.Key == m[1] })
	if flag := f.Lookup(m[1]); i < 0 || flag == nil || flag.Changed {
		return err
	}
	return &usageError{err: settings[i].Problem("%s", strings.TrimPrefix(err.Error(), "--"+m[1]+": ")), hint: "see docs/config.md"}
}

// complete checks the options and reads what they name. settings are those that came from a project file.
func (o *runOptions) complete(a *app, f *pflag.FlagSet, settings []project.Setting) error {
	for _, step := range []func() error{o.check, func() error { return o.readSecrets(a) }, func() error { return o.readEnvironment(a) }} {
		if err := attribute(step(), f, settings); err != nil {
			return err
		}
	}
	return nil
}

// forEach makes the options of every recording: the flags, and below them the settings of its project file. What concerns the
// whole run is taken into o itself.
func (o *runOptions) forEach(a *app, line *pflag.FlagSet) error {
	whole := func(file *project.File) []project.Setting {
		return slices.DeleteFunc(file.For(""), func(s project.Setting) bool {
			k, _ := project.Known(s.Key)
			return k.Scope != project.Whole
		})
	}
	o.each = nil
	o.warned = map[string]bool{}
	for i, recording := range o.traces {
		file, err := o.config.find(recording)
		if err != nil {
			return &usageError{err: err, hint: "see docs/config.md"}
		}
		if file != nil && i == 0 {
			if err := apply(line, whole(file)); err != nil {
				return err
			}
		}
		settings := configured(file, recording)
		one := &runOptions{traces: []string{recording}, warned: o.warned}
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		one.addFlags(flags)
		if err := override(flags, line); err != nil {
			return fmt.Errorf("options of %s: %w", recording, err)
		}
		if err := apply(flags, settings); err != nil {
			return err
		}
		if err := one.complete(a, flags, settings); err != nil {
			return err
		}
		if file != nil {
			one.replay.Config = file.Path
		}
		one.flags = flags
		o.each = append(o.each, one)
	}
	return o.check()
}

// masked are all texts that no output may hold, of whatever recording they are.
func (o *runOptions) masked() []string {
	var out []string
	for _, one := range append([]*runOptions{o}, o.each...) {
		out = append(out, one.replay.Masked...)
		for _, v := range one.replay.Secrets {
			out = append(out, v)
		}
	}
	return out
}

// warn writes a warning once, however many recordings it is about.
func (o *runOptions) warn(a *app, text string) {
	if o.warned[text] {
		return
	}
	if o.warned != nil {
		o.warned[text] = true
	}
	a.warn(text)
}

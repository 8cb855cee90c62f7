package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"retrace/replay/auth"
	"retrace/replay/browser"
	"retrace/replay/project"
)

// environmentOptions are the flags that say in what environment pages find themselves; every command that opens one has them.
type environmentOptions struct {
	headers   []string // NAME=VALUE or NAME=env:VAR
	blockURLs []string
	authFile  string
}

// addEnvironmentFlags are those flags.
func (o *runOptions) addEnvironmentFlags(f *pflag.FlagSet) {
	e := &o.replay.Emulation
	f.StringVar(&o.environment.authFile, "auth", "", "begin logged in: with the cookies and the storage in `FILE`, see retrace auth save")
	f.StringVar(&o.replay.Profile, "profile", "", "begin with a copy of the Chrome profile in `DIR`, which itself is only read")
	parsed(f, "viewport", "`SIZE` of the pages, such as 1280x720 (default: as recorded)", func(s string) (err error) {
		o.replay.Width, o.replay.Height, err = browser.ParseSize(s)
		return err
	})
	parsed(f, "locale", "language of the browser, a `TAG` such as de-AT", func(s string) (err error) {
		e.Locale, err = browser.ParseLocale(s)
		return err
	})
	parsed(f, "timezone", "time zone of the browser, a `NAME` such as Europe/Vienna", func(s string) error {
		e.Timezone = s
		return browser.CheckTimezone(s)
	})
	parsed(f, "user-agent", "what the browser calls itself, a `TEXT`", func(s string) error {
		e.UserAgent = s
		return (&browser.Emulation{UserAgent: s}).Check()
	})
	parsed(f, "color-scheme", "`SCHEME` that pages are told to prefer: light or dark", func(s string) error {
		e.ColorScheme = s
		return choice(s, "light", "dark")
	})
	parsed(f, "reduced-motion", "tell pages to move little; `WISH` is reduce or no-preference", func(s string) error {
		e.ReducedMotion = s
		return choice(s, "reduce", "no-preference")
	})
	f.Lookup("reduced-motion").NoOptDefVal = "reduce"
	parsed(f, "device-scale", "device pixels of a CSS pixel, a `NUMBER` such as 2", func(s string) (err error) {
		if e.DeviceScale, err = strconv.ParseFloat(s, 64); err != nil {
			return fmt.Errorf("%q is no number", s)
		}
		return browser.CheckScale(e.DeviceScale)
	})
	parsed(f, "geolocation", "where the browser says it is: `LATITUDE,LONGITUDE`", func(s string) (err error) {
		e.Position, err = browser.ParsePosition(s)
		return err
	})
	f.StringArrayVar(&o.environment.headers, "header", nil, "send a header to the origin where the run starts: `NAME=VALUE`, or NAME=env:VARIABLE (can be repeated)")
	parsed(f, "proxy", "send all requests through the proxy at `URL`", func(s string) error {
		e.Proxy = s
		return browser.CheckProxy(s)
	})
	f.BoolVar(&e.IgnoreHTTPSErrors, "ignore-https-errors", false, "accept certificates that are not valid")
	f.BoolVar(&e.Offline, "offline", false, "take the network away from the pages")
	f.StringArrayVar(&o.environment.blockURLs, "block-url", nil, "let requests to addresses fail that fit `PATTERN`, such as */analytics.js (can be repeated)")
}

// readEnvironment completes the environment with what the lists of flags say. Errors never repeat the value of a header.
func (o *runOptions) readEnvironment(a *app) error {
	if o.replay.Profile != "" {
		if o.replay.Remote != "" || len(o.many.remotes) > 0 {
			return usagef("", "--profile and --remote exclude each other: a browser that runs already has its own profiles")
		}
		if err := browser.FindProfile(o.replay.Profile); err != nil {
			return usagef("", "--profile: %w", err)
		}
	}
	e := &o.replay.Emulation
	e.BlockURLs = o.environment.blockURLs
	for _, p := range e.BlockURLs {
		if err := browser.CheckURLPattern(p); err != nil {
			return usagef("", "--block-url: %w", err)
		}
	}
	e.Headers, o.replay.Masked = nil, nil
	for _, arg := range o.environment.headers {
		h, literal, err := readHeader(arg, a.lookupEnv)
		if err == nil {
			err = h.Check()
		}
		if err != nil {
			return usagef("", "--header: %w", err)
		}
		if literal && project.Confidential(h.Name) {
			o.warn(a, fmt.Sprintf("--header %s: other users can read the value on the command line; --header %s=env:VARIABLE keeps it from them", h.Name, h.Name))
		}
		e.Headers = append(e.Headers, h)
		o.replay.Masked = append(o.replay.Masked, maskedParts(h.Value)...)
	}
	return o.readAuth(a)
}

// readAuth reads the saved state of a login.
func (o *runOptions) readAuth(a *app) error {
	file := o.environment.authFile
	if file == "" {
		return nil
	}
	state, warnings, err := auth.Load(file)
	if err != nil {
		return usagef("see docs/auth.md", "--auth: %w", err)
	}
	for _, w := range warnings {
		o.warn(a, w)
	}
	o.replay.Auth = state
	o.replay.Masked = append(o.replay.Masked, state.Credentials()...)
	return nil
}

// readHeader takes a header apart. The value is literal when it stands in arg itself.
func readHeader(arg string, lookup func(string) (string, bool)) (h browser.Header, literal bool, err error) {
	name, value, ok := strings.Cut(arg, "=")
	if !ok || name == "" {
		return h, false, errors.New("must be NAME=VALUE or NAME=env:VARIABLE")
	}
	h = browser.Header{Name: name, Value: value}
	variable, fromEnv := strings.CutPrefix(value, "env:")
	if !fromEnv {
		return h, true, nil
	}
	if h.Value, ok = lookup(variable); !ok {
		return h, false, fmt.Errorf("%s: environment variable %s is not set", name, variable)
	}
	return h, false, nil
}

// maskedParts are the texts that tell the value of a header: itself, and the parts of it that are long ("Bearer …").
func maskedParts(value string) []string {
	out := []string{value}
	for _, part := range strings.Fields(value) {
		if part != value && utf8.RuneCountInString(part) >= 8 {
			out = append(out, part)
		}
	}
	return out
}

// parsedValue is the value of a flag that is checked when it is read.
type parsedValue struct {
	text string
	read func(string) error
}

func (v *parsedValue) String() string { return v.text }
func (v *parsedValue) Type() string   { return "string" }
func (v *parsedValue) Set(s string) error {
	v.text = s
	return v.read(s)
}

// parsed defines a flag whose value read takes.
func parsed(f *pflag.FlagSet, name, usage string, read func(string) error) {
	f.Var(&parsedValue{read: read}, name, usage)
}

// choice refuses a word that is none of the allowed ones.
func choice(value string, allowed ...string) error {
	if !slices.Contains(allowed, value) {
		return fmt.Errorf("%q is none of %s", value, strings.Join(allowed, ", "))
	}
	return nil
}

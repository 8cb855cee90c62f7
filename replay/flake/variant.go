package flake

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"retrace/replay"
)

// Kind is a family of variants.
type Kind string

// Kinds of variants.
const (
	Plain      Kind = "plain"
	CPU        Kind = "cpu"
	Net        Kind = "net"
	Animations Kind = "animations"
	Timers     Kind = "timers"
	Viewport   Kind = "viewport"
	Locale     Kind = "locale"
	Timezone   Kind = "timezone"
)

// Kinds are the families of stress, in the order in which they are run.
var Kinds = []Kind{CPU, Net, Animations, Timers, Viewport, Locale, Timezone}

// Variant is one set of conditions under which a recording is replayed. Name and Seed say all: the same ones are the same
// conditions.
type Variant struct {
	Name string `json:"name"`
	Kind Kind   `json:"kind"`
	// Seed begins the random numbers of the variant.
	Seed uint64 `json:"seed"`
}

// Strengths of the stress.
const (
	slowLatency = 400 * time.Millisecond
	slowRate    = 100e3 // bytes a second
	mostJitter  = 900 * time.Millisecond
	lateTimers  = 400 * time.Millisecond
	longer      = 4  // times that animations last
	leastPixels = 40 // by which the viewport differs, at least
	morePixels  = 80 // and how many more at most
)

// fixed are the variants whose names say all. The function changes the options of a replay.
var fixed = []struct {
	name  string
	kind  Kind
	apply func(o *replay.Options, seed uint64)
}{
	{"cpu-2x", CPU, func(o *replay.Options, _ uint64) { o.CPUThrottle = 2 }},
	{"cpu-4x", CPU, func(o *replay.Options, _ uint64) { o.CPUThrottle = 4 }},
	{"cpu-6x", CPU, func(o *replay.Options, _ uint64) { o.CPUThrottle = 6 }},
	{"net-slow", Net, func(o *replay.Options, _ uint64) { o.Stress.Latency, o.Stress.Throughput = slowLatency, slowRate }},
	{"net-jitter", Net, func(o *replay.Options, _ uint64) { o.Stress.Jitter = mostJitter }},
	{"animations-long", Animations, func(o *replay.Options, _ uint64) {
		o.Stress.Animations, o.Emulation.ReducedMotion = longer, "no-preference"
	}},
	{"timers-late", Timers, func(o *replay.Options, _ uint64) { o.Stress.Timers = lateTimers }},
	{"viewport-smaller", Viewport, func(o *replay.Options, seed uint64) { resize(o, seed, -1) }},
	{"viewport-larger", Viewport, func(o *replay.Options, seed uint64) { resize(o, seed, 1) }},
}

// Prefixes of the names of variants that are followed by a locale or a time zone.
const localePrefix, timezonePrefix = "locale-", "timezone-"

var (
	locales   = []string{"de-DE", "fr-FR", "ja-JP", "pt-BR"}
	timezones = []string{"Pacific/Auckland", "America/Los_Angeles", "Asia/Kolkata", "Atlantic/Azores"}
)

func resize(o *replay.Options, seed uint64, sign int) {
	by := rand.New(rand.NewPCG(seed, 2))
	o.Widen, o.Heighten = sign*(leastPixels+by.IntN(morePixels)), sign*(leastPixels+by.IntN(morePixels))
}

// Options are o with the conditions of the variant.
func (v Variant) Options(o replay.Options) replay.Options {
	switch v.Kind {
	case Plain:
		return o
	case Locale:
		o.Emulation.Locale = strings.TrimPrefix(v.Name, localePrefix)
	case Timezone:
		o.Emulation.Timezone = strings.TrimPrefix(v.Name, timezonePrefix)
	}
	for _, f := range fixed {
		if f.name == v.Name {
			f.apply(&o, v.Seed)
		}
	}
	o.Stress.Seed = v.Seed
	return o
}

// plain is a run as it is.
func plain(seed uint64) Variant { return Variant{"plain", Plain, seed} }

// all are the variants of stress. The seed draws the locale and the time zone.
func all(seed uint64) []Variant {
	lot := rand.New(rand.NewPCG(seed, 1))
	var out []Variant
	for _, f := range fixed {
		out = append(out, Variant{f.name, f.kind, seed})
	}
	return append(out, Variant{localePrefix + locales[lot.IntN(len(locales))], Locale, seed}, Variant{timezonePrefix + timezones[lot.IntN(len(timezones))], Timezone, seed})
}

// Stress picks variants by a list of kinds ("cpu,net"), names ("net-jitter"), "all" or "none". Any locale and time zone can be
// named: "locale-sv-SE".
func Stress(list string, seed uint64) ([]Variant, error) {
	var out []Variant
	for word := range strings.SplitSeq(list, ",") {
		word = strings.TrimSpace(word)
		if word == "none" || word == "" {
			continue
		}
		picked := slices.DeleteFunc(all(seed), func(v Variant) bool { return word != "all" && string(v.Kind) != word && v.Name != word })
		switch {
		case len(picked) > 0:
		case strings.HasPrefix(word, localePrefix) && len(word) > len(localePrefix):
			picked = []Variant{{word, Locale, seed}}
		case strings.HasPrefix(word, timezonePrefix) && len(word) > len(timezonePrefix):
			picked = []Variant{{word, Timezone, seed}}
		default:
			return nil, fmt.Errorf("%q is none of %s, all, none, and no name of a variant (such as cpu-4x, net-jitter)", word, kinds())
		}
		out = append(out, picked...)
	}
	return out, nil
}

func kinds() string {
	words := make([]string, len(Kinds))
	for i, k := range Kinds {
		words[i] = string(k)
	}
	return strings.Join(words, ", ")
}

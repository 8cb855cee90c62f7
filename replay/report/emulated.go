package report

import (
	"strconv"
	"strings"

	"retrace/replay"
)

// fact is one line about the circumstances of a run.
type fact struct{ name, value string }

// Name and Value are for templates.
func (f fact) Name() string  { return f.name }
func (f fact) Value() string { return f.value }

// emulated is what the pages of a run were made to find, in words; what was left as it is has no line.
func emulated(e replay.Environment) []fact {
	var out []fact
	add := func(name, value string) {
		if value != "" {
			out = append(out, fact{name, value})
		}
	}
	yes := func(b bool) string { return map[bool]string{true: "yes"}[b] }
	add("Project file", e.Config)
	add("Saved state", e.Auth)
	add("Copy of profile", e.Profile)
	add("Locale", e.Locale)
	add("Time zone", e.Timezone)
	add("User agent", e.UserAgent)
	add("Color scheme", e.ColorScheme)
	add("Reduced motion", e.ReducedMotion)
	if e.DeviceScale != 0 {
		add("Device scale", strconv.FormatFloat(e.DeviceScale, 'g', -1, 64))
	}
	add("Geolocation", e.Geolocation)
	if len(e.Headers) > 0 {
		add("Headers", strings.Join(e.Headers, ", ")+" to "+e.HeaderOrigin)
	}
	add("Proxy", e.Proxy)
	add("HTTPS errors ignored", yes(e.IgnoreHTTPSErrors))
	add("Offline", yes(e.Offline))
	add("Blocked addresses", strings.Join(e.BlockURLs, ", "))
	return out
}

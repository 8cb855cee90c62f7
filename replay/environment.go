package replay

import (
	"strings"

	"retrace/replay/browser"
)

// Environment is where a run took place. What was emulated is there only when it was set.
type Environment struct {
	Chrome  string `json:"chrome"`
	Headed  bool   `json:"headed,omitempty"`
	Sandbox bool   `json:"sandbox"`
	Remote  bool   `json:"remote,omitempty"`
	// Endpoint is the address of a remote browser, without user and query.
	Endpoint string `json:"endpoint,omitempty"`
	// Worker is the worker that replayed a submitted trace.
	Worker   string `json:"worker,omitempty"`
	Width    int    `json:"width"`
	Height   int    `json:"height"`
	Recorder string `json:"recorder,omitempty"`
	// Config is the project file that settings came from.
	Config string `json:"config,omitempty"`
	// Auth is the file of the saved state that the run began with.
	Auth string `json:"auth,omitempty"`
	// Profile is the profile of Chrome that the run used a copy of.
	Profile string `json:"profile,omitempty"`

	Locale        string  `json:"locale,omitempty"`
	Timezone      string  `json:"timezone,omitempty"`
	UserAgent     string  `json:"user_agent,omitempty"`
	ColorScheme   string  `json:"color_scheme,omitempty"`
	ReducedMotion string  `json:"reduced_motion,omitempty"`
	DeviceScale   float64 `json:"device_scale,omitempty"`
	Geolocation   string  `json:"geolocation,omitempty"`
	// Headers are the names of the headers that were sent to HeaderOrigin, never their values.
	Headers           []string `json:"headers,omitempty"`
	HeaderOrigin      string   `json:"header_origin,omitempty"`
	Proxy             string   `json:"proxy,omitempty"`
	IgnoreHTTPSErrors bool     `json:"ignore_https_errors,omitempty"`
	Offline           bool     `json:"offline,omitempty"`
	BlockURLs         []string `json:"block_urls,omitempty"`
}

// emulation completes what pages are to find: headers go to the origin at which the run starts, which is that of address when
// that is not empty.
func (r *runner) emulation(address string) browser.Emulation {
	e := r.o.Emulation
	e.HeaderOrigins = nil
	if address == "" {
		address = r.trace.StartURL
	}
	if origin := browser.Origin(address); origin != "" && len(e.Headers) > 0 {
		e.HeaderOrigins = []string{origin}
	}
	return e
}

// describe writes what is emulated into the environment.
func (env *Environment) describe(e browser.Emulation) {
	env.Locale, env.Timezone, env.UserAgent = e.Locale, e.Timezone, e.UserAgent
	env.ColorScheme, env.ReducedMotion, env.DeviceScale = e.ColorScheme, e.ReducedMotion, e.DeviceScale
	env.Proxy, env.IgnoreHTTPSErrors, env.Offline, env.BlockURLs = e.Proxy, e.IgnoreHTTPSErrors, e.Offline, e.BlockURLs
	env.Geolocation = ""
	if e.Position != nil {
		env.Geolocation = e.Position.String()
	}
	env.Headers, env.HeaderOrigin = nil, ""
	for _, h := range e.Headers {
		env.Headers = append(env.Headers, h.Name)
	}
	if len(e.HeaderOrigins) > 0 {
		env.HeaderOrigin = e.HeaderOrigins[0]
	}
}

// unreachable is the next thing to try when what is emulated kept a page from coming; else "".
func (r *runner) unreachable(nav *browser.NavigationError) string {
	switch e := &r.o.Emulation; {
	case e.Offline:
		return "the network was taken away by --offline"
	case len(e.BlockURLs) > 0 && strings.HasSuffix(nav.Net, "ERR_BLOCKED_BY_CLIENT"):
		return "a pattern of --block-url fits the address"
	case e.Proxy != "":
		return "the request went through the proxy " + e.Proxy
	case strings.Contains(nav.Net, "ERR_CERT_"):
		return "if the certificate is known to be wrong, as on a test machine, --ignore-https-errors accepts it"
	}
	return ""
}

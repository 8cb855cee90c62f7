package browser

import (
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/security"
	"github.com/chromedp/cdproto/target"
)

// Emulation is the environment that the pages of a context find where it is not to be the one of the machine. The zero value
// changes nothing and costs nothing. It holds for every tab, popups, out-of-process frames and workers included, before their
// first script runs, with two exceptions that Chrome makes: DeviceScale does not reach out-of-process frames, and the script of a
// service worker is itself fetched without what is set here.
type Emulation struct {
	// Locale is a language tag such as "de-AT": navigator.language, the Accept-Language header and the default of Intl.
	Locale string
	// Timezone is a name of the IANA database, such as "Europe/Vienna".
	Timezone string
	// UserAgent is what the browser calls itself; the client hints (Sec-CH-UA…) are not sent then.
	UserAgent string
	// ColorScheme is "light" or "dark", ReducedMotion "reduce" or "no-preference"; empty for what the browser does.
	ColorScheme, ReducedMotion string
	// DeviceScale is how many device pixels a CSS pixel has; 0 means 1.
	DeviceScale float64
	// Position is where geolocation says the browser is; pages may ask for it without asking the user. Nil leaves it denied.
	Position *Position
	// Headers are sent with HTTP requests to HeaderOrigins ("https://example.com", without a default port), and with no other,
	// redirects included.
	Headers       []Header
	HeaderOrigins []string
	// Proxy is the proxy of all requests, loopback addresses included: "http://host:3128", "socks5://host:1080".
	Proxy string
	// IgnoreHTTPSErrors accepts certificates that are not valid.
	IgnoreHTTPSErrors bool
	// Offline takes the network away.
	Offline bool
	// BlockURLs are patterns of addresses whose requests fail; see [MatchURL].
	BlockURLs []string
}

// Header is a field of an HTTP request. Its value may be a secret.
type Header struct{ Name, Value string }

// Position is a place on Earth in degrees; Accuracy is in metres.
type Position struct{ Latitude, Longitude, Accuracy float64 }

// defaultAccuracy is the accuracy of a position that names none, in metres.
const defaultAccuracy = 10

// workers reports whether something is set that workers have to be told apart from their pages.
func (e *Emulation) workers() bool {
	return e.Locale != "" || e.UserAgent != "" || e.Offline || e.IgnoreHTTPSErrors || e.intercepts()
}

// kinds are the types of targets that are attached to below a tab. Chrome pauses dedicated workers whether they are among them
// or not, and lets go of those only that are.
func (e *Emulation) kinds() target.Filter {
	return target.Filter{{Type: "iframe"}, {Type: "worker"}, {Exclude: true}}
}

// everywhere are the commands that every target understands, workers included.
func (e *Emulation) everywhere() []command {
	var out []command
	if e.UserAgent != "" || e.Locale != "" {
		out = append(out, command{emulation.CommandSetUserAgentOverride, emulation.SetUserAgentOverrideParams{
			UserAgent: e.UserAgent, AcceptLanguage: acceptLanguage(e.Locale),
		}})
	}
	if e.Offline {
		out = append(out,
			command{network.CommandEnable, network.EnableParams{}},
			command{network.CommandOverrideNetworkState, network.OverrideNetworkStateParams{Offline: true, DownloadThroughput: -1, UploadThroughput: -1}},
			command{network.CommandEmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
				EmulateOfflineServiceWorker: new(true),
				MatchedNetworkConditions:    []*network.Conditions{{Offline: true, DownloadThroughput: -1, UploadThroughput: -1}},
			}})
	}
	if e.IgnoreHTTPSErrors {
		out = append(out, command{security.CommandSetIgnoreCertificateErrors, security.SetIgnoreCertificateErrorsParams{Ignore: true}})
	}
	if e.intercepts() {
		out = append(out, command{fetch.CommandEnable, fetch.EnableParams{Patterns: e.patterns()}})
	}
	return out
}

// documents are the commands for targets with documents: tabs and out-of-process frames.
func (e *Emulation) documents() []command {
	out := e.everywhere()
	if e.Locale != "" {
		out = append(out, command{emulation.CommandSetLocaleOverride, emulation.SetLocaleOverrideParams{Locale: e.Locale}})
	}
	if e.Timezone != "" {
		out = append(out, command{emulation.CommandSetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: e.Timezone}})
	}
	var media []*emulation.MediaFeature
	if e.ColorScheme != "" {
		media = append(media, &emulation.MediaFeature{Name: "prefers-color-scheme", Value: e.ColorScheme})
	}
	if e.ReducedMotion != "" {
		media = append(media, &emulation.MediaFeature{Name: "prefers-reduced-motion", Value: e.ReducedMotion})
	}
	if media != nil {
		out = append(out, command{emulation.CommandSetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: media}})
	}
	if p := e.Position; p != nil {
		accuracy := p.Accuracy
		if accuracy == 0 {
			accuracy = defaultAccuracy
		}
		out = append(out, command{emulation.CommandSetGeolocationOverride, emulation.SetGeolocationOverrideParams{
			Latitude: &p.Latitude, Longitude: &p.Longitude, Accuracy: &accuracy,
		}})
	}
	return out
}

// metrics are those of a tab's viewport.
func (o *ContextOptions) metrics() emulation.SetDeviceMetricsOverrideParams {
	scale := o.Emulation.DeviceScale
	if scale == 0 {
		scale = 1
	}
	return emulation.SetDeviceMetricsOverrideParams{
		Width: int64(o.Width), Height: int64(o.Height), DeviceScaleFactor: scale,
		ScreenWidth: int64(o.Width), ScreenHeight: int64(o.Height),
	}
}

// acceptLanguage is the list of languages for a locale: itself and the language alone ("de-AT,de").
func acceptLanguage(locale string) string {
	if language, _, ok := strings.Cut(locale, "-"); ok {
		return locale + "," + language
	}
	return locale
}

// twice reports whether an error says only that another target of the same process has set the override already: locale and
// time zone belong to a process.
func twice(method string, err error) bool {
	return (method == emulation.CommandSetLocaleOverride || method == emulation.CommandSetTimezoneOverride) &&
		strings.Contains(err.Error(), "override is already in effect")
}

// refused explains why Chrome does not take a value.
func (e *Emulation) refused(method string, err error) error {
	switch method {
	case emulation.CommandSetLocaleOverride:
		return fmt.Errorf("the browser knows no locale %q: %w", e.Locale, err)
	case emulation.CommandSetTimezoneOverride:
		return fmt.Errorf("the browser knows no time zone %q: %w", e.Timezone, err)
	}
	return err
}

package browser

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/language"
)

// Bounds of a viewport in CSS pixels, and of the device pixels in one of them.
const (
	minSize, maxSize   = 100, 8000
	minScale, maxScale = 0.25, 5
)

// Check refuses values that mean nothing, by the name of the field; the browser itself may refuse more.
func (e *Emulation) Check() error {
	var errs []error
	add := func(field string, err error) {
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", field, err))
		}
	}
	if e.Locale != "" {
		_, err := ParseLocale(e.Locale)
		add("locale", err)
	}
	add("timezone", CheckTimezone(e.Timezone))
	add("user agent", checkField(e.UserAgent))
	add("color scheme", oneOf(e.ColorScheme, "light", "dark"))
	add("reduced motion", oneOf(e.ReducedMotion, "reduce", "no-preference"))
	if e.DeviceScale != 0 {
		add("device scale", CheckScale(e.DeviceScale))
	}
	if e.Position != nil {
		add("geolocation", e.Position.check())
	}
	for _, h := range e.Headers {
		add("header", h.Check())
	}
	if e.Proxy != "" {
		add("proxy", CheckProxy(e.Proxy))
	}
	for _, p := range e.BlockURLs {
		add("block url", CheckURLPattern(p))
	}
	return errors.Join(errs...)
}

func oneOf(value string, allowed ...string) error {
	if value == "" || slices.Contains(allowed, value) {
		return nil
	}
	return fmt.Errorf("%q is none of %s", value, strings.Join(allowed, ", "))
}

// ParseSize reads the size of a viewport, "1280x720".
func ParseSize(text string) (width, height int, err error) {
	w, h, ok := strings.Cut(text, "x")
	width, err1 := strconv.Atoi(w)
	height, err2 := strconv.Atoi(h)
	if !ok || err1 != nil || err2 != nil {
		return 0, 0, fmt.Errorf("%q is no size such as 1280x720", text)
	}
	return width, height, CheckSize(width, height)
}

// CheckSize refuses sizes of a viewport on which no page can be used.
func CheckSize(width, height int) error {
	if min(width, height) < minSize || max(width, height) > maxSize {
		return fmt.Errorf("%dx%d is out of bounds: a side is %d to %d pixels long", width, height, minSize, maxSize)
	}
	return nil
}

// ParseLocale reads a language tag and gives its usual form: "de-at" becomes "de-AT".
func ParseLocale(text string) (string, error) {
	tag, err := language.Parse(text)
	if err != nil || tag == language.Und {
		return "", fmt.Errorf("%q is no language tag such as en or de-AT", text)
	}
	return tag.String(), nil
}

// CheckTimezone refuses names that the time zone database of this machine does not have. Without a database it leaves that to
// the browser.
func CheckTimezone(name string) error {
	if name == "" {
		return nil
	}
	if _, err := time.LoadLocation("Europe/Berlin"); err != nil {
		return nil
	}
	if _, err := time.LoadLocation(name); err != nil || name == "Local" {
		return fmt.Errorf("%q is no time zone such as Europe/Vienna", name)
	}
	return nil
}

// CheckScale refuses numbers of device pixels that no screen has.
func CheckScale(scale float64) error {
	if !(scale >= minScale && scale <= maxScale) {
		return fmt.Errorf("%v is out of bounds: it is between %v and %v", scale, minScale, maxScale)
	}
	return nil
}

// ParsePosition reads "LATITUDE,LONGITUDE" or "LATITUDE,LONGITUDE,ACCURACY", in degrees and metres.
func ParsePosition(text string) (*Position, error) {
	parts := strings.Split(text, ",")
	if len(parts) == 2 || len(parts) == 3 {
		var n [3]float64
		var err error
		for i, part := range parts {
			var e error
			n[i], e = strconv.ParseFloat(strings.TrimSpace(part), 64)
			err = errors.Join(err, e)
		}
		if err == nil {
			p := &Position{n[0], n[1], n[2]}
			return p, p.check()
		}
	}
	return nil, fmt.Errorf("%q is no position such as 48.2082,16.3738", text)
}

func (p *Position) check() error {
	switch {
	case !(p.Latitude >= -90 && p.Latitude <= 90):
		return fmt.Errorf("the latitude %v is not between -90 and 90", p.Latitude)
	case !(p.Longitude >= -180 && p.Longitude <= 180):
		return fmt.Errorf("the longitude %v is not between -180 and 180", p.Longitude)
	case !(p.Accuracy >= 0 && p.Accuracy < 1e9):
		return fmt.Errorf("the accuracy %v is no distance in metres", p.Accuracy)
	}
	return nil
}

// String is the form that [ParsePosition] reads.
func (p *Position) String() string {
	number := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
	text := number(p.Latitude) + "," + number(p.Longitude)
	if p.Accuracy != 0 {
		text += "," + number(p.Accuracy)
	}
	return text
}

// framing are headers that belong to the connection, which the browser writes itself.
var framing = []string{"connection", "content-length", "host", "keep-alive", "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade"}

// Check refuses headers that cannot be sent. The error does not repeat the value.
func (h Header) Check() error {
	token := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("!#$%&'*+-.^_`|~", r)
	}
	if h.Name == "" || strings.IndexFunc(h.Name, func(r rune) bool { return !token(r) }) >= 0 {
		return fmt.Errorf("%q is no name of a header", h.Name)
	}
	if slices.Contains(framing, strings.ToLower(h.Name)) {
		return fmt.Errorf("%s is written by the browser itself", h.Name)
	}
	if err := checkField(h.Value); err != nil {
		return fmt.Errorf("the value of %s %w", h.Name, err)
	}
	return nil
}

// checkField refuses text that cannot stand in a header.
func checkField(s string) error {
	if strings.IndexFunc(s, func(r rune) bool { return r < ' ' && r != '\t' || r > '~' }) >= 0 {
		return errors.New("holds characters that cannot stand in a header")
	}
	return nil
}

// CheckProxy refuses addresses that name no proxy. Credentials in it are refused without being repeated: they would stand
// where other users of the machine can read them, and Chrome does not take them.
func CheckProxy(address string) error {
	u, err := url.Parse(address)
	if err == nil && u.User != nil {
		return errors.New("user and password cannot be given with the address of a proxy")
	}
	if err != nil || u.Hostname() == "" || u.Port() == "" || u.Path != "" && u.Path != "/" || u.RawQuery != "" || !slices.Contains([]string{"http", "https", "socks4", "socks5"}, u.Scheme) {
		return fmt.Errorf("%q is no proxy such as http://proxy.example:3128 or socks5://127.0.0.1:1080", address)
	}
	return nil
}

// CheckURLPattern refuses patterns that fit no address.
func CheckURLPattern(pattern string) error {
	if !strings.HasPrefix(pattern, "*") && !strings.Contains(pattern, "://") {
		return fmt.Errorf("%q fits no address: a pattern is about a whole one, such as https://cdn.example/* or */analytics.js", pattern)
	}
	return nil
}

package verify

import (
	"net/url"
	"strings"
)

// SamePage reports whether two addresses name the same page: host, path and a route in the fragment. Query and plain
// fragments are soft, since they carry search words, sessions and positions. Unparsable addresses are compared as text.
func SamePage(recorded, live string) bool {
	a, err1 := url.Parse(recorded)
	b, err2 := url.Parse(live)
	if err1 != nil || err2 != nil {
		return recorded == live
	}
	return strings.EqualFold(a.Host, b.Host) && path(a) == path(b) && route(a) == route(b)
}

func path(u *url.URL) string {
	p := strings.TrimSuffix(u.EscapedPath(), "/")
	p = strings.TrimSuffix(p, "/index.html")
	if p == "" && u.Opaque != "" {
		return u.Opaque
	}
	return p
}

// route is the part of a fragment that an application uses as its path ("#/orders"), without its query.
func route(u *url.URL) string {
	f := u.Fragment
	if !strings.HasPrefix(f, "/") && !strings.HasPrefix(f, "!") {
		return ""
	}
	f, _, _ = strings.Cut(f, "?")
	return strings.TrimSuffix(f, "/")
}

// SameQuery reports whether two addresses carry the same query, in any order.
func SameQuery(a, b string) bool {
	x, err1 := url.Parse(a)
	y, err2 := url.Parse(b)
	return err1 == nil && err2 == nil && x.Query().Encode() == y.Query().Encode()
}

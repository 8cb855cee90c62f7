package plan

import (
	neturl "net/url"
	"strings"
)

// web reports whether the address is one that a person opens: http or https.
func web(address string) bool {
	u, err := neturl.Parse(address)
	return err == nil && (strings.EqualFold(u.Scheme, "http") || strings.EqualFold(u.Scheme, "https")) && u.Host != ""
}

// blank reports whether the address is that of an empty tab.
func blank(address string) bool {
	a := strings.ToLower(strings.TrimSpace(address))
	return a == "" || a == "about:blank" || strings.HasPrefix(a, "about:blank#") || strings.HasPrefix(a, "chrome://newtab") || strings.HasPrefix(a, "chrome://new-tab-page")
}

// place is an address in the parts that matter for comparing: two addresses with one place are one page, and the same
// query makes them the same content.
type place struct {
	page     string // scheme, host and path, and the route that a single-page application keeps in the fragment
	query    string
	fragment string // what only scrolls the page
}

func placeOf(address string) place {
	u, err := neturl.Parse(address)
	if err != nil {
		return place{page: address}
	}
	path := u.EscapedPath()
	if path == "" {
		path = "/"
	}
	p := place{
		page:  strings.ToLower(u.Scheme) + "://" + strings.ToLower(u.Host) + path,
		query: u.RawQuery,
	}
	if u.Opaque != "" {
		p.page = address
	}
	route, query, _ := strings.Cut(u.EscapedFragment(), "?")
	switch {
	case route == "/" || route == "!/": // the first route of a hash router
		p.query += query
	case strings.HasPrefix(route, "/") || strings.HasPrefix(route, "!/"):
		p.page += "#" + route
		p.query += query
	default:
		p.fragment = u.EscapedFragment()
	}
	return p
}

// sameAddress reports whether two addresses lead to the same content. A bare "#" or "#/" at the end makes no difference.
func sameAddress(a, b string) bool { return placeOf(a) == placeOf(b) }

// samePage reports whether two addresses are one page, with any query.
func samePage(a, b string) bool { return placeOf(a).page == placeOf(b).page }

// left reports whether going from one address to the other leaves the content: another page, or another query.
func left(from, to string) bool {
	a, b := placeOf(from), placeOf(to)
	return a.page != b.page || a.query != b.query
}

// queryValues returns the decoded values of the address's query, the query of a hash route included, in their order.
func queryValues(address string) []string {
	u, err := neturl.Parse(address)
	if err != nil {
		return nil
	}
	_, route, _ := strings.Cut(u.EscapedFragment(), "?")
	var values []string
	for _, query := range []string{u.RawQuery, route} {
		for pair := range strings.SplitSeq(query, "&") {
			_, value, _ := strings.Cut(pair, "=")
			if decoded, err := neturl.QueryUnescape(value); err == nil && decoded != "" {
				values = append(values, decoded)
			}
		}
	}
	return values
}

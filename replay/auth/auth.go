// Package auth holds the state that a login leaves in a browser: cookies and storage, saved once and given to other runs. It is
// pure: a file becomes a [State] and back; putting it into a browser is somebody else's work.
//
// The file has the shape that Playwright calls storage state, so that the files of either can be used by the other:
//
//	{"cookies": [{"name": "sid", "value": "…", "domain": "shop.example", "path": "/", "expires": -1,
//	              "httpOnly": true, "secure": true, "sameSite": "Lax"}],
//	 "origins": [{"origin": "https://shop.example", "localStorage": [{"name": "token", "value": "…"}]}]}
//
// A domain that begins with a dot is that of a cookie for the host and all below it, any other of a cookie for the host alone.
// "expires" counts seconds since 1970; -1 stands for a cookie of the session. "sessionStorage" of an origin is ours, and is
// given to the first tab.
//
// Who has such a file is logged in. Its values are secrets: no error and no warning repeats one.
package auth

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"
)

// State is what a login leaves.
type State struct {
	Cookies []Cookie `json:"cookies"`
	Origins []Origin `json:"origins"`

	// File is where it was read from, for messages.
	File string `json:"-"`
}

// Cookie is one cookie.
type Cookie struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Domain string `json:"domain"`
	Path   string `json:"path"`
	// Expires is in seconds since 1970; -1 for the end of the session.
	Expires  float64 `json:"expires"`
	HTTPOnly bool    `json:"httpOnly"`
	Secure   bool    `json:"secure"`
	SameSite string  `json:"sameSite,omitempty"` // Strict, Lax or None
	// PartitionKey is the site whose pages alone see the cookie; empty for all.
	PartitionKey       string `json:"partitionKey,omitempty"`
	CrossSiteAncestors bool   `json:"_crHasCrossSiteAncestor,omitempty"`
}

// Origin is the storage of one origin.
type Origin struct {
	Origin         string `json:"origin"`
	LocalStorage   []Item `json:"localStorage"`
	SessionStorage []Item `json:"sessionStorage,omitempty"`
}

// Item is one entry of a storage.
type Item struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Encode writes the file.
func (s *State) Encode() ([]byte, error) {
	// Readers of such files want arrays, also empty ones.
	out := State{Cookies: append([]Cookie{}, s.Cookies...), Origins: append([]Origin{}, s.Origins...)}
	for i, o := range out.Origins {
		out.Origins[i].LocalStorage = append([]Item{}, o.LocalStorage...)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(out); err != nil {
		return nil, fmt.Errorf("saved state: %w", err)
	}
	return b.Bytes(), nil
}

// Empty reports whether there is nothing in it.
func (s *State) Empty() bool { return len(s.Cookies) == 0 && len(s.Origins) == 0 }

// Name is the file that the state was read from; "" for no state.
func (s *State) Name() string {
	if s == nil {
		return ""
	}
	return s.File
}

// Current is the state without the cookies that have expired, and a warning that names those; "" when there are none.
func (s *State) Current(now time.Time) (*State, string) {
	if s == nil {
		return nil, ""
	}
	out := *s
	out.Cookies = nil
	var gone []Cookie
	for _, c := range s.Cookies {
		if c.Expires >= 0 && c.Expires <= float64(now.Unix()) {
			gone = append(gone, c)
		} else {
			out.Cookies = append(out.Cookies, c)
		}
	}
	if len(gone) == 0 {
		return s, ""
	}
	slices.SortStableFunc(gone, func(a, b Cookie) int { return int(a.Expires) - int(b.Expires) })
	var names []string
	for _, c := range gone {
		names = append(names, c.Name)
	}
	if len(names) > 5 {
		names = append(names[:5], "…")
	}
	first := time.Unix(int64(gone[0].Expires), 0).UTC().Format("2006-01-02 15:04 UTC")
	verb := "have"
	if len(gone) == 1 {
		verb = "has"
	}
	return &out, fmt.Sprintf("%s: %d of %d cookies %s expired (%s; %s): the pages may ask for a login, and `retrace auth save` makes a new file",
		s.File, len(gone), len(s.Cookies), verb, strings.Join(names, ", "), first)
}

// Moved is the state for a replay that runs on the origin of another address than it was recorded on: what belongs to the host
// of from belongs to that of to. A cookie that is moved to plain HTTP loses Secure, which would keep it from being sent.
func (s *State) Moved(from, to string) *State {
	f, err1 := url.Parse(from)
	t, err2 := url.Parse(to)
	if s == nil || err1 != nil || err2 != nil || f.Host == "" || t.Host == "" {
		return s
	}
	out := *s
	out.Cookies, out.Origins = slices.Clone(s.Cookies), nil
	for i := range out.Cookies {
		c := &out.Cookies[i]
		if !c.reaches(f.Hostname()) || c.reaches(t.Hostname()) {
			continue
		}
		c.Domain = t.Hostname()
		if t.Scheme != "https" && !loopback(t.Hostname()) {
			c.Secure = false
			if c.SameSite == "None" {
				c.SameSite = "Lax"
			}
		}
	}
	target := t.Scheme + "://" + t.Host
	has := slices.ContainsFunc(s.Origins, func(o Origin) bool { return o.Origin == target })
	for _, o := range s.Origins {
		if o.Origin == f.Scheme+"://"+f.Host && !has {
			o.Origin = target
		}
		out.Origins = append(out.Origins, o)
	}
	return &out
}

// reaches reports whether the cookie is sent to a host.
func (c *Cookie) reaches(host string) bool {
	parent, wide := strings.CutPrefix(c.Domain, ".")
	return strings.EqualFold(host, parent) || wide && strings.HasSuffix(strings.ToLower(host), strings.ToLower(c.Domain))
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

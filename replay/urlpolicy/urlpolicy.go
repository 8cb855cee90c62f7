// Package urlpolicy decides which addresses a run may open, act on and connect to.
//
// Its one idea: an address is read the way a browser reads it, or it is refused. A browser takes http://2130706433/,
// http:\\evil.example and http://good.example@evil.example for what they are; a policy that read them otherwise would allow
// one host and the browser would go to another. So whatever the two could read differently is refused instead of repaired.
//
// The package is pure: it resolves no names. [Policy.CheckAddr] judges what a name was resolved to by whoever connects.
package urlpolicy

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"unicode/utf8"
)

// Rules are what a person asked for. The zero value allows http and https anywhere.
type Rules struct {
	// Schemes are allowed beside http and https, in lower case without the colon.
	Schemes []string
	// AllowHosts, unless empty, are the only hosts; DenyHosts are none of them. A pattern is a host ("shop.example"), all
	// hosts below one ("*.shop.example"), or all ("*"), each with a port or without: "127.0.0.1:8080", "[::1]".
	AllowHosts, DenyHosts []string
	// BlockPrivate refuses addresses that are not public: loopback, link-local, private and reserved ones.
	BlockPrivate bool
}

// Policy is a set of rules, ready for use. The zero value allows http and https anywhere.
type Policy struct {
	schemes     []string
	allow, deny []pattern
	private     bool
}

// New compiles the rules. The error names the scheme or pattern that cannot be used.
func New(r Rules) (*Policy, error) {
	p := &Policy{private: r.BlockPrivate}
	for _, s := range r.Schemes {
		s = strings.TrimSuffix(strings.ToLower(s), ":")
		if !isScheme(s) {
			return nil, fmt.Errorf("scheme %q is none", s)
		}
		if s == "javascript" {
			return nil, errors.New("the scheme javascript cannot be allowed: it is a script, not a page")
		}
		p.schemes = append(p.schemes, s)
	}
	for _, list := range []struct {
		from []string
		to   *[]pattern
	}{{r.AllowHosts, &p.allow}, {r.DenyHosts, &p.deny}} {
		for _, text := range list.from {
			pat, err := parsePattern(text)
			if err != nil {
				return nil, err
			}
			*list.to = append(*list.to, pat)
		}
	}
	return p, nil
}

// Refusal is why an address is not allowed. It is the only type of error that the checks return.
type Refusal struct {
	// Address is what was refused, cut and quoted when it is shown; Why is the reason, to stand after it.
	Address, Why string
}

func (r *Refusal) Error() string {
	address := r.Address
	if len(address) > longest {
		cut := longest
		for cut > 0 && !utf8.RuneStart(address[cut]) {
			cut--
		}
		address = address[:cut] + "…"
	}
	return fmt.Sprintf("%q %s", address, r.Why)
}

// longest is how much of an address is shown, in bytes.
const longest = 200

// Network reports whether the policy says something about hosts, so that connections must be watched.
func (p *Policy) Network() bool {
	return p != nil && (len(p.allow) > 0 || len(p.deny) > 0 || p.private)
}

// Check judges an address that the replay is to open.
func (p *Policy) Check(address string) error {
	scheme, rest, ok := strings.Cut(address, ":")
	scheme = strings.ToLower(scheme)
	if !ok || !isScheme(scheme) || strings.ContainsFunc(address, control) {
		return &Refusal{address, "cannot be read as an address"}
	}
	web := scheme == "http" || scheme == "https"
	if !web && (p == nil || !slices.Contains(p.schemes, scheme)) {
		return &Refusal{address, "is not allowed: only " + p.allowed() + " are"}
	}
	if !web {
		return p.checkOther(address, rest)
	}
	authority, ok := strings.CutPrefix(rest, "//")
	if !ok {
		return &Refusal{address, "cannot be read as an address: // is missing"}
	}
	if i := strings.IndexAny(authority, `/?#\`); i >= 0 {
		authority = authority[:i]
	}
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		authority = authority[i+1:]
	}
	host, port, err := splitPort(authority)
	if err != nil {
		return &Refusal{address, "cannot be read as an address: " + err.Error()}
	}
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[scheme]
	}
	if !p.Network() {
		if _, _, err := canonical(host); err != nil && !errors.Is(err, errNotASCII) {
			return &Refusal{address, "cannot be read as an address: " + err.Error()}
		}
		return nil
	}
	if why := p.checkHost(host, port); why != "" {
		return &Refusal{address, why}
	}
	return nil
}

// checkOther judges an address of a scheme that was allowed beside the two. Some of them can name a host too.
func (p *Policy) checkOther(address, rest string) error {
	authority, ok := strings.CutPrefix(strings.ReplaceAll(rest, `\`, "/"), "//")
	if !ok || !p.Network() {
		return nil
	}
	if i := strings.IndexAny(authority, "/?#"); i >= 0 {
		authority = authority[:i]
	}
	if authority == "" {
		return nil
	}
	host, port, err := splitPort(authority[strings.LastIndexByte(authority, '@')+1:])
	if err != nil {
		return &Refusal{address, "cannot be read as an address: " + err.Error()}
	}
	if why := p.checkHost(host, port); why != "" {
		return &Refusal{address, why}
	}
	return nil
}

// allowed lists the allowed schemes.
func (p *Policy) allowed() string {
	list := []string{"http", "https"}
	if p != nil {
		list = append(list, p.schemes...)
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

// CheckPage judges the address of a live page that the run is about to act on. Beside what [Policy.Check] allows these are
// pages that another one made (about:blank, about:srcdoc, blob: of an allowed origin) and the browser's own error pages,
// which stand for a page that did not load.
func (p *Policy) CheckPage(address string) error {
	scheme, rest, _ := strings.Cut(address, ":")
	switch strings.ToLower(scheme) {
	case "", "about", "chrome-error":
		return nil
	case "blob":
		if strings.HasPrefix(rest, "null/") {
			return nil // made by a page without an origin, such as a sandboxed one
		}
		if err := p.Check(rest); err != nil {
			refused := err.(*Refusal) // the only type that Check returns
			return &Refusal{address, refused.Why}
		}
		return nil
	}
	return p.Check(address)
}

// CheckHost judges a connection that is about to be made to a host, a name or an IP address without brackets, at a port.
func (p *Policy) CheckHost(host, port string) error {
	if !p.Network() {
		return nil
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if why := p.checkHost(host, port); why != "" {
		return &Refusal{host, why}
	}
	return nil
}

// CheckAddr judges the address that a name was resolved to.
func (p *Policy) CheckAddr(addr netip.Addr) error {
	if p != nil && p.private && !public(addr) {
		return &Refusal{addr.String(), "is a private address"}
	}
	return nil
}

// checkHost judges a host as it stands in an address. The answer is why not, or empty.
func (p *Policy) checkHost(host, port string) string {
	name, addr, err := canonical(host)
	if err != nil {
		return "cannot be read as an address: " + err.Error()
	}
	for _, d := range p.deny {
		if d.matches(name, addr, port) {
			return "is a denied host"
		}
	}
	if len(p.allow) > 0 && !slices.ContainsFunc(p.allow, func(a pattern) bool { return a.matches(name, addr, port) }) {
		return "is none of the allowed hosts"
	}
	if p.private && (addr.IsValid() && !public(addr) || Loopback(name)) {
		return "is a private address"
	}
	return ""
}

func isScheme(s string) bool {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && !strings.ContainsRune("+-.", r)
	})
}

// control are the characters that browsers take out of an address before they read it.
func control(r rune) bool { return r < 0x20 || r == 0x7f }

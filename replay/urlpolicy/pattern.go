package urlpolicy

import (
	"fmt"
	"net/netip"
	"strings"
)

// pattern is a host, or all hosts below one, at one port or at any.
type pattern struct {
	any, below bool // "*" and "*.name"
	name       string
	addr       netip.Addr // valid for an IP address; name is empty then
	port       string     // empty for any
}

func parsePattern(text string) (pattern, error) {
	bad := func(why string) (pattern, error) { return pattern{}, fmt.Errorf("host pattern %q: %s", text, why) }
	if strings.Contains(text, "/") {
		return bad("write a host, such as shop.example, *.shop.example or 127.0.0.1:8080, without a scheme or a path")
	}
	host, port, err := splitPort(text)
	if err != nil {
		return bad(err.Error())
	}
	p := pattern{port: port}
	if host == "*" {
		p.any = true
		return p, nil
	}
	host, p.below = strings.CutPrefix(host, "*.")
	if strings.Contains(host, "*") {
		return bad("* can only stand for all hosts, or at the beginning, as in *.shop.example")
	}
	if p.name, p.addr, err = canonical(host); err != nil {
		return bad(err.Error())
	}
	if p.below && p.addr.IsValid() {
		return bad("there are no hosts below an IP address")
	}
	return p, nil
}

func (p pattern) matches(name string, addr netip.Addr, port string) bool {
	switch {
	case p.port != "" && p.port != port:
		return false
	case p.any:
		return true
	case p.addr.IsValid() || addr.IsValid():
		return p.addr == addr
	case p.below:
		return strings.HasSuffix(name, "."+p.name)
	}
	return p.name == name
}

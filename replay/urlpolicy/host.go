package urlpolicy

import (
	"errors"
	"fmt"
	"math"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// splitPort takes host and port apart; brackets of an IPv6 address stay. An empty port means the default one.
func splitPort(authority string) (host, port string, err error) {
	host = authority
	if i := strings.LastIndexByte(authority, ':'); i > strings.LastIndexByte(authority, ']') {
		host, port = authority[:i], authority[i+1:]
		if port != "" {
			n, err := strconv.ParseUint(port, 10, 16)
			if err != nil || strings.HasPrefix(port, "+") {
				return "", "", errors.New("the port is none")
			}
			port = strconv.FormatUint(n, 10)
		}
	}
	if host == "" {
		return "", "", errors.New("the host is missing")
	}
	return host, port, nil
}

var errNotASCII = errors.New("the host is not in its ASCII form (xn--…)")

// canonical gives the host in the form in which it is compared: a name in lower case without a dot at its end, or an IP
// address in whatever notation browsers read (RFC 3986 IPv6, and IPv4 with one to four parts in decimal, octal or
// hexadecimal). Names that are not ASCII are refused, since they would have to be mapped the way the browser maps them.
func canonical(host string) (name string, addr netip.Addr, err error) {
	if inner, ok := strings.CutPrefix(host, "["); ok {
		inner, ok = strings.CutSuffix(inner, "]")
		addr, err = netip.ParseAddr(inner)
		if !ok || err != nil || !addr.Is6() || addr.Zone() != "" {
			return "", netip.Addr{}, errors.New("the IPv6 address is none")
		}
		return "", addr.Unmap(), nil
	}
	for _, r := range host {
		if r > 0x7e {
			return "", netip.Addr{}, errNotASCII
		}
		if r <= 0x20 || strings.ContainsRune(`"#%/:<>?@[\]^|`+"`{}", r) {
			return "", netip.Addr{}, fmt.Errorf("the host contains %q", r)
		}
	}
	name = strings.TrimSuffix(strings.ToLower(host), ".")
	if name == "" {
		return "", netip.Addr{}, errors.New("the host is missing")
	}
	if slices.Contains(strings.Split(name, "."), "") {
		return "", netip.Addr{}, errors.New("a part of the host is empty") // such a name leads nowhere
	}
	if numeric(name[strings.LastIndexByte(name, '.')+1:]) {
		addr, err = ipv4(name)
		return "", addr, err
	}
	return name, netip.Addr{}, nil
}

// numeric reports whether a last label makes a browser read the host as an IPv4 address.
func numeric(label string) bool {
	if label != "" && strings.Trim(label, "0123456789") == "" {
		return true
	}
	_, err := number(label)
	return err == nil
}

// number reads one part of an IPv4 address: decimal, octal with a leading 0, hexadecimal with 0x.
func number(part string) (uint64, error) {
	base := 10
	if hex, ok := strings.CutPrefix(part, "0x"); ok {
		if part, base = hex, 16; part == "" {
			return 0, nil
		}
	} else if len(part) > 1 && part[0] == '0' {
		part, base = part[1:], 8
	}
	if part == "" || part[0] == '+' || strings.Contains(part, "_") {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseUint(part, base, 64)
}

// ipv4 reads an IPv4 address; the last part fills all bytes that are left.
func ipv4(name string) (netip.Addr, error) {
	bad := errors.New("the IPv4 address is none")
	parts := strings.Split(name, ".")
	if len(parts) > 4 {
		return netip.Addr{}, bad
	}
	var value uint64
	for i, part := range parts {
		n, err := number(part)
		if err != nil {
			return netip.Addr{}, bad
		}
		if i < len(parts)-1 {
			if n > 255 {
				return netip.Addr{}, bad
			}
			value |= n << (8 * (3 - i))
			continue
		}
		if n > math.MaxUint32>>(8*i) {
			return netip.Addr{}, bad
		}
		value |= n
	}
	return netip.AddrFrom4([4]byte{byte(value >> 24), byte(value >> 16), byte(value >> 8), byte(value)}), nil
}

// Loopback reports whether a name means this machine whatever the name servers say, as browsers have it: localhost and what
// is below it, in lower case.
func Loopback(name string) bool { return name == "localhost" || strings.HasSuffix(name, ".localhost") }

// reserved are the blocks that are not public beside those that package netip knows.
var reserved = prefixes("0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
	"240.0.0.0/4", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "3fff::/20", "fec0::/10")

// carriers are IPv6 blocks that hold an IPv4 address, with the byte where it begins: NAT64, 6to4, and the deprecated
// IPv4-compatible form.
var carriers = []struct {
	block netip.Prefix
	at    int
}{{netip.MustParsePrefix("64:ff9b::/96"), 12}, {netip.MustParsePrefix("2002::/16"), 2}, {netip.MustParsePrefix("::/96"), 12}}

func prefixes(list ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(list))
	for i, s := range list {
		out[i] = netip.MustParsePrefix(s)
	}
	return out
}

// public reports whether an address is one of the public internet.
func public(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	if !a.IsGlobalUnicast() || a.IsPrivate() {
		return false
	}
	for _, p := range reserved {
		if p.Contains(a) {
			return false
		}
	}
	if a.Is6() {
		bytes := a.As16()
		for _, c := range carriers {
			if c.block.Contains(a) {
				return public(netip.AddrFrom4([4]byte(bytes[c.at : c.at+4])))
			}
		}
	}
	return true
}

package urlpolicy

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
)

func policy(t testing.TB, r Rules) *Policy {
	t.Helper()
	p, err := New(r)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestCheck(t *testing.T) {
	file := Rules{Schemes: []string{"file"}}
	only := Rules{AllowHosts: []string{"shop.example", "*.cdn.example:443", "127.0.0.1:8080", "[::1]"}}
	deny := Rules{AllowHosts: []string{"*"}, DenyHosts: []string{"*.evil.example", "evil.example"}}
	private := Rules{BlockPrivate: true}
	tests := []struct {
		name, address string
		rules         Rules
		why           string // part of the refusal; empty when allowed
	}{
		{"http", "http://shop.example/", Rules{}, ""},
		{"https in capitals", "HTTPS://Shop.Example", Rules{}, ""},
		{"user and password", "http://a:b@shop.example/", Rules{}, ""},
		{"not ascii without rules for hosts", "http://bücher.example/", Rules{}, ""},
		{"loopback without rules", "http://127.0.0.1:8080/", Rules{}, ""},
		{"file", "file:///etc/passwd", Rules{}, "only http and https"},
		{"file allowed", "file:///etc/passwd", file, ""},
		{"javascript", "javascript:alert(1)", Rules{}, "only http and https"},
		{"javascript in capitals", "JavaScript:alert(1)", file, "only http, https and file"},
		{"data", "data:text/html,x", Rules{}, "only"},
		{"chrome", "chrome://settings", Rules{}, "only"},
		{"view-source", "view-source:http://shop.example/", Rules{}, "only"},
		{"about", "about:blank", Rules{}, "only"},
		{"blob", "blob:http://shop.example/1", Rules{}, "only"},
		{"relative", "/etc/passwd", Rules{}, "cannot be read"},
		{"empty", "", Rules{}, "cannot be read"},
		{"no slashes", "http:shop.example", Rules{}, "// is missing"},
		{"backslashes", `http:\\shop.example`, Rules{}, "// is missing"},
		{"too many slashes", "http:///shop.example", Rules{}, "host is missing"},
		{"a line break in the scheme", "java\nscript:alert(1)", Rules{}, "cannot be read"},
		{"a tab in the host", "http://shop.\texample/", Rules{}, "cannot be read"},
		{"half an address", "http://[", Rules{}, "IPv6"},
		{"port too large", "http://shop.example:99999/", Rules{}, "port"},

		{"the allowed host", "https://shop.example/x", only, ""},
		{"with a dot at the end", "https://SHOP.example./x", only, ""},
		{"below it", "https://www.shop.example/", only, "none of the allowed hosts"},
		{"ends like it", "https://workshop.example/", only, "none of the allowed"},
		{"begins like it", "https://shop.example.evil.example/", only, "none of the allowed"},
		{"below, at the default port", "https://a.b.cdn.example/", only, ""},
		{"below, at another port", "http://a.cdn.example/", only, "none of the allowed"},
		{"not below", "https://cdn.example/", only, "none of the allowed"},
		{"address and port", "http://127.0.0.1:8080/", only, ""},
		{"the same address as one number", "http://2130706433:8080/", only, ""},
		{"another port", "http://127.0.0.1:8081/", only, "none of the allowed"},
		{"IPv6", "http://[0:0::1]/", only, ""},
		{"looks like user", "https://shop.example@evil.example/", only, "none of the allowed"},
		{"looks like host", `https://evil.example\@shop.example/`, only, "none of the allowed"},
		{"fragment", "https://evil.example#@shop.example/", only, "none of the allowed"},
		{"query", "https://evil.example?@shop.example/", only, "none of the allowed"},
		{"percent", "https://shop%2eexample/", only, "contains"},
		{"not ascii", "https://ｓhop.example/", only, "ASCII form"},
		{"space", "https://shop.example /", only, "contains"},
		{"zone", "http://[fe80::1%25eth0]/", only, "IPv6"},

		{"any", "https://good.example/", deny, ""},
		{"denied", "https://evil.example/", deny, "denied host"},
		{"denied with a dot", "https://evil.example./", deny, "denied host"},
		{"below the denied", "https://x.evil.example/", deny, "denied host"},

		{"public", "http://93.184.216.34/", private, ""},
		{"public name", "http://shop.example/", private, ""},
		{"loopback", "http://127.1/", private, "private"},
		{"decimal", "http://2130706433/", private, "private"},
		{"octal", "http://0177.0.0.1/", private, "private"},
		{"hexadecimal", "http://0x7f000001/", private, "private"},
		{"zero", "http://0/", private, "private"},
		{"metadata", "http://169.254.169.254/latest", private, "private"},
		{"home", "http://192.168.1.1/", private, "private"},
		{"carrier", "http://100.64.0.1/", private, "private"},
		{"mapped", "http://[::ffff:10.0.0.1]/", private, "private"},
		{"unique local", "http://[fd00::1]/", private, "private"},
		{"NAT64", "http://[64:ff9b::7f00:1]/", private, "private"},
		{"6to4", "http://[2002:7f00:1::]/", private, "private"},
		{"localhost", "http://LOCALHOST./", private, "private"},
		{"below localhost", "http://a.localhost/", private, "private"},
		{"five parts", "http://1.2.3.4.5/", private, "IPv4"},
		{"too large", "http://256.1.1.1/", private, "IPv4"},
		{"number after a name", "http://shop.1/", private, "IPv4"},
		{"a file share", "file://10.0.0.1/share", Rules{Schemes: []string{"file"}, BlockPrivate: true}, "private"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := policy(t, tt.rules).Check(tt.address)
			if tt.why == "" && err != nil || tt.why != "" && (err == nil || !strings.Contains(err.Error(), tt.why)) {
				t.Errorf("Check(%q) = %v, want %q", tt.address, err, tt.why)
			}
		})
	}
}

func TestCheckPage(t *testing.T) {
	p := policy(t, Rules{AllowHosts: []string{"shop.example"}})
	for address, allowed := range map[string]bool{
		"about:blank": true, "about:srcdoc": true, "blob:https://shop.example/1-2": true, "blob:null/1-2": true, "https://shop.example/": true,
		"chrome-error://chromewebdata/": true, "blob:https://evil.example/1-2": false, "file:///etc/passwd": false, "https://evil.example/": false,
		"blob:file:///x": false, "chrome://settings/": false, "data:text/html,x": false, "devtools://x": false,
	} {
		if err := p.CheckPage(address); (err == nil) != allowed {
			t.Errorf("CheckPage(%q) = %v", address, err)
		}
	}
}

func TestCheckAddr(t *testing.T) {
	p := policy(t, Rules{BlockPrivate: true})
	for text, public := range map[string]bool{
		"93.184.216.34": true, "2606:4700::1111": true, "127.0.0.1": false, "::1": false, "10.1.2.3": false, "172.16.0.1": false, "172.32.0.1": true,
		"fe80::1%eth0": false, "ff02::1": false, "224.0.0.1": false, "255.255.255.255": false, "::": false, "::ffff:127.0.0.1": false, "::7f00:1": false,
		"64:ff9b::808:808": true, "2002:808:808::": true, "2001:0:1::": false,
	} {
		if err := p.CheckAddr(netip.MustParseAddr(text)); (err == nil) != public {
			t.Errorf("CheckAddr(%s) = %v", text, err)
		}
	}
	if err := (&Policy{}).CheckAddr(netip.MustParseAddr("127.0.0.1")); err != nil {
		t.Error(err)
	}
}

func TestNew(t *testing.T) {
	for _, tt := range []struct {
		rules Rules
		want  string
	}{
		{Rules{Schemes: []string{"File:"}}, ""},
		{Rules{Schemes: []string{"fi le"}}, "scheme"},
		{Rules{Schemes: []string{"javascript"}}, "cannot be allowed"},
		{Rules{AllowHosts: []string{"https://shop.example/"}}, "without a scheme"},
		{Rules{AllowHosts: []string{""}}, "host is missing"},
		{Rules{DenyHosts: []string{"a*.example"}}, "beginning"},
		{Rules{DenyHosts: []string{"*.127.0.0.1"}}, "below an IP address"},
		{Rules{DenyHosts: []string{"shop.example:http"}}, "port"},
		{Rules{DenyHosts: []string{"bücher.example"}}, "xn--"},
	} {
		_, err := New(tt.rules)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("New(%+v) = %v, want %q", tt.rules, err, tt.want)
		}
	}
}

// FuzzCheck looks for addresses that are read in two ways: what is allowed must stay allowed in the canonical form of its
// host, and must not reach a private address or a host that is not on the list.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{
		"http://a.example/", `http:\\a.example`, "http://a.example@b.example:80/", "http://0x7f.1", "http://[::1]:1/", "http://a.example.:443/#@x", "blob:http://a.example/1", "FILE://x/y",
		"http://2130706433", "http://0177.1/", "http://a.example:/", "http://\u0661.0.0.1/",
	} {
		f.Add(s)
	}
	list, err := New(Rules{AllowHosts: []string{"a.example", "*.b.example", "127.0.0.1"}, Schemes: []string{"file"}})
	if err != nil {
		f.Fatal(err)
	}
	private, err := New(Rules{BlockPrivate: true})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, address string) {
		for _, p := range []*Policy{nil, {}, list, private} {
			err := p.Check(address)
			var refused *Refusal
			if err != nil && (!errors.As(err, &refused) || len(err.Error()) > 5*longest) {
				t.Fatalf("Check(%q) = %v", address, err)
			}
			if err == nil {
				if page := p.CheckPage(address); page != nil {
					t.Fatalf("%q may be opened and not be acted on: %v", address, page)
				}
			}
			_ = p.CheckHost(address, "80")
		}
		scheme, rest, _ := strings.Cut(address, ":")
		if s := strings.ToLower(scheme); s != "http" && s != "https" {
			if (*Policy)(nil).Check(address) == nil {
				t.Fatalf("%q is allowed", address)
			}
			return
		}
		authority := strings.TrimPrefix(rest, "//")
		if i := strings.IndexAny(authority, `/?#\`); i >= 0 {
			authority = authority[:i]
		}
		host, port, err := splitPort(authority[strings.LastIndexByte(authority, '@')+1:])
		if err != nil {
			return
		}
		name, addr, err := canonical(host)
		if list.Check(address) == nil && name != "a.example" && !strings.HasSuffix(name, ".b.example") && addr != netip.AddrFrom4([4]byte{127, 0, 0, 1}) {
			t.Fatalf("%q is allowed, its host is %q %v", address, name, addr)
		}
		if private.Check(address) != nil {
			return
		}
		if err != nil || addr.IsValid() && !public(addr) || Loopback(name) {
			t.Fatalf("%q is allowed, its host is %q %v (%v)", address, name, addr, err)
		}
		if addr.IsValid() {
			name = addr.String()
			if addr.Is6() {
				name = "[" + name + "]"
			}
		}
		if again := strings.ToLower(scheme) + "://" + name + ":" + port; private.Check(again) != nil {
			t.Fatalf("%q is allowed, and %q is not", address, again)
		}
	})
}

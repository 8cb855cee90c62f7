package auth

import (
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"retrace/replay/jsonast"
)

// Limits of a file.
const (
	maxBytes   = 16 << 20
	maxEntries = 10000
)

// Load reads a file. The warnings say when other users of the machine can read it, and what in it is not used.
func Load(file string) (*State, []string, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, nil, fmt.Errorf("saved state: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, fmt.Errorf("saved state: %w", err)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return nil, nil, fmt.Errorf("saved state: %w", err)
	}
	if len(data) > maxBytes {
		return nil, nil, jsonast.Errors{{File: file, Text: fmt.Sprintf("is larger than %d bytes", maxBytes)}}
	}
	s, warnings, err := Parse(data, file)
	if err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
		warnings = append(warnings, fmt.Sprintf("%s can be read by other users (mode %04o), who are then logged in as you are: chmod 600 is safer", file, info.Mode().Perm()))
	}
	return s, warnings, err
}

// Parse reads a state from JSON; file stands for it in messages. The error is a [jsonast.Errors] with every problem. What is not
// known is told in a warning, since other programs write such files too.
func Parse(data []byte, file string) (*State, []string, error) {
	c, root, err := jsonast.NewChecker(data, file)
	if err != nil {
		return nil, nil, err
	}
	p := &parser{Checker: c}
	s := &State{File: file}
	if p.IsA(root, "", jsonast.Object) {
		p.unused(root, "", "cookies", "origins")
		if root.Get("cookies") == nil && root.Get("origins") == nil {
			p.Refuse(root, "", "holds neither cookies nor origins, so it is no saved state")
		}
		for i, v := range p.list(root.Get("cookies"), "cookies") {
			s.Cookies = append(s.Cookies, p.cookie(v, fmt.Sprintf("cookies[%d]", i)))
		}
		for i, v := range p.list(root.Get("origins"), "origins") {
			s.Origins = append(s.Origins, p.origin(v, fmt.Sprintf("origins[%d]", i)))
		}
	}
	if len(p.Errs) == 0 && len(s.Credentials()) > maxCredentials {
		p.Refuse(root, "", "holds more than %d values that could be credentials, more than outputs are searched for: take out the origins that the pages do not need", maxCredentials)
	}
	if len(p.Errs) > 0 {
		return nil, nil, p.Errs
	}
	return s, p.warnings, nil
}

type parser struct {
	*jsonast.Checker
	warnings []string
}

// unused warns once of every key that is not known.
func (p *parser) unused(v *jsonast.Value, field string, known ...string) {
	for _, m := range v.Members {
		text := fmt.Sprintf("%s: %s%s is not used", p.File, field, jsonast.Short(m.Key))
		if !slices.Contains(known, m.Key) && !slices.Contains(p.warnings, text) && len(p.warnings) < 20 {
			p.warnings = append(p.warnings, text)
		}
	}
}

// list gives the objects of an array; v may be nil.
func (p *parser) list(v *jsonast.Value, field string) []*jsonast.Value {
	if v == nil || !p.IsA(v, field, jsonast.Array) {
		return nil
	}
	if len(v.Items) > maxEntries {
		p.Refuse(v, field, "has more than %d entries", maxEntries)
		return nil
	}
	var out []*jsonast.Value
	for i, item := range v.Items {
		if p.IsA(item, fmt.Sprintf("%s[%d]", field, i), jsonast.Object) {
			out = append(out, item)
		}
	}
	return out
}

func (p *parser) cookie(v *jsonast.Value, field string) Cookie {
	p.unused(v, "cookies.", "name", "value", "domain", "path", "expires", "httpOnly", "secure", "sameSite", "partitionKey", "_crHasCrossSiteAncestor")
	c := Cookie{
		Name: p.text(v, field, "name"), Value: p.text(v, field, "value"), Domain: p.text(v, field, "domain"), Path: p.text(v, field, "path"),
		HTTPOnly: p.flag(v, field, "httpOnly"), Secure: p.flag(v, field, "secure"), SameSite: p.text(v, field, "sameSite"),
		PartitionKey: p.text(v, field, "partitionKey"), CrossSiteAncestors: p.flag(v, field, "_crHasCrossSiteAncestor"), Expires: -1,
	}
	if c.Path == "" {
		c.Path = "/"
	}
	if u, err := url.Parse("http://" + strings.TrimPrefix(c.Domain, ".")); err != nil || u.Hostname() == "" || u.Host != strings.TrimPrefix(c.Domain, ".") || u.Port() != "" {
		p.Refuse(v, field+".domain", "is no host such as shop.example")
	}
	if !strings.HasPrefix(c.Path, "/") {
		p.Refuse(v, field+".path", "does not begin with /")
	}
	if !slices.Contains([]string{"", "Strict", "Lax", "None"}, c.SameSite) {
		p.Refuse(v, field+".sameSite", "is none of Strict, Lax, None")
	}
	if e := v.Get("expires"); e != nil && p.IsA(e, field+".expires", jsonast.Number) {
		n, err := strconv.ParseFloat(e.Text, 64)
		if err != nil || n < 0 && n != -1 {
			p.Refuse(e, field+".expires", "is no time in seconds since 1970, and not -1")
		}
		c.Expires = n
	}
	return c
}

func (p *parser) origin(v *jsonast.Value, field string) Origin {
	p.unused(v, "origins.", "origin", "localStorage", "sessionStorage")
	o := Origin{Origin: p.text(v, field, "origin")}
	if u, err := url.Parse(o.Origin); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || o.Origin != u.Scheme+"://"+u.Host {
		p.Refuse(v, field+".origin", "is no origin such as https://shop.example")
	}
	o.LocalStorage, o.SessionStorage = p.items(v, field, "localStorage"), p.items(v, field, "sessionStorage")
	return o
}

func (p *parser) items(v *jsonast.Value, field, key string) []Item {
	var out []Item
	for i, item := range p.list(v.Get(key), field+"."+key) {
		at := fmt.Sprintf("%s.%s[%d]", field, key, i)
		out = append(out, Item{p.text(item, at, "name"), p.text(item, at, "value")})
	}
	return out
}

// text is a text that may be absent, which is then empty.
func (p *parser) text(v *jsonast.Value, field, key string) string {
	if m := v.Get(key); m != nil && p.IsA(m, field+"."+key, jsonast.String) {
		return m.Text
	}
	return ""
}

func (p *parser) flag(v *jsonast.Value, field, key string) bool {
	m := v.Get(key)
	return m != nil && p.IsA(m, field+"."+key, jsonast.Bool) && m.True
}

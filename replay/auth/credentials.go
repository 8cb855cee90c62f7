package auth

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxCredentials bounds what a file makes outputs be searched for. A file with more is refused: those beyond could be told.
const maxCredentials = 10_000

// Credentials are the values that must not be shown: all but those that are too short or too ordinary to give anything away.
func (s *State) Credentials() []string {
	if s == nil {
		return nil
	}
	c := credentials{seen: map[string]bool{}}
	for _, cookie := range s.Cookies {
		c.add(cookie.Value)
		if plain, err := url.QueryUnescape(cookie.Value); err == nil {
			c.add(plain)
		}
	}
	for _, o := range s.Origins {
		for _, item := range slices.Concat(o.LocalStorage, o.SessionStorage) {
			c.add(item.Value)
			c.inside(item.Value)
		}
	}
	return c.values
}

// credentials collects values, each once, and one more than [maxCredentials] at most.
type credentials struct {
	values []string
	seen   map[string]bool
}

func (c *credentials) full() bool { return len(c.values) > maxCredentials }

func (c *credentials) add(v string) {
	if telling(v) && !c.seen[v] && !c.full() {
		c.seen[v] = true
		c.values = append(c.values, v)
	}
}

// inside adds the texts in a value that is JSON.
func (c *credentials) inside(value string) {
	if c.full() || !json.Valid([]byte(value)) {
		return
	}
	// A decoder of tokens gives the keys of objects as texts too. They are told apart by their place: at the even ones of an
	// object.
	d := json.NewDecoder(strings.NewReader(value))
	type level struct {
		object bool
		tokens int
	}
	levels := []level{{}}
	for !c.full() {
		token, err := d.Token()
		if err != nil {
			return // the end
		}
		at := &levels[len(levels)-1]
		switch t := token.(type) {
		case json.Delim:
			if t == ']' || t == '}' {
				levels = levels[:len(levels)-1]
				continue
			}
			at.tokens++
			levels = append(levels, level{object: t == '{'})
			continue
		case string:
			if !at.object || at.tokens%2 == 1 {
				c.add(t)
			}
		}
		at.tokens++
	}
}

// telling reports whether a value could be a credential. A word or an address is none; masking "light" wherever a page says it
// would spoil a report and protect nobody.
func telling(v string) bool {
	n := utf8.RuneCountInString(v)
	if n < 8 || strings.HasPrefix(v, "http://") || strings.HasPrefix(v, "https://") || strings.HasPrefix(v, "/") {
		return false
	}
	return n >= 20 || strings.ContainsFunc(v, unicode.IsDigit)
}

package browser

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
)

// intercepts reports whether requests have to be looked at before they are sent. Chrome pauses only those that fit one of the
// patterns.
func (e *Emulation) intercepts() bool { return len(e.BlockURLs) > 0 || e.sendsHeaders() }

func (e *Emulation) sendsHeaders() bool { return len(e.Headers) > 0 && len(e.HeaderOrigins) > 0 }

// patterns are those of the requests that Chrome is to pause.
func (e *Emulation) patterns() []*fetch.RequestPattern {
	var out []*fetch.RequestPattern
	for _, p := range e.BlockURLs {
		out = append(out, &fetch.RequestPattern{URLPattern: p})
	}
	if e.sendsHeaders() {
		for _, origin := range e.HeaderOrigins {
			out = append(out, &fetch.RequestPattern{URLPattern: origin + "/*"})
		}
	}
	return out
}

// paused decides about a request that Chrome has stopped before sending it. It runs in the read loop.
func (c *Context) paused(s *session, ev *fetch.EventRequestPaused) {
	if ev.Request == nil {
		return
	}
	method, params := c.opts.Emulation.answer(ev)
	c.reply(s, method, params)
}

// reply answers a paused request.
func (c *Context) reply(s *session, method string, params any) {
	c.b.spawn(func() {
		if err := s.Call(context.Background(), method, params, nil); err != nil {
			c.b.log.Debug("answering a paused request", "error", err) // its page is gone
		}
	})
}

// answer is the command that lets a paused request go on, or ends it.
func (e *Emulation) answer(ev *fetch.EventRequestPaused) (method string, params any) {
	address := ev.Request.URL
	if slices.ContainsFunc(e.BlockURLs, func(p string) bool { return MatchURL(p, address) }) {
		return fetch.CommandFailRequest, fetch.FailRequestParams{RequestID: ev.RequestID, ErrorReason: network.ErrorReasonBlockedByClient}
	}
	proceed := fetch.ContinueRequestParams{RequestID: ev.RequestID}
	if e.sendsHeaders() && slices.Contains(e.HeaderOrigins, Origin(address)) {
		proceed.Headers = withHeaders(ev.Request.Headers, e.Headers)
	}
	return fetch.CommandContinueRequest, proceed
}

// withHeaders adds our headers to those of a request; of two with one name ours is sent.
func withHeaders(have network.Headers, add []Header) []*fetch.HeaderEntry {
	var out []*fetch.HeaderEntry
	for name, value := range have {
		ours := slices.ContainsFunc(add, func(h Header) bool { return strings.EqualFold(h.Name, name) })
		if text, ok := value.(string); ok && !ours {
			out = append(out, &fetch.HeaderEntry{Name: name, Value: text})
		}
	}
	slices.SortFunc(out, func(a, b *fetch.HeaderEntry) int { return strings.Compare(a.Name, b.Name) })
	for _, h := range add {
		out = append(out, &fetch.HeaderEntry{Name: h.Name, Value: h.Value})
	}
	return out
}

// Origin is the origin of an http or https address as browsers write it: scheme and host in lower case, no default port. It is
// empty for any other address.
func Origin(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	scheme, host := strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	standard := map[string]string{"http": ":80", "https": ":443"}[scheme]
	if standard == "" || host == "" {
		return ""
	}
	return scheme + "://" + strings.TrimSuffix(host, standard)
}

// MatchURL reports whether the whole address fits a pattern in which * stands for any text, ? for one character, and \ takes
// the meaning from the character after it.
func MatchURL(pattern, address string) bool {
	p, a := []rune(pattern), []rune(address)
	i, j := 0, 0
	star, mark := -1, 0 // where to take up again after the last *
	for j < len(a) {
		switch {
		case i < len(p) && p[i] == '*':
			star, mark = i, j
			i++
			continue
		case i < len(p) && p[i] == '?':
			i, j = i+1, j+1
			continue
		case i < len(p):
			at := i
			if p[i] == '\\' && i+1 < len(p) {
				at++
			}
			if p[at] == a[j] {
				i, j = at+1, j+1
				continue
			}
		}
		if star < 0 {
			return false
		}
		mark++
		i, j = star+1, mark
	}
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}

package browser

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/storage"
)

// SetCookies adds cookies to the context.
func (c *Context) SetCookies(ctx context.Context, cookies []*network.CookieParam) error {
	_, err := cdp.Call(ctx, c.b.root, storage.SetCookies, storage.SetCookiesParams{Cookies: cookies, BrowserContextID: c.id})
	if err != nil {
		return fmt.Errorf("setting cookies: %w", err)
	}
	return nil
}

// Cookies are all cookies of the context.
func (c *Context) Cookies(ctx context.Context) ([]*network.Cookie, error) {
	res, err := cdp.Call(ctx, c.b.root, storage.GetCookies, storage.GetCookiesParams{BrowserContextID: c.id})
	if err != nil {
		return nil, fmt.Errorf("reading cookies: %w", err)
	}
	return res.Cookies, nil
}

// Storage is the storage of an origin in a tab: name and value of each entry.
type Storage struct {
	Origin  string      `json:"origin"`
	Local   [][2]string `json:"local"`
	Session [][2]string `json:"session"`
}

// readStorage reads the storage of a document; one that has none, such as that of a sandboxed frame, gives an empty one.
const readStorage = `(() => {
	const all = s => Object.keys(s).sort().map(name => [name, s.getItem(name)]);
	try { return {origin: location.origin, local: all(localStorage), session: all(sessionStorage)} }
	catch { return {origin: "", local: [], session: []} }
})()`

// Storage reads the storage of a frame.
func (p *Page) Storage(ctx context.Context, frame cdp.FrameID) (Storage, error) {
	var s Storage
	if err := p.evaluate(ctx, frame, readStorage, &s); err != nil {
		return s, fmt.Errorf("reading the storage of %s: %w", p.URL(), err)
	}
	return s, nil
}

// Stored reads the storage of origins of which no document is open, and leaves the tab at about:blank. No request is sent.
func (p *Page) Stored(ctx context.Context, origins []string) ([]Storage, error) {
	var out []Storage
	err := p.visit(ctx, origins, func(string) error {
		s, err := p.Storage(ctx, p.MainFrame())
		out = append(out, s)
		return err
	})
	return out, err
}

// Store puts entries into the storage of origins and leaves the tab at about:blank, with no history. No request is sent, and no
// script of a page runs.
func (p *Page) Store(ctx context.Context, all []Storage) error {
	origins := make([]string, len(all))
	for i, s := range all {
		origins[i] = s.Origin
	}
	i := 0
	return p.visit(ctx, origins, func(origin string) error {
		s := all[i]
		i++
		data, err := json.Marshal(s) // JSON is also an expression of JavaScript
		if err != nil {
			return fmt.Errorf("storage of %s: %w", origin, err)
		}
		var failed string
		script := `(s => { try {
			for (const [name, value] of s.local || []) localStorage.setItem(name, value);
			for (const [name, value] of s.session || []) sessionStorage.setItem(name, value);
			return "" } catch (e) { return e.name } })(` + string(data) + `)`
		if err := p.evaluate(ctx, p.MainFrame(), script, &failed); err != nil {
			return fmt.Errorf("storing for %s: %w", origin, err)
		}
		if failed != "" {
			return fmt.Errorf("storing for %s: the browser refused with %s", origin, failed)
		}
		return nil
	})
}

// visit shows an empty document of each origin and calls f there.
func (p *Page) visit(ctx context.Context, origins []string, f func(origin string) error) (err error) {
	if len(origins) == 0 {
		return nil
	}
	p.blank.Store(true)
	if _, err := cdp.Call(ctx, p.s, fetch.Enable, fetch.EnableParams{}); err != nil {
		return fmt.Errorf("visiting origins: %w", err)
	}
	for _, origin := range origins {
		if err := p.Navigate(ctx, origin+"/"); err != nil {
			return fmt.Errorf("visiting origins: %w", err)
		}
		if err := f(origin); err != nil {
			return err
		}
	}
	if err := p.Navigate(ctx, "about:blank"); err != nil {
		return fmt.Errorf("visiting origins: %w", err)
	}
	p.blank.Store(false)
	if e := &p.ctx.opts.Emulation; e.intercepts() {
		_, err = cdp.Call(ctx, p.s, fetch.Enable, fetch.EnableParams{Patterns: e.patterns()})
	} else {
		_, err = cdp.Call(ctx, p.s, fetch.Disable, cdp.Empty{})
	}
	if err == nil {
		_, err = cdp.Call(ctx, p.s, page.ResetNavigationHistory, cdp.Empty{})
	}
	if err != nil {
		return fmt.Errorf("leaving visited origins: %w", err)
	}
	return nil
}

// emptyDocument answers a request of a tab that visits origins.
func emptyDocument(ev *fetch.EventRequestPaused) (method string, params any) {
	return fetch.CommandFulfillRequest, fetch.FulfillRequestParams{
		RequestID: ev.RequestID, ResponseCode: 200, Body: []byte("<!doctype html>"),
		ResponseHeaders: []*fetch.HeaderEntry{{Name: "Content-Type", Value: "text/html"}, {Name: "Cache-Control", Value: "no-store"}},
	}
}

// paused decides about a request of the tab that Chrome has stopped. It runs in the read loop.
func (p *Page) paused(s *session, ev *fetch.EventRequestPaused) {
	if !p.blank.Load() {
		p.ctx.paused(s, ev)
		return
	}
	method, params := emptyDocument(ev)
	p.ctx.reply(s, method, params)
}

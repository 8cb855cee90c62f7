package replay

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"

	"retrace/replay/auth"
	"retrace/replay/browser"
	"retrace/replay/trace"
)

// maxVisited bounds the origins whose storage is read at the end though no tab shows them.
const maxVisited = 20

// stateLimit bounds how long the reading of a state may take.
const stateLimit = 30 * time.Second

// moved is a trace on another origin, and the options that fit it.
func moved(t *trace.Trace, o Options) (*trace.Trace, Options) {
	if o.BaseURL != "" {
		o.Auth = o.Auth.Moved(t.StartURL, o.BaseURL)
	}
	return rebase(t, o.BaseURL), o
}

// restore puts the saved state of a login into the fresh context, before its first page.
func (r *runner) restore(ctx context.Context) error {
	s, warning := r.o.Auth.Current(time.Now())
	if warning != "" {
		r.res.Warnings = append(r.res.Warnings, warning)
	}
	if s == nil {
		return nil
	}
	if len(s.Cookies) > 0 {
		params := make([]*network.CookieParam, len(s.Cookies))
		for i, c := range s.Cookies {
			params[i] = cookieParam(c)
		}
		if err := r.context.SetCookies(ctx, params); err != nil {
			return err
		}
	}
	var stored []browser.Storage
	for _, o := range s.Origins {
		if len(o.LocalStorage)+len(o.SessionStorage) > 0 {
			stored = append(stored, browser.Storage{Origin: o.Origin, Local: pairs(o.LocalStorage), Session: pairs(o.SessionStorage)})
		}
	}
	return r.page.Store(ctx, stored)
}

// cookieParam is a cookie in the form in which Chrome takes it. One for a single host is given by address, since a domain would
// make it one for all hosts below.
func cookieParam(c auth.Cookie) *network.CookieParam {
	p := &network.CookieParam{
		Name: c.Name, Value: c.Value, Path: c.Path, HTTPOnly: c.HTTPOnly, Secure: c.Secure, SameSite: network.CookieSameSite(c.SameSite),
	}
	if c.Expires >= 0 {
		p.Expires = cdp.TimeSinceEpoch(c.Expires)
	}
	if strings.HasPrefix(c.Domain, ".") {
		p.Domain = c.Domain
	} else {
		scheme := "http"
		if c.Secure {
			scheme = "https"
		}
		p.URL = scheme + "://" + c.Domain + c.Path
	}
	if c.PartitionKey != "" {
		p.PartitionKey = &network.CookiePartitionKey{TopLevelSite: c.PartitionKey, HasCrossSiteAncestor: c.CrossSiteAncestors}
	}
	return p
}

// state reads what the run left: all cookies, the storage of the documents that are open, and that of the recorded origins. The
// storage of a session is that of the tab in which the run ended.
func (r *runner) state(ctx context.Context) (*auth.State, error) {
	ctx, cancel := context.WithTimeout(ctx, stateLimit)
	defer cancel()
	cookies, err := r.context.Cookies(ctx)
	if err != nil {
		return nil, err
	}
	s := &auth.State{}
	for _, c := range cookies {
		s.Cookies = append(s.Cookies, savedCookie(c))
	}
	found := map[string]*auth.Origin{}
	for _, p := range r.context.Pages() {
		frames, err := p.Frames(ctx)
		if err != nil {
			return nil, err
		}
		for _, f := range frames {
			st, err := p.Storage(ctx, f.ID)
			if err != nil && p == r.page && f.Parent == "" {
				return nil, err
			}
			if err == nil {
				keep(found, st, p == r.page)
			}
		}
	}
	if err := r.unseen(ctx, found); err != nil {
		return nil, err
	}
	for _, o := range found {
		if len(o.LocalStorage)+len(o.SessionStorage) > 0 {
			s.Origins = append(s.Origins, *o)
		}
	}
	slices.SortFunc(s.Origins, func(a, b auth.Origin) int { return strings.Compare(a.Origin, b.Origin) })
	return s, nil
}

// unseen adds the storage of the recorded origins that no tab shows any more.
func (r *runner) unseen(ctx context.Context, found map[string]*auth.Origin) error {
	var origins []string
	for _, address := range r.addresses() {
		o := browser.Origin(address)
		if o != "" && found[o] == nil && !slices.Contains(origins, o) && len(origins) < maxVisited {
			origins = append(origins, o)
		}
	}
	if len(origins) == 0 {
		return nil
	}
	p, err := r.context.NewPage(ctx)
	if err != nil {
		return err
	}
	all, err := p.Stored(ctx, origins)
	if err != nil {
		return err
	}
	for _, st := range all {
		keep(found, st, false)
	}
	return p.Close(ctx)
}

// addresses are the recorded ones.
func (r *runner) addresses() []string {
	out := []string{r.trace.StartURL}
	for _, s := range r.trace.States {
		out = append(out, s.URL)
	}
	return out
}

func keep(found map[string]*auth.Origin, s browser.Storage, session bool) {
	if browser.Origin(s.Origin) != s.Origin || s.Origin == "" {
		return
	}
	o := found[s.Origin]
	if o == nil {
		o = &auth.Origin{Origin: s.Origin, LocalStorage: items(s.Local)}
		found[s.Origin] = o
	}
	if session && len(o.SessionStorage) == 0 {
		o.SessionStorage = items(s.Session)
	}
}

func savedCookie(c *network.Cookie) auth.Cookie {
	out := auth.Cookie{
		Name: c.Name, Value: c.Value, Domain: c.Domain, Path: c.Path, Expires: -1, HTTPOnly: c.HTTPOnly, Secure: c.Secure, SameSite: string(c.SameSite),
	}
	if !c.Session {
		out.Expires = c.Expires
	}
	if k := c.PartitionKey; k != nil {
		out.PartitionKey, out.CrossSiteAncestors = k.TopLevelSite, k.HasCrossSiteAncestor
	}
	return out
}

func items(pairs [][2]string) []auth.Item {
	out := make([]auth.Item, len(pairs))
	for i, p := range pairs {
		out[i] = auth.Item{Name: p[0], Value: p[1]}
	}
	return out
}

func pairs(items []auth.Item) [][2]string {
	out := make([][2]string, len(items))
	for i, it := range items {
		out[i] = [2]string{it.Name, it.Value}
	}
	return out
}

// hand gives the state that the run left to who asked for it.
func (r *runner) hand(ctx context.Context) {
	if r.o.OnState == nil || r.res.Failure != nil {
		return
	}
	s, err := r.state(ctx)
	if err != nil {
		r.res.Failure = r.failure(ctx, fmt.Errorf("reading the state that the run left: %w", err), "the state")
		return
	}
	r.o.OnState(s)
}

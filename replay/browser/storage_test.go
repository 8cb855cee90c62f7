package browser

import (
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/google/go-cmp/cmp"
)

func TestStorage(t *testing.T) {
	e := newEcho(t)
	b := launch(t)
	for name, emulation := range map[string]Emulation{"plain": {}, "offline, with blocked addresses": {Offline: true, BlockURLs: []string{"*"}}} {
		t.Run(name, func(t *testing.T) {
			ctx := testContext(t)
			c := newContextIn(t, b, emulation)
			p := openPage(t, c, "")
			want := []Storage{
				{Origin: e.base, Local: [][2]string{{"a", "1"}, {"__proto__", `"</script>`}}, Session: [][2]string{{"s", "x"}}},
				{Origin: e.other, Local: [][2]string{{"a", "2"}}},
			}
			if err := p.Store(ctx, want); err != nil {
				t.Fatal(err)
			}
			if history, err := cdp.Call(ctx, p.Session(), page.GetNavigationHistory, cdp.Empty{}); err != nil || len(history.Entries) != 1 || p.URL() != "about:blank" {
				t.Errorf("the tab is at %s with history %v, %v", p.URL(), history.Entries, err)
			}
			got, err := openPage(t, c, "").Stored(ctx, []string{e.base, e.other})
			if err != nil {
				t.Fatal(err)
			}
			want[0].Local[0], want[0].Local[1] = want[0].Local[1], want[0].Local[0] // by name
			want[0].Session, want[1].Session = [][2]string{}, [][2]string{}         // of the other tab
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("stored (-want +got):\n%s", diff)
			}
			if got := e.header("127.0.0.1/", "Host"); got != "-" {
				t.Error("the page was asked for")
			}
			if name == "plain" {
				again := openPage(t, c, e.base+"/survey")
				if got := eval[string](t, again, "localStorage.a + ' ' + document.title"); got != "1 " {
					t.Errorf("after it, the page is %q", got)
				}
				if err := p.Navigate(ctx, e.base+"/survey"); err != nil {
					t.Fatal(err)
				}
				if s, err := p.Storage(ctx, p.MainFrame()); err != nil || !cmp.Equal(s.Session, [][2]string{{"s", "x"}}) {
					t.Errorf("session storage %v, %v", s.Session, err)
				}
			} else if err := p.Navigate(ctx, e.base+"/survey"); err == nil {
				t.Error("after it, the addresses are no longer blocked")
			}
		})
	}
}

func TestCookies(t *testing.T) {
	ctx := testContext(t)
	c := newContext(t, ContextOptions{})
	err := c.SetCookies(ctx, []*network.CookieParam{
		{Name: "host", Value: "1", URL: "http://shop.example/a", Path: "/a", HTTPOnly: true},
		{Name: "wide", Value: "2", Domain: ".shop.example", Path: "/", Secure: true, SameSite: network.CookieSameSiteNone, Expires: 4000000000},
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Cookies(ctx)
	if err != nil || len(got) != 2 {
		t.Fatalf("cookies %v, %v", got, err)
	}
	for _, c := range got {
		want := map[string]network.Cookie{
			"host": {Value: "1", Domain: "shop.example", Path: "/a", HTTPOnly: true, Session: true},
			"wide": {Value: "2", Domain: ".shop.example", Path: "/", Secure: true, SameSite: network.CookieSameSiteNone},
		}[c.Name]
		have := network.Cookie{Value: c.Value, Domain: c.Domain, Path: c.Path, HTTPOnly: c.HTTPOnly, Secure: c.Secure, Session: c.Session, SameSite: c.SameSite}
		if diff := cmp.Diff(want, have); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.Name, diff)
		}
	}
}

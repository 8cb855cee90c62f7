package browser

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
)

func lease(t *testing.T, p *Pool, alone bool) *Lease {
	t.Helper()
	l, err := p.Lease(testContext(t), alone)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func release(t *testing.T, l *Lease) {
	t.Helper()
	if err := l.Release(); err != nil {
		t.Error(err)
	}
}

func newPool(t *testing.T, o PoolOptions) *Pool {
	t.Helper()
	needChrome(t)
	p := NewPool(o)
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func TestPoolSharesAndReplaces(t *testing.T) {
	p := newPool(t, PoolOptions{MaxUses: 3, Share: 2})
	a, b := lease(t, p, false), lease(t, p, false)
	if a.Browser != b.Browser {
		t.Error("two leases have two browsers")
	}
	first := a.Browser
	c := lease(t, p, false)
	if c.Browser == first {
		t.Error("a third lease shares the browser of two")
	}
	release(t, c)
	release(t, a)
	release(t, a) // once more does nothing
	third := lease(t, p, false)
	if third.Browser != first {
		t.Error("a browser with room was not lent")
	}
	release(t, third)
	if first.Err() != nil {
		t.Errorf("the browser was closed under a lease: %v", first.Err())
	}
	release(t, b)
	if !errors.Is(first.Err(), ErrBrowserClosed) {
		t.Errorf("after its last use the browser ended with %v", first.Err())
	}
}

func TestPoolAlone(t *testing.T) {
	p := newPool(t, PoolOptions{})
	a := lease(t, p, true)
	b := lease(t, p, false)
	if a.Browser == b.Browser {
		t.Error("a browser lent alone is shared")
	}
	release(t, a)
	if !errors.Is(a.Browser.Err(), ErrBrowserClosed) {
		t.Errorf("it ended with %v", a.Browser.Err())
	}
	release(t, b)
}

func TestPoolReplacesTheDead(t *testing.T) {
	p := newPool(t, PoolOptions{})
	a := lease(t, p, false)
	chrome, err := os.FindProcess(a.Browser.PID())
	if err != nil {
		t.Fatal(err)
	}
	if err := chrome.Kill(); err != nil {
		t.Fatal(err)
	}
	<-a.Browser.Died()
	b := lease(t, p, false)
	if b.Browser.Err() != nil {
		t.Errorf("a dead browser is lent: %v", b.Browser.Err())
	}
	release(t, a)
	release(t, b)
}

func TestPoolReplacesTheLarge(t *testing.T) {
	p := newPool(t, PoolOptions{MaxMemory: 1})
	a := lease(t, p, false)
	if a.Browser.Memory() == 0 {
		t.Skip("the memory of processes is not known here")
	}
	release(t, a)
	if !errors.Is(a.Browser.Err(), ErrBrowserClosed) {
		t.Errorf("it ended with %v", a.Browser.Err())
	}
}

func TestPoolClosed(t *testing.T) {
	p := NewPool(PoolOptions{})
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if _, err := p.Lease(testContext(t), false); !errors.Is(err, ErrPoolClosed) {
		t.Errorf("error %v", err)
	}
}

func TestPoolOfNoBrowsers(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	broken := httptest.NewServer(http.NotFoundHandler())
	defer broken.Close()
	p := NewPool(PoolOptions{Remotes: []string{gone.URL + "/?token=hunter22", broken.URL}})
	defer p.Close()
	_, err := p.Lease(testContext(t), false)
	var none *UnreachableError
	if !errors.As(err, &none) || len(none.Errs) != 2 {
		t.Fatalf("error %v", err)
	}
	if strings.Contains(err.Error(), "hunter22") {
		t.Errorf("the error has the token: %v", err)
	}
}

func TestIdlestEndpoint(t *testing.T) {
	now := time.Now()
	live := func(leases int) *endpoint { return &endpoint{m: &member{b: &Browser{}, leases: leases}} }
	for _, tt := range []struct {
		name string
		all  []*endpoint
		want int
	}{
		{"fewest users", []*endpoint{live(2), live(1), live(1)}, 1},
		{"not attached yet", []*endpoint{live(1), {}}, 1},
		{"lost a moment ago", []*endpoint{live(3), {until: now.Add(time.Second)}}, 0},
		{"lost long ago", []*endpoint{live(3), {until: now.Add(-time.Second)}}, 1},
		{"attached to by another", []*endpoint{live(3), {attaching: true}}, 0},
		{"none", []*endpoint{{attaching: true}, {until: now.Add(time.Second)}}, -1},
	} {
		got := (&Pool{remotes: tt.all}).idlest(now)
		if tt.want < 0 && got != nil || tt.want >= 0 && got != tt.all[tt.want] {
			t.Errorf("%s: got %+v", tt.name, got)
		}
	}
}

func TestRedact(t *testing.T) {
	for in, want := range map[string]string{
		"ws://user:pw@grid.example:9222/devtools/browser/1f": "ws://grid.example:9222",
		"wss://grid.example/chrome/?token=x":                 "wss://grid.example/chrome",
		"http://[::1]:9222/":                                 "http://[::1]:9222",
		"token=x":                                            "remote browser",
	} {
		if got := Redact(in); got != want {
			t.Errorf("Redact(%q) = %q, want %q", in, got, want)
		}
	}
}

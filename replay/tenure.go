package replay

import (
	"context"
	"errors"
	"time"

	"retrace/replay/browser"
)

// tenure is the browser that the attempts at a trace take place in: one of their own, or one that a pool lends.
type tenure struct {
	browser *browser.Browser
	lease   *browser.Lease // nil for a browser of our own
	alone   bool           // a browser that nobody else uses is wanted, after one was lost
}

// remote tells whether the browser is one that runs already.
func (o Options) remote() bool {
	return o.Remote != "" || o.Dial != nil || o.Pool != nil && o.Pool.Remote()
}

// launch starts or leases the browser unless there is one that lives. The copy of a profile has a browser of its own, and another
// one for each attempt: it cannot be made fresh again.
func (r *runner) launch(ctx, start context.Context) *Failure {
	if r.browser != nil && r.browser.Err() == nil && r.o.Profile == "" {
		return nil
	}
	r.alone = r.alone || r.browser != nil
	r.close()
	var err error
	if r.o.Pool != nil && r.o.Profile == "" && !r.policy.Network() { // else it takes a browser with a switch of its own
		if r.lease, err = r.o.Pool.Lease(start, r.alone); err == nil {
			r.browser = r.lease.Browser
		}
	} else {
		r.browser, err = browser.Launch(start, browser.Options{Path: r.o.Chrome, Remote: r.o.Remote, Dial: r.o.Dial, Headed: r.o.Headed, NoSandbox: r.o.NoSandbox, Profile: r.o.Profile, Proxy: r.o.Emulation.Proxy, ProxiedOnly: r.policy.Network(), Protocol: r.o.Protocol, Log: r.o.Log})
	}
	var none *browser.NotFoundError
	var unreachable *browser.UnreachableError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &none):
		return &Failure{Code: BrowserMissing, Text: none.Error(), Hint: "run `retrace browser install`, or name one with --chrome"}
	case ctx.Err() != nil:
		return r.interrupted()
	case errors.As(err, &unreachable):
		return &Failure{Code: BrowserMissing, Text: unreachable.Error(), Hint: "see whether the browsers run, and whether their addresses are right"}
	}
	return &Failure{Code: BrowserCrashed, Text: "the browser did not start: " + err.Error()}
}

// endpoint is where a remote browser is; empty for one of this machine.
func (r *runner) endpoint() string {
	if r.lease != nil {
		return r.lease.Endpoint
	}
	if r.o.Remote != "" {
		return browser.Redact(r.o.Remote)
	}
	return ""
}

// lost tells whether the attempt failed because a browser that others use too, or that is elsewhere, died. That says nothing
// about the pages of the trace. It does of a Chrome that was the trace's alone.
func (r *runner) lost() bool {
	if r.res.Failure == nil || r.res.Failure.Code != BrowserCrashed || r.browser == nil {
		return false
	}
	select { // the connection ends first
	case <-r.browser.Died():
	case <-time.After(time.Second):
		return false
	}
	return r.lease != nil && (!r.alone || r.lease.Endpoint != "")
}

// close gives the browser back, or ends it.
func (r *runner) close() {
	if r.browser == nil {
		return
	}
	died := r.browser.Err() != nil
	var err error
	if r.lease != nil {
		err = r.lease.Release()
	} else {
		err = r.browser.Close()
	}
	if err != nil && !died {
		r.res.Warnings = append(r.res.Warnings, "closing the browser: "+err.Error())
	}
	r.browser, r.lease = nil, nil
}

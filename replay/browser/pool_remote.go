package browser

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// Times of remote browsers that do not answer.
const (
	attachDeadline = 20 * time.Second // of one attempt to attach
	firstPause     = time.Second      // before an endpoint that was lost is tried again; doubled each time
	longestPause   = 30 * time.Second
	revival        = 15 * time.Second // how long a lease waits for an endpoint that has answered before
)

// endpoint is the address of a remote browser and how it fares.
type endpoint struct {
	address   string
	m         *member // nil while it is not attached to
	served    bool    // it has answered once
	attaching bool    // somebody is
	pause     time.Duration
	until     time.Time // not to be tried before
	err       error     // why it was lost
}

// UnreachableError says that none of the remote browsers answers.
type UnreachableError struct {
	// Errs are the reasons, one for each endpoint, in their order.
	Errs []error
}

func (e *UnreachableError) Error() string {
	texts := make([]string, len(e.Errs))
	for i, err := range e.Errs {
		texts[i] = err.Error()
	}
	return "no remote browser answers: " + strings.Join(texts, "; ")
}

func (e *UnreachableError) Unwrap() []error { return e.Errs }

// lost notes that the endpoint does not answer. Call it with the pool's mu held.
func (e *endpoint) lost(err error, now time.Time) {
	e.m, e.err = nil, err
	e.pause = min(max(2*e.pause, firstPause), longestPause)
	e.until = now.Add(e.pause)
}

func (e *endpoint) users() int {
	if e.m == nil {
		return 0
	}
	return e.m.leases
}

// name is the address without user, path tokens and query.
func (e *endpoint) name() string { return Redact(e.address) }

// Redact is the address of a remote browser for people: without the user and the query, in which providers put keys.
func Redact(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "remote browser"
	}
	if i := strings.Index(u.Path, "/devtools/"); i >= 0 {
		u.Path = u.Path[:i]
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: strings.TrimSuffix(u.Path, "/")}).String()
}

// leaseRemote lends the remote browser with the fewest users. It attaches where that is needed, and goes on to the next when
// one does not answer. While one is being attached to, others do not wait for it.
func (p *Pool) leaseRemote(ctx context.Context) (*Lease, error) {
	deadline, cancel := context.WithTimeout(ctx, revival)
	defer cancel()
	for {
		l, e, wait := p.takeRemote(time.Now())
		switch {
		case l != nil:
			return l, nil
		case e != nil:
			b, err := p.attach(ctx, e)
			if l = p.attachedTo(e, b, err); l != nil {
				return l, nil
			}
			if ctx.Err() != nil {
				return nil, err
			}
			continue
		case wait == nil:
			return nil, p.unreachable()
		}
		select {
		case <-wait:
		case <-deadline.Done():
			if ctx.Err() != nil {
				return nil, fmt.Errorf("waiting for a browser: %w", ctx.Err())
			}
			return nil, p.unreachable()
		}
	}
}

// takeRemote gives a lease, or an endpoint that the caller is to attach to, or a channel that tells when to ask again. All are
// nil when no endpoint is left.
func (p *Pool) takeRemote(now time.Time) (*Lease, *endpoint, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, nil, nil
	}
	e := p.idlest(now)
	switch {
	case e == nil:
		return nil, nil, p.nextTry(now)
	case e.m != nil:
		return p.lend(e.m), nil, nil
	}
	e.attaching = true
	return nil, e, nil
}

// attachedTo notes how an attempt to attach to e went, and gives the first lease.
func (p *Pool) attachedTo(e *endpoint, b *Browser, err error) *Lease {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.notify()
	e.attaching = false
	if err != nil {
		e.lost(err, time.Now())
		return nil
	}
	e.m, e.served, e.pause, e.err = &member{b: b, at: e}, true, 0, nil
	return p.lend(e.m)
}

// idlest is the endpoint with the fewest users of those that live or may be tried. Call it with p.mu held.
func (p *Pool) idlest(now time.Time) *endpoint {
	var best *endpoint
	for _, e := range p.remotes {
		if e.m != nil && e.m.b.Err() != nil {
			p.drop(e.m, now)
		}
		if e.attaching || e.m == nil && now.Before(e.until) {
			continue
		}
		if best == nil || e.users() < best.users() {
			best = e
		}
	}
	return best
}

// drop takes a remote browser that was lost out of use. Call it with p.mu held.
func (p *Pool) drop(m *member, now time.Time) {
	m.retired = true
	if m.at.m == m {
		err := m.b.Err()
		if err == nil {
			err = errors.New("did not answer")
		}
		m.at.lost(fmt.Errorf("%s: %w", m.at.name(), err), now)
	}
	if m.leases == 0 {
		p.gone = append(p.gone, m)
	}
}

// nextTry is closed when an endpoint may be tried again; nil when none ever answered and none is being attached to. Call it
// with p.mu held.
func (p *Pool) nextTry(now time.Time) <-chan struct{} {
	var next time.Time
	for _, e := range p.remotes {
		if e.attaching {
			return p.wake
		}
		if e.served && (next.IsZero() || e.until.Before(next)) {
			next = e.until
		}
	}
	if next.IsZero() {
		return nil
	}
	ready := make(chan struct{})
	time.AfterFunc(next.Sub(now), func() { close(ready) })
	return ready
}

func (p *Pool) attach(ctx context.Context, e *endpoint) (*Browser, error) {
	short, cancel := context.WithTimeout(ctx, attachDeadline)
	defer cancel()
	o := p.opts.Options
	o.Remote, o.Path = e.address, ""
	return Launch(short, o)
}

func (p *Pool) unreachable() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	err := &UnreachableError{}
	for _, e := range p.remotes {
		if e.err != nil {
			err.Errs = append(err.Errs, e.err)
		}
	}
	return err
}

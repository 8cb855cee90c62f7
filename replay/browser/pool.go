package browser

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Bounds of a [Pool] when its options name none.
const (
	// DefaultMaxUses is the number of leases after which a Chrome is replaced by a fresh one.
	DefaultMaxUses = 100
	// DefaultShare is the number of leases that one Chrome serves at a time.
	DefaultShare = 8
)

// PoolOptions say which browsers a [Pool] lends.
type PoolOptions struct {
	// Options are those of each browser; their Remote means nothing.
	Options
	// Remotes are the addresses of browsers that run already. When there are none, the pool starts Chromes on this machine. An
	// address may occur more than once, for a grid that answers each connection with another browser.
	Remotes []string
	// MaxUses is the number of leases after which a Chrome that we started is replaced; 0 means DefaultMaxUses.
	MaxUses int
	// MaxMemory is the number of bytes of private memory from which a Chrome that we started is replaced; 0 means that its size
	// does not matter. It is looked at when a lease ends, on Linux.
	MaxMemory int64
	// Share is how many leases a Chrome that we started serves at a time; 0 means DefaultShare.
	Share int
}

// Pool lends browsers to many users, each of whom makes a context of its own there. Browsers on this machine are started when
// they are needed, shared by several leases, and replaced after a number of leases, when they have grown large and when they
// died. Remote ones are taken in turns; one that was lost is left out until it answers again.
//
// Its methods may be called from several goroutines.
type Pool struct {
	opts   PoolOptions
	starts chan struct{} // held by whoever starts or attaches, so that nobody does so twice

	mu      sync.Mutex
	local   []*member // Chromes of this machine that take further leases
	remotes []*endpoint
	gone    []*member // remote browsers that were lost while nobody used them
	lent    int
	wake    chan struct{} // closed and replaced when a lease ends
	closed  bool
}

// member is one browser and its users.
type member struct {
	b       *Browser
	at      *endpoint // nil for a Chrome of this machine
	leases  int
	uses    int
	retired bool // takes no further leases; closed with the last one
}

// Lease is the use of a browser by one user.
type Lease struct {
	// Browser is there until Release, unless it dies.
	Browser *Browser
	// Endpoint is the address of a remote browser without what may be secret in it; empty for one of this machine.
	Endpoint string

	pool *Pool
	m    *member
	once sync.Once
}

// ErrPoolClosed is the error of a lease after [Pool.Close].
var ErrPoolClosed = errors.New("no browsers are lent any more")

// NewPool makes a pool; no browser is started or attached to yet.
func NewPool(opts PoolOptions) *Pool {
	if opts.MaxUses <= 0 {
		opts.MaxUses = DefaultMaxUses
	}
	if opts.Share <= 0 {
		opts.Share = DefaultShare
	}
	p := &Pool{opts: opts, starts: make(chan struct{}, 1), wake: make(chan struct{})}
	for _, address := range opts.Remotes {
		p.remotes = append(p.remotes, &endpoint{address: address})
	}
	return p
}

// Remote tells whether the pool's browsers are remote ones.
func (p *Pool) Remote() bool { return len(p.opts.Remotes) > 0 }

// Lease lends a browser that lives. One that is lent alone serves nobody else, where we start it ourselves: a user that may
// have brought a browser down does no harm there. The error is that of [Launch], or an [*UnreachableError] when no remote
// browser answers.
func (p *Pool) Lease(ctx context.Context, alone bool) (*Lease, error) {
	if len(p.opts.Remotes) > 0 {
		return p.leaseRemote(ctx)
	}
	if alone {
		m, err := p.start(ctx)
		if err != nil {
			return nil, err
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		m.retired = true
		return p.lend(m), nil
	}
	if l, err := p.shared(); l != nil || err != nil {
		return l, err
	}
	select {
	case p.starts <- struct{}{}:
		defer func() { <-p.starts }()
	case <-ctx.Done():
		return nil, fmt.Errorf("waiting for a browser: %w", ctx.Err())
	}
	if l, err := p.shared(); l != nil || err != nil { // somebody else has started one meanwhile
		return l, err
	}
	m, err := p.start(ctx)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.local = append(p.local, m)
	return p.lend(m), nil
}

// shared lends a Chrome of this machine that has room; nil when there is none.
func (p *Pool) shared() (*Lease, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, ErrPoolClosed
	}
	for _, m := range p.local {
		if m.leases < p.opts.Share && m.b.Err() == nil {
			return p.lend(m), nil
		}
	}
	return nil, nil
}

// lend notes a lease. Call it with p.mu held.
func (p *Pool) lend(m *member) *Lease {
	m.leases++
	m.uses++
	p.lent++
	l := &Lease{Browser: m.b, pool: p, m: m}
	if m.at != nil {
		l.Endpoint = m.at.name()
	}
	if m.uses >= p.opts.MaxUses && m.at == nil {
		p.retire(m)
	}
	return l
}

// retire takes a browser out of circulation. Call it with p.mu held.
func (p *Pool) retire(m *member) {
	m.retired = true
	for i, o := range p.local {
		if o == m {
			p.local = append(p.local[:i], p.local[i+1:]...)
			break
		}
	}
}

func (p *Pool) start(ctx context.Context) (*member, error) {
	o := p.opts.Options
	o.Remote = ""
	b, err := Launch(ctx, o)
	if err != nil {
		return nil, err
	}
	return &member{b: b}, nil
}

// Release ends the lease. The last one of a browser that is not to be lent again closes it, which takes at most about seven
// seconds; the error is that of closing.
func (l *Lease) Release() error {
	var err error
	l.once.Do(func() { err = l.pool.release(l.m) })
	return err
}

func (p *Pool) release(m *member) error {
	large := p.opts.MaxMemory > 0 && m.at == nil && m.b.Err() == nil && m.b.Memory() > p.opts.MaxMemory
	m.b.mu.Lock()
	sick := m.b.mute || m.b.err != nil
	m.b.mu.Unlock()
	p.mu.Lock()
	m.leases--
	p.lent--
	switch {
	case m.at == nil && (large || sick):
		p.retire(m)
	case m.at != nil && sick:
		p.drop(m, time.Now())
	}
	last := m.leases == 0 && m.retired
	p.notify()
	p.mu.Unlock()
	if !last {
		return nil
	}
	died := m.b.Err() != nil
	if err := m.b.Close(); err != nil && !died {
		return fmt.Errorf("closing the browser: %w", err)
	}
	return nil
}

// notify wakes those who wait for a change. Call it with p.mu held.
func (p *Pool) notify() {
	close(p.wake)
	p.wake = make(chan struct{})
}

// Close ends the browsers of the pool, after all leases have ended; until then it waits.
func (p *Pool) Close() error {
	p.mu.Lock()
	p.closed = true
	for p.lent > 0 {
		wake := p.wake
		p.mu.Unlock()
		<-wake
		p.mu.Lock()
	}
	members := append(p.local, p.gone...)
	p.local, p.gone = nil, nil
	for _, e := range p.remotes {
		if e.m != nil {
			members = append(members, e.m)
			e.m = nil
		}
	}
	p.mu.Unlock()
	errs := make([]error, len(members))
	var all sync.WaitGroup
	for i, m := range members {
		all.Go(func() {
			died := m.b.Err() != nil
			if err := m.b.Close(); !died {
				errs[i] = err
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// Package gateway is a proxy on this machine through which a browser's context reaches the network, so that a policy about
// hosts holds for everything that a page can start: documents, sub-resources, redirects, frames, workers of all kinds,
// WebSockets, popups, downloads and the browser's own prefetching.
//
// Its one idea: the gateway connects to the very address that it has checked. The browser resolves no name at all, so a name
// that is public when it is looked at and private a moment later (DNS rebinding) leads nowhere: each connection is made to an
// address that passed, and never to a name.
package gateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"strings"
	"sync"
	"time"

	"retrace/replay/urlpolicy"
)

// dialTimeout bounds the way to one host.
const dialTimeout = 30 * time.Second

// maxRefused bounds what is remembered of a page that tries hosts without end.
const maxRefused = 100

// Gateway is a running proxy.
type Gateway struct {
	policy   *urlpolicy.Policy
	resolve  func(ctx context.Context, host string) ([]netip.Addr, error)
	listener net.Listener
	server   *http.Server
	forward  *httputil.ReverseProxy
	pool     *http.Transport
	work     sync.WaitGroup

	mu      sync.Mutex
	refused []Refused
	dropped int               // refusals that were not remembered
	tunnels map[net.Conn]bool // hijacked ones, which the server no longer knows
	closed  bool
}

// Refused is a host to which nothing was sent.
type Refused struct {
	Host, Port string
	// Why completes a sentence that begins with the host.
	Why string
	// Times counts the attempts.
	Times int
}

// Start listens on a free port of the loopback interface.
func Start(p *urlpolicy.Policy) (*Gateway, error) {
	return start(p, func(ctx context.Context, host string) ([]netip.Addr, error) {
		return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	})
}

func start(p *urlpolicy.Policy, resolve func(context.Context, string) ([]netip.Addr, error)) (*Gateway, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("gateway: %w", err)
	}
	g := &Gateway{policy: p, resolve: resolve, listener: l, tunnels: map[net.Conn]bool{}}
	g.pool = &http.Transport{DialContext: g.dial, DisableCompression: true, IdleConnTimeout: dialTimeout, MaxIdleConnsPerHost: 6}
	silent := log.New(io.Discard, "", 0) // addresses may hold secrets
	g.forward = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.Out.Host = r.In.Host }, Transport: g.pool, FlushInterval: -1, ErrorLog: silent,
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) { fail(w, err) },
	}
	g.server = &http.Server{Handler: http.HandlerFunc(g.serve), ErrorLog: silent, ReadHeaderTimeout: dialTimeout}
	g.work.Go(func() { _ = g.server.Serve(l) }) // returns when Close is called
	return g, nil
}

// Addr is the host and port to give to the browser as its proxy.
func (g *Gateway) Addr() string { return g.listener.Addr().String() }

// Refused are the hosts that were refused so far, in the order in which they came first, and how many attempts more there
// were than are remembered.
func (g *Gateway) Refused() (hosts []Refused, more int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]Refused(nil), g.refused...), g.dropped
}

// Close ends the gateway and every connection through it.
func (g *Gateway) Close() error {
	err := g.server.Close()
	g.mu.Lock()
	g.closed = true
	for c := range g.tunnels {
		_ = c.Close() // its goroutine notices
	}
	g.mu.Unlock()
	g.pool.CloseIdleConnections()
	g.work.Wait()
	return err
}

func (g *Gateway) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodConnect {
		g.tunnel(w, r)
		return
	}
	if !r.URL.IsAbs() || r.URL.Scheme != "http" || r.URL.Host == "" {
		http.Error(w, "this is a proxy", http.StatusBadRequest)
		return
	}
	// What the request says of its host is what the browser resolved; a Host header of another one changes nothing.
	if err := g.admit(r.URL.Hostname(), port(r.URL.Port(), "80")); err != nil {
		fail(w, err)
		return
	}
	g.forward.ServeHTTP(w, r)
}

func port(given, standard string) string {
	if given == "" {
		return standard
	}
	return given
}

// fail answers a request that leads nowhere. The page that asked learns no more than that.
func fail(w http.ResponseWriter, err error) {
	if _, ok := errors.AsType[*urlpolicy.Refusal](err); ok {
		http.Error(w, "refused by the rules of this run", http.StatusForbidden)
		return
	}
	http.Error(w, "the host cannot be reached", http.StatusBadGateway)
}

// tunnel passes bytes both ways: the browser speaks TLS, or the WebSocket protocol, with the host itself.
func (g *Gateway) tunnel(w http.ResponseWriter, r *http.Request) {
	host, to, err := net.SplitHostPort(r.Host)
	if err != nil {
		http.Error(w, "this is a proxy", http.StatusBadRequest)
		return
	}
	if err := g.admit(host, to); err != nil {
		fail(w, err)
		return
	}
	remote, err := g.dial(r.Context(), "tcp", r.Host)
	if err != nil {
		fail(w, err)
		return
	}
	defer remote.Close()
	client, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		fail(w, err)
		return
	}
	defer client.Close()
	if !g.keep(client, remote) {
		return
	}
	defer g.forget(client, remote)
	if _, err := client.Write([]byte("HTTP/1.1 200 Connection established\r\n\r\n")); err != nil {
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(remote, buffered) // either end may break off
		closeWrite(remote)
	}()
	_, _ = io.Copy(client, remote)
	closeWrite(client)
	_ = remote.Close() // frees the other direction when the host has hung up
	<-done
}

func closeWrite(c net.Conn) {
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite() // broken already, else
	}
}

// keep remembers a tunnel so that Close can end it; false when the gateway is closed.
func (g *Gateway) keep(conns ...net.Conn) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return false
	}
	g.work.Add(1)
	for _, c := range conns {
		g.tunnels[c] = true
	}
	return true
}

func (g *Gateway) forget(conns ...net.Conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, c := range conns {
		delete(g.tunnels, c)
	}
	g.work.Done()
}

// admit judges a host by its name and remembers a refusal.
func (g *Gateway) admit(host, port string) error {
	err := g.policy.CheckHost(host, port)
	g.note(host, port, err)
	return err
}

func (g *Gateway) note(host, port string, err error) {
	refusal, ok := errors.AsType[*urlpolicy.Refusal](err)
	if !ok {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for i := range g.refused {
		if r := &g.refused[i]; r.Host == host && r.Port == port {
			r.Times++
			return
		}
	}
	if len(g.refused) >= maxRefused {
		g.dropped++
		return
	}
	g.refused = append(g.refused, Refused{Host: host, Port: port, Why: refusal.Why, Times: 1})
}

// dial connects to an address of the host that the policy allows.
func (g *Gateway) dial(ctx context.Context, network, address string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("gateway: %w", err)
	}
	addrs, err := g.lookup(ctx, host)
	if err != nil {
		return nil, fmt.Errorf("gateway: %w", err)
	}
	var refused, failed error
	for _, a := range addrs {
		if err := g.policy.CheckAddr(a); err != nil {
			refused = err
			continue
		}
		var d net.Dialer
		c, err := d.DialContext(ctx, network, net.JoinHostPort(a.String(), port))
		if err == nil {
			return c, nil
		}
		failed = err
	}
	if failed != nil {
		return nil, fmt.Errorf("gateway: %w", failed)
	}
	if refused != nil {
		g.note(host, port, refused)
		return nil, refused
	}
	return nil, fmt.Errorf("gateway: %s has no address", host)
}

// lookup gives the addresses of a host. The names that mean this machine are not asked for.
func (g *Gateway) lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a.Unmap()}, nil
	}
	if urlpolicy.Loopback(strings.TrimSuffix(strings.ToLower(host), ".")) {
		return []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}, nil
	}
	addrs, err := g.resolve(ctx, host)
	for i := range addrs {
		addrs[i] = addrs[i].Unmap()
	}
	return addrs, err
}

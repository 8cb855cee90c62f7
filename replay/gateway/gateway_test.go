package gateway

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"retrace/replay/urlpolicy"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// begin starts a gateway in which every name has the addresses that names gives, one after the other.
func begin(t *testing.T, rules urlpolicy.Rules, names map[string][]string) (*Gateway, *http.Client) {
	t.Helper()
	p, err := urlpolicy.New(rules)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	g, err := start(p, func(_ context.Context, host string) ([]netip.Addr, error) {
		mu.Lock()
		defer mu.Unlock()
		list := names[host]
		if len(list) == 0 {
			return nil, &net.DNSError{Name: host, IsNotFound: true}
		}
		if len(list) > 1 {
			names[host] = list[1:]
		}
		return []netip.Addr{netip.MustParseAddr(list[0])}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	via := &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: g.Addr()}), DisableKeepAlives: true}
	t.Cleanup(func() {
		via.CloseIdleConnections()
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return g, &http.Client{Transport: via}
}

// host is a server that counts its connections.
func host(t *testing.T) (port string, connections func() int) {
	t.Helper()
	var mu sync.Mutex
	n := 0
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s %s", r.Host, r.URL.Path)
	}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			mu.Lock()
			n++
			mu.Unlock()
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	_, port, err := net.SplitHostPort(s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port, func() int {
		mu.Lock()
		defer mu.Unlock()
		return n
	}
}

func get(t *testing.T, c *http.Client, address string) (int, string) {
	t.Helper()
	res, err := c.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

func TestForward(t *testing.T) {
	port, _ := host(t)
	g, c := begin(t, urlpolicy.Rules{AllowHosts: []string{"shop.example"}}, map[string][]string{"shop.example": {"127.0.0.1"}, "evil.example": {"127.0.0.1"}})
	if status, body := get(t, c, "http://shop.example:"+port+"/x"); status != 200 || body != "shop.example:"+port+" /x" {
		t.Errorf("the allowed host: %d %q", status, body)
	}
	if status, body := get(t, c, "http://evil.example:"+port+"/x"); status != 403 || strings.Contains(body, "evil") {
		t.Errorf("another host: %d %q", status, body)
	}
	if status, _ := get(t, c, "http://evil.example:"+port+"/y"); status != 403 {
		t.Errorf("again: %d", status)
	}
	if got, more := g.Refused(); len(got) != 1 || got[0] != (Refused{"evil.example", port, "is none of the allowed hosts", 2}) || more != 0 {
		t.Errorf("refused %+v, %d more", got, more)
	}
	if status, _ := get(t, &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, "http://"+g.Addr()+"/"); status != 400 {
		t.Errorf("as a server: %d", status)
	}
}

// A name that is public when it is looked at first and private the next time is what DNS rebinding is.
func TestRebinding(t *testing.T) {
	port, connections := host(t)
	names := map[string][]string{"rebind.example": {"127.0.0.1"}, "mapped.example": {"::ffff:127.0.0.1"}}
	g, c := begin(t, urlpolicy.Rules{BlockPrivate: true}, names)
	for _, address := range []string{"http://rebind.example:" + port + "/", "http://mapped.example:" + port + "/", "http://localhost:" + port + "/", "http://127.1:" + port + "/"} {
		if status, _ := get(t, c, address); status != 403 {
			t.Errorf("%s: %d", address, status)
		}
	}
	if _, err := c.Get("https://rebind.example:" + port + "/"); err == nil {
		t.Error("a tunnel was opened")
	}
	if n := connections(); n != 0 {
		t.Errorf("%d connections", n)
	}
	if got, _ := g.Refused(); len(got) != 4 {
		t.Errorf("refused %+v", got)
	}
}

// open asks for a tunnel and gives the connection after the reply.
func open(t *testing.T, g *Gateway, to string) (net.Conn, *bufio.Reader, int) {
	t.Helper()
	conn, err := net.Dial("tcp", g.Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	fmt.Fprintf(conn, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", to, to)
	r := bufio.NewReader(conn)
	res, err := http.ReadResponse(r, &http.Request{Method: http.MethodConnect})
	if err != nil {
		t.Fatal(err)
	}
	return conn, r, res.StatusCode
}

func TestTunnel(t *testing.T) {
	port, connections := host(t)
	g, _ := begin(t, urlpolicy.Rules{AllowHosts: []string{"127.0.0.1:" + port}}, map[string][]string{})
	conn, r, status := open(t, g, "127.0.0.1:"+port)
	if status != 200 {
		t.Fatalf("status %d", status)
	}
	fmt.Fprint(conn, "GET /through HTTP/1.0\r\n\r\n")
	if answer, err := io.ReadAll(r); err != nil || !strings.HasSuffix(string(answer), " /through") {
		t.Errorf("%q, %v", answer, err)
	}
	for _, to := range []string{"127.0.0.1:1", "shop.example:443", "127.0.0.1", "[::1]:" + port} {
		if _, _, status := open(t, g, to); status/100 != 4 {
			t.Errorf("tunnel to %s: %d", to, status)
		}
	}
	if n := connections(); n != 1 {
		t.Errorf("%d connections", n)
	}
	open(t, g, "127.0.0.1:"+port) // left open: Close must end it
}

func TestUnreachable(t *testing.T) {
	g, c := begin(t, urlpolicy.Rules{AllowHosts: []string{"*"}}, map[string][]string{})
	if status, _ := get(t, c, "http://nowhere.example/"); status != 502 {
		t.Errorf("status %d", status)
	}
	if got, _ := g.Refused(); len(got) != 0 {
		t.Errorf("refused %+v", got)
	}
}

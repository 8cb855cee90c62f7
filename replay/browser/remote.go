package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/chromedp/chromedp"
)

// dialRemote connects to a browser that runs already. An address that does not name the browser's own WebSocket is asked for
// it at /json/version.
func dialRemote(ctx context.Context, address string) (chromedp.Transport, error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	ws, err := webSocketURL(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("finding the browser at %s: %w", Redact(address), withoutURL(err))
	}
	conn, err := dialWebSocket(ctx, ws)
	if err != nil {
		return nil, fmt.Errorf("connecting to the browser at %s: %w", Redact(address), withoutURL(err))
	}
	return conn, nil
}

// withoutURL takes the address, in which a key may stand, off the error of an HTTP client.
func withoutURL(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}

func webSocketURL(ctx context.Context, address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	switch u.Scheme {
	case "ws", "wss":
		if strings.Contains(u.Path, "/devtools/browser/") || u.Path != "" && u.Path != "/" || u.RawQuery != "" {
			return address, nil
		}
		u.Scheme = map[string]string{"ws": "http", "wss": "https"}[u.Scheme]
	case "http", "https":
	default:
		return "", fmt.Errorf("want a ws://, wss://, http:// or https:// address")
	}
	if u.Host, err = numericHost(ctx, u); err != nil {
		return "", err
	}
	u.Path, u.RawQuery = "/json/version", ""
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return "", err
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s answered %s", Redact(u.String()), resp.Status)
	}
	var version struct {
		WebSocketDebuggerURL string `json:"webSocketDebuggerUrl"`
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&version); err != nil {
		return "", fmt.Errorf("reading %s: %w", Redact(u.String()), err)
	}
	if version.WebSocketDebuggerURL == "" {
		return "", fmt.Errorf("%s names no webSocketDebuggerUrl", Redact(u.String()))
	}
	return version.WebSocketDebuggerURL, nil
}

// numericHost resolves the host of a plain http address: Chrome answers only when the Host header is an address or
// "localhost".
func numericHost(ctx context.Context, u *url.URL) (string, error) {
	host, port := u.Hostname(), u.Port()
	if u.Scheme == "https" || host == "localhost" || net.ParseIP(host) != nil {
		return u.Host, nil
	}
	addrs, err := net.DefaultResolver.LookupIPAddr(ctx, host)
	if err != nil {
		return "", err
	}
	if port == "" {
		port = "80"
	}
	return net.JoinHostPort(addrs[0].IP.String(), port), nil
}

package browser

import (
	"strings"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/network"
)

// Request is a request that a page sent.
type Request struct {
	Method string
	URL    string
	// Kind is what Chrome calls it: "Document", "Fetch", "XHR", "Script", "Image" …
	Kind string
	// Status is that of the answer; 0 while there is none.
	Status int
	// Failed is why there was no answer ("net::ERR_CONNECTION_REFUSED"); empty when there was one, or none yet.
	Failed string
}

// Requests are what pages asked for in some time.
type Requests struct {
	// Sent counts all of them, Parts those of them that only fetched a part of a page: scripts, styles, pictures, fonts.
	Sent, Parts int
	// List are the first of the others and of the parts that failed, in the order in which they were sent, or failed.
	List []Request
}

// Bounds of what is kept of requests.
const (
	maxRequests     = 20
	maxOpenRequests = 2000
)

// parts are the kinds of requests that fetch parts of a page.
var parts = map[string]bool{"Script": true, "Stylesheet": true, "Image": true, "Font": true, "Media": true, "Manifest": true, "TextTrack": true, "Prefetch": true, "SignedExchange": true}

// doing are the kinds of requests by which a page does something. Pictures, fonts and pings tell of nothing done.
var doing = map[string]bool{"Document": true, "XHR": true, "Fetch": true, "EventSource": true, "WebSocket": true, "Script": true, "Preflight": true}

// activity counts the requests by which a tab does something.
type activity struct {
	sent int64
	open map[string]bool
}

func (a *activity) begin(id, kind string) {
	if !doing[kind] {
		return
	}
	if a.open == nil {
		a.open = map[string]bool{}
	}
	a.sent++
	if len(a.open) < maxOpenRequests {
		a.open[id] = true
	}
}

func (a *activity) end(id string) { delete(a.open, id) }

// Activity is how many requests by which the tab does something (documents, scripts, what scripts ask for) it has sent, and how many
// of them have no answer yet. They are counted while the network domain is on.
func (p *Page) Activity() (sent int64, open int) {
	p.ctx.mu.Lock()
	defer p.ctx.mu.Unlock()
	return p.activity.sent, len(p.activity.open)
}

// requestLog keeps the requests of a context since it was looked at last.
type requestLog struct {
	now  Requests
	list []*Request
	open map[string]*Request // those without an answer, listed or not
}

func (l *requestLog) sent(id string, r Request) {
	if strings.HasPrefix(r.URL, "data:") || strings.HasPrefix(r.URL, "blob:") || strings.HasSuffix(r.URL, "/favicon.ico") && (parts[r.Kind] || r.Kind == "Other") {
		return // nothing is sent, or by the browser itself
	}
	if l.open == nil {
		l.open = map[string]*Request{}
	}
	r.URL = clip(r.URL, maxLineLength)
	l.now.Sent++
	if parts[r.Kind] {
		l.now.Parts++
	} else if len(l.list) < maxRequests {
		l.list = append(l.list, &r)
	}
	if len(l.open) < maxOpenRequests {
		l.open[id] = &r
	}
}

// ended notes how a request went; it may be noted twice.
func (l *requestLog) ended(id string, status int, failed string) {
	r := l.open[id]
	if r == nil {
		return
	}
	bad := failed != "" || status >= 400
	if bad && parts[r.Kind] && r.Status == 0 && len(l.list) < maxRequests {
		l.now.Parts-- // it is listed
		l.list = append(l.list, r)
	}
	if status != 0 {
		r.Status = status
	}
	r.Failed = failed
}

func (l *requestLog) take() Requests {
	out := l.now
	for _, r := range l.list {
		out.List = append(out.List, *r)
	}
	l.now, l.list = Requests{}, nil
	return out
}

// requested files the events of the network domain, which come when somebody has switched it on.
func (p *Page) requested(method string, params jsonv2.Value) {
	var ev struct {
		RequestID string `json:"requestId"`
		Type      string `json:"type"`
		FrameID   string `json:"frameId"`
		Request   struct {
			URL    string `json:"url"`
			Method string `json:"method"`
		} `json:"request"`
		Response struct {
			Status int `json:"status"`
		} `json:"response"`
		RedirectResponse *struct {
			Status int `json:"status"`
		} `json:"redirectResponse"`
		ErrorText string `json:"errorText"`
	}
	if jsonv2.Unmarshal(params, &ev) != nil {
		return
	}
	c := p.ctx
	c.mu.Lock()
	defer c.mu.Unlock()
	l := &c.sent
	switch method {
	case network.RequestWillBeSent.Method:
		if ev.RedirectResponse != nil {
			l.ended(ev.RequestID, ev.RedirectResponse.Status, "")
		}
		p.activity.begin(ev.RequestID, ev.Type)
		l.sent(ev.RequestID, Request{Method: ev.Request.Method, URL: ev.Request.URL, Kind: ev.Type})
	case network.ResponseReceived.Method:
		l.ended(ev.RequestID, ev.Response.Status, "")
		if ev.Type == "Document" && ev.FrameID != string(p.MainFrame()) {
			p.activity.end(ev.RequestID) // a frame of another process tells of the end in a session of its own
		}
	case network.LoadingFailed.Method:
		l.ended(ev.RequestID, 0, ev.ErrorText)
		delete(l.open, ev.RequestID)
		p.activity.end(ev.RequestID)
	case network.LoadingFinished.Method:
		delete(l.open, ev.RequestID)
		p.activity.end(ev.RequestID)
	}
}

// TakeRequests returns the requests of all tabs since the last call, as far as Chrome told of them: of tabs and frames for which the
// network domain is on.
func (c *Context) TakeRequests() Requests {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sent.take()
}

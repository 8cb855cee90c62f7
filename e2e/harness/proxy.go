package harness

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Fault is what a [Proxy] does to one command.
type Fault string

// The faults. None lets the command pass.
const (
	None   Fault = ""
	Drop   Fault = "drop"   // the browser never gets it
	Mute   Fault = "mute"   // the browser does it, and its reply is lost
	Refuse Fault = "refuse" // it is answered with an error, and the browser never gets it
	Garble Fault = "garble" // the browser does it, and its reply has another shape
	Babble Fault = "babble" // as Mute, and a message that is no JSON comes instead
	Repeat Fault = "repeat" // the browser gets it twice and replies twice
	Delay  Fault = "delay"  // the browser gets it half a second later
	Cut    Fault = "cut"    // the connection ends instead
	Lose   Fault = "lose"   // the browser does it, and the connection ends then
)

// lateness is how long Delay holds a command back.
const lateness = 500 * time.Millisecond

// Command is a command on its way to the browser, or an event on its way from it. Of the faults, an event suffers Drop, Repeat
// and Cut.
type Command struct {
	// Index counts the commands or the events of a connection from 0, Nth those of the same method.
	Index, Nth int
	Method     string
	Event      bool
}

// Proxy stands between a replay and the WebSocket of a browser and does harm to single commands.
type Proxy struct {
	// URL is the address to attach to.
	URL string

	target   *url.URL
	fault    func(Command) Fault
	tap      func(Message)
	listener net.Listener
	work     sync.WaitGroup

	mu       sync.Mutex
	commands []Command
	links    map[*link]bool
	closed   bool
}

// Message is a message that passed.
type Message struct {
	// Command is set for what went to the browser, else it is a reply or an event.
	Command bool
	Method  string // empty for replies
	Size    int    // in bytes
}

// NewTap starts a proxy that does no harm and tells of each message just before it goes on; the caller closes it. tap is called by
// several goroutines.
func NewTap(target string, tap func(Message)) (*Proxy, error) {
	return newProxy(target, func(Command) Fault { return None }, tap)
}

// NewProxy starts a proxy in front of a browser's ws:// address; the caller closes it. fault is asked for each command.
func NewProxy(target string, fault func(Command) Fault) (*Proxy, error) {
	return newProxy(target, fault, func(Message) {})
}

func newProxy(target string, fault func(Command) Fault, tap func(Message)) (*Proxy, error) {
	u, err := url.Parse(target)
	if err != nil {
		return nil, fmt.Errorf("proxy: %w", err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("proxy: %w", err)
	}
	p := &Proxy{URL: "ws://" + l.Addr().String() + u.Path, target: u, fault: fault, tap: tap, listener: l, links: map[*link]bool{}}
	p.work.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			p.work.Go(func() { p.serve(client) })
		}
	})
	return p, nil
}

// Commands are the commands and events that came, in their order.
func (p *Proxy) Commands() []Command {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]Command(nil), p.commands...)
}

// Close ends every connection and waits for their ends.
func (p *Proxy) Close() {
	_ = p.listener.Close()
	p.mu.Lock()
	p.closed = true
	for l := range p.links {
		l.cut()
	}
	p.mu.Unlock()
	p.work.Wait()
}

// link is one connection through the proxy.
type link struct {
	client, browser net.Conn
	mu              sync.Mutex // of writing
	spoilt          map[int64]Fault
}

func (l *link) cut() {
	_ = l.client.Close()
	_ = l.browser.Close()
}

// toBrowser and toClient write a message; a broken connection shows when it is read.
func (l *link) toBrowser(op byte, data []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = l.browser.Write(appendFrame(nil, op, data, true))
}

func (l *link) toClient(op byte, data []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = l.client.Write(appendFrame(nil, op, data, false))
}

func (p *Proxy) serve(client net.Conn) {
	browser, err := net.Dial("tcp", p.target.Host)
	if err != nil {
		_ = client.Close()
		return
	}
	l := &link{client: client, browser: browser, spoilt: map[int64]Fault{}}
	defer l.cut()
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return
	}
	p.links[l] = true
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.links, l)
	}()
	fromClient, fromBrowser := bufio.NewReader(client), bufio.NewReader(browser)
	request, err := http.ReadRequest(fromClient)
	if err != nil {
		return
	}
	request.Host, request.URL.Host = p.target.Host, p.target.Host
	request.Header.Del("Sec-WebSocket-Extensions")
	if err := request.Write(browser); err != nil {
		return
	}
	response, err := http.ReadResponse(fromBrowser, request)
	if err != nil {
		return
	}
	if err := response.Write(client); err != nil || response.StatusCode != http.StatusSwitchingProtocols {
		return
	}
	p.work.Go(func() {
		defer l.cut()
		p.replies(l, fromBrowser)
	})
	p.requests(l, fromClient)
}

// header is what the proxy reads of a message of the protocol.
type header struct {
	ID        int64  `json:"id"`
	Method    string `json:"method"`
	SessionID string `json:"sessionId"`
}

// nextMessage reads the next message of the protocol, and passes on all else that comes before it.
func nextMessage(r *bufio.Reader, rest *[]byte, pass func(op byte, data []byte)) (header, []byte, error) {
	for {
		op, data, err := readMessage(r, rest)
		if err != nil {
			return header{}, nil, err
		}
		var m header
		if op == opText && json.Unmarshal(data, &m) == nil {
			return m, data, nil
		}
		pass(op, data)
	}
}

// requests passes commands on until the connection ends.
func (p *Proxy) requests(l *link, r *bufio.Reader) {
	var rest []byte
	seen := map[string]int{}
	for index := 0; ; {
		m, data, err := nextMessage(r, &rest, l.toBrowser)
		if err != nil {
			return
		}
		p.tap(Message{Command: true, Method: m.Method, Size: len(data)})
		c := Command{Index: index, Nth: seen[m.Method], Method: m.Method}
		index++
		seen[m.Method]++
		p.note(c)
		f := p.fault(c)
		if f == Mute || f == Garble || f == Babble || f == Lose {
			l.mu.Lock()
			l.spoilt[m.ID] = f
			l.mu.Unlock()
		}
		switch f {
		case Drop:
		case Refuse:
			reply, err := json.Marshal(map[string]any{"id": m.ID, "sessionId": m.SessionID, "error": map[string]any{"code": -32000, "message": "refused by the proxy"}})
			if err != nil {
				panic(err) // texts and numbers can always be encoded
			}
			l.toClient(opText, reply)
		case Cut:
			return
		case Delay:
			p.work.Add(1)
			time.AfterFunc(lateness, func() {
				defer p.work.Done()
				l.toBrowser(opText, data)
			})
		case Repeat:
			l.toBrowser(opText, data)
			l.toBrowser(opText, data)
		default:
			l.toBrowser(opText, data)
		}
	}
}

// replies passes replies and events back until the connection ends.
func (p *Proxy) replies(l *link, r *bufio.Reader) {
	var rest []byte
	seen := map[string]int{}
	for index := 0; ; {
		m, data, err := nextMessage(r, &rest, l.toClient)
		if err != nil {
			return
		}
		p.tap(Message{Method: m.Method, Size: len(data)})
		var f Fault
		if m.ID != 0 {
			l.mu.Lock()
			f = l.spoilt[m.ID]
			l.mu.Unlock()
		} else {
			c := Command{Index: index, Nth: seen[m.Method], Method: m.Method, Event: true}
			index++
			seen[m.Method]++
			p.note(c)
			f = p.fault(c)
		}
		switch f {
		case Drop, Mute:
			continue
		case Garble:
			data = fmt.Appendf(nil, `{"id":%d,"sessionId":%q,"result":[1,{"nodes":"x"},null]}`, m.ID, m.SessionID)
		case Babble:
			data = []byte(`{"id":` + strings.Repeat("[", 64) + "\x00\xff")
		case Cut, Lose:
			return
		case Repeat:
			l.toClient(opText, data)
		}
		l.toClient(opText, data)
	}
}

func (p *Proxy) note(c Command) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.commands = append(p.commands, c)
}

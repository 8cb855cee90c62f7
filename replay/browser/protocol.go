package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/chromedp/cdproto"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"
)

// Message is one message of the DevTools protocol, as it is told to somebody who watches. What was typed, what stands in cookies
// and in bodies of requests, and credentials in headers have been replaced. An address that Chrome gives in two parts ("url",
// "urlFragment") is told as one: a secret with a "#" would be recognised in neither.
type Message struct {
	Time time.Time
	// Sent says that it went to the browser.
	Sent bool
	// Session is empty for the browser itself. ID is that of a command and of its reply, 0 for events.
	Session target.SessionID
	ID      int64
	// Method is also known for replies.
	Method string
	// Params are those of a command or an event, Result is that of a reply; both are JSON, and may be large.
	Params, Result []byte
	// Error is that of a reply.
	Error string
}

// hidden stands in the place of a text.
const hidden = "•••"

// watching reports whether anybody looks at messages.
func (c *conn) watching() bool {
	return c.watch != nil || c.log.Enabled(context.Background(), LevelProtocol)
}

// tell tells those who watch of a message. method is that of the command that a reply answers.
func (c *conn) tell(msg *cdproto.Message, sent bool, method string) {
	m := Message{Time: time.Now(), Sent: sent, Session: msg.SessionID, ID: msg.ID, Method: method}
	if len(msg.Params) > 0 {
		m.Params = redact(method, msg.Params)
	}
	if len(msg.Result) > 0 {
		m.Result = redact(method, msg.Result)
	}
	if msg.Error != nil {
		m.Error = msg.Error.Error()
	}
	if c.watch != nil {
		c.watch(m)
	}
	ctx := context.Background()
	if c.log.Enabled(ctx, LevelProtocol) {
		direction, body := "receive", m.Params
		if sent {
			direction = "send"
		}
		if body == nil {
			body = m.Result
		}
		c.log.Log(ctx, LevelProtocol, direction, "session", m.Session, "id", m.ID, "method", m.Method, "body", clip(string(body), 2000), "error", m.Error)
	}
}

// telling are members of messages that may hold what nobody else is to see: cookies, credentials, bodies of requests.
var telling = map[string]bool{
	"cookie": true, "set-cookie": true, "authorization": true, "proxy-authorization": true, "cookies": true, "associatedcookies": true, "blockedcookies": true,
	"postdata": true, "postdataentries": true, "password": true, "cookieline": true, "headerstext": true, "requestheaderstext": true,
}

// typing are members of commands of input that hold what is typed.
var typing = map[string]bool{"text": true, "unmodifiedText": true, "key": true, "code": true, "keyIdentifier": true, "windowsVirtualKeyCode": true, "nativeVirtualKeyCode": true, "commands": true}

// redact replaces what a message must not tell. A message that cannot be read is left out.
func redact(method string, raw jsonv2.Value) []byte {
	input := strings.HasPrefix(method, "Input.")
	if !input && !bytes.Contains(raw, []byte(`"urlFragment"`)) && !strings.HasPrefix(method, "Network.") && !strings.HasPrefix(method, "Fetch.") && !strings.HasPrefix(method, "Storage.") {
		return raw
	}
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return []byte(`"` + hidden + `"`)
	}
	members, _ := v.(map[string]any)
	if input && members != nil {
		key, _ := members["key"].(string)
		if method != "Input.dispatchKeyEvent" || len([]rune(key)) <= 1 { // keys with names type nothing
			for name := range members {
				if typing[name] {
					members[name] = hidden
				}
			}
		}
	}
	hide(v)
	out, err := json.Marshal(v)
	if err != nil { // not reached: it was JSON
		return []byte(`"` + hidden + `"`)
	}
	return out
}

// hide replaces telling members at any depth, and joins the parts of addresses. A header is also told as an object of name and value.
func hide(v any) {
	switch v := v.(type) {
	case map[string]any:
		address, whole := v["url"].(string)
		if fragment, ok := v["urlFragment"].(string); ok && whole {
			v["url"] = address + fragment
			delete(v, "urlFragment")
		}
		if name, ok := v["name"].(string); ok && telling[strings.ToLower(name)] {
			v["value"] = hidden
		}
		for name, inner := range v {
			if telling[strings.ToLower(name)] {
				v[name] = hidden
				continue
			}
			hide(inner)
		}
	case []any:
		for _, inner := range v {
			hide(inner)
		}
	}
}

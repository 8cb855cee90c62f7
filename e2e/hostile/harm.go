package hostile

import (
	"context"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp/remote"
)

// line is a connection of the test's own to the browser.
type line struct {
	conn *remote.Conn
	id   int64
}

func (c *Chrome) dial(ctx context.Context) (*line, error) {
	conn, err := remote.DialContext(ctx, c.URL)
	if err != nil {
		return nil, fmt.Errorf("reaching the browser: %w", err)
	}
	return &line{conn: conn}, nil
}

// send sends a command without waiting for its reply.
func (l *line) send(ctx context.Context, session target.SessionID, method string, params any) error {
	l.id++
	msg := &cdproto.Message{ID: l.id, SessionID: session, Method: cdproto.MethodType(method)}
	if params != nil {
		raw, err := jsonv2.Marshal(params)
		if err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		msg.Params = raw
	}
	if err := l.conn.Write(ctx, msg); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return nil
}

// call sends a command to the browser itself and reads its reply.
func (l *line) call(ctx context.Context, method string, params, result any) error {
	if err := l.send(ctx, "", method, params); err != nil {
		return err
	}
	for {
		var msg cdproto.Message
		if err := l.conn.Read(ctx, &msg); err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		switch {
		case msg.ID != l.id:
		case msg.Error != nil:
			return fmt.Errorf("%s: %w", method, msg.Error)
		case result == nil:
			return nil
		default:
			return jsonv2.Unmarshal(msg.Result, result)
		}
	}
}

// tabs are the tabs whose address is url.
func (l *line) tabs(ctx context.Context, url string) ([]target.ID, error) {
	var res target.GetTargetsResult
	if err := l.call(ctx, target.CommandGetTargets, nil, &res); err != nil {
		return nil, err
	}
	var out []target.ID
	for _, info := range res.TargetInfos {
		if info.Type == "page" && info.URL == url {
			out = append(out, info.TargetID)
		}
	}
	return out, nil
}

// tab is the one tab whose address is url.
func (l *line) tab(ctx context.Context, url string) (target.ID, error) {
	tabs, err := l.tabs(ctx, url)
	if err == nil && len(tabs) != 1 {
		err = fmt.Errorf("%d tabs show %s", len(tabs), url)
	}
	if err != nil {
		return "", err
	}
	return tabs[0], nil
}

// CrashTab crashes the renderer of the tab that shows url and waits until it has.
func (c *Chrome) CrashTab(ctx context.Context, url string) error {
	l, err := c.dial(ctx)
	if err != nil {
		return err
	}
	defer l.conn.Close()
	id, err := l.tab(ctx, url)
	if err != nil {
		return err
	}
	var res target.AttachToTargetResult
	if err := l.call(ctx, target.CommandAttachToTarget, target.AttachToTargetParams{TargetID: id, Flatten: new(true)}, &res); err != nil {
		return err
	}
	for _, method := range []string{inspector.CommandEnable, page.CommandCrash} { // the last of which is not answered
		if err := l.send(ctx, res.SessionID, method, nil); err != nil {
			return err
		}
	}
	for { // a connection that ends earlier takes its order back
		var msg cdproto.Message
		if err := l.conn.Read(ctx, &msg); err != nil {
			return fmt.Errorf("crashing the tab: %w", err)
		}
		if string(msg.Method) == inspector.TargetCrashed.Method {
			return nil
		}
	}
}

// CloseTab closes the tab that shows url.
func (c *Chrome) CloseTab(ctx context.Context, url string) error {
	l, err := c.dial(ctx)
	if err != nil {
		return err
	}
	defer l.conn.Close()
	id, err := l.tab(ctx, url)
	if err != nil {
		return err
	}
	return l.call(ctx, target.CommandCloseTarget, target.CloseTargetParams{TargetID: id}, nil)
}

// Contexts counts the browser contexts beside the default one: those that a replay left behind.
func (c *Chrome) Contexts(ctx context.Context) (int, error) {
	l, err := c.dial(ctx)
	if err != nil {
		return 0, err
	}
	defer l.conn.Close()
	var res target.GetBrowserContextsResult
	if err := l.call(ctx, target.CommandGetBrowserContexts, nil, &res); err != nil {
		return 0, errors.Join(errors.New("counting the browser contexts"), err)
	}
	return len(res.BrowserContextIDs), nil
}

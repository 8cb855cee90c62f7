package browser

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
)

// Download is a file that a page gave to save.
type Download struct {
	// GUID is Chrome's id of it; URL where it came from; SuggestedName the page's name for it, untrusted.
	GUID, URL, SuggestedName string
	// Path is the complete file in the context's download directory; empty when there is none. Its last part is the suggested
	// name made safe, with a number when the name was taken.
	Path string
	// State is "inProgress", "completed" or "canceled" (also when downloads are denied).
	State string
	// TooLarge is set when it exceeded the limit of the context; nothing of it is kept then.
	TooLarge bool

	bytes int64 // received so far
}

// DefaultDownloadLimit is how many bytes the downloads of a context may have together when its options say nothing.
const DefaultDownloadLimit = 256 << 20

// maxDownloads bounds what is remembered of a page that starts downloads without end.
const maxDownloads = 200

// downloadLog keeps the downloads of a context until they are taken.
type downloadLog struct {
	list  []Download
	taken int64 // bytes of the downloads that were taken
}

// bytes are what all downloads have so far.
func (l *downloadLog) bytes() int64 {
	n := l.taken
	for i := range l.list {
		n += l.list[i].bytes
	}
	return n
}

func (l *downloadLog) find(guid string) *Download {
	for i := range l.list {
		if l.list[i].GUID == guid {
			return &l.list[i]
		}
	}
	return nil
}

// downloadWillBegin runs in the read loop. The event names a frame and no context, so the tab of the frame tells.
func (b *Browser) downloadWillBegin(ev *cdpbrowser.EventDownloadWillBegin) {
	c := b.contextOfFrame(ev)
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.downloads.list) >= maxDownloads {
		c.cancelDownload(ev.GUID)
		return
	}
	c.downloads.list = append(c.downloads.list, Download{
		GUID: ev.GUID, URL: clip(ev.URL, 2000), SuggestedName: clip(ev.SuggestedFilename, 300),
		State: string(cdpbrowser.DownloadProgressStateInProgress),
	})
	c.notify()
}

func (b *Browser) contextOfFrame(ev *cdpbrowser.EventDownloadWillBegin) *Context {
	b.mu.Lock()
	defer b.mu.Unlock()
	var only *Context
	for _, c := range b.contexts {
		if c.hasFrame(ev.FrameID) {
			return c
		}
		only = c
	}
	if len(b.contexts) == 1 {
		return only // the frame may be gone already, as with a link that opens a tab for the download
	}
	return nil
}

func (b *Browser) downloadProgress(ev *cdpbrowser.EventDownloadProgress) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.contexts {
		c.mu.Lock()
		if d := c.downloads.find(ev.GUID); d != nil {
			d.State = string(ev.State)
			c.measure(d, ev)
			c.notify()
		}
		c.mu.Unlock()
	}
}

// measure cancels a download that has become too large, or says that it will. Call it with c.mu held.
func (c *Context) measure(d *Download, ev *cdpbrowser.EventDownloadProgress) {
	if d.TooLarge {
		return
	}
	limit := float64(c.opts.DownloadLimit - c.downloads.bytes() + d.bytes)
	if ev.ReceivedBytes <= limit && ev.TotalBytes <= limit {
		d.bytes = int64(max(ev.ReceivedBytes, 0))
		return
	}
	d.TooLarge, d.bytes = true, 0
	if ev.State == cdpbrowser.DownloadProgressStateInProgress {
		c.cancelDownload(d.GUID)
	}
}

// cancelDownload sends the order without waiting in the read loop.
func (c *Context) cancelDownload(guid string) {
	c.b.spawn(func() {
		ctx, cancel := context.WithTimeout(context.Background(), disposeDeadline)
		defer cancel()
		if _, err := cdp.Call(ctx, c.b.root, cdpbrowser.CancelDownload, cdpbrowser.CancelDownloadParams{GUID: guid, BrowserContextID: c.id}); err != nil {
			c.b.log.Debug("cancelling a download", "error", err) // it may have ended by itself
		}
	})
}

// TakeDownloads returns the downloads that have ended since the last call, in the order in which they began; those that still
// run are left for a later call. Complete files get their name now.
func (c *Context) TakeDownloads() []Download {
	c.mu.Lock()
	var ended, running []Download
	for _, d := range c.downloads.list {
		if d.State == string(cdpbrowser.DownloadProgressStateInProgress) {
			running = append(running, d)
		} else {
			ended = append(ended, d)
			c.downloads.taken += d.bytes
		}
	}
	c.downloads.list = running
	c.mu.Unlock()
	for i := range ended {
		d := &ended[i]
		if d.State != string(cdpbrowser.DownloadProgressStateCompleted) || c.opts.DownloadDir == "" {
			continue
		}
		if d.TooLarge {
			if err := discard(c.opts.DownloadDir, d.GUID); err != nil {
				c.b.log.Warn("removing a download that is too large", "error", err)
			}
			continue
		}
		name := d.SuggestedName
		if c.opts.DownloadName != nil {
			name = c.opts.DownloadName(name)
		}
		path, err := place(c.opts.DownloadDir, d.GUID, name)
		if err != nil {
			c.b.log.Warn("naming a download", "error", err)
			continue
		}
		d.Path = path
	}
	return ended
}

// RunningDownloads is how many downloads have begun and not ended.
func (c *Context) RunningDownloads() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, d := range c.downloads.list {
		if d.State == string(cdpbrowser.DownloadProgressStateInProgress) {
			n++
		}
	}
	return n
}

// discard removes the file that Chrome named by its guid.
func discard(dir, guid string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return root.Remove(guid)
}

// place moves the file that Chrome named by its guid to a free name like the suggested one.
func place(dir, guid, suggested string) (string, error) {
	from := filepath.Join(dir, guid)
	if filepath.Base(guid) != guid || guid == "." || guid == ".." {
		return "", fmt.Errorf("download %q: not a plain name", guid)
	}
	name := safeName(suggested)
	ext := filepath.Ext(name)
	for n := 0; n < 1000; n++ {
		candidate := name
		if n > 0 {
			candidate = fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(name, ext), n, ext)
		}
		to := filepath.Join(dir, candidate)
		// Taking the name first keeps two runs with one directory from overwriting each other's files.
		f, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("download %q: %w", name, err)
		}
		f.Close()
		if err := os.Rename(from, to); err != nil {
			os.Remove(to)
			return "", fmt.Errorf("download %q: %w", name, err)
		}
		return to, nil
	}
	return "", fmt.Errorf("download %q: no free name in %s", name, dir)
}

// safeName makes a file name of whatever a page suggests: no path, no control or reserved characters, no leading or trailing
// dots or spaces, no device name of Windows, at most 120 bytes with the extension kept.
func safeName(suggested string) string {
	name := suggested
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	name = strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(`<>:"|?*`, r):
			return '_'
		case r == unicode.ReplacementChar, !unicode.IsPrint(r):
			return -1
		}
		return r
	}, name)
	name = strings.Trim(name, " .~")
	stem, _, _ := strings.Cut(strings.ToUpper(name), ".")
	switch stem {
	case "CON", "PRN", "AUX", "NUL":
		name = "_" + name
	default:
		if len(stem) == 4 && (strings.HasPrefix(stem, "COM") || strings.HasPrefix(stem, "LPT")) && stem[3] >= '0' && stem[3] <= '9' {
			name = "_" + name
		}
	}
	if len(name) > 120 {
		ext := filepath.Ext(name)
		if len(ext) > 16 {
			ext = ""
		}
		name = strings.TrimSuffix(clip(strings.TrimSuffix(name, ext), 120-len(ext)), "…") + ext
	}
	if name == "" {
		return "download"
	}
	return name
}

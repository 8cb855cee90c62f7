package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// loadGrace is how long a parsed document may take to fire its load event: a picture that never comes must not hold a replay.
const loadGrace = 3 * time.Second

// Navigate goes to the URL and waits until the new document is parsed (DOMContentLoaded), then up to three seconds more for its
// load event. An address that differs from the current one in its fragment only stays in the document. A status such as 404 is
// no error. The error is a [*NavigationError] when no document came: a network error, a download, HTTP 204, or the old page's
// refusal.
func (p *Page) Navigate(ctx context.Context, url string) error {
	mark := p.Mark()
	res, err := cdp.Call(ctx, p.s, page.Navigate, page.NavigateParams{URL: url})
	if err != nil {
		return fmt.Errorf("navigating to %s: %w", url, err)
	}
	if res.ErrorText != "" {
		err := &NavigationError{URL: url, Kind: NavigationFailed, Net: res.ErrorText}
		if !strings.HasSuffix(res.ErrorText, "ERR_ABORTED") {
			return err
		}
		p.mu.Lock()
		refused := p.refusals > mark.refusals
		overtaken := p.nav.mainDocuments > mark.mainDocuments || p.nav.pending(p.MainFrame()) != nil
		p.mu.Unlock()
		switch {
		case res.IsDownload:
			err.Kind = NavigationDownload
			return err
		case refused:
			err.Kind = NavigationCancelled
			return err
		case !overtaken:
			err.Kind = NavigationNoContent
			return err
		}
		// The page went elsewhere meanwhile; what it went to counts.
	} else if res.LoaderID == "" {
		return nil // stayed in the document
	}
	return p.arrive(ctx, mark, "navigating to "+url)
}

// Reload loads the current document again and waits as [Page.Navigate] does.
func (p *Page) Reload(ctx context.Context) error {
	mark := p.Mark()
	what := "reloading " + p.URL()
	if _, err := cdp.Call(ctx, p.s, page.Reload, page.ReloadParams{}); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return p.arrive(ctx, mark, what)
}

// Traverse goes to the entry of the tab's history that has the URL: the nearest one before the current entry, else the nearest
// after it. It waits as [Page.Navigate] does. The error is ErrNoHistoryEntry when there is none.
func (p *Page) Traverse(ctx context.Context, url string) error {
	what := "going back or forward to " + url
	mark := p.Mark()
	history, err := cdp.Call(ctx, p.s, page.GetNavigationHistory, cdp.Empty{})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	entry := historyEntry(history.Entries, int(history.CurrentIndex), url)
	if entry == nil {
		return fmt.Errorf("%s: %w", what, ErrNoHistoryEntry)
	}
	if _, err := cdp.Call(ctx, p.s, page.NavigateToHistoryEntry, page.NavigateToHistoryEntryParams{EntryID: entry.ID}); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return p.arrive(ctx, mark, what)
}

// historyEntry chooses the entry to go to; nil when no other entry has the URL.
func historyEntry(entries []*page.NavigationEntry, current int, url string) *page.NavigationEntry {
	for i := min(current, len(entries)) - 1; i >= 0; i-- {
		if entries[i].URL == url {
			return entries[i]
		}
	}
	for i := current + 1; i < len(entries); i++ {
		if entries[i].URL == url {
			return entries[i]
		}
	}
	return nil
}

// arrive waits for the end of a navigation of the top frame that was asked for after the mark.
func (p *Page) arrive(ctx context.Context, mark Mark, what string) error {
	var fruitless bool
	err := p.await(ctx, func() bool {
		if p.nav.within > mark.within {
			return true
		}
		n := p.nav.last[p.MainFrame()]
		if p.nav.mainDocuments > mark.mainDocuments {
			return n == nil || n.ended || n.committed && n.parsed
		}
		fruitless = p.nav.fruitless > mark.fruitless && p.nav.pending(p.MainFrame()) == nil || p.refusals > mark.refusals
		return fruitless
	})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if fruitless {
		return fmt.Errorf("%s: no document came", what)
	}
	return p.awaitLoad(ctx, what)
}

// awaitLoad gives the parsed document its time to fire load.
func (p *Page) awaitLoad(ctx context.Context, what string) error {
	grace, cancel := context.WithTimeout(ctx, loadGrace)
	defer cancel()
	err := p.await(grace, func() bool {
		n := p.nav.last[p.MainFrame()]
		return n == nil || n.ended || n.loaded
	})
	if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return nil // parsed, and usable
	}
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

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
	switch {
	case res.ErrorText != "":
		if !strings.HasSuffix(res.ErrorText, "ERR_ABORTED") {
			// Chrome shows an error page now. Once it is there, the tab is at rest.
			short, cancel := context.WithTimeout(ctx, requestCap)
			defer cancel()
			err := p.await(short, func() bool { return p.nav.mainDocuments > mark.mainDocuments })
			if err != nil && short.Err() == nil {
				return fmt.Errorf("navigating to %s: %w", url, err)
			}
			return &NavigationError{URL: url, Kind: NavigationFailed, Net: res.ErrorText}
		}
		return p.aborted(ctx, mark, url, res)
	case res.LoaderID == "":
		// Within the document; the event that tells the new address comes about now.
		short, cancel := context.WithTimeout(ctx, requestCap)
		defer cancel()
		err := p.await(short, func() bool { return p.nav.within > mark.within })
		if err != nil && short.Err() == nil {
			return fmt.Errorf("navigating to %s: %w", url, err)
		}
		return nil
	}
	return p.arrive(ctx, mark, "navigating to", url)
}

// aborted finds out what a navigation that Chrome calls aborted came to.
func (p *Page) aborted(ctx context.Context, mark Mark, url string, res page.NavigateResult) error {
	fail := &NavigationError{URL: url, Net: res.ErrorText}
	// The reply comes before the event that ends the navigation.
	short, cancel := context.WithTimeout(ctx, requestCap)
	defer cancel()
	var refused, overtaken bool
	err := p.await(short, func() bool {
		n := p.nav.pending(p.MainFrame())
		refused = p.refusals > mark.refusals
		overtaken = p.nav.mainDocuments > mark.mainDocuments || n != nil && n.loader != "" && n.loader != res.LoaderID
		return refused || overtaken || n == nil
	})
	if err != nil && short.Err() == nil {
		return fmt.Errorf("navigating to %s: %w", url, err)
	}
	switch {
	case res.IsDownload:
		fail.Kind = NavigationDownload
	case refused:
		fail.Kind = NavigationCancelled
	case overtaken:
		// The page went elsewhere meanwhile; what it went to counts.
		return p.arrive(ctx, mark, "navigating to", url)
	default:
		fail.Kind = NavigationNoContent
	}
	return fail
}

// Reload loads the current document again and waits as [Page.Navigate] does.
func (p *Page) Reload(ctx context.Context) error {
	mark := p.Mark()
	url := p.URL()
	if _, err := cdp.Call(ctx, p.s, page.Reload, page.ReloadParams{}); err != nil {
		return fmt.Errorf("reloading %s: %w", url, err)
	}
	return p.arrive(ctx, mark, "reloading", url)
}

// Traverse goes to the entry of the tab's history that has the URL: the nearest one before the current entry, else the nearest
// after it. It waits as [Page.Navigate] does. The error is ErrNoHistoryEntry when there is none.
func (p *Page) Traverse(ctx context.Context, url string) error {
	mark := p.Mark()
	history, err := cdp.Call(ctx, p.s, page.GetNavigationHistory, cdp.Empty{})
	if err != nil {
		return fmt.Errorf("going back or forward to %s: %w", url, err)
	}
	entry := historyEntry(history.Entries, int(history.CurrentIndex), url)
	if entry == nil {
		return fmt.Errorf("going back or forward to %s: %w", url, ErrNoHistoryEntry)
	}
	if _, err := cdp.Call(ctx, p.s, page.NavigateToHistoryEntry, page.NavigateToHistoryEntryParams{EntryID: entry.ID}); err != nil {
		return fmt.Errorf("going back or forward to %s: %w", url, err)
	}
	return p.arrive(ctx, mark, "going back or forward to", url)
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
func (p *Page) arrive(ctx context.Context, mark Mark, what, url string) error {
	var refused, fruitless bool
	err := p.await(ctx, func() bool {
		if p.nav.within > mark.within {
			return true
		}
		n := p.nav.last[p.MainFrame()]
		if p.nav.mainDocuments > mark.mainDocuments {
			return n == nil || n.ended || n.committed && n.parsed
		}
		refused = p.refusals > mark.refusals
		fruitless = p.nav.fruitless > mark.fruitless && p.nav.pending(p.MainFrame()) == nil
		return refused || fruitless
	})
	switch {
	case err != nil:
		return fmt.Errorf("%s %s: %w", what, url, err)
	case refused:
		return &NavigationError{URL: url, Kind: NavigationCancelled}
	case fruitless:
		return &NavigationError{URL: url, Kind: NavigationNoContent}
	}
	if err := p.awaitLoad(ctx); err != nil {
		return fmt.Errorf("%s %s: %w", what, url, err)
	}
	return nil
}

// awaitLoad gives the parsed document its time to fire load.
func (p *Page) awaitLoad(ctx context.Context) error {
	grace, cancel := context.WithTimeout(ctx, loadGrace)
	defer cancel()
	err := p.await(grace, func() bool {
		n := p.nav.last[p.MainFrame()]
		return n == nil || n.ended || n.loaded
	})
	if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return nil // parsed, and usable
	}
	return err
}

package browser

import (
	"bytes"

	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/inspector"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// handle files the events of the tab and of its out-of-process frames. It runs in the read loop: it takes the tab's lock for
// moments only, and sends nothing.
func (p *Page) handle(s *session, method string, params jsonv2.Value) {
	log := p.ctx.b.log
	switch method {
	case runtime.ConsoleAPICalled.Method:
		p.consoleCalled(method, params)
	case runtime.ExceptionThrown.Method:
		p.exceptionThrown(method, params)
	case cdplog.EntryAdded.Method:
		p.entryAdded(method, params)
	case network.RequestWillBeSent.Method, network.ResponseReceived.Method:
		p.requested(method, params)
	case network.LoadingFailed.Method, network.LoadingFinished.Method:
		p.requested(method, params)
		p.file(func() {})

	case fetch.RequestPaused.Method:
		decode(log, method, params, func(ev *fetch.EventRequestPaused) { p.paused(s, ev) })
	case target.AttachedToTarget.Method:
		decode(log, method, params, p.attachedFrame)
	case target.DetachedFromTarget.Method:
		decode(log, method, params, func(ev *target.EventDetachedFromTarget) { p.detachedFrame(ev.SessionID) })
	case inspector.TargetCrashed.Method:
		if s == p.s {
			p.crash()
		} else {
			s.end(ErrPageCrashed)
		}

	case page.JavascriptDialogOpening.Method:
		p.file(func() {})
		decode(log, method, params, func(ev *page.EventJavascriptDialogOpening) { p.dialogOpening(s, ev) })
	case page.WindowOpen.Method:
		decode(log, method, params, p.windowOpen)

	case page.FrameRequestedNavigation.Method:
		decode(log, method, params, func(ev *page.EventFrameRequestedNavigation) {
			if ev.Disposition == page.ClientNavigationDispositionCurrentTab {
				p.file(func() { p.nav.requested(ev.FrameID) })
			}
		})
	case page.FrameStartedNavigating.Method:
		decode(log, method, params, func(ev *page.EventFrameStartedNavigating) {
			same := ev.NavigationType == page.FrameStartedNavigatingNavigationTypeSameDocument ||
				ev.NavigationType == page.FrameStartedNavigatingNavigationTypeHistorySameDocument
			p.file(func() { p.nav.started(ev.FrameID, ev.LoaderID, same) })
		})
	case page.FrameStartedLoading.Method:
		decode(log, method, params, func(ev *page.EventFrameStartedLoading) {
			p.file(func() { p.nav.loading(ev.FrameID) })
		})
	case page.FrameStoppedLoading.Method:
		decode(log, method, params, func(ev *page.EventFrameStoppedLoading) {
			p.file(func() { p.nav.stopped(ev.FrameID) })
		})
	case page.FrameNavigated.Method:
		decode(log, method, params, func(ev *page.EventFrameNavigated) {
			if ev.Frame != nil {
				p.file(func() { p.navigated(s, ev.Frame) })
			}
		})
	case page.NavigatedWithinDocument.Method:
		decode(log, method, params, func(ev *page.EventNavigatedWithinDocument) {
			p.file(func() {
				p.layout++
				if ev.FrameID == p.MainFrame() {
					p.url = ev.URL
				}
				p.nav.withinDocument(ev.FrameID)
			})
		})
	case page.DocumentOpened.Method:
		p.file(func() { p.layout++ })
	case page.LifecycleEvent.Method:
		// Most lifecycle events (paints, idles) say nothing here.
		if bytes.Contains(params, []byte(`"DOMContentLoaded"`)) || bytes.Contains(params, []byte(`"load"`)) {
			decode(log, method, params, func(ev *page.EventLifecycleEvent) {
				p.file(func() { p.nav.lifecycle(ev.FrameID, ev.LoaderID, ev.Name) })
			})
		}
	case page.FrameAttached.Method:
		decode(log, method, params, func(ev *page.EventFrameAttached) {
			p.file(func() {
				p.layout++
				f := p.frame(ev.FrameID)
				f.s, f.parent = s, ev.ParentFrameID
			})
		})
	case page.FrameDetached.Method:
		decode(log, method, params, func(ev *page.EventFrameDetached) {
			if ev.Reason != page.FrameDetachedReasonSwap {
				p.file(func() {
					p.layout++
					p.dropFrame(ev.FrameID)
				})
			}
		})

	case runtime.ExecutionContextCreated.Method:
		if bytes.Contains(params, []byte(`"`+worldName+`"`)) {
			decode(log, method, params, func(ev *runtime.EventExecutionContextCreated) { p.worldCreated(s, ev) })
		}
	case runtime.ExecutionContextDestroyed.Method:
		decode(log, method, params, func(ev *runtime.EventExecutionContextDestroyed) {
			p.worldDestroyed(s, ev.ExecutionContextUniqueID)
		})
	case runtime.ExecutionContextsCleared.Method:
		p.worldsCleared(s)
	}
}

// file changes the state of the tab and wakes those who wait for it.
func (p *Page) file(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
	p.notify()
}

// navigated files a new document. Call it with p.mu held.
func (p *Page) navigated(s *session, f *cdp.Frame) {
	p.layout++
	if f.ID == p.MainFrame() {
		p.url = f.URL + f.URLFragment
		if f.UnreachableURL != "" {
			p.url = f.UnreachableURL
		}
	}
	fr := p.frame(f.ID)
	fr.s, fr.url = s, f.URL+f.URLFragment
	if f.ParentID != "" {
		fr.parent = f.ParentID
	}
	p.nav.navigated(f.ID, f.LoaderID)
}

// windowOpen remembers what the next popup is to show.
func (p *Page) windowOpen(ev *page.EventWindowOpen) {
	p.ctx.mu.Lock()
	defer p.ctx.mu.Unlock()
	if len(p.ctx.popupURLs) < 16 { // calls that were blocked bring no tab
		p.ctx.popupURLs = append(p.ctx.popupURLs, ev.URL)
	}
}

// Package browser runs Chrome for a replay: it starts or attaches to a browser, keeps its tabs and frames in view, answers
// dialogs, notices deaths, and navigates. It knows nothing of recordings.
//
// # The one idea
//
// Every target that matters has a session of its own, opened by Chrome and not by us: tabs are attached while they are still
// paused, and so are the out-of-process iframes inside them, at any depth. So a popup or a late iframe is prepared before its
// first script runs, and nothing is looked up by polling. One goroutine reads the connection and only files what it reads;
// everything that sends a command runs elsewhere. A page that floods us with events therefore costs time and never a deadlock.
//
// # Words
//
// A [Browser] is one Chrome process, or one that somebody else started. A [Context] is an isolated profile in it: its own
// cookies, storage, tabs and downloads; a replay gets one. A [Page] is a tab. A [Frame] is one document of a tab, with the
// session in which its ids mean something. A [Mark] is a point in the event stream of a tab, taken before an input, from
// which [Page.Settle] tells what the input set off.
//
// # What ends a call
//
// A command waits for its reply as long as its context lets it, and no longer than its target lives: when the tab closes, its
// renderer crashes or the browser dies, every running and later call fails at once with [ErrPageClosed], [ErrPageCrashed] or
// [ErrBrowserDied]. A frame that left its tab fails with [ErrFrameDetached].
package browser

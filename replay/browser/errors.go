package browser

import (
	"errors"
	"fmt"
	"strings"
)

// Errors of calls whose target is gone. They are wrapped with what was called.
var (
	// ErrPageClosed says that the tab was closed, by us or by the page.
	ErrPageClosed = errors.New("page closed")
	// ErrPageCrashed says that the renderer of the tab, or of the out-of-process frame, crashed.
	ErrPageCrashed = errors.New("page crashed")
	// ErrFrameDetached says that an out-of-process frame left its tab or moved to another process.
	ErrFrameDetached = errors.New("frame detached")
	// ErrBrowserDied says that the browser process ended or its connection was lost without our asking.
	ErrBrowserDied = errors.New("browser died")
	// ErrBrowserClosed says that the browser was closed with [Browser.Close].
	ErrBrowserClosed = errors.New("browser closed")
	// ErrNoHistoryEntry says that the tab's history holds no entry with the wanted URL.
	ErrNoHistoryEntry = errors.New("no history entry with this url")
)

// NotFoundError says that no browser was found, and where it was looked for.
type NotFoundError struct {
	// Tried are the names and paths that were looked at, in order, each with the reason why it was no good if it is not plain
	// absence.
	Tried []string
}

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("no Chrome or Chromium found (tried %s); install one with: retrace browser install", strings.Join(e.Tried, ", "))
}

// NavigationKind says how a navigation failed to bring a new document.
type NavigationKind string

// Kinds of a [NavigationError].
const (
	// NavigationFailed is a network error: the server could not be reached, the certificate is bad, the name does not resolve.
	NavigationFailed NavigationKind = "failed"
	// NavigationDownload is a response that became a download; the old document stays.
	NavigationDownload NavigationKind = "download"
	// NavigationNoContent is a response without a document (HTTP 204 or 205); the old document stays.
	NavigationNoContent NavigationKind = "no_content"
	// NavigationCancelled is a navigation that the old document refused (a dismissed beforeunload dialog).
	NavigationCancelled NavigationKind = "cancelled"
)

// NavigationError says that a navigation brought no new document of the wanted URL.
type NavigationError struct {
	URL  string
	Kind NavigationKind
	// Net is Chrome's text, such as "net::ERR_CONNECTION_REFUSED".
	Net string
}

func (e *NavigationError) Error() string {
	switch e.Kind {
	case NavigationDownload:
		return fmt.Sprintf("navigating to %s: became a download", e.URL)
	case NavigationNoContent:
		return fmt.Sprintf("navigating to %s: the server sent no content", e.URL)
	case NavigationCancelled:
		return fmt.Sprintf("navigating to %s: the page refused to be left", e.URL)
	}
	return fmt.Sprintf("navigating to %s: %s", e.URL, e.Net)
}

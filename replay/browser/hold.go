package browser

import (
	"errors"
	"strings"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"
)

// ErrHeld says that a command would have acted on a page of a context that is held; see [Context.Hold].
var ErrHeld = errors.New("refused: nothing is to be done on the pages any more")

// Hold has the context refuse, or no longer refuse, every command that acts on its pages: input, navigation and files for a
// field. They can still be looked at. Dialogs that open meanwhile are dismissed, since to accept one is to act. A replay whose
// verdict is failed holds its context, so that whatever is still under way cannot do more.
func (c *Context) Hold(on bool) { c.held.Store(on) }

// acting reports whether a command acts on a page.
func acting(method string) bool {
	switch method {
	case page.CommandNavigate, page.CommandReload, page.CommandNavigateToHistoryEntry, dom.CommandSetFileInputFiles:
		return true
	}
	return strings.HasPrefix(method, "Input.")
}

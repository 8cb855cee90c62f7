package replay

import (
	"time"

	"retrace/resolve"
)

// beforeWeak is the time that the recorded target is given to appear before another role or a changed name is taken for it.
const beforeWeak = 600 * time.Millisecond

// weak holds back elements that were found by weaker evidence than the recorded name and kind of role: a page that is still being
// drawn may show another control first, and the recorded one a moment later.
type weak struct {
	since time.Time // when the first such element was found
}

// wait reports whether what was found now must not be acted on yet.
func (w *weak) wait(d resolve.Decision, now time.Time) bool {
	if d.Outcome != resolve.One || d.Tier != resolve.TierRole && d.Tier != resolve.TierVolatile && d.Tier != resolve.TierTolerant {
		return false
	}
	if w.since.IsZero() {
		w.since = now
	}
	return now.Sub(w.since) < beforeWeak
}

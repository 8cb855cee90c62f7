package replay

import "time"

// Times after which a page counts as at rest. A person who acts before the recorder has seen the page still has looked at it,
// which takes longer than these.
const (
	restFor   = 500 * time.Millisecond // nothing changed for so long
	restLimit = 3 * time.Second        // a page that never rests is not waited for any longer
)

// rest watches a page until it stops changing.
type rest struct {
	print        uint64
	began, since time.Time
}

// at reports whether the page, of which print is the fingerprint now, has come to rest.
func (r *rest) at(print uint64, now time.Time) bool {
	if r.began.IsZero() {
		r.began = now
		r.since, r.print = now, print
	}
	if print != r.print {
		r.since, r.print = now, print
	}
	return now.Sub(r.since) >= restFor || now.Sub(r.began) >= restLimit
}

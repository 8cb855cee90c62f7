package report

import (
	"fmt"
	"strconv"

	"retrace/replay"
)

// requests sums up what a page asked servers for: "no request was sent", or how many were, and of which not each is listed.
func requests(t *replay.Traffic) string {
	if t.Sent == 0 {
		return "no request was sent"
	}
	text := fmt.Sprintf("%d sent", t.Sent)
	if t.Parts > 0 {
		text += fmt.Sprintf(", %d of them for scripts, styles, pictures and fonts", t.Parts)
	}
	if more := t.Sent - t.Parts - len(t.List); more > 0 {
		text += fmt.Sprintf("; %d are not listed", more)
	}
	return text
}

// answer says what came of a request.
func answer(q replay.Request) string {
	switch {
	case q.Failed != "" && q.Status != 0:
		return q.Kind + ", " + strconv.Itoa(q.Status) + ", " + q.Failed
	case q.Failed != "":
		return q.Kind + ", " + q.Failed
	case q.Status == 0:
		return q.Kind + ", no answer by the end of the step"
	}
	return q.Kind + ", " + strconv.Itoa(q.Status)
}

// refused reports whether a request did not get what it asked for.
func refused(q replay.Request) bool { return q.Failed != "" || q.Status >= 400 }

package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"retrace/replay"
)

// Live shows at the foot of a terminal what is going on: a line for each running trace, with its running step and how long
// that takes, and one for all traces. It implements [View], and takes events of several traces as they come. What is
// written through it, by a [Terminal] for one, stands above. It may be used by several goroutines.
//
// On what is no terminal it shows nothing, and passes on what is written.
type Live struct {
	w     io.Writer
	style Style
	now   func() time.Time

	mu     sync.Mutex
	total  int // traces to come; 0 for unknown
	began  time.Time
	runs   []*liveRun
	done   int
	failed int
	drawn  int           // lines on the screen
	stop   chan struct{} // ends the ticker; nil while there is none
}

type liveRun struct {
	run     int
	trace   string
	attempt int
	planned int
	ended   int // steps
	step    *replay.StepResult
	since   time.Time
}

// mostLive are the running traces that have a line of their own.
const mostLive = 6

// NewLive writes to w, in the style of w. The number of traces that will run is total, 0 for unknown.
func NewLive(w io.Writer, style Style, total int) *Live {
	return &Live{w: w, style: style, total: total, now: time.Now}
}

// Write implements [io.Writer]: p comes above the lines that change.
func (l *Live) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.erase()
	n, err := l.w.Write(p)
	if err == nil && bytes.HasSuffix(p, []byte("\n")) {
		l.draw()
	}
	return n, err
}

// Event implements [View].
func (l *Live) Event(e replay.Event) {
	if !l.style.Live {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.take(e)
	l.erase()
	l.draw()
	l.tick()
}

// take notes an event.
func (l *Live) take(e replay.Event) {
	if e.Kind == replay.RunStarted {
		if l.began.IsZero() {
			l.began = l.now()
		}
		l.runs = append(l.runs, &liveRun{run: e.Run, trace: e.Trace, planned: e.Total, attempt: 1, since: l.now()})
		return
	}
	for i, r := range l.runs {
		if r.run != e.Run || r.trace != e.Trace {
			continue
		}
		switch e.Kind {
		case replay.StepStarted:
			r.step, r.since = e.Step, l.now()
		case replay.StepFinished:
			r.step, r.since = nil, l.now()
			r.ended++
		case replay.RunRetried:
			r.step, r.ended, r.attempt, r.since = nil, 0, e.Attempt+1, l.now()
		case replay.RunFinished:
			l.runs = append(l.runs[:i:i], l.runs[i+1:]...)
			l.done++
			if e.Result != nil && (e.Result.Verdict == replay.Failed || e.Result.Verdict == replay.Error) {
				l.failed++
			}
		}
		return
	}
}

// erase takes the lines that change off the screen. Call it with l.mu held, as the methods below.
func (l *Live) erase() {
	if l.drawn > 0 {
		fmt.Fprint(l.w, "\r\x1b[K"+strings.Repeat("\x1b[A\x1b[K", l.drawn-1))
	}
	l.drawn = 0
}

func (l *Live) draw() {
	if !l.style.Live || len(l.runs) == 0 {
		return
	}
	lines := l.lines()
	t := Terminal{style: l.style}
	for i := range lines {
		lines[i] = t.paint(dim, lines[i])
	}
	fmt.Fprint(l.w, strings.Join(lines, "\n"))
	l.drawn = len(lines)
}

// lines are what is shown now, each short enough for one row of the screen.
func (l *Live) lines() []string {
	room := l.style.Width - 1
	if room < 20 {
		room = 79
	}
	var out []string
	for i, r := range l.runs {
		if i == mostLive {
			out = append(out, fmt.Sprintf("… and %s more", plural(len(l.runs)-i, "trace")))
			break
		}
		out = append(out, r.line(l.now(), room, len(l.runs) > 1))
	}
	if l.total > 1 || len(l.runs)+l.done > 1 {
		sum := fmt.Sprintf("%d of %s done", l.done, plural(max(l.total, len(l.runs)+l.done), "trace"))
		if l.failed > 0 {
			sum += fmt.Sprintf(", %d failed", l.failed)
		}
		out = append(out, fit(sum+", "+clock(l.now().Sub(l.began)), room))
	}
	return out
}

// line is "… cart-voucher 3/5  4 click button "Remove"  1.2s". The name of the trace stands there when there are several.
func (r *liveRun) line(now time.Time, room int, named bool) string {
	head := "…"
	if named {
		head += fmt.Sprintf(" %s %d/%d", fit(text(r.trace), 30), min(r.ended+1, max(r.planned, 1)), r.planned)
	}
	if r.attempt > 1 {
		head += fmt.Sprintf(" attempt %d", r.attempt)
	}
	what := ""
	if r.step != nil {
		what = fmt.Sprintf("%3s %s", stepIDs(r.step.Steps), text(r.step.Title))
	} else if r.ended == 0 {
		what = "starting"
	}
	tail := "  " + clock(now.Sub(r.since))
	return fit(strings.TrimSpace(head+" "+what), max(room-columns(tail), 10)) + tail
}

// clock is "0.4s", "12.3s", "3m05s".
func clock(d time.Duration) string {
	d = max(d, 0)
	if d < time.Minute {
		return fmt.Sprintf("%.1fs", d.Seconds())
	}
	return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
}

// tick keeps the lines moving as long as something runs.
func (l *Live) tick() {
	switch {
	case len(l.runs) == 0 && l.stop != nil:
		close(l.stop)
		l.stop = nil
	case len(l.runs) > 0 && l.stop == nil && l.style.Tick > 0:
		stop := make(chan struct{})
		l.stop = stop
		go func() {
			t := time.NewTicker(l.style.Tick)
			defer t.Stop()
			for {
				select {
				case <-stop:
					return
				case <-t.C:
				}
				l.mu.Lock()
				if l.stop == stop { // else it ended while this waited
					l.erase()
					l.draw()
				}
				l.mu.Unlock()
			}
		}()
	}
}

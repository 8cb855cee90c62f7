package replay

import (
	"context"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"

	"retrace/replay/browser"
)

// gauge tells how long the main thread of a page had something to do and was given no processor. The browser counts for how long
// the thread has been at work, by the clock and by the processor; the difference is time in which the thread was ready to run and
// another one ran, or in which it waited for something within a task. Linux tells how long anything on the machine was kept
// waiting for a processor, which is the most of it that can be the machine's doing.
type gauge struct {
	on    map[*browser.Page]bool
	spans []gaugeSpan
}

// gaugeSpan is a step between two readings.
type gaugeSpan struct {
	step       int // place in the results
	began, end <-chan reading
}

// reading is what the counters show at one moment, in milliseconds.
type reading struct {
	page         *browser.Page // nil when it could not be read
	work, thread float64
	at           time.Time
	// asked and told are for how long anything on the machine had waited for a processor when the page was asked and when it
	// answered; machine says whether that is known.
	asked, told float64
	machine     bool
}

// gaugeLimit bounds the time that a page is given to tell its counters. It tells them when it has time to.
const gaugeLimit = 2 * time.Second

// gauge reads the counters of the page while the replay goes on; nil unless the run is diagnosed.
func (r *runner) gauge(ctx context.Context) <-chan reading {
	if !r.o.Diagnose || r.page == nil {
		return nil
	}
	if r.gauges.on == nil {
		r.gauges.on = map[*browser.Page]bool{}
	}
	out, page, known := make(chan reading, 1), r.page, r.gauges.on[r.page]
	r.gauges.on[r.page] = true
	at := time.Now()
	asked, machine := machineWaiting()
	machine = machine && !r.o.remote()
	go func() {
		ctx, cancel := context.WithTimeout(ctx, gaugeLimit)
		defer cancel()
		m := counters(ctx, page, !known)
		m.at, m.asked, m.machine = at, asked, machine
		m.told, _ = machineWaiting()
		out <- m
	}()
	return out
}

// counters are those of a page; they have to be switched on first.
func counters(ctx context.Context, page *browser.Page, enable bool) (m reading) {
	if enable {
		if _, err := cdp.Call(ctx, page.Session(), performance.Enable, performance.EnableParams{}); err != nil {
			return m
		}
	}
	res, err := cdp.Call(ctx, page.Session(), performance.GetMetrics, cdp.Empty{})
	if err != nil {
		return m
	}
	m.page = page
	for _, v := range res.Metrics {
		switch v.Name {
		case "TaskDuration":
			m.work = v.Value * 1000
		case "ThreadTime":
			m.thread = v.Value * 1000
		}
	}
	return m
}

// starved writes into the steps how long their pages were kept from the processor.
func (r *runner) starved() {
	for _, s := range r.gauges.spans {
		from, to := <-s.began, reading{}
		if s.end != nil {
			to = <-s.end
		}
		step := &r.res.Steps[s.step]
		switch {
		case len(step.Dialogs) > 0: // a dialog holds the thread up
		case step.Failure != nil && step.Failure.Code == Timeout && !step.Course.restless(): // else it is the page that does not come to rest
			step.Course.Starved = max(deprived(from, to), unanswered(from, to))
		default:
			step.Course.Starved = deprived(from, to)
		}
	}
	r.gauges = gauge{}
}

// restless reports whether the element was replaced, or something else was met, while it was acted on.
func (c *Course) restless() bool {
	return c.Wait(AwaitsElement).Times+c.Wait(AwaitsPointer).Times+c.Wait(AwaitsSlip).Times > 0
}

// deprived is by how much the time at work is longer than that on the processor, at most as long as anything on the machine
// waited for one.
func deprived(from, to reading) float64 {
	if from.page == nil || from.page != to.page {
		return 0
	}
	work, thread := to.work-from.work, to.thread-from.thread
	if work < 0 || thread < 0 { // another process shows the page now, which counts from nothing
		work, thread = to.work, to.thread
	}
	d := work - thread
	if from.machine && to.machine {
		d = min(d, to.told-from.asked)
	}
	return max(d, 0)
}

// unanswered is for how long the thread of a page did not run, of a step in which the browser did not answer: at most as long as
// anything on the machine waited for a processor. A page whose own scripts keep the browser from answering runs all the time.
func unanswered(from, to reading) float64 {
	if from.page == nil || from.page != to.page || !from.machine || !to.machine {
		return 0
	}
	thread := to.thread - from.thread
	if thread < 0 {
		thread = to.thread
	}
	return max(0, min(ms(to.at.Sub(from.at))-thread, to.told-from.asked))
}

// machineWaiting is for how long anything on this machine waited for a processor since it was started, in milliseconds; false
// where the system does not tell (it does on Linux, in /proc/pressure/cpu).
func machineWaiting() (float64, bool) {
	data, err := os.ReadFile("/proc/pressure/cpu")
	if err != nil {
		return 0, false
	}
	return pressure(string(data))
}

// pressure reads the form of that file.
func pressure(told string) (float64, bool) {
	for line := range strings.Lines(told) {
		if !strings.HasPrefix(line, "some ") {
			continue
		}
		if _, total, ok := strings.Cut(line, "total="); ok {
			us, err := strconv.ParseFloat(strings.TrimSpace(total), 64)
			return us / 1000, err == nil
		}
	}
	return 0, false
}

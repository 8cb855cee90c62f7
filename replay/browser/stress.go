package browser

import (
	"context"
	_ "embed"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/animation"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
)

// Stress makes the tabs of a context run under harder conditions than usual, in order to see what a page depends on. The zero
// value changes nothing. Equal values with equal seeds give equal conditions.
type Stress struct {
	// Latency is how long each request of a page waits before its answer, at least; Jitter how much longer, by turns.
	Latency, Jitter time.Duration
	// Throughput bounds downloads and uploads, in bytes a second; 0 does not.
	Throughput float64
	// Timers makes the timers of pages late, each by a random time up to this.
	Timers time.Duration
	// Animations makes animations and transitions last so many times as long; 0 leaves them as they are.
	Animations float64
	// Seed begins the random numbers.
	Seed uint64
}

// Zero reports whether nothing is changed.
func (s Stress) Zero() bool {
	s.Seed = 0
	return s == Stress{}
}

//go:embed js/timers.js
var timersScript string

// commands are what a session needs before its first script runs.
func (s Stress) commands() []command {
	var cmds []command
	if s.Timers > 0 {
		source := "(" + strings.TrimSpace(timersScript) + ")(" + strconv.FormatInt(s.Timers.Milliseconds(), 10) + ", " + strconv.FormatUint(s.Seed&0xffffffff, 10) + ")"
		cmds = append(cmds, command{page.CommandAddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: source, RunImmediately: new(true)}})
	}
	if s.Animations > 0 {
		cmds = append(cmds,
			command{animation.CommandEnable, nil},
			command{animation.CommandSetPlaybackRate, animation.SetPlaybackRateParams{PlaybackRate: 1 / s.Animations}})
	}
	if s.slowsNetwork() {
		cmds = append(cmds, command{network.CommandEnable, network.EnableParams{}}, command{network.CommandEmulateNetworkConditionsByRule, s.conditions(s.Latency)})
	}
	return cmds
}

func (s Stress) slowsNetwork() bool { return s.Latency > 0 || s.Jitter > 0 || s.Throughput > 0 }

func (s Stress) conditions(latency time.Duration) network.EmulateNetworkConditionsByRuleParams {
	rate := -1.0
	if s.Throughput > 0 {
		rate = s.Throughput
	}
	return network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: []*network.Conditions{
		{Latency: float64(latency.Milliseconds()), DownloadThroughput: rate, UploadThroughput: rate},
	}}
}

// jitterEvery is how often the latency changes.
const jitterEvery = 150 * time.Millisecond

// jitter changes the latency of a session by turns until the session ends.
func (s Stress) jitter(to *session, nth uint64) {
	random := rand.New(rand.NewPCG(s.Seed, nth))
	tick := time.NewTicker(jitterEvery)
	defer tick.Stop()
	for {
		select {
		case <-to.done:
			return
		case <-tick.C:
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		latency := s.Latency + time.Duration(random.Float64()*float64(s.Jitter))
		_, _ = cdp.Call(ctx, to, network.EmulateNetworkConditionsByRule, s.conditions(latency)) // a session that ends refuses it
		cancel()
	}
}

// check refuses conditions that cannot be had.
func (s Stress) check() error {
	if s.Latency < 0 || s.Jitter < 0 || s.Timers < 0 || s.Throughput < 0 || s.Animations < 0 {
		return fmt.Errorf("stress: a condition is negative")
	}
	return nil
}

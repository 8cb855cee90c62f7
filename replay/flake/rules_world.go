package flake

import (
	"fmt"
	"slices"
	"strings"

	"retrace/replay"
)

// Causes around the page: the environment, the network, navigations.

func environment(g group) (float64, []string) {
	if hungry := func(s sample) bool { return s.starved(g.timeout) }; share(g.bad, hungry) == 1 {
		d := spread(values(g.bad, func(s sample) (float64, bool) { return s.step.Course.Starved, true }))
		return 0.98, lines(fmt.Sprintf("the machine: the page had something to do and was given no processor for %.1f to %.1f s of the step", d.Min/1000, d.Max/1000))
	}
	if g.only(Viewport, Locale, Timezone, Animations) {
		var names []string
		for _, s := range g.bad {
			if !slices.Contains(names, s.run.Name) {
				names = append(names, s.run.Name)
			}
		}
		return 0.95, lines("it fails only under "+strings.Join(names, ", "), clip(string(g.bad[0].code())+": "+g.bad[0].step.Failure.Text))
	}
	n, text := g.coded(replay.PageCrashed)
	mute := sample.mute
	if m := share(g.bad, mute); m > n {
		for _, s := range g.bad {
			if mute(s) {
				text = g.of("the browser or the page's own scripts were too busy to answer: "+clip(s.step.Failure.Text), mute)
				break
			}
		}
		return 0.5 * m, lines(text)
	}
	return 0.95 * n, lines(text)
}

func requests(g group) (float64, []string) {
	if n, text := g.coded(replay.NavigationFailed); n > 0.5 {
		return 0.9 * n, lines(text)
	}
	usual := map[string]bool{} // what fails in good runs too says nothing
	for _, s := range g.good {
		for _, q := range s.requests() {
			usual[q] = true
		}
	}
	line := ""
	failing := func(s sample) bool {
		for _, q := range s.requests() {
			if !usual[q] {
				line = q
				return true
			}
		}
		return false
	}
	if n := share(g.bad, failing); n >= 0.5 {
		return 0.92 * n, lines(g.of("a request failed in the runs that did not go well, and in no other: "+clip(line), failing))
	}
	if g.only(Net) {
		return 0.9, lines("it fails only when the network is slow or uneven", clip(string(g.bad[0].code())+": "+g.bad[0].step.Failure.Text))
	}
	var waited, under float64
	for _, s := range g.bad {
		for _, w := range s.waits() {
			waited += w.MS
			under += w.Requests
		}
	}
	if waited < 100 || under < 0.6*waited {
		return 0, nil
	}
	return 0.9 * under / waited, lines(fmt.Sprintf("%.0f%% of the waiting was for the answer to a request of the page", 100*under/waited))
}

func navigation(g group) (float64, []string) {
	good := map[string]bool{}
	most := int64(0)
	for _, s := range g.good {
		good[s.step.URL] = true
		most = max(most, s.step.Course.Documents)
	}
	elsewhere := func(s sample) bool {
		return len(good) > 0 && s.step.URL != "" && !good[s.step.URL] && s.step.URL != s.before()
	}
	loads := func(s sample) bool { return len(g.good) > 0 && s.step.Course.Documents > most }
	var w float64
	var out []string
	if n := share(g.bad, elsewhere); n > 0 && g.mode != varies {
		w = max(w, 0.8*n)
		out = append(out, g.of("the page was at another address than in the good runs, which the step did not lead to", elsewhere))
	}
	if n := share(g.bad, loads); n > 0 {
		w = max(w, 0.88*n)
		out = append(out, g.of("the page was loaded anew during the step, which it was not in the good runs", loads))
	}
	n, text := g.coded(replay.TabMissing)
	mismatch := func(s sample) bool {
		return s.code() == replay.PageMismatch && s.step.URL != "" && len(good) > 0 && !good[s.step.URL]
	}
	if m := share(g.bad, mismatch); m > 0 {
		out = append(out, g.of("another page than the recorded one was there", mismatch))
		w = max(w, 0.85*m)
	}
	return max(w, 0.8*n), append(out, lines(text)...)
}

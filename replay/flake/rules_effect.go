package flake

import (
	"slices"

	"retrace/replay"
)

// Causes after the action: effects that come late or never, texts that change by themselves.

func effectLate(g group) (float64, []string) {
	n, text := g.lates("effect")
	if n > 0 {
		return 0.6 + 0.3*n, lines(text)
	}
	if h, line := g.hindered(replay.AwaitsEffect); g.waiting() && h > 0.3 {
		return 0.4 + 0.45*h, lines(line)
	}
	return 0, nil
}

func effectLost(g group) (float64, []string) {
	twice := func(s sample) bool { return s.step.Retried }
	if n := share(g.bad, twice); n > 0 {
		return 0.85 * n, lines(g.of("the first action changed nothing, and it was done again", twice))
	}
	n, text := g.coded(replay.EffectNotSeen)
	r, rejected := g.coded(replay.ValueRejected)
	return max(0.6*n, 0.6*r), lines(text, rejected)
}

func unstable(g group) (float64, []string) {
	partly := func(s sample) bool {
		return s.step.Effect != nil && (s.step.Effect.Verdict == "partly" || s.step.Effect.Verdict == "nothing_to_check")
	}
	n := share(g.bad, partly)
	if n == 0 && g.mode == differs {
		n = share(g.good, partly)
	}
	if n > 0 {
		missing := ""
		for _, s := range append(slices.Clone(g.bad), g.good...) {
			if s.step.Effect != nil && len(s.step.Effect.Missing) > 0 {
				missing = "not seen in one run: " + clip(s.step.Effect.Missing[0])
				break
			}
		}
		return 0.75 * n, lines("what the page says after the step is not the same in all runs", missing)
	}
	instead := func(s sample) bool { return s.step.Effect != nil && len(s.step.Effect.Instead) > 0 }
	if n := share(g.bad, instead); n > 0 {
		return 0.65 * n, lines(g.of("the page said something else instead", instead))
	}
	a, text := g.coded(replay.AssertionFailed)
	return 0.8 * a, lines(text)
}

package browser

import (
	"strings"
	"testing"
	"time"
)

func TestStressRefusesNonsense(t *testing.T) {
	for _, s := range []Stress{{Latency: -1}, {Jitter: -1}, {Timers: -1}, {Throughput: -1}, {Animations: -1}} {
		if s.check() == nil {
			t.Errorf("%+v was accepted", s)
		}
	}
	if !(Stress{Seed: 7}).Zero() || (Stress{Jitter: 1}).Zero() {
		t.Error("only the seed changes nothing by itself")
	}
}

// TestStress looks at what a page notices of each condition.
func TestStress(t *testing.T) {
	b := launch(t)
	base, _ := serve(t, map[string]string{"/": `<!doctype html><title>Page</title>
		<style>@keyframes k{from{opacity:0}to{opacity:1}}p{animation:k 100s linear}</style><p>Text</p>`, "/data": "x"})
	open := func(t *testing.T, s Stress) *Page {
		t.Helper()
		c, err := b.NewContext(testContext(t), ContextOptions{Stress: s})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return openPage(t, c, base)
	}
	const fetched = `(async () => { const t = performance.now(); await (await fetch('/data', {cache: 'no-store'})).text(); return performance.now() - t })()`
	t.Run("network", func(t *testing.T) {
		p := open(t, Stress{Latency: 300 * time.Millisecond})
		if got := eval[float64](t, p, fetched); got < 290 {
			t.Errorf("a request took %.0f ms", got)
		}
	})
	t.Run("jitter", func(t *testing.T) {
		p := open(t, Stress{Latency: 100 * time.Millisecond, Jitter: time.Second, Throughput: 1e5})
		var all float64 // one request may come just when the delay changes
		for range 6 {
			all += eval[float64](t, p, fetched)
		}
		if all < 300 {
			t.Errorf("six requests took %.0f ms, want some hundred more", all)
		}
	})
	t.Run("animations", func(t *testing.T) {
		p := open(t, Stress{Animations: 4})
		const speed = `(async () => { const a = document.getAnimations()[0], c = a.currentTime, t = performance.now(); await new Promise(r => setTimeout(r, 300)); return (a.currentTime - c) / (performance.now() - t) })()`
		if got := eval[float64](t, p, speed); got > 0.5 {
			t.Errorf("the animation runs at %.2f times its speed", got)
		}
	})
	t.Run("timers", func(t *testing.T) {
		const max = `new Promise(done => { let n = 0; const t = performance.now(); for (let i = 0; i < 20; i++) setTimeout(() => { if (++n === 20) done(performance.now() - t) }, 0) })`
		inPage := `(() => { const s = document.createElement('script'); s.textContent = ` + "`" + max + ".then(ms => { document.title = String(ms) })`" + `; document.head.append(s) })()`
		p := open(t, Stress{Timers: 400 * time.Millisecond, Seed: 3})
		eval[any](t, p, inPage)
		// Our own timers are not to be late, so it is not waited with one.
		title := eval[string](t, p, `new Promise(done => { const look = () => document.title !== 'Page' && done(document.title); new MutationObserver(look).observe(document.head, {childList: true, subtree: true, characterData: true}); look() })`)
		if len(strings.Split(title, ".")[0]) < 3 {
			t.Errorf("the last of twenty timers came after %s ms", title)
		}
	})
}

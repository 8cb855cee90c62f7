package browser

import (
	"fmt"
	"strings"
	"testing"
)

func TestConsole(t *testing.T) {
	base, _ := serve(t, map[string]string{
		"/page": `<script>
			console.log("quiet"); console.warn("quiet too"); console.error("bad", 1, {a: 1}); console.assert(false, "not so");
			console.error("x".repeat(5000)); setTimeout(() => { throw new Error("thrown") })</script>
			<img src=/missing.png><script>fetch("http://127.0.0.1:1/").catch(() => 0)</script>`,
	})
	c := newContext(t, ContextOptions{})
	p := openPage(t, c, base+"/page")
	eval[any](t, p, "new Promise(r => setTimeout(r))")
	var got []string
	until(t, "all lines are there", func() bool { got = append(got, c.TakeConsole()...); return len(got) >= 4 })
	want := []string{"bad 1 Object", "not so", strings.Repeat("x", maxLineLength) + "…", fmt.Sprintf("Uncaught Error: thrown (%s/page:3)", base)}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("console = %q, want %q", got, want)
	}
	var failed []string
	until(t, "the failed requests are there", func() bool { failed = append(failed, c.TakeFailedRequests()...); return len(failed) >= 2 })
	text := strings.Join(failed, "\n")
	for _, want := range []string{"404", base + "/missing.png", "http://127.0.0.1:1/"} {
		if !strings.Contains(text, want) {
			t.Errorf("failed requests = %q: no %q", failed, want)
		}
	}
}

// A page that logs without end must neither block its tab nor fill our memory.
func TestFloodOfConsoleLines(t *testing.T) {
	flood := func(n int) string {
		return fmt.Sprintf(`<title>flood</title><body><script>
			for (let i = 0; i < %d; i++) { console[i %% 3 ? "log" : "error"]("line " + i, {i}); if (i %% 100 == 0) document.body.append("x") }
			document.title = "done"</script>`, n)
	}
	base, _ := serve(t, map[string]string{"/6000": flood(6000), "/60000": flood(60000), "/calm": "<title>calm</title>"})
	c := newContext(t, ContextOptions{})
	p := openPage(t, c, "")
	other := openPage(t, c, base+"/calm")
	for _, n := range []int{6000, 60000} {
		if err := p.Navigate(testContext(t), fmt.Sprint(base, "/", n)); err != nil {
			t.Fatal(err)
		}
		if got, err := p.Title(testContext(t)); err != nil || got != "done" {
			t.Errorf("title = %q, %v", got, err)
		}
		if got, err := other.Title(testContext(t)); err != nil || got != "calm" {
			t.Errorf("title of the other tab = %q, %v", got, err)
		}
		lines := c.TakeConsole()
		if len(lines) != maxLines+1 || lines[maxLines] != fmt.Sprintf("(%d more)", n/3-maxLines) {
			t.Errorf("%d lines kept, the last is %q", len(lines), lines[len(lines)-1])
		}
	}
}

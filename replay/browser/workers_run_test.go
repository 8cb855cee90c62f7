package browser

import "testing"

// Workers are paused with everything else that a tab starts, and must be let go, those of workers too.
func TestWorkersRun(t *testing.T) {
	base, _ := serve(t, map[string]string{"/": `<title>workers</title>`})
	c := newContext(t, ContextOptions{})
	p := openPage(t, c, base+"/")
	if got := eval[string](t, p, `new Promise(r => { new Worker(URL.createObjectURL(new Blob(["postMessage('plain')"]))).onmessage = e => r(e.data) })`); got != "plain" {
		t.Errorf("a worker sent %q", got)
	}
	inner := `new Worker(URL.createObjectURL(new Blob(["postMessage('nested')"]))).onmessage = e => postMessage(e.data)`
	if got := eval[string](t, p, `new Promise(r => { new Worker(URL.createObjectURL(new Blob([`+"`"+inner+"`"+`]))).onmessage = e => r(e.data) })`); got != "nested" {
		t.Errorf("a worker of a worker sent %q", got)
	}
}

package browser

import "testing"

// What a page makes of its own objects, our scripts do not see: they run in a world of their own.
func TestWorldOfOurOwn(t *testing.T) {
	base, _ := serve(t, map[string]string{"/": `<title>Real</title><script>Object.defineProperty(document, 'title', {get: () => 'Lie'})</script>`})
	p := openPage(t, newContext(t, ContextOptions{}), base+"/")
	if title, err := p.Title(testContext(t)); err != nil || title != "Real" {
		t.Errorf("title %q, %v", title, err)
	}
}

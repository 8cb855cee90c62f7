package e2e

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"retrace/e2e/hostile"
	"retrace/replay"
)

// The page of the trial works only for a visitor in the environment that the flags name, and says what it found in a line of the
// report otherwise.
func TestEnvironment(t *testing.T) {
	needBrowser(t)
	const key = "swordfish-4711"
	var mu sync.Mutex
	headers := map[string]string{}
	address := serveTrial(t, func(_ http.ResponseWriter, r *http.Request) string {
		mu.Lock()
		headers[r.URL.Path] = r.Header.Get("X-Key") + " " + r.Header.Get("Accept-Language")
		mu.Unlock()
		return trialPage(`<button>Go</button><p>`+r.Header.Get("X-Key")+`</p>`, `
			const found = [innerWidth, innerHeight, devicePixelRatio, navigator.language, (1234.5).toLocaleString(), new Date(0).getHours(), navigator.userAgent,
				matchMedia("(prefers-color-scheme: dark)").matches, matchMedia("(prefers-reduced-motion: reduce)").matches].join(" ");
			navigator.geolocation.getCurrentPosition(p => {
				const all = found + " " + p.coords.latitude;
				console.error(all);
				if (all === "390 844 2 de-DE 1.234,5 9 Robot/1 true true 48.2") document.querySelector("button").onclick = done;
			})`)
	})
	t.Setenv("TRIAL_KEY", key)
	tr := try(t, hostile.Click(address), nil, "-v", "--viewport", "390x844", "--device-scale", "2", "--locale", "de-de", "--timezone", "Asia/Tokyo", "--user-agent", "Robot/1",
		"--color-scheme", "dark", "--reduced-motion", "--geolocation", "48.2,16.4", "--header", "X-Key=env:TRIAL_KEY", "--block-url", "*/never")
	if tr.code != 0 {
		t.Fatalf("exit code %d\n%s", tr.code, tr.text())
	}
	if got := headers["/trial"]; !strings.HasPrefix(got, key+" de-DE,de") {
		t.Errorf("the page was asked for with %q", got)
	}
	for name, data := range tr.files {
		if strings.Contains(string(data), key) {
			t.Errorf("%s holds the value of the header", name)
		}
	}
	if strings.Contains(tr.output, key) {
		t.Errorf("standard error holds the value of the header:\n%s", tr.output)
	}
	want := replay.Environment{Width: 390, Height: 844, DeviceScale: 2, Locale: "de-DE", Timezone: "Asia/Tokyo", UserAgent: "Robot/1", ColorScheme: "dark", ReducedMotion: "reduce",
		Geolocation: "48.2,16.4", Headers: []string{"X-Key"}, HeaderOrigin: strings.TrimSuffix(address, "/trial"), BlockURLs: []string{"*/never"}}
	if diff := cmp.Diff(want, tr.result.Environment, cmpopts.IgnoreFields(replay.Environment{}, "Chrome", "Sandbox", "Recorder")); diff != "" {
		t.Errorf("environment (-want +got):\n%s", diff)
	}
	for _, text := range []string{"Asia/Tokyo", "390 × 844", "X-Key to http://127.0.0.1:"} {
		if !strings.Contains(string(tr.files["index.html"]), text) {
			t.Errorf("the report does not name %q", text)
		}
	}
}

func TestOfflineSaysSo(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	address := serveTrial(t, func(http.ResponseWriter, *http.Request) string { return trialPage("<button>Go</button>", goes) })
	tr := try(t, hostile.Click(address), nil, "--offline")
	if tr.code != 1 || tr.reason() != replay.NavigationFailed || !strings.Contains(tr.result.Failure.Hint, "--offline") {
		t.Fatalf("exit code %d with reason %q\n%s", tr.code, tr.reason(), tr.text())
	}
}

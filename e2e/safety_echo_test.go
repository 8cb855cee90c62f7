package e2e

import (
	"strings"
	"testing"

	"retrace/e2e/hostile"
)

// A page that tells a long secret wherever it can: outputs cut texts, and no beginning of the secret is left in them, in the
// letters of the page's style either.
func TestLongSecretStaysOut(t *testing.T) {
	needBrowser(t)
	secret := strings.Repeat("Harbour-42 Walrus-17 ", 30)
	file := secretsFile(t, secret)
	site := hostile.Serve()
	defer site.Close()
	rec := hostile.Login(site.URL+"/echo", false)
	// A target that is missing afterwards has the buttons that tell the secret among its candidates.
	last := rec.States[len(rec.States)-1]
	rec.States = append(rec.States, last)
	rec.Steps = append(rec.Steps, hostile.Step{"op": "click", "state": "s3", "result": map[string]any{"state": "s4"}, "target": map[string]any{"ref": "e9", "role": "button", "name": "Stop"}})
	tr := try(t, rec, nil, "--secrets", file, "--verify", "off", "-v")
	told := 0
	for name, text := range map[string]string{"terminal": tr.output, "results.json": string(tr.files["results.json"]), "index.html": string(tr.files["index.html"]), "events": string(tr.files["events"])} {
		told += strings.Count(text, "•••")
		for _, form := range []string{"Harbour", "HARBOUR", "Walrus", "WALRUS"} {
			if i := strings.Index(text, form); i >= 0 {
				t.Errorf("%s tells %q", name, text[max(0, i-120):min(len(text), i+60)])
			}
		}
	}
	if told == 0 || site.Clicks("/echo") != 1 {
		t.Errorf("the page told nothing: the test checks nothing\n%s", tr.text())
	}
}

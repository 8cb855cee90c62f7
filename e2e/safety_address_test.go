package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"retrace/e2e/hostile"
)

// A page that puts a secret into addresses, which browsers escape and take apart: no part of it is in any output, in the log of
// the protocol neither.
func TestSecretInAddressesStaysOut(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	const secret = `Harbour#Walrus?Otter%Badger Heron/Lynx&Falcon+Marten="Weasel\Stoat<Ferret>`
	file, protocol := secretsFile(t, secret), filepath.Join(t.TempDir(), "protocol.jsonl")
	site := hostile.Serve()
	defer site.Close()
	tr := try(t, hostile.Login(site.URL+"/addresses", false), nil, "--secrets", file, "--verify", "off", "-vv", "--trace-cdp", protocol)
	data, err := os.ReadFile(protocol)
	if err != nil {
		t.Error(err)
	}
	told := 0
	for name, text := range map[string]string{"terminal": tr.output, "results.json": string(tr.files["results.json"]), "index.html": string(tr.files["index.html"]), "events": string(tr.files["events"]), "protocol log": string(data)} {
		told += strings.Count(text, "•••")
		for _, part := range []string{"Harbour", "Walrus", "Otter", "Badger", "Heron", "Lynx", "Falcon", "Marten", "Weasel", "Stoat", "Ferret"} {
			if i := strings.Index(text, part); i >= 0 {
				t.Errorf("%s tells %q", name, text[max(0, i-160):min(len(text), i+60)])
			}
		}
	}
	if told < 10 || site.Clicks("/addresses") != 1 {
		t.Errorf("the page told nothing: the test checks nothing\n%s", tr.text())
	}
}

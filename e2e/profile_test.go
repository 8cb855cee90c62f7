package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"retrace/e2e/hostile"
	"retrace/replay"
)

// bareProfile makes the least that is a profile of Chrome.
func bareProfile(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"Local State": "{}", "Default/Preferences": "{}"} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Every attempt has a copy of the profile of its own: the page knows its visitors, and works for none that was here before.
func TestProfileIsCopiedForEachAttempt(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	address := serveTrial(t, func(w http.ResponseWriter, r *http.Request) string {
		if _, err := r.Cookie("visitor"); err == nil {
			return trialPage("<p>Been here</p>", "")
		}
		http.SetCookie(w, &http.Cookie{Name: "visitor", Value: "1", MaxAge: 3600})
		return trialPage("<button>Go</button>", "")
	})
	dir := bareProfile(t)
	tr := try(t, hostile.Click(address), nil, "--profile", dir, "--retries", "1")
	if tr.code != 1 || tr.reason() != replay.EffectNotSeen || tr.result.Environment.Profile != dir || len(tr.result.Earlier) != 1 {
		t.Fatalf("exit code %d with reason %q, environment %+v\n%s", tr.code, tr.reason(), tr.result.Environment, tr.text())
	}
}

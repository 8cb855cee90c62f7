package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"retrace/e2e/hostile"
	"retrace/replay"
)

// planted is a secret that is hard to recognise in what is escaped.
const planted = `Harbour-42 "ä&<>é'\x$`

// secretsFile holds a secret as the password.
func secretsFile(t *testing.T, secret string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "secrets.json")
	data, err := json.Marshal(map[string]string{"Password": secret})
	if err == nil {
		err = os.WriteFile(file, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// A secret is entered only in a document of the origin on which it was recorded.
func TestSecretOrigin(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	const elsewhere = "http://localhost:"
	for _, tt := range []struct {
		name string
		// page gives the address from the site's and from that of the same site under another name.
		page  func(site, other string) string
		flags func(site, other string) []string
		want  replay.Code
	}{
		{"the page itself", func(site, _ string) string { return site + "/login" }, nil, ""},
		{"mapped by --base-url", func(_, _ string) string { return "http://shop.example/login" }, func(site, _ string) []string { return []string{"--base-url", site} }, ""},
		{"a frame of the same origin", func(site, _ string) string { return site + "/login-frame?" + site + "/login" }, nil, ""},
		{"a frame of another origin", func(site, other string) string { return site + "/login-frame?" + other + "/login" }, nil, replay.SecretOrigin},
		{"a frame that is allowed", func(site, other string) string { return site + "/login-frame?" + other + "/login" }, func(_, other string) []string { return []string{"--secret-origin", other + "/"} }, ""},
		{"a sandboxed frame", func(site, _ string) string { return site + "/login-frame?sandbox," + site + "/login" }, nil, replay.SecretOrigin},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			site := hostile.Serve()
			defer site.Close()
			other := strings.Replace(site.URL, "http://127.0.0.1:", elsewhere, 1)
			flags := []string{"--secrets", secretsFile(t, planted), "--timeout", patientTimeout.String()}
			if tt.flags != nil {
				flags = append(flags, tt.flags(site.URL, other)...)
			}
			address := tt.page(site.URL, other)
			tr := try(t, hostile.Login(address, strings.Contains(address, "frame")), nil, flags...)
			ends{tt.want}.check(t, tr, site.Clicks("/login"))
			if typed := site.Clicks("/typed"); (typed > 0) != (tt.want == "") {
				t.Errorf("something was typed %d times", typed)
			}
		})
	}
}

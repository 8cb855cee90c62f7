package e2e

import (
	"strings"
	"testing"

	"retrace/e2e/hostile"
)

// Chrome asks nobody about the forms of a page: nothing but the page's own host is tried.
func TestFormsAreToldToNobody(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	site := hostile.Serve()
	defer site.Close()
	tr := try(t, hostile.Form(site.URL+"/form"), nil, "--allow-host", "127.0.0.1", "--timeout", patientTimeout.String())
	ends{""}.check(t, tr, site.Clicks("/form"))
	for _, w := range tr.result.Warnings {
		if strings.Contains(w, "refused") {
			t.Error(w)
		}
	}
}

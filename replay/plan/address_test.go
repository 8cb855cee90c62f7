package plan

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAddresses(t *testing.T) {
	for _, test := range []struct {
		a, b                string
		same, page, leaving bool
	}{
		{"http://a.example", "http://A.example/", true, true, false},
		{"http://a.example/", "http://a.example/#", true, true, false},
		{"http://a.example/", "http://a.example/#/", true, true, false},
		{"http://a.example/", "http://a.example/#x", false, true, false},
		{"http://a.example/", "http://a.example/#/x", false, false, true},
		{"http://a.example/?q=1", "http://a.example/?q=2", false, true, true},
		{"http://a.example/x", "http://a.example/y", false, false, true},
		{"http://a.example/", "https://a.example/", false, false, true},
		{"http://a.example:80%zz/", "http://a.example:80%zz/", true, true, false},
		{"about:blank", "about:blank", true, true, false},
		{"about:blank", "about:srcdoc", false, false, true},
	} {
		if got := sameAddress(test.a, test.b); got != test.same {
			t.Errorf("sameAddress(%q, %q) = %v", test.a, test.b, got)
		}
		if got := samePage(test.a, test.b); got != test.page {
			t.Errorf("samePage(%q, %q) = %v", test.a, test.b, got)
		}
		if got := left(test.a, test.b); got != test.leaving {
			t.Errorf("left(%q, %q) = %v", test.a, test.b, got)
		}
	}
	got := queryValues("http://a.example/?q=%E6%9D%AD+x&empty=&bad=%zz#/s?k=v")
	if diff := cmp.Diff([]string{"杭 x", "v"}, got); diff != "" {
		t.Errorf("queryValues (-want +got):\n%s", diff)
	}
}

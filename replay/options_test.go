package replay

import (
	"testing"
	"time"

	"retrace/replay/plan"
	"retrace/replay/trace"
	"retrace/resolve"
)

func TestOptions(t *testing.T) {
	tests := []struct {
		name string
		o    Options
		ok   bool
	}{
		{"nothing said", Options{}, true},
		{"all said", Options{Timeout: time.Second, Dialogs: "fail", Verify: "strict", Match: resolve.Tolerant, Retries: 2, BaseURL: "http://x:1/y"}, true},
		{"timeout", Options{Timeout: -1}, false},
		{"dialogs", Options{Dialogs: "ignore"}, false},
		{"verify", Options{Verify: "on"}, false},
		{"match", Options{Match: "loose"}, false},
		{"retries", Options{Retries: -1}, false},
		{"base url without a scheme", Options{BaseURL: "localhost"}, false},
		{"base url without a host", Options{BaseURL: "http:///x"}, false},
		{"base url that is none", Options{BaseURL: "http://[x"}, false},
	}
	for _, tt := range tests {
		o, err := tt.o.complete()
		if (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.name, err)
		}
		if err == nil && (o.Timeout <= 0 || o.Dialogs == "" || o.Verify == "" || o.Match == "" || o.Log == nil || o.OnEvent == nil) {
			t.Errorf("%s: incomplete: %+v", tt.name, o)
		}
	}
	if _, err := Run(t.Context(), &trace.Trace{}, Options{Verify: "on"}); err == nil {
		t.Error("a run with wrong options began")
	}
	if _, err := Run(t.Context(), nil, Options{}); err == nil {
		t.Error("a run without a trace began")
	}
}

// Only web pages are opened, unless another scheme is allowed by name.
func TestAllowed(t *testing.T) {
	tests := []struct {
		address string
		schemes []string
		ok      bool
	}{
		{"http://x/", nil, true}, {"https://x/", nil, true}, {"HTTPS://x/", nil, true},
		{"file:///etc/passwd", nil, false}, {"javascript:alert(1)", nil, false}, {"JavaScript:alert(1)", nil, false}, {" javascript:alert(1)", nil, false},
		{"\tjavascript:alert(1)", nil, false}, {"java\nscript:alert(1)", nil, false}, {"data:text/html,x", nil, false}, {"chrome://settings", nil, false},
		{"about:blank", nil, false}, {"view-source:http://x/", nil, false}, {"blob:http://x/1", nil, false}, {"", nil, false}, {"x", nil, false}, {"//x/", nil, false},
		{"http://[", nil, false}, {"file:///x", []string{"file"}, true}, {"data:,x", []string{"file"}, false},
	}
	for _, tt := range tests {
		policy, err := Options{AllowSchemes: tt.schemes}.policy()
		if err != nil {
			t.Fatal(err)
		}
		f := (&runner{policy: policy}).allowed(tt.address)
		if (f == nil) != tt.ok || f != nil && f.Code != BlockedURL {
			t.Errorf("allowed(%q) = %v", tt.address, f)
		}
	}
}

func TestArrived(t *testing.T) {
	tests := []struct {
		to, after, live, before string
		want                    bool
	}{
		{to: "http://x/b", live: "http://x/b", before: "http://x/a", want: true},
		{to: "http://x/b", live: "http://x/a", before: "http://x/a", want: false},
		{to: "http://x/b?q=1", live: "http://x/b?q=1", before: "http://x/b", want: true},
		{to: "http://x/b?q=1", live: "http://x/b", before: "http://x/b", want: false},
		{to: "http://x/b?q=1", live: "http://x/b?q=2", before: "http://x/a", want: true},
		{after: "http://x/b", live: "http://x/b", before: "http://x/a", want: true},
	}
	for _, tt := range tests {
		it := &plan.Intent{To: tt.to}
		if tt.after != "" {
			it.After = &trace.State{URL: tt.after}
		}
		if got := arrived(it, tt.live, tt.before); got != tt.want {
			t.Errorf("arrived(%q or %q, %q, %q) = %v", tt.to, tt.after, tt.live, tt.before, got)
		}
	}
}

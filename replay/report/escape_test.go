package report

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", `button "Save"`, `button "Save"`},
		{"chinese", "加入购物车", "加入购物车"},
		{"emoji with joiner", "👩\u200d🔧", "👩\u200d🔧"},
		{"line break", "a\r\nb\tc", `a\u000d\nb\tc`},
		{"colour", "\x1b[31mred", `\u001b[31mred`},
		{"link", "\x1b]8;;http://x\x07", `\u001b]8;;http://x\u0007`},
		{"8-bit sequence", "\u009b31m", `\u009b31m`},
		{"override", "a\u202eb\u2066c\u200fd\u200ee", `a\u202eb\u2066c\u200fd\u200ee`},
		{"separator", "a\u2028b", `a\u2028b`},
		{"tags beyond 16 bits", "a\U000e0041", `a\udb40\udc41`},
		{"not UTF-8", "a\xffb", `a\xffb`},
		{"replacement character", "a\ufffdb", "a\ufffdb"},
	}
	for _, tt := range tests {
		if got := Clean(tt.in); got != tt.want {
			t.Errorf("%s: Clean(%q) = %q, want %q", tt.name, tt.in, got, tt.want)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"", "Save", "\x1b[2J", "a\u202eb", "\xff\xfe", "柠檬"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Clean(s)
		if !utf8.ValidString(got) {
			t.Errorf("Clean(%q) is not UTF-8", s)
		}
		if i := strings.IndexFunc(got, unsafe); i >= 0 {
			t.Errorf("Clean(%q) = %q has %q", s, got, got[i:])
		}
		if again := Clean(got); again != got {
			t.Errorf("Clean is not idempotent: %q becomes %q", got, again)
		}
	})
}

func TestFit(t *testing.T) {
	tests := []struct {
		in   string
		n    int
		want string
	}{
		{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"柠檬绿茶", 8, "柠檬绿茶"}, {"柠檬绿茶", 7, "柠檬绿…"}, {"柠檬绿茶", 6, "柠檬…"},
		{"e\u0301e\u0301", 2, "e\u0301e\u0301"}, {"abc", 0, "…"},
	}
	for _, tt := range tests {
		if got := fit(tt.in, tt.n); got != tt.want {
			t.Errorf("fit(%q, %d) = %q, want %q", tt.in, tt.n, got, tt.want)
		}
	}
	if got := Cut("柠檬绿茶", 3); got != "柠檬…" {
		t.Errorf("Cut = %q", got)
	}
}

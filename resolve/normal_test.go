package resolve

import (
	"testing"
	"testing/quick"
)

func TestNormalise(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "Save", "Save"},
		{"spaces", "  Save \n  all ", "Save all"},
		{"no-break spaces", "Save\u00a0all\u202fnow\u3000", "Save all now"},
		{"soft hyphen", "shop\u00adping", "shopping"},
		{"zero width", "Sa\u200bve\ufeff", "Save"},
		{"direction marks", "\u200fשמור\u200e", "שמור"},
		{"icon glyph", "\ue5cd Close", "Close"},
		{"full width", "ＯＫ１２", "OK12"},
		{"half-width kana", "ｶﾞ", "ガ"},
		{"combining", "o\u0308ffnen", "öffnen"},
		{"invisible before an accent", "o\u200b\u0308ffnen", "öffnen"},
		{"ligature", "ﬁle", "file"},
		{"closed popup", "Sort [has-submenu]", "Sort"},
		{"open popup", "Sort [expanded]", "Sort"},
		{"popup without a name", "[has-submenu]", ""},
		{"other brackets", "Order[3]", "Order[3]"},
		{"suffix in the middle", "a [expanded] b", "a [expanded] b"},
		{"cjk", "搜索 商品", "搜索 商品"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Normalise(tt.in); got != tt.want {
				t.Errorf("Normalise(%q) is %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

// TestNormaliseTwice: what is normalised stays as it is, but for a second suffix of a recorder.
func TestNormaliseTwice(t *testing.T) {
	stable := func(s string) bool {
		once := Normalise(s)
		return StripSuffix(once) != once || Normalise(once) == once
	}
	if err := quick.Check(stable, &quick.Config{MaxCount: 5000}); err != nil {
		t.Error(err)
	}
}

func TestSoften(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"Inbox (3)", "Inbox (14)", true},
		{"Pay €12.50", "Pay €1,200", true},
		{"12 March 2026", "30 November 2026", true},
		{"Mon 9", "Tue 10", true},
		{"星期一 9", "星期五 13", true},
		{"购物车 3", "购物车 12", true},
		{"March", "May", false}, // a month alone is a name
		{"Seat A", "Seat B", false},
		{"Save", "Save as", false},
		{"Page 1 of 3", "Page 2 of 3", true},
	} {
		a, _ := Soften(tt.a)
		b, _ := Soften(tt.b)
		if (a == b) != tt.same {
			t.Errorf("%q and %q soften to %q and %q; want the same: %t", tt.a, tt.b, a, b, tt.same)
		}
	}
}

func TestCutNames(t *testing.T) {
	long := "The council of the town has decided today to build a new bridge over the river"
	for _, tt := range []struct {
		recorded, live string
		want           bool
	}{
		{long + "…", long + " in spring", true},
		{long + "…", long, false}, // it was longer than this
		{long + "…", "Another " + long, false},
		{"Save…", "Save as", false}, // too short to have been cut
		{"Save…", "Save…", true},
		{"Save", "Save as", false},
	} {
		if got := newName(tt.recorded).equal(Normalise(tt.live)); got != tt.want {
			t.Errorf("%q for the recorded %q: %t, want %t", tt.live, tt.recorded, got, tt.want)
		}
	}
}

func TestContainsWords(t *testing.T) {
	for _, tt := range []struct {
		text, words string
		want        bool
	}{
		{"Edit Rain jacket", "Rain jacket", true},
		{"Annual report", "Ann", false},
		{"Hann, Ann", "Ann", true},
		{"Order 10012", "1001", false},
		{"编辑李四的订单", "李四", true},
		{"Edit", "", false},
	} {
		if got := containsWords(tt.text, tt.words); got != tt.want {
			t.Errorf("containsWords(%q, %q) is %t, want %t", tt.text, tt.words, got, tt.want)
		}
	}
}

package resolve

import (
	"slices"
	"strings"
	"testing"
)

// TestKeys tells numbers that name one of many from counts, prices, dates and times.
func TestKeys(t *testing.T) {
	for text, want := range map[string]string{
		"1001": "1001", "#4711": "4711", "INV-20260": "20260", "Order 1001": "1001", "Seat 12": "12", "Room 101": "101", "订单 1001": "1001",
		"Seat 12A": "12A", "Delete order 1041?": "1041", "Order 1041 of Anna Berg": "1041", "Order #7, paid": "7",
		"Delete “report-1.pdf”?": "report-1.pdf", "Invoice INV-1041-A": "INV-1041-A", "Invoice 2024-001": "2024-001", "Case 12/2024": "12/2024",
		"Move 3 files to Box 12?": "12", "2nd floor": "2nd", "Open 4th floor": "4th", "Unlock room 12 now": "12", "#41 Close ticket": "41", "Download Q3 report": "Q3", "进入3号楼": "3", "阅读第3章": "3", "3호실": "3", "金桔柠檬 6 号": "6",
		"March 2026": "March 2026", "2026年3月": "2026年3月", "03/2026": "03/2026",

		"3": "", "€ 12.50": "", "12 March 2026": "", "As of 30 November 2026": "", "Inbox (3)": "", "Pay €12": "", "10:45": "",
		"3 items": "", "Anna": "", "": "", "Due on 2026-01-05": "", "Due on 05.01.2026": "", "Due in 14 days": "", "1041 results": "", "Page 2 of 10": "",
		"Released 2026": "2026", "In the year 2026 we moved": "", "Version v1.20": "", "from 9:00 to 17:30": "", "Total 1,041.00": "", "Cart x3": "", "May 4th": "", "the 4th of May": "", "5月3号": "", "Show 12 items": "", "共 1041 件": "",
		"10GB left": "", "Comments (1041)": "", "Saved 12/24/2026": "",
	} {
		if got := strings.Join(keys(Normalise(text)), " "); got != want {
			t.Errorf("keys of %q are %q, want %q", text, got, want)
		}
	}
}

func TestSoftSame(t *testing.T) {
	for _, tt := range []struct {
		a, b              string
		same, contradicts bool
	}{
		{"Order 1041, 3 items", "Order 1041, 2 items", true, false},
		{"Order 1041, 3 items", "Order 1042, 3 items", false, true},
		{"Delete order 1041?", "Delete order 1042?", false, true},
		{"Due in 14 days", "Due in 3 days", true, false},
		{"Order 1041", "Invoice 1041", false, false},
		{"€12", "€13", false, false}, // nothing but a price
		{"12 March 2026", "13 April 2026", false, false},
	} {
		if got := softSame(tt.a, tt.b); got != tt.same {
			t.Errorf("softSame(%q, %q) is %t", tt.a, tt.b, got)
		}
		if got := contradicts(tt.a, tt.b); got != tt.contradicts {
			t.Errorf("contradicts(%q, %q) is %t", tt.a, tt.b, got)
		}
	}
	if a, b := keys("Order 1041"), keys("<Order 1041"); !slices.Equal(a, b) {
		t.Errorf("keys of a marked text are %q, want %q", b, a)
	}
}

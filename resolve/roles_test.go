package resolve

import (
	"encoding/json"
	"slices"
	"testing"
)

// TestFamilies: pairs of roles that are one kind of control, and pairs that are not.
func TestFamilies(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"textbox", "searchbox", true},
		{"textbox", "spinbutton", true},
		{"textbox", "Date", true},
		{"textbox", "ColorWell", true},
		{"combobox", "listbox", true},
		{"button", "DisclosureTriangle", true},
		{"img", "image", true},
		{"checkbox", "switch", true},
		{"menuitem", "menuitemradio", true},
		{"button link", "button", true}, // a list of roles counts by its first
		{"button", "link", false},
		{"textbox", "combobox", false},
		{"checkbox", "radio", false},
		{"tab", "link", false},
		{"", "button", false},
	} {
		if got := Family(tt.a) == Family(tt.b); got != tt.same {
			t.Errorf("%q and %q are one family: %t, want %t", tt.a, tt.b, got, tt.same)
		}
	}
}

// TestRoleFile: no role is in two families, and what can be clicked is listed once.
func TestRoleFile(t *testing.T) {
	var f roleFile
	if err := json.Unmarshal(rolesJSON, &f); err != nil {
		t.Fatal(err)
	}
	in := map[string]string{}
	for name, roles := range f.Families {
		for _, r := range roles {
			if other, ok := in[r]; ok {
				t.Errorf("%s is in the families %s and %s", r, other, name)
			}
			in[r] = name
		}
	}
	sorted := slices.Sorted(slices.Values(f.Clickable))
	if n := len(slices.Compact(slices.Clone(sorted))); n != len(sorted) {
		t.Errorf("clickable has %d roles twice", len(sorted)-n)
	}
}

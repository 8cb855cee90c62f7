package resolve

import "testing"

func TestOpposed(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"Follow Anna", "Unfollow Anna", true},
		{"Enable alerts", "Disable alerts", true},
		{"Accept this invitation", "Decline this invitation", true},
		{"Sign in", "Sign up", true},
		{"Log in", "Log out", true},
		{"Save", "Don't save", true},
		{"Archive project", "Delete project", true},
		{"Show all comments", "Hide all comments", true},
		{"Termin annehmen", "Termin ablehnen", true},
		{"Konto anmelden", "Konto abmelden", true},
		{"Notifications deactivate", "Notifications activate", true},
		{"Submit order", "Submit purchase", false},
		{"Save changes", "Save all changes", false},
		{"Delete order", "Delete this order", false},
		{"Place order", "Place your order", false},
		{"Save", "Save", false},
	} {
		if got := opposed(tt.a, tt.b); got != tt.want {
			t.Errorf("opposed(%q, %q) is %t", tt.a, tt.b, got)
		}
		if got := opposed(tt.b, tt.a); got != tt.want {
			t.Errorf("opposed(%q, %q) is %t", tt.b, tt.a, got)
		}
	}
}

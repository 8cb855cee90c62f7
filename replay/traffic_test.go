package replay

import "testing"

// Where the browser does not tell of requests, no two looks agree, so that nothing counts as untouched.
func TestTrafficUnknown(t *testing.T) {
	c := &traffic{unknown: true}
	if a, b := c.sent(), c.sent(); a == b || c.open() != 0 {
		t.Errorf("%d and %d, %d open", a, b, c.open())
	}
}

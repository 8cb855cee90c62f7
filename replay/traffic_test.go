package replay

import "testing"

// Requests by which a page does something are counted and followed; pictures and what cannot be read are not.
func TestTraffic(t *testing.T) {
	c := &traffic{inFlight: map[string]bool{}}
	begin := func(id, typ string) { c.note([]byte(`{"requestId":"`+id+`","type":"`+typ+`"}`), true) }
	end := func(id string) { c.note([]byte(`{"requestId":"`+id+`"}`), false) }
	begin("1", "Fetch")
	begin("2", "Image")
	begin("3", "XHR")
	c.note([]byte(`{"requestId":`), true)
	if c.sent() != 2 || c.open() != 2 {
		t.Errorf("%d sent, %d open", c.sent(), c.open())
	}
	end("1")
	end("2")
	end("never begun")
	begin("3", "XHR") // a redirect begins under the same id
	if c.sent() != 3 || c.open() != 1 {
		t.Errorf("%d sent, %d open", c.sent(), c.open())
	}
	end("3")
	if c.open() != 0 {
		t.Errorf("%d open", c.open())
	}
}

// Where the browser does not tell of requests, no two looks agree, so that nothing counts as untouched.
func TestTrafficUnknown(t *testing.T) {
	c := &traffic{count: -1, inFlight: map[string]bool{}}
	if a, b := c.sent(), c.sent(); a == b {
		t.Errorf("%d and %d", a, b)
	}
}

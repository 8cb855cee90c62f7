package report

import (
	"testing"

	"retrace/replay"
)

func TestRequestsInWords(t *testing.T) {
	q := func(status int, failed string) replay.Request {
		return replay.Request{Method: "GET", URL: "/", Kind: "fetch", Status: status, Failed: failed}
	}
	for _, tt := range []struct {
		t    replay.Traffic
		want string
	}{
		{replay.Traffic{}, "no request was sent"},
		{replay.Traffic{Sent: 1, List: []replay.Request{q(200, "")}}, "1 sent"},
		{replay.Traffic{Sent: 9, Parts: 5, List: []replay.Request{q(200, "")}}, "9 sent, 5 of them for scripts, styles, pictures and fonts; 3 are not listed"},
	} {
		if got := requests(&tt.t); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.t, got, tt.want)
		}
	}
	for _, tt := range []struct {
		q       replay.Request
		want    string
		refused bool
	}{
		{q(200, ""), "fetch, 200", false}, {q(404, ""), "fetch, 404", true}, {q(0, "net::ERR_FAILED"), "fetch, net::ERR_FAILED", true},
		{q(200, "net::ERR_ABORTED"), "fetch, 200, net::ERR_ABORTED", true}, {q(0, ""), "fetch, no answer by the end of the step", false},
	} {
		if got := answer(tt.q); got != tt.want || refused(tt.q) != tt.refused {
			t.Errorf("%+v: %q, refused %v", tt.q, got, refused(tt.q))
		}
	}
}

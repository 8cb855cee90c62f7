package replay

import (
	"testing"
	"time"

	"retrace/replay/browser"
)

// TestDeprived: the time at work that was not on the processor, and no more than anything on the machine waited.
func TestDeprived(t *testing.T) {
	page, other := &browser.Page{}, &browser.Page{}
	at := func(p *browser.Page, work, thread, waiting float64, machine bool) reading {
		return reading{page: p, work: work, thread: thread, asked: waiting, told: waiting, machine: machine}
	}
	for _, tt := range []struct {
		name     string
		from, to reading
		want     float64
	}{
		{"served", at(page, 100, 90, 0, true), at(page, 300, 290, 500, true), 0},
		{"kept from the processor", at(page, 100, 90, 0, true), at(page, 2100, 290, 5000, true), 1800},
		{"waits for something else within a task", at(page, 100, 90, 1000, true), at(page, 2100, 290, 1050, true), 50},
		{"a machine that does not tell", at(page, 100, 90, 0, false), at(page, 2100, 290, 0, false), 1800},
		{"another process", at(page, 5000, 4000, 0, true), at(page, 400, 300, 5000, true), 100},
		{"another page", at(other, 100, 90, 0, true), at(page, 2100, 290, 5000, true), 0},
		{"not read", reading{}, at(page, 2100, 290, 5000, true), 0},
		{"rounding", at(page, 100, 90, 0, true), at(page, 110, 101, 0, true), 0},
	} {
		if got := deprived(tt.from, tt.to); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestUnanswered: a page whose scripts run all the time has not been kept from the processor.
func TestUnanswered(t *testing.T) {
	page, began := &browser.Page{}, time.Now()
	from := reading{page: page, thread: 90, machine: true, at: began}
	for _, tt := range []struct {
		name            string
		thread, waiting float64
		machine         bool
		want            float64
	}{
		{"idle on a busy machine", 190, 3000, true, 1900}, {"busy by itself", 2090, 3000, true, 0}, {"idle on an idle machine", 190, 40, true, 40},
		{"a machine that does not tell", 190, 0, false, 0}, {"another process", 50, 3000, true, 1950},
	} {
		to := reading{page: page, thread: tt.thread, told: tt.waiting, machine: tt.machine, at: began.Add(2 * time.Second)}
		if got := unanswered(from, to); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	if unanswered(from, reading{}) != 0 {
		t.Error("a page that was not read")
	}
}

func TestPressure(t *testing.T) {
	const told = "some avg10=0.10 avg60=6.72 avg300=22.37 total=8499209457\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n"
	if ms, ok := pressure(told); !ok || ms != 8499209.457 {
		t.Errorf("%v, %v", ms, ok)
	}
	for _, s := range []string{"", "full total=7\n", "some avg10=0.10\n", "some total=x\n"} {
		if ms, ok := pressure(s); ok || ms != 0 {
			t.Errorf("%q: %v", s, ms)
		}
	}
}

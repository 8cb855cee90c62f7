package browser

import (
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/google/go-cmp/cmp"
)

// The event orders are those that Chromium 156 sends.
func TestNavigations(t *testing.T) {
	const main, sub = "main", "sub"
	type counts struct{ Documents, Main, Within, Fruitless int64 }
	requested := func(t *navigations) { t.requested(main) }
	started := func(loader cdp.LoaderID) func(*navigations) {
		return func(t *navigations) { t.started(main, loader, false) }
	}
	same := func(t *navigations) { t.started(main, "s", true) }
	loading := func(t *navigations) { t.loading(main) }
	stopped := func(t *navigations) { t.stopped(main) }
	within := func(t *navigations) { t.withinDocument(main) }
	navigated := func(loader cdp.LoaderID) func(*navigations) {
		return func(t *navigations) { t.navigated(main, loader) }
	}
	lifecycle := func(loader cdp.LoaderID, name string) func(*navigations) {
		return func(t *navigations) { t.lifecycle(main, loader, name) }
	}
	type events []func(*navigations)
	tests := []struct {
		name   string
		events events
		want   counts
		open   int  // navigations under way at the end
		parsed bool // whether the last one is parsed
	}{
		{"nothing", nil, counts{}, 0, false},
		{"link", events{requested, started("1"), loading, navigated("1"), lifecycle("1", "DOMContentLoaded"), lifecycle("1", "load"), stopped}, counts{1, 1, 0, 0}, 0, true},
		{"requested only", events{requested}, counts{}, 1, false},
		{"waiting for the server", events{requested, started("1"), loading}, counts{}, 1, false},
		{"parsed, picture hangs", events{started("1"), loading, navigated("1"), lifecycle("1", "DOMContentLoaded")}, counts{1, 1, 0, 0}, 1, true},
		{"lifecycle of the old document", events{navigated("1"), started("2"), lifecycle("1", "load")}, counts{1, 1, 0, 0}, 1, false},
		{"download", events{requested, started("1"), loading, stopped}, counts{0, 0, 0, 1}, 0, false},
		{"fragment", events{requested, same, within, loading, stopped}, counts{0, 0, 1, 0}, 0, false},
		{"fragment, throbber first", events{requested, same, loading, within, stopped}, counts{0, 0, 1, 0}, 0, false},
		{"history.pushState", events{within}, counts{0, 0, 1, 0}, 0, false},
		{"replaceState while a link is followed", events{requested, started("1"), within}, counts{0, 0, 1, 0}, 1, false},
		{"old process stops before the new one commits", events{started("1"), loading, stopped, navigated("1")}, counts{1, 1, 0, 0}, 1, false},
		{"told twice", events{started("1"), navigated("1"), navigated("1")}, counts{1, 1, 0, 0}, 1, false},
		{"without announcement", events{navigated("1"), lifecycle("1", "load")}, counts{1, 1, 0, 0}, 0, true},
		{"replaced before commit", events{started("1"), started("2"), navigated("2"), lifecycle("2", "load")}, counts{1, 1, 0, 0}, 0, true},
		{"only the throbber", events{loading, stopped}, counts{}, 0, false},
		{"frame", events{func(t *navigations) { t.navigated(sub, "1"); t.lifecycle(sub, "1", "load") }}, counts{1, 0, 0, 0}, 0, false},
		{"frame leaves", events{func(t *navigations) { t.started(sub, "1", false); t.detached(sub) }}, counts{}, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := navigations{main: main}
			for _, e := range tt.events {
				e(&n)
			}
			if diff := cmp.Diff(tt.want, counts{n.documents, n.mainDocuments, n.within, n.fruitless}); diff != "" {
				t.Errorf("counts (-want +got):\n%s", diff)
			}
			if got := len(n.since(0)); got != tt.open {
				t.Errorf("%d navigations under way, want %d", got, tt.open)
			}
			if last := n.last[main]; (last != nil && last.parsed) != tt.parsed {
				t.Errorf("last navigation = %+v", last)
			}
		})
	}
}

func TestNavigationIsFollowedToItsSuccessor(t *testing.T) {
	n := navigations{main: "main"}
	n.requested("main")
	first := n.last["main"]
	n.started("main", "1", false)
	n.navigated("main", "1")
	n.requested("main") // the new document goes on at once
	n.started("main", "2", false)
	if got := first.latest(); got == first || got.loader != "2" {
		t.Errorf("latest = %+v", got)
	}
	if since := n.since(first.seq); len(since) != 1 || since[0].loader != "2" {
		t.Errorf("since = %+v", since)
	}
}

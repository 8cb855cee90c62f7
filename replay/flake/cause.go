package flake

// Cause is why runs differ at a step: a closed list.
type Cause string

// Causes.
const (
	LateRender     Cause = "late render"                   // the target, or its page, is not always there in time
	LateEnabling   Cause = "late enabling"                 // it is there and cannot be used yet
	CoveredTarget  Cause = "covered"                       // something lies over it
	Rerendered     Cause = "re-rendered under the pointer" // it is drawn anew while it is acted on
	AmbiguousLoad  Cause = "ambiguous under load"          // at times several elements fit
	NameChanges    Cause = "name changes"                  // it is called otherwise at times
	OrderChanges   Cause = "order changes"                 // the same things stand in another order at times
	EffectLate     Cause = "effect late"                   // what follows comes, but not in time
	EffectLost     Cause = "effect lost"                   // the action is without consequence at times
	NavigationRace Cause = "navigation race"               // the page leaves, or another one comes, meanwhile
	Network        Cause = "network"                       // requests fail or take long
	Environment    Cause = "environment"                   // it depends on viewport, locale, time zone, animations, the browser or the machine
	UnstableText   Cause = "unstable page text"            // what the page says differs from run to run
)

// Causes are all of them.
var Causes = []Cause{LateRender, LateEnabling, CoveredTarget, Rerendered, AmbiguousLoad, NameChanges, OrderChanges, EffectLate, EffectLost, NavigationRace, Network, Environment, UnstableText}

// feed is what to do about a machine that is too busy.
const feed = "give the machine less to do, take fewer --workers, or raise --timeout; nothing is said of the page"

// cures are what to do about a cause: in the page, and in the replay.
var cures = map[Cause]string{
	LateRender:     "have the page say when it is ready, or raise --timeout above the longest time that was seen; find out what the page waits for before it draws the target",
	LateEnabling:   "find out what the control waits for before it is enabled; let it be enabled with the data that it needs, or raise --timeout",
	CoveredTarget:  "have the page take away what covers the target when it is done, or record the step that closes it",
	Rerendered:     "have the page keep the element while its surroundings are drawn anew (stable keys), and not draw it anew between press and release",
	AmbiguousLoad:  "have the page take the old list away before it shows the new one, or give each of the equals a name of its own; record the step with a row that has a name",
	NameChanges:    "give the control a name that does not change (aria-label), or keep what changes in an element beside it; --propose shows the correction of the recording",
	OrderChanges:   "have the page sort by something that is the same in each run, or give the items names by which they can be told apart",
	EffectLate:     "raise --timeout above the longest time that was seen, or find out what the page does between the action and its result",
	EffectLost:     "attach the handlers before the control is shown or enabled, and look for a handler that drops actions while the page is busy",
	NavigationRace: "have the page finish its redirects before it shows controls; record the wait as a step of its own (a navigation that ends where the recording begins)",
	Network:        "see the failed and slow requests; use a server of fixed data for tests, or let the page try again",
	Environment:    "pin the condition under which it passes (--viewport, --locale, --timezone), or record under the one that is used; when the browser does not answer, give the machine less to do",
	UnstableText:   "take what changes by itself (times, counters, advertisements, random texts) out of what the step changes, or leave it out of the recording with --verify off for that run",
}

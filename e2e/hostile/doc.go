// Package hostile holds pages that make a replay's life hard: they flood, hang, loop, crash, reload and lie. A test replays a
// recording of one click on each of them.
//
// # How it knows
//
// Every page is the same at heart: a heading, a button "Go", and after the click a second heading, "Done". The recording says
// that and no more. The button tells the server of each click in a request that Chrome keeps alive after the page is gone, so
// that [Site.Clicks] says what really happened, whatever the replay claims.
package hostile

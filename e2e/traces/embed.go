// Package traces holds recordings of a person at work on the fixture site.
//
// Each is a directory as the recorder wrote it (trace.json and states/), with three files more: expect.json says how to
// tell that the task was done, truth.json and events.json which elements the person really touched. The recordings name
// port 8899 of the loopback address.
package traces

import "embed"

// Demo is the recording that the demonstration replays: a basket in which a quantity is changed, a row removed and a
// voucher used.
//
//go:embed cart-voucher/trace.json cart-voucher/states
var Demo embed.FS

// DemoName is the directory of the recording in [Demo].
const DemoName = "cart-voucher"

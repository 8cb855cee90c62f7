// Package harness judges a retrace binary from outside: it serves a site, replays a recording on it with the binary, and
// finds out what really happened in the pages.
//
// # How it knows
//
// The server puts a small observer into every page. It reports which elements received real events, and whether the
// recording's check (an expression of JavaScript) holds in the page. Beside each recording lies the list of elements
// that the person touched. So a verdict does not depend on anything that the binary says, except on its exit code:
//
//   - OK: exit code 0 and the task is done.
//   - STOP: another exit code, and nothing wrong was touched.
//   - LATE: the task is done, yet the exit code is not 0.
//   - SILENT: exit code 0, and the task is not done.
//   - WRONG: an element was touched that the person never touched, or the binary hung.
//
// SILENT and WRONG must never occur: they are the two ways in which a replay lies.
package harness

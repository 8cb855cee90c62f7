// Command bench measures retrace against the tools that people would use instead, on generated pages and recordings, and
// prints one table.
//
// # How it measures
//
// Absolute times say little on a machine that does other things too. So every tool replays a flow in turn, round after round,
// and what counts is the ratio of two times of the same round; the table gives the median of the ratios and their quartiles.
// A time per step is the time from the begin of the first recorded step to the end of the last, divided by their number:
// starting the browser and opening the first page are not in it, and neither is what retrace does after the last step, when
// it watches the page come to rest; the whole command is a column of its own. retrace runs with verification on, as it is
// installed. The scripts verify nothing.
//
// Commands and bytes are counted on the wire, in a run of its own: each tool attaches to a browser through a relay that
// notes what passes and when, and the steps' own times say which step it belongs to. Memory is sampled in the same run:
// resident memory of the tool's process, and of Chrome's processes the sum of what each has for itself and its share of what
// they have together.
package main

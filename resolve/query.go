package resolve

import "retrace/resolve/axtree"

// Use is what the element is wanted for.
type Use string

// Uses.
const (
	ToClick  Use = "click"
	ToHover  Use = "hover"
	ToFill   Use = "fill"
	ToSelect Use = "select"
	ToPress  Use = "press"
)

// Mode is how much a name may have changed.
type Mode string

// Modes. Strict is the default.
const (
	Strict   Mode = "strict"
	Tolerant Mode = "tolerant"
)

// Query is a recorded target and what the recording knew about it. Trees may be nil.
type Query struct {
	Target Descriptor
	Use    Use
	Mode   Mode
	// Before is the recorded page on which the target was, After the page after the step.
	Before, After *axtree.Tree
	// Truncated is set when Before is not the whole page.
	Truncated bool
	// Next are the targets of the steps that follow on the same page, nearest first, with the trees that they refer to.
	Next []Follow
}

// Follow is the target of a later step.
type Follow struct {
	Target Descriptor
	Tree   *axtree.Tree
}

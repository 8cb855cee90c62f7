package resolve

// Descriptor is a recorded target: what the recorder wrote down about the element that a step acted on.
// Every field may be empty. The v3 fields are Ref, Role, Name, Ctx and Unmatched; the others come from v2 recordings,
// where a target is a description of the DOM element only.
type Descriptor struct {
	Ref       string // line of the step's state text, without "@"
	Role      string
	Name      string
	Ctx       string
	Unmatched bool // role and name come from the DOM, not from the accessibility tree

	Tag         string
	NameAttr    string // the element's name attribute
	Placeholder string
	NearbyLabel string
}

// Empty reports whether the descriptor says nothing at all.
func (d Descriptor) Empty() bool {
	d.Unmatched = false
	return d == Descriptor{}
}

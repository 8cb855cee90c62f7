package trace

// Problem is one thing that is wrong, or noteworthy, in a recording. Its text names file, step and field.
type Problem struct {
	File  string // path as given, or the state file inside the bundle
	Step  int    // step id, 0 when it is not about a step
	Field string // "fill: value", "states[2]: page"; empty when it is about the whole file
	Text  string // "is missing"
}

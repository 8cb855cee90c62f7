package resolve

// Outcome says how a search for a target ended.
type Outcome string

// The three outcomes.
const (
	One       Outcome = "one"
	Ambiguous Outcome = "ambiguous"
	Missing   Outcome = "missing"
)

// Tier is how strong the agreement between the recorded target and an element is, strongest first.
type Tier string

// Tiers in their order: a lower one is used only when the higher ones give nothing.
const (
	TierExact      Tier = "exact"      // same name (normalised) and same role
	TierFamily     Tier = "family"     // same name, a role of the same family
	TierRecorder   Tier = "recorder"   // a name that the recorder derives in another way (label, title, preceding text, DOM text)
	TierRole       Tier = "role"       // same name, another clickable role
	TierVolatile   Tier = "volatile"   // the name differs only in a number, date or price
	TierStructural Tier = "structural" // no name: role and place in the recorded page
	TierTolerant   Tier = "tolerant"   // opt-in: words of the name changed
)

// Evidence is one thing that speaks for or against a candidate.
type Evidence struct {
	Kind   string `json:"kind"` // "name", "role", "frame", "ancestors", "neighbours", "ctx", "row", "position", "what follows", "state"
	Agrees bool   `json:"agrees"`
	// Text says what was compared ("row has \"Brunner AG\"").
	Text string `json:"text"`
}

// Candidate is one live element that was considered.
type Candidate struct {
	Role  string `json:"role"`
	Name  string `json:"name"`
	Where string `json:"where,omitempty"` // named ancestors, outermost first: `main › row "Brunner AG"`
	Frame string `json:"frame,omitempty"` // name of the Iframe it is in
	State string `json:"state,omitempty"` // "disabled", "hidden", …
	Tier  Tier   `json:"tier"`
	// Score is the share of the recorded surroundings that the candidate has, from 0 to 1.
	Score    float64    `json:"score"`
	Chosen   bool       `json:"chosen,omitempty"`
	Evidence []Evidence `json:"evidence,omitempty"`
	// Index is the place of the element's node in the tree that was searched.
	Index int `json:"-"`
}

// Decision is the outcome of a search, with everything that led to it.
type Decision struct {
	Outcome Outcome `json:"outcome"`
	Tier    Tier    `json:"tier,omitempty"`
	// Why is one sentence for people: what decided, or what is lacking.
	Why string `json:"why"`
	// Warnings are set when weaker evidence than exact role, exact name and uniqueness was used.
	Warnings []string `json:"warnings,omitempty"`
	// Candidates are at most 20, best first; Total counts all.
	Candidates []Candidate `json:"candidates,omitempty"`
	Total      int         `json:"total"`
}

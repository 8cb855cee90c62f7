package replay

import (
	"context"
	"time"

	"retrace/replay/plan"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// propose collects corrections of the recorded target of a step that ended with failure f, or without one. It looks at the
// page and does nothing to it.
func (r *runner) propose(ctx context.Context, it *plan.Intent, i int, s *StepResult, f *Failure) {
	if !r.o.Propose || it.Step == nil || it.Step.Target == nil || s.Decision == nil || r.page == nil || ctx.Err() != nil {
		return
	}
	if f == nil {
		r.res.Proposals = append(r.res.Proposals, weaker(it.Step.ID, it.Step.Target, s.Decision)...)
		return
	}
	if f.Code != TargetMissing && f.Code != PageMismatch || s.Decision.Outcome != resolve.Missing {
		return
	}
	short, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	v, err := r.look(short)
	if err != nil {
		return
	}
	q := r.query(it, i)
	q.Mode = resolve.Tolerant
	n, d := resolve.Find(q, v.tree)
	if d.Outcome != resolve.One {
		return
	}
	r.res.Proposals = append(r.res.Proposals, corrections(it.Step.ID, it.Step.Target, n, d.Why)...)
}

// weaker are the corrections of a target that was found by other evidence than its role and name as recorded.
func weaker(step int, t *resolve.Descriptor, d *resolve.Decision) []Proposal {
	switch d.Tier {
	case resolve.TierVolatile, resolve.TierTolerant:
	case resolve.TierFamily, resolve.TierRecorder, resolve.TierRole:
		if t.Unmatched || t.Tag != "" {
			return nil // such a target differs from what the accessibility tree says, and is right as it is
		}
	default:
		return nil
	}
	if len(d.Warnings) == 0 {
		return nil
	}
	for _, c := range d.Candidates {
		if c.Chosen {
			return corrections(step, t, &axtree.Node{Role: c.Role, Name: c.Name}, d.Why)
		}
	}
	return nil
}

// corrections are the fields in which a recorded target and an element differ. A field that the recording does not have
// is not added, and nothing is replaced by nothing.
func corrections(step int, t *resolve.Descriptor, n *axtree.Node, why string) []Proposal {
	role, name := n.Role, n.Name
	if l := n.Live; l != nil && (t.Unmatched || t.Tag != "") { // recorded by what the document says, not the accessibility tree
		if l.DOMRole != "" {
			role = l.DOMRole
		}
		if l.DOMName != "" {
			name = l.DOMName
		}
	}
	var out []Proposal
	for _, field := range []struct{ key, from, to string }{{"role", t.Role, role}, {"name", t.Name, resolve.Normalise(name)}} {
		if field.from != "" && field.to != "" && resolve.Normalise(field.from) != field.to {
			out = append(out, Proposal{Step: step, Field: field.key, From: field.from, To: field.to, Why: why})
		}
	}
	return out
}

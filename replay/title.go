package replay

import (
	"fmt"
	"strconv"
	"strings"

	"retrace/replay/plan"
	"retrace/replay/trace"
	"retrace/resolve"
)

// title is what a planned step does, for people. It never holds a redacted value.
func title(it *plan.Intent) string {
	target := ""
	if it.Step != nil && it.Step.Target != nil {
		target = describe(it.Step.Target)
	}
	switch it.Kind {
	case plan.Open:
		return "open " + clip(it.To, 120)
	case plan.Goto:
		return "go to " + clip(it.To, 120)
	case plan.Reload:
		return "reload the page"
	case plan.Traverse:
		return "back or forward to " + clip(it.To, 120)
	case plan.Await:
		return "wait for " + clip(it.To, 120)
	case plan.SwitchTab:
		if it.After != nil {
			return "switch to the tab " + clip(it.After.URL, 120)
		}
		return "switch to another tab"
	case plan.Fill:
		s := fmt.Sprintf("fill %s with %s", target, shown(it))
		switch {
		case it.Suggest && it.Choice != "" && !it.Step.Redacted:
			s += ", choose " + strconv.Quote(clip(it.Choice, 60))
		case it.Suggest:
			s += ", choose a suggestion"
		case it.Enter:
			s += ", press Enter"
		}
		return s
	case plan.Select:
		return fmt.Sprintf("select %s in %s", chosen(it.Step), target)
	case plan.Press:
		key := it.Step.Key
		if m := it.Step.Modifiers.String(); m != "" {
			key = m + "+" + key
		}
		if target == "" {
			return "press " + key
		}
		return "press " + key + " on " + target
	case plan.Skip:
		if it.Step != nil {
			return "skip " + string(it.Step.Op) + strings.TrimRight(" "+target, " ")
		}
		return "skip"
	}
	return strings.TrimRight(string(it.Kind)+" "+target, " ")
}

func describe(d *resolve.Descriptor) string { return d.Describe() }

func shown(it *plan.Intent) string {
	if it.Step.Redacted {
		return "•••"
	}
	return strconv.Quote(clip(it.Value, 60))
}

func chosen(s *trace.Step) string {
	if s.Selection == nil {
		return "•••"
	}
	var out []string
	for _, c := range s.Selection {
		if c.Label != "" {
			out = append(out, strconv.Quote(clip(c.Label, 60)))
		} else {
			out = append(out, strconv.Quote(clip(c.Value, 60)))
		}
	}
	if len(out) == 0 {
		return "nothing"
	}
	return strings.Join(out, " and ")
}

func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

package report

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"retrace/replay/plan"
	"retrace/replay/trace"
	"retrace/resolve"
)

// Show writes a recording and its plan as plain text: a head that says what was recorded, then a line for each intent, and
// below it what was recorded where that is not the same, and why. Text from the recording is cleaned (see [Clean]) and
// cut; the value of a redacted fill is never written. The error is that of the writer.
//
//	4  4-5    fill        textbox "Delivery date" = "2026-12-24"
//	                      was 4: fill textbox "Delivery date" = "0002-12-24"
//	                      was 5: fill textbox "Delivery date" = "2026-12-24"
//	                      why: 2 fills of the same field in a row, only the last value counts (fills-collapsed)
func Show(w io.Writer, t *trace.Trace, intents []plan.Intent) error {
	b := bufio.NewWriter(w)
	showHead(b, t)
	fmt.Fprintf(b, "\nPlan: %s\n\n", plural(len(intents), "intent"))
	rows := make([][3]string, len(intents))
	var wide [2]int
	for i, in := range intents {
		ids := make([]int, len(in.Covers))
		for k, s := range in.Covers {
			ids[k] = s.ID
		}
		rows[i] = [3]string{stepIDs(ids), string(in.Kind), intentText(in)}
		for c := range wide {
			wide[c] = max(wide[c], columns(rows[i][c]))
		}
	}
	number := len(strconv.Itoa(len(intents)))
	margin := strings.Repeat(" ", 2+number+2+wide[0]+2+wide[1]+2)
	for i, in := range intents {
		line := fmt.Sprintf("  %*d  %s  %s  %s", number, i+1, pad(rows[i][0], wide[0]), pad(rows[i][1], wide[1]), rows[i][2])
		fmt.Fprintln(b, strings.TrimRight(line, " "))
		if len(in.Covers) > 1 || in.Kind == plan.Open && len(in.Covers) > 0 {
			for _, s := range in.Covers {
				fmt.Fprintf(b, "%swas %d: %s\n", margin, s.ID, stepText(s))
			}
		}
		for _, r := range in.Reasons {
			fmt.Fprintf(b, "%swhy: %s (%s)\n", margin, Clean(r.Text), Clean(r.Rule))
		}
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("show plan: %w", err)
	}
	return nil
}

// showHead writes what is known about the recording as a whole.
func showHead(w io.Writer, t *trace.Trace) {
	fmt.Fprintf(w, "Recording: %s\n", Clean(t.Name))
	line := func(label, text string) {
		if text != "" {
			fmt.Fprintf(w, "  %-9s  %s\n", label, text)
		}
	}
	line("purpose", Clean(Cut(t.Purpose, longestShown)))
	line("start", Clean(Cut(t.StartURL, longestShown)))
	if !t.RecordedAt.IsZero() {
		line("recorded", t.RecordedAt.UTC().Format(time.RFC3339))
	}
	format := "v" + strconv.Itoa(t.Version)
	if t.Recorder != "" {
		format += ", recorder " + Clean(t.Recorder)
	}
	line("format", format)
	line("holds", plural(len(t.Steps), "step")+", "+plural(len(t.States), "page state"))
	for _, p := range t.Warnings {
		line("warning", problemText(p))
	}
}

// problemText writes where a problem is and what it is.
func problemText(p trace.Problem) string {
	var parts []string
	if p.File != "" {
		parts = append(parts, p.File)
	}
	if p.Step > 0 {
		parts = append(parts, "step "+strconv.Itoa(p.Step))
	}
	where := strings.Join(parts, ": ")
	if p.Field != "" {
		where = strings.TrimPrefix(where+": "+p.Field, ": ")
	}
	return Clean(strings.TrimSpace(where + " " + p.Text))
}

// longestShown is the number of runes that a value, a name or an address may take.
const longestShown = 160

// quote writes text from a recording in quotes, cleaned and cut.
func quote(s string) string { return Clean(fmt.Sprintf("%q", Cut(s, longestShown))) }

// intentText says what an intent does, its kind left out.
func intentText(in plan.Intent) string {
	switch in.Kind {
	case plan.Open, plan.Goto, plan.Traverse:
		return Clean(Cut(in.To, longestShown))
	case plan.Await:
		return Clean(Cut(in.To, longestShown)) + missingText(in.Missing)
	case plan.Reload:
		return ""
	case plan.Skip:
		return stepText(in.Step)
	case plan.SwitchTab:
		if in.After == nil {
			return ""
		}
		return Clean(Cut(in.After.URL, longestShown))
	case plan.Fill:
		return fillText(in) + missingText(in.Missing)
	}
	return stepDetail(in.Step) + missingText(in.Missing)
}

// fillText says which field gets which text, and what follows.
func fillText(in plan.Intent) string {
	text := targetText(in.Step.Target)
	switch {
	case in.Step.Redacted:
		text += " = (secret)"
	case in.Append:
		text += " += " + quote(in.Value)
	default:
		text += " = " + quote(in.Value)
	}
	switch {
	case in.Suggest && in.Choice != "" && !in.Step.Redacted:
		text += ", then the suggestion " + quote(in.Choice)
	case in.Suggest:
		text += ", then a suggestion"
	}
	if in.Enter {
		text += ", then Enter"
	}
	return text
}

// missingText says what is tried when the page that should follow does not come by itself.
func missingText(m *plan.Missing) string {
	if m == nil {
		return ""
	}
	var tries []string
	if m.Submit && m.Field != nil {
		tries = append(tries, fmt.Sprintf("submit the form of step %d", m.Field.ID))
	}
	if m.Navigate {
		tries = append(tries, "load it")
	}
	if len(tries) == 0 {
		return ""
	}
	return "; if the page does not come: " + strings.Join(tries, ", then ")
}

// stepText writes a recorded step: its kind and what it acted on.
func stepText(s *trace.Step) string {
	return strings.TrimSpace(string(s.Op) + " " + stepDetail(s))
}

func stepDetail(s *trace.Step) string {
	switch s.Op {
	case trace.Navigate:
		text := Clean(Cut(s.To, longestShown))
		if s.Cause != "" {
			text += " (" + Clean(string(s.Cause)) + ")"
		}
		return text
	case trace.SwitchTab:
		if s.Result != nil {
			return Clean(Cut(s.Result.URL, longestShown))
		}
		return ""
	case trace.Fill:
		if s.Redacted {
			return targetText(s.Target) + " = (secret)"
		}
		return targetText(s.Target) + " = " + quote(s.Value)
	case trace.Select:
		return targetText(s.Target) + " = " + selectionText(s.Selection)
	case trace.Press:
		chord := quote(s.Key)
		if unquoted := strings.Trim(chord, `"`); unquoted == s.Key && s.Key != "" {
			chord = s.Key // a plain name needs no quotes
		}
		if held := s.Modifiers.String(); held != "" {
			chord = held + "+" + chord
		}
		if s.Target != nil && !s.Target.Empty() {
			chord += " in " + targetText(s.Target)
		}
		return chord
	case trace.Scroll:
		return ""
	}
	return targetText(s.Target)
}

// selectionText writes the chosen options by what a person reads of them.
func selectionText(options []trace.Option) string {
	if options == nil {
		return "(not recorded)"
	}
	var names []string
	for _, o := range options {
		if o.Label != "" {
			names = append(names, quote(o.Label))
		} else {
			names = append(names, quote(o.Value))
		}
	}
	return strings.Join(names, ", ")
}

// targetText writes a target as people speak of it: button "Edit" by "Rain jacket".
func targetText(d *resolve.Descriptor) string {
	if d == nil || d.Empty() {
		return "an element that the recording does not describe"
	}
	role := d.Role
	if role == "" {
		role = d.Tag
	}
	if role == "" {
		role = "element"
	}
	text := Clean(Cut(role, longestShown))
	if name := resolve.StripSuffix(d.Name); name != "" {
		text += " " + quote(name)
	}
	if d.Ctx != "" {
		text += " by " + quote(d.Ctx)
	}
	return text
}

package main

import (
	"fmt"
	"slices"
	"strings"
)

// document is the JSON form of all figures. Times are in milliseconds.
type document struct {
	Date     string            `json:"date"`
	Machine  string            `json:"machine"`
	Versions map[string]string `json:"versions"`
	Flows    []flowResult      `json:"flows"`
	Alone    alone             `json:"alone"`
}

// flowResult is what was measured on one flow, by tool.
type flowResult struct {
	Name  string                 `json:"name"`
	Tools map[string]*toolResult `json:"tools"`
}

// toolResult is what was measured of one tool on one flow.
type toolResult struct {
	// Failure is why the tool could not do the flow.
	Failure string `json:"failure,omitempty"`
	Step    spread `json:"step_ms"`
	Start   spread `json:"start_ms"`
	// Launch is from the call that starts the browser, without the start of the tool itself, where the tool tells it.
	Launch spread `json:"launch_ms"`
	Whole  spread `json:"whole_ms"`
	// Ratios are retrace's time by this tool's, round by round.
	StepRatio   spread `json:"step_ratio"`
	StartRatio  spread `json:"start_ratio"`
	LaunchRatio spread `json:"launch_ratio"`
	WholeRatio  spread `json:"whole_ratio"`
	Wire        *wire  `json:"wire,omitempty"`

	step, start, launch, whole []float64
}

// alone is what has no peer.
type alone struct {
	BinaryMB float64 `json:"binary_mb"`
	// Validate is the time of `retrace validate` for a recording of 1,000 steps.
	Validate spread `json:"validate_1000_ms"`
	Long     *long  `json:"long,omitempty"`
	Many     *many  `json:"many,omitempty"`
}

// long is a long replay at its begin and at its end.
type long struct {
	Steps int `json:"steps"`
	// First are the second hundred steps, Last the last hundred.
	First spread `json:"first_ms"`
	Last  spread `json:"last_ms"`
	// EarlyMB is the resident memory after a twentieth of the time, LateMB in the last tenth.
	EarlyMB float64 `json:"early_mb"`
	LateMB  float64 `json:"late_mb"`
}

func (t *toolResult) add(s *sample) {
	t.step, t.start, t.launch, t.whole = append(t.step, s.PerStep), append(t.start, s.Start), append(t.launch, s.Launch), append(t.whole, s.Whole)
}

func (t *toolResult) sum(ours *toolResult) {
	t.Step, t.Start, t.Launch, t.Whole = spreadOf(t.step), spreadOf(t.start), spreadOf(t.launch), spreadOf(t.whole)
	t.StepRatio, t.WholeRatio = spreadOf(ratios(ours.step, t.step)), spreadOf(ratios(ours.whole, t.whole))
	t.StartRatio, t.LaunchRatio = spreadOf(ratios(ours.start, t.start)), spreadOf(ratios(ours.start, t.launch))
}

// table is the document as Markdown.
func (d *document) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s, %s\n\n", d.Date, d.Machine, d.Versions["browser"])
	b.WriteString("| flow | tool | ms a step | retrace by it (quartiles) | start ms (ratio) | whole ms (ratio) | commands by kind | kB by kind | tool MB | Chrome MB |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for _, f := range d.Flows {
		for _, name := range names(f.Tools) {
			t := f.Tools[name]
			title := name
			if v := d.Versions[name]; v != "" {
				title += " " + v
			}
			if t.Failure != "" {
				line, _, _ := strings.Cut(t.Failure, "\n")
				fmt.Fprintf(&b, "| %s | %s | failed: %s | | | | | | | |\n", f.Name, title, line)
				continue
			}
			fmt.Fprintf(&b, "| %s | %s | %.0f | %s | %.0f%s | %.0f%s | %s |\n", f.Name, title, t.Step.Median, ratio(t.StepRatio), t.Start.Median, inParentheses(t.StartRatio), t.Whole.Median, inParentheses(t.WholeRatio), t.Wire.columns())
		}
	}
	fmt.Fprintf(&b, "\nbinary %.1f MB; validate of 1,000 steps %.0f ms (%.0f–%.0f)\n", d.Alone.BinaryMB, d.Alone.Validate.Median, d.Alone.Validate.Low, d.Alone.Validate.High)
	if l := d.Alone.Long; l != nil {
		fmt.Fprintf(&b, "%d steps: %.0f ms a step at the begin, %.0f ms at the end; %.0f MB at the begin, %.0f MB at the end\n", l.Steps, l.First.Median, l.Last.Median, l.EarlyMB, l.LateMB)
	}
	if d.Alone.Many != nil {
		b.WriteString(d.Alone.Many.line())
	}
	return b.String()
}

// names are the tools, retrace first.
func names(tools map[string]*toolResult) []string {
	var out []string
	for name := range tools {
		out = append(out, name)
	}
	slices.SortFunc(out, func(a, b string) int {
		if (a == "retrace") != (b == "retrace") {
			if a == "retrace" {
				return -1
			}
			return 1
		}
		return strings.Compare(b, a) // as they are told of: Playwright first
	})
	return out
}

func ratio(s spread) string { return fmt.Sprintf("%.2f (%.2f–%.2f)", s.Median, s.Low, s.High) }

func inParentheses(s spread) string { return fmt.Sprintf(" (%.2f)", s.Median) }

func (w *wire) columns() string {
	if w == nil {
		return "| | |"
	}
	var ops []string
	for op := range w.Commands {
		ops = append(ops, op)
	}
	slices.Sort(ops)
	var commands, bytes []string
	for _, op := range ops {
		commands = append(commands, fmt.Sprintf("%s %.0f", op, w.Commands[op]))
		bytes = append(bytes, fmt.Sprintf("%s %.0f", op, w.Bytes[op]/1000))
	}
	return fmt.Sprintf("%s | %s | %.0f | %.0f", strings.Join(commands, ", "), strings.Join(bytes, ", "), w.ToolMB, w.ChromeMB)
}

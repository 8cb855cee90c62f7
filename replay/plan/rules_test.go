package plan

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"retrace/keymap"
	"retrace/replay/trace"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

const (
	home   = "http://shop.example/"
	list   = "http://shop.example/list"
	search = "http://shop.example/list?q=hello+world"
	other  = "http://other.example/end"
)

// recording builds a trace: states are named by the steps that are given, "s1" to "s9", and get their address and text from
// pages ("s1" → address and the lines of the tree).
func recording(start string, pages map[string]string, steps ...*trace.Step) *trace.Trace {
	t := &trace.Trace{Version: 3, StartURL: start}
	known := map[string]*trace.State{}
	for _, id := range []string{"s1", "s2", "s3", "s4", "s5", "s6"} {
		address, text, _ := strings.Cut(pages[id], "\n")
		if address == "" {
			address = home
		}
		state := &trace.State{ID: id, URL: address, Tree: axtree.Parse("@vom 1\n@layers 1 focus=L1\nL1 page\n" + text + "\n")}
		known[id] = state
		t.States = append(t.States, state)
	}
	for i, s := range steps {
		s.ID = i + 1
		s.State, s.Result = known[s.State.ID], known[s.Result.ID]
		t.Steps = append(t.Steps, s)
	}
	return t
}

// step makes a step between two states: "s1 s2".
func step(op trace.Op, states string, edit ...func(*trace.Step)) *trace.Step {
	from, to, _ := strings.Cut(states, " ")
	s := &trace.Step{Op: op, State: &trace.State{ID: from}, Result: &trace.State{ID: to}}
	if op == trace.Fill {
		s.Commit = trace.CommitBlur
	}
	for _, f := range edit {
		f(s)
	}
	return s
}

// target sets the target: "e1 textbox Name of it", with "-" for no reference, which makes it unmatched, or for no role.
func target(text string) func(*trace.Step) {
	return func(s *trace.Step) {
		parts := strings.SplitN(text, " ", 3)
		d := &resolve.Descriptor{Ref: strings.Trim(parts[0], "-"), Role: strings.Trim(parts[1], "-"), Name: parts[2]}
		d.Unmatched = d.Ref == ""
		s.Target = d
	}
}

func context(ctx string) func(*trace.Step) { return func(s *trace.Step) { s.Target.Ctx = ctx } }
func value(v string) func(*trace.Step)     { return func(s *trace.Step) { s.Value = v } }
func commit(c trace.Commit) func(*trace.Step) {
	return func(s *trace.Step) { s.Commit = c }
}
func redacted(s *trace.Step) { s.Value, s.Redacted = "***", true }
func to(address string, cause trace.Cause) func(*trace.Step) {
	return func(s *trace.Step) { s.To, s.Cause = address, cause }
}
func key(k string, mods ...keymap.Modifiers) func(*trace.Step) {
	return func(s *trace.Step) {
		s.Key = k
		for _, m := range mods {
			s.Modifiers |= m
		}
	}
}

// short writes intents without addresses, states and reason texts: what a rule decided.
func short(intents []Intent) []string {
	var lines []string
	for _, line := range strings.Split(strings.TrimSpace(render(intents)), "\n") {
		if rule, isReason := strings.CutPrefix(line, "    "); isReason {
			rule, _, _ = strings.Cut(rule, ":")
			lines[len(lines)-1] += " | " + rule
			continue
		}
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return lines
}

const field = "  @e1 searchbox \"Search\" [empty]\n  @e2 textbox \"Note\" [empty]"

var (
	note = target("e2 textbox Note")
	box  = target("e1 searchbox Search")
)

// rule is what the plan makes of a recording.
type rule struct {
	name  string
	trace *trace.Trace
	want  []string // without the Open, unless it begins with "open"
}

func checkRules(t *testing.T, rules []rule) {
	t.Helper()
	for _, test := range rules {
		t.Run(test.name, func(t *testing.T) {
			intents := Make(test.trace)
			checkCoverage(t, test.trace, intents)
			got := short(intents)
			if !strings.HasPrefix(test.want[0], "open") {
				got = got[1:]
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
		})
	}
}

func TestVersion2(t *testing.T) {
	recording := recording(home, map[string]string{"s2": list, "s3": other},
		step(trace.Click, "s1 s1", target("- button Menu")),
		step(trace.Click, "s1 s2", target("- link List")),
		step(trace.Navigate, "s3 s3", to(other, "")),
	)
	recording.Version = 2
	want := []string{
		"open ? -> s1 to " + home,
		`click #1 s1 -> ? button "Menu"`, `click #2 s1 -> s2 link "List"`,
		"await #3 s2 -> s3 to " + other + " missing: navigate | effect-navigation",
	}
	if diff := cmp.Diff(want, short(Make(recording))); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
}

func TestEmptyTrace(t *testing.T) {
	got := short(Make(&trace.Trace{Version: 3, StartURL: home}))
	if diff := cmp.Diff([]string{"open ? -> ? to " + home}, got); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
}

// TestMakeKeepsTrace checks that planning the same recording twice gives the same plan.
func TestMakeKeepsTrace(t *testing.T) {
	recording, err := trace.Load("testdata/recordings/checkout-full")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(render(Make(recording)), render(Make(recording))); diff != "" {
		t.Errorf("second plan (-first +second):\n%s", diff)
	}
}

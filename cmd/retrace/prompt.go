package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"retrace/replay"
	"retrace/replay/report"
	"retrace/resolve"
	"retrace/resolve/axtree"
)

// debugHelp lists the commands of the prompt.
const debugHelp = `The commands:

  step               do the next step (also: an empty line)
  run [N]            go on to the step of id N, or to the end
  look               show what the search for the next step's target finds
  try ROLE "NAME"    search for another target
  use                let the next step act on what try found
  skip               leave the next step out
  tree [TEXT]        print the accessibility tree, or its lines with TEXT
  shot FILE          save a picture of the page as JPEG
  steps              list the steps
  url                print the address of the page
  help, quit`

// prompt leads a debugger by commands.
type prompt struct {
	a      *app
	d      debugger
	mask   *report.Masker
	headed bool // mark targets in the window
	steps  []replay.StepResult
	tried  *resolve.Descriptor // what was searched for last in place of the recorded target
	failed bool                // the last step that was tried failed
	term   *report.Terminal
}

func newPrompt(a *app, d debugger, mask *report.Masker, headed bool) *prompt {
	style := a.style(a.stdout)
	style.Live = false
	return &prompt{a: a, d: d, mask: mask, headed: headed, steps: d.Steps(), term: report.NewTerminal(a.stdout, style, "", nil)}
}

func (p *prompt) printf(format string, args ...any) {
	for line := range strings.SplitSeq(p.mask.String(fmt.Sprintf(format, args...)), "\n") {
		fmt.Fprintln(p.a.stdout, report.Clean(line))
	}
}

// loop reads commands until quit, the end of the input, or the end of ctx.
func (p *prompt) loop(ctx context.Context) {
	lines, done := readLines(p.a.stdin)
	defer close(done)
	for {
		p.stand()
		select {
		case <-ctx.Done():
			return
		case line, ok := <-lines:
			if !ok || !p.do(ctx, line) {
				return
			}
		}
	}
}

// readLines hands lines on until done is closed. A read that is under way then ends with the process.
func readLines(r io.Reader) (<-chan string, chan struct{}) {
	lines, done := make(chan string), make(chan struct{})
	go func() {
		defer close(lines)
		in := bufio.NewScanner(r)
		for in.Scan() {
			select {
			case lines <- in.Text():
			case <-done:
				return
			}
		}
	}()
	return lines, done
}

// stand says which step is next.
func (p *prompt) stand() {
	if i := p.d.At(); i < len(p.steps) {
		p.printf("next: step %s %s", ids(p.steps[i].Steps), p.steps[i].Title)
		return
	}
	p.printf("at the end")
}

func ids(steps []int) string {
	if len(steps) == 0 {
		return "-"
	}
	parts := make([]string, len(steps))
	for i, s := range steps {
		parts[i] = strconv.Itoa(s)
	}
	return strings.Join(parts, ",")
}

// do does one command; false ends the prompt.
func (p *prompt) do(ctx context.Context, line string) bool {
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest = strings.TrimSpace(rest)
	var err error
	switch word {
	case "", "step", "s":
		err = p.step(ctx)
	case "run", "continue", "c":
		err = p.run(ctx, rest)
	case "look", "l":
		p.tried = nil
		err = p.look(ctx)
	case "try", "t":
		if p.tried, err = descriptor(rest); err == nil {
			err = p.look(ctx)
		}
	case "use":
		err = p.use()
	case "skip":
		if p.d.At() < len(p.steps) {
			p.d.Skip()
		}
	case "tree":
		err = p.tree(ctx, rest)
	case "shot":
		err = p.shot(ctx, rest)
	case "steps":
		for i, s := range p.steps {
			mark := " "
			if i == p.d.At() {
				mark = ">"
			}
			p.printf("%s %3s %s", mark, ids(s.Steps), s.Title)
		}
	case "url":
		p.printf("%s", p.d.URL())
	case "help", "h", "?":
		p.printf("%s", debugHelp)
	case "quit", "q", "exit":
		return false
	default:
		err = fmt.Errorf("%q is no command; see help", word)
	}
	if err != nil && ctx.Err() == nil {
		p.printf("error: %s", err)
	}
	return true
}

var errEnd = errors.New("the recording is at its end")

// step does the next step and shows it.
func (p *prompt) step(ctx context.Context) error {
	if p.d.At() >= len(p.steps) {
		return errEnd
	}
	s := p.d.Step(ctx)
	p.failed = s.Verdict == replay.Failed
	p.tried = nil
	s = report.MaskAll(p.mask, s)
	p.term.Event(replay.Event{Kind: replay.StepFinished, Step: &s})
	if s.Failure != nil {
		for _, e := range s.Failure.Evidence {
			p.printf("      · %s", e)
		}
		if s.Failure.Hint != "" {
			p.printf("      hint: %s", s.Failure.Hint)
		}
	}
	return nil
}

// run goes on to the step of an id, or to the end when there is none.
func (p *prompt) run(ctx context.Context, to string) error {
	id := 0
	if to != "" {
		var err error
		if id, err = strconv.Atoi(to); err != nil {
			return fmt.Errorf("%q is no id of a step", to)
		}
		if err := p.check(id); err != nil {
			return err
		}
	}
	if p.d.At() >= len(p.steps) {
		return errEnd
	}
	p.runTo(ctx, id)
	return nil
}

// check says whether there is a step of an id that is still to come.
func (p *prompt) check(id int) error {
	at := slices.IndexFunc(p.steps, func(s replay.StepResult) bool { return slices.Contains(s.Steps, id) })
	switch {
	case at < 0:
		return fmt.Errorf("the recording has no step %d", id)
	case at < p.d.At():
		return fmt.Errorf("step %d is behind", id)
	}
	return nil
}

// runTo does steps until the one of the id is next (0 for the end), or one fails.
func (p *prompt) runTo(ctx context.Context, id int) {
	for p.d.At() < len(p.steps) && (id == 0 || !slices.Contains(p.steps[p.d.At()].Steps, id)) && ctx.Err() == nil {
		if p.step(ctx) != nil || p.failed {
			return
		}
	}
}

// look shows the search for the next target, or for the one that is tried, and marks it in the window.
func (p *prompt) look(ctx context.Context) error {
	decision, err := p.d.Look(ctx, p.tried)
	if err != nil {
		return err
	}
	decision = report.MaskAll(p.mask, decision)
	report.Decision(p.a.stdout, p.a.style(p.a.stdout), &decision)
	if p.headed && decision.Outcome == resolve.One {
		_, err = p.d.Highlight(ctx, p.tried)
	}
	return err
}

// use has the next step act on what was tried.
func (p *prompt) use() error {
	if p.tried == nil {
		return errors.New("try a target first")
	}
	if err := p.d.Use(*p.tried); err != nil {
		return err
	}
	p.steps = p.d.Steps()
	p.printf("the next step acts on %s", p.tried.Describe())
	p.tried = nil
	return nil
}

// descriptor reads: button "Save", or button Save, or "Save" for any role.
func descriptor(text string) (*resolve.Descriptor, error) {
	role, name := "", text
	if !strings.HasPrefix(text, `"`) {
		role, name, _ = strings.Cut(text, " ")
	}
	name = strings.TrimSpace(name)
	if strings.HasPrefix(name, `"`) {
		plain, err := strconv.Unquote(name)
		if err != nil {
			return nil, fmt.Errorf("%s is no quoted name", name)
		}
		name = plain
	}
	if role == "" && name == "" {
		return nil, errors.New(`try needs a role and a name: try button "Save"`)
	}
	return &resolve.Descriptor{Role: role, Name: name}, nil
}

// tree prints the accessibility tree, or those of its lines that hold the text.
func (p *prompt) tree(ctx context.Context, text string) error {
	tree, err := p.d.Tree(ctx)
	if err != nil {
		return err
	}
	for line := range bytes.Lines([]byte(axtree.Format(tree))) {
		if l := string(bytes.TrimSuffix(line, []byte("\n"))); strings.Contains(strings.ToLower(l), strings.ToLower(text)) {
			p.printf("%s", l)
		}
	}
	return nil
}

// shot saves a picture.
func (p *prompt) shot(ctx context.Context, file string) error {
	if file == "" {
		return errors.New("shot needs a file: shot page.jpg")
	}
	if err := report.CheckPicture(file); err != nil {
		return err
	}
	data, err := p.d.Screenshot(ctx)
	if err != nil {
		return err
	}
	if err := report.WritePicture(file, data); err != nil {
		return err
	}
	p.printf("saved %s", file)
	return nil
}

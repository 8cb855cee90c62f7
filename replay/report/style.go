package report

import (
	"os"
	"time"

	"golang.org/x/term"

	"retrace/replay"
)

// Detect finds out what f can do. NO_COLOR (https://no-color.org) takes the colours away, TERM=dumb and everything that
// is not a terminal take colours and live lines. The function env is usually [os.Getenv].
func Detect(f *os.File, env func(string) string) Style {
	if f == nil || !term.IsTerminal(int(f.Fd())) || env("TERM") == "dumb" {
		return Style{}
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		width = 0
	}
	return Style{Color: env("NO_COLOR") == "", Live: true, Width: width, Tick: 200 * time.Millisecond}
}

type sgr string

const (
	bold   sgr = "1"
	dim    sgr = "2"
	red    sgr = "31"
	green  sgr = "32"
	yellow sgr = "33"
)

func (t *Terminal) paint(code sgr, s string) string {
	if !t.style.Color || s == "" {
		return s
	}
	return "\x1b[" + string(code) + "m" + s + "\x1b[0m"
}

func (t *Terminal) mark(v replay.Verdict) string {
	switch v {
	case replay.Passed:
		return t.paint(green, "✓")
	case replay.Warned:
		return t.paint(yellow, "!")
	case replay.Failed, replay.Error:
		return t.paint(red, "✗")
	}
	return t.paint(dim, "-")
}

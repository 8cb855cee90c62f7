package report

import (
	"encoding/base64"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"retrace/replay"
)

// album puts the screenshots of a report directory into the page, as long as there is room.
type album struct {
	root *os.Root
	room int
}

// pagePicture is a screenshot with what is drawn over it: the picture itself is left as it is.
type pagePicture struct {
	Data          template.URL // data URL
	File          string
	Alt, Caption  string
	Width, Height float64 // units of the drawing
	Boxes         []pictureBox
	Point         *replay.Point
}

// Marked reports whether something is drawn over the picture.
func (p pagePicture) Marked() bool {
	return p.Width > 0 && p.Height > 0 && (len(p.Boxes) > 0 || p.Point != nil)
}

type pictureBox struct {
	Kind string // "target" or "candidate"
	replay.Box
	Label string
	TextY float64
}

// moments are the captions of pictures.
var moments = map[replay.Moment]string{replay.Before: "Before the action", replay.After: "After the step", replay.AtFailure: "At the failure"}

// of gives the pictures of a step and names those that cannot be shown. The step s has cleaned texts, raw the names of the
// files as they are.
func (a *album) of(s *pageStep, raw *replay.StepResult) (out []pagePicture, lost []string) {
	shots := raw.Shots
	if len(shots) == 0 && raw.Screenshot != "" { // of an earlier version of this program
		shots = []replay.Shot{{When: replay.AtFailure, File: raw.Screenshot}}
	}
	for _, shot := range shots {
		name := Cut(Clean(shot.File), longestInPage)
		data := a.read(shot.File)
		if data == "" {
			lost = append(lost, name)
			continue
		}
		p := pagePicture{Data: data, File: name, Width: shot.Width, Height: shot.Height, Point: shot.Point}
		p.Caption = moments[shot.When]
		if p.Caption == "" {
			p.Caption = "The page"
		}
		p.Alt = p.Caption + ": " + s.Title
		p.Boxes = boxes(shot)
		if note := drawn(p, shot); note != "" {
			p.Caption += " (" + note + ")"
		}
		out = append(out, p)
	}
	return out, lost
}

// drawn says what is drawn over a picture, and what is painted over in it.
func drawn(p pagePicture, shot replay.Shot) string {
	var parts []string
	switch {
	case shot.Target != nil && shot.Point != nil:
		parts = append(parts, "target and pointer marked")
	case shot.Target != nil:
		parts = append(parts, "target marked")
	case shot.Point != nil:
		parts = append(parts, "pointer marked")
	case len(p.Boxes) > 0:
		parts = append(parts, plural(len(p.Boxes), "candidate")+" marked")
	}
	if shot.Covered > 0 {
		parts = append(parts, plural(shot.Covered, "place")+" covered, since a secret shows there")
	}
	return strings.Join(parts, "; ")
}

func boxes(shot replay.Shot) []pictureBox {
	var out []pictureBox
	if shot.Target != nil {
		out = append(out, pictureBox{Kind: "target", Box: *shot.Target})
	}
	for i, c := range shot.Candidates {
		if c != nil {
			out = append(out, pictureBox{Kind: "candidate", Box: *c, Label: strconv.Itoa(i + 1), TextY: c.Y + 6})
		}
	}
	return out
}

// read reads a screenshot of the report directory, which it cannot leave, as a data URL; empty when it cannot be had.
func (a *album) read(name string) template.URL {
	name = filepath.FromSlash(name)
	info, err := a.root.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > int64(min(largestPicture, a.room)) {
		return ""
	}
	kind := pictureKind(name)
	data, err := a.root.ReadFile(name)
	if err != nil || kind == "" {
		return ""
	}
	a.room -= len(data)
	return template.URL(fmt.Sprintf("data:image/%s;base64,%s", kind, base64.StdEncoding.EncodeToString(data))) // our own alphabet
}

// pictureKind is the subtype of image/… that a file is by its name; empty when it is no picture.
func pictureKind(name string) string {
	return map[string]string{".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp"}[strings.ToLower(filepath.Ext(name))]
}

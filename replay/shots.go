package replay

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"

	"retrace/replay/act"
)

// Moment says when a picture was taken.
type Moment string

// Moments of a step.
const (
	Before    Moment = "before"  // the target was ready, and nothing was done to it yet
	After     Moment = "after"   // the step was over
	AtFailure Moment = "failure" // the step had failed
)

// Shot is a picture of the viewport, with the places in it that matter. All measures are CSS pixels of the viewport, from
// its upper left corner; the picture may have more or fewer pixels. Nothing is drawn into it but covers.
type Shot struct {
	When Moment `json:"when"`
	// File is the picture, relative to the report directory.
	File   string  `json:"file"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	// Target is where the target was, as far as it was there; it may lie outside of the picture.
	Target *Box `json:"target,omitempty"`
	// Point is where the pointer went. The picture of the moment before does not have it.
	Point *Point `json:"point,omitempty"`
	// Candidates are the places of the step's candidates, in their order, when none of them was singled out; null for one
	// that was not drawn.
	Candidates []*Box `json:"candidates,omitempty"`
	// Covered counts the places that were painted over because they show a secret, or may.
	Covered int `json:"covered,omitempty"`
}

// Box is a rectangle in CSS pixels.
type Box struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	W float64 `json:"w"`
	H float64 `json:"h"`
}

// Point is a place in CSS pixels.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// Values of Options.Screenshots.
const (
	ShotsFailed = "failed"
	ShotsAll    = "all"
	ShotsOff    = "off"
)

// Limits of pictures.
const (
	shotQuality   = 60
	shotLimit     = 3 * time.Second // for one picture; a tab that exceeds it is not asked again
	maxCandidates = 10              // whose places are looked up
)

// target is what a step acts on, as far as it was found.
type target struct {
	el    act.Element
	found bool
	point *act.Point
}

// shootsAll reports whether the running step is one that is shown before and after, however it ends: all are when that is
// asked for, and what failed at the attempt before is in any case.
func (r *runner) shootsAll(i int) bool {
	return r.o.ReportDir != "" && (r.o.Screenshots == ShotsAll || r.o.Screenshots == ShotsFailed && r.suspects[i])
}

// shootBefore takes a picture of the moment before an action, in place of an earlier one of the same step.
func (r *runner) shootBefore(ctx context.Context, s *StepResult) {
	s.Shots = slices.DeleteFunc(s.Shots, func(shot Shot) bool { return shot.When == Before })
	r.shoot(ctx, s, Before)
}

// shoot takes a picture into the report directory. It never fails a step: a picture that cannot be had is left out.
func (r *runner) shoot(ctx context.Context, s *StepResult, when Moment) {
	if r.o.ReportDir == "" || r.o.Screenshots == ShotsOff || r.page == nil || ctx.Err() != nil || r.blind[r.page] {
		return
	}
	short, cancel := context.WithTimeout(ctx, shotLimit)
	defer cancel()
	shot := Shot{When: when}
	r.place(short, s, &shot)
	data, err := r.picture(short, &shot)
	if err != nil {
		if short.Err() != nil && ctx.Err() == nil {
			r.blind[r.page] = true // a tab that gives no picture once would cost as long each time
		}
		r.o.Log.Debug("no screenshot", "err", err)
		if len(r.o.Secrets) > 0 && when == AtFailure {
			s.notef("no screenshot, since what may show a secret could not be covered")
		}
		return
	}
	name := fmt.Sprintf("step-%d-%s.jpg", s.Index, when)
	if when == AtFailure {
		name = fmt.Sprintf("step-%d.jpg", s.Index)
	}
	if r.attempt > 1 {
		name = fmt.Sprintf("attempt-%d-%s", r.attempt, name)
	}
	err = r.home.settle(r.o.ReportDir)
	if err == nil {
		err = writeShot(filepath.Join(r.o.ReportDir, shotDir), name, data)
	}
	if err != nil {
		s.notef("the screenshot could not be written: %v", err)
		return
	}
	shot.File = filepath.Join(shotDir, name)
	s.Shots = append(s.Shots, shot)
	if when != Before {
		s.Screenshot = shot.File
	}
}

// shotDir is the directory of the pictures below that of the report.
const shotDir = "screenshots"

func writeShot(dir, name string, data []byte) error {
	dir, err := makeDir(filepath.Dir(dir), filepath.Base(dir))
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "shot-*.jpg")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, name))
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// picture takes a picture in which no secret can be read. The places that show one are looked up before and after; a page
// that moved meanwhile is taken again.
func (r *runner) picture(ctx context.Context, shot *Shot) ([]byte, error) {
	m, err := cdp.Call(ctx, r.page.Session(), cdppage.GetLayoutMetrics, cdp.Empty{})
	if err != nil {
		return nil, fmt.Errorf("measuring the viewport: %w", err)
	}
	if v := m.CSSVisualViewport; v != nil {
		shot.Width, shot.Height = v.ClientWidth, v.ClientHeight
	}
	if len(r.o.Secrets) == 0 {
		return r.page.Screenshot(ctx, "jpeg", shotQuality)
	}
	before, err := r.covers(ctx)
	for try := 0; err == nil && try < 3; try++ {
		var data []byte
		var after []Box
		if data, err = r.page.Screenshot(ctx, "jpeg", shotQuality); err != nil {
			break
		}
		if after, err = r.covers(ctx); err == nil && slices.Equal(before, after) {
			shot.Covered = len(after)
			return cover(data, after, shot.Width)
		}
		before = after
	}
	if err == nil {
		err = fmt.Errorf("what shows a secret did not stand still")
	}
	return nil, err
}

// cover paints boxes of a viewport of the given width over in a JPEG picture of it.
func cover(data []byte, boxes []Box, width float64) ([]byte, error) {
	if len(boxes) == 0 {
		return data, nil
	}
	in, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("reading the screenshot: %w", err)
	}
	if width <= 0 {
		return nil, fmt.Errorf("reading the screenshot: the viewport has no width")
	}
	out := image.NewRGBA(in.Bounds())
	draw.Draw(out, out.Bounds(), in, in.Bounds().Min, draw.Src)
	scale := float64(in.Bounds().Dx()) / width
	for _, b := range boxes {
		const margin = 2 // glyphs may stand out of their box
		at := image.Rect(int((b.X-margin)*scale), int((b.Y-margin)*scale), int((b.X+b.W+margin)*scale)+1, int((b.Y+b.H+margin)*scale)+1)
		draw.Draw(out, at, image.NewUniform(color.RGBA{0x44, 0x4a, 0x52, 0xff}), image.Point{}, draw.Src)
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, out, &jpeg.Options{Quality: shotQuality}); err != nil {
		return nil, fmt.Errorf("writing the screenshot: %w", err)
	}
	return b.Bytes(), nil
}

// place notes in a picture where the target is, or else its candidates.
func (r *runner) place(ctx context.Context, s *StepResult, shot *Shot) {
	if r.aimed.found {
		if b, ok := act.Locate(ctx, r.aimed.el); ok && r.aimed.el.Page == r.page.Session() {
			shot.Target = &Box{b.X, b.Y, b.W, b.H}
		}
		if p := r.aimed.point; p != nil && shot.When != Before && r.aimed.el.Page == r.page.Session() {
			shot.Point = &Point{p.X, p.Y}
		}
		return
	}
	if shot.When != AtFailure || s.Decision == nil || r.seen == nil || r.seen.tree == nil || r.seen.page != r.page {
		return
	}
	shown := false
	boxes := make([]*Box, 0, len(s.Decision.Candidates))
	for i, c := range s.Decision.Candidates {
		var at *Box
		if c.Index > 0 && c.Index < len(r.seen.tree.Nodes) && i < maxCandidates {
			if el, err := r.element(ctx, r.seen, r.seen.tree.Nodes[c.Index]); err == nil {
				if b, ok := act.Locate(ctx, el); ok {
					at, shown = &Box{b.X, b.Y, b.W, b.H}, true
				}
			}
		}
		boxes = append(boxes, at)
	}
	if shown {
		shot.Candidates = boxes
	}
}

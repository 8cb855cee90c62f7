package replay

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestShowing(t *testing.T) {
	tests := []struct {
		name   string
		texts  []string
		values []string
		want   []int
	}{
		{"nothing", []string{"a", "b"}, []string{"harbour-42"}, []int{}},
		{"in a sentence", []string{"Hello", "your PIN is harbour-42 now"}, []string{"harbour-42"}, []int{1}},
		{"in capitals", []string{"HARBOUR-42"}, []string{"harbour-42"}, []int{0}},
		{"broken into lines", []string{"harbour\n -42"}, []string{"harbour-42"}, []int{0}},
		{"a box for each character", []string{"x", "9", "3", "1", "7", "y"}, []string{"9317"}, []int{1, 2, 3, 4}},
		{"across two texts", []string{"Jonas", "Vik", "Oslo"}, []string{"Jonas Vik"}, []int{0, 1}},
		{"twice", []string{"harbour-42", "b", "harbour-42"}, []string{"harbour-42"}, []int{0, 2}},
		{"overlapping", []string{"aaaaa"}, []string{"aaaa"}, []int{0}},
		{"short, as a word", []string{"NL", "only", "code (NL)", "nl"}, []string{"NL"}, []int{0, 2, 3}},
		{"empty texts", []string{"", "harbour-42", ""}, []string{"harbour-42", " "}, []int{1}},
		{"soft hyphen", []string{"har\u00adbour-42"}, []string{"harbour-42"}, []int{0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, showing(tt.texts, tt.values)); diff != "" {
				t.Errorf("places (-want +got):\n%s", diff)
			}
		})
	}
}

// A cover hides all of its box, also where the picture has more pixels than the viewport, and leaves the rest.
func TestCover(t *testing.T) {
	in := image.NewRGBA(image.Rect(0, 0, 200, 100))
	for i := range in.Pix {
		in.Pix[i] = 255
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, in, nil); err != nil {
		t.Fatal(err)
	}
	data, err := cover(b.Bytes(), []Box{{X: 20, Y: 10, W: 30, H: 20}, {X: -50, Y: -50, W: 55, H: 55}}, 100)
	if err != nil {
		t.Fatal(err)
	}
	out, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []struct {
		x, y int
		dark bool
	}{{40, 20, true}, {99, 59, true}, {70, 40, true}, {5, 5, true}, {120, 40, false}, {70, 80, false}, {24, 40, false}} {
		g := color.GrayModel.Convert(out.At(p.x, p.y)).(color.Gray)
		if (g.Y < 128) != p.dark {
			t.Errorf("pixel %d,%d has brightness %d, want it covered: %v", p.x, p.y, g.Y, p.dark)
		}
	}
	if same, err := cover(b.Bytes(), nil, 100); err != nil || !bytes.Equal(same, b.Bytes()) {
		t.Errorf("a picture without covers was changed (%v)", err)
	}
	if _, err := cover([]byte("no picture"), []Box{{W: 1, H: 1}}, 100); err == nil {
		t.Error("what is no picture was covered")
	}
}

// Each failure that can happen has the next thing to try.
func TestAdvice(t *testing.T) {
	for _, c := range Codes() {
		if advice[c] == "" {
			t.Errorf("nothing is said about what to do for %s", c)
		}
	}
}

func TestFailedSteps(t *testing.T) {
	got := failedSteps([]*Result{{Steps: []StepResult{{Index: 0, Verdict: Passed}, {Index: 1, Verdict: Failed}, {Index: 2, Verdict: NotRun}}}, {Steps: []StepResult{{Index: 2, Verdict: Failed}}}})
	if diff := cmp.Diff(map[int]bool{1: true, 2: true}, got); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
}

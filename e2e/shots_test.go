package e2e

import (
	"context"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"retrace/e2e/hostile"
	"retrace/replay"
	"retrace/replay/trace"
)

// secretPage shows a secret in every way in which text can be shown: in the field, in text beside it in another case, letter by
// letter, in a closed shadow root, in a frame, after it was scrolled, and in a fixed box.
const secretPage = `<!doctype html><title>Vault</title><style>body{margin:0;height:3000px;background:#fff;font:20px sans-serif}.m{position:absolute;left:40px}#fixed{position:fixed;left:700px;top:20px}</style>
<h1>Vault</h1><div class=m style="top:620px"><label>PIN <input id=pin></label></div>
<div class=m id=echo style="top:680px;text-transform:uppercase"></div><div class=m id=letters style="top:720px"></div><div class=m id=closed style="top:760px"></div>
<iframe class=m style="top:800px;width:300px;height:60px;border:0" srcdoc="<p id=p style='margin:0;font:20px sans-serif'></p>"></iframe><div id=fixed></div>
<div class=m style="top:900px"><button>Open</button></div>
<script>const closed=document.querySelector('#closed').attachShadow({mode:'closed'});
document.querySelector('#pin').oninput=e=>{const v=e.target.value;document.querySelector('#echo').textContent='it is '+v;document.querySelector('#fixed').textContent=v;
document.querySelector('#letters').innerHTML=[...v].map(c=>'<b>'+c+'</b> ').join('');closed.innerHTML='<i>'+v+'</i>';document.querySelector('iframe').contentDocument.querySelector('#p').textContent=v}</script>`

// Pictures are taken before and after each step, with the place of the target, and no secret can be read in them.
func TestScreenshotsHideSecrets(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	const secret = "mwmwmwmw"
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, secretPage)
	}))
	defer site.Close()
	page := hostile.State{URL: site.URL + "/", Title: "Vault", Lines: []string{`heading "Vault"`, `@e1 textbox "PIN"`, `@e2 button "Open"`}}
	rec := hostile.Recording{Start: page.URL, States: []hostile.State{page}, Steps: []hostile.Step{
		{"op": "fill", "state": "s1", "result": map[string]any{"state": "s1"}, "target": map[string]any{"ref": "e1", "role": "textbox", "name": "PIN"}, "value": "***", "redacted": true},
		{"op": "click", "state": "s1", "result": map[string]any{"state": "s1"}, "target": map[string]any{"ref": "e2", "role": "button", "name": "Open"}},
	}}
	dir := t.TempDir()
	if err := rec.Write(filepath.Join(dir, "rec")); err != nil {
		t.Fatal(err)
	}
	tr, err := trace.Load(filepath.Join(dir, "rec"))
	if err != nil {
		t.Fatal(err)
	}
	result, err := replay.Run(context.Background(), tr, replay.Options{ReportDir: filepath.Join(dir, "report"), Screenshots: replay.ShotsAll, Secrets: replay.Secrets{"PIN": secret}})
	if err != nil {
		t.Fatal(err)
	}
	if result.Failure != nil {
		t.Fatal(result.Failure)
	}
	for i, want := range []string{"after", "before after", "before after"} {
		s := result.Steps[i]
		var got []string
		for _, shot := range s.Shots {
			got = append(got, string(shot.When))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("step %d has pictures %q, want %q (%q)", i, got, want, s.Notes)
		}
	}
	if t.Failed() {
		return
	}
	last := result.Steps[2].Shots[1]
	if last.Target == nil || last.Point == nil || last.Point.X < last.Target.X || last.Point.X > last.Target.X+last.Target.W || last.Point.Y < last.Target.Y || last.Point.Y > last.Target.Y+last.Target.H {
		t.Errorf("the pointer went to %+v, and the target is at %+v", last.Point, last.Target)
	}
	if last.Covered < 6 {
		t.Errorf("%d places are covered, want 6", last.Covered)
	}
	typed := result.Steps[1].Shots
	if typed[0].Target == nil || typed[1].Target == nil {
		t.Fatalf("the field has no place: %+v", typed)
	}
	// Beyond the covers there are the heading, the label and the button; where the secret was shown no pixel may be black.
	img := readJPEG(t, filepath.Join(dir, "report", last.File))
	scrolled := last.Target.Y - 900 // the button is at 900 in the document, but for its line's height
	for _, area := range []image.Rectangle{
		image.Rect(40, 680, 400, 710), image.Rect(40, 720, 400, 750), image.Rect(40, 760, 400, 790), image.Rect(40, 800, 340, 860),
	} {
		dark := darkest(img, area.Add(image.Pt(0, int(scrolled))))
		if dark < 40 {
			t.Errorf("there is text at %v of the document (brightness %d)", area, dark)
		}
	}
	if dark := darkest(img, image.Rect(700, 20, 1000, 50)); dark < 40 {
		t.Errorf("there is text in the fixed box (brightness %d)", dark)
	}
	if dark := darkest(img, image.Rect(int(last.Target.X), int(last.Target.Y), int(last.Target.X+last.Target.W), int(last.Target.Y+last.Target.H))); dark > 40 {
		t.Errorf("the button's own text is gone (brightness %d)", dark)
	}
}

func readJPEG(t *testing.T, file string) image.Image {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := jpeg.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// darkest is the brightness of the darkest pixel in an area: text is near 0, a cover about 70.
func darkest(img image.Image, area image.Rectangle) int {
	low := 255
	for y := max(area.Min.Y, 0); y < min(area.Max.Y, img.Bounds().Dy()); y++ {
		for x := area.Min.X; x < min(area.Max.X, img.Bounds().Dx()); x++ {
			low = min(low, int(color.GrayModel.Convert(img.At(x, y)).(color.Gray).Y))
		}
	}
	return low
}

package axtree

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
)

const (
	askTree     = "Accessibility.getFullAXTree"
	askSnapshot = "DOMSnapshot.captureSnapshot"
)

// saved answers with what Chrome once said of a small page; fault is asked first and may answer in its place.
type saved struct {
	answers map[string][]byte
	fault   func(ctx context.Context, method string) ([]byte, error)
}

func (s *saved) Subscribe(string) (<-chan jsonv2.Value, func()) {
	return make(chan jsonv2.Value), func() {}
}

func (s *saved) Call(ctx context.Context, method string, _, result any) error {
	answer := s.answers[method]
	if s.fault != nil {
		other, err := s.fault(ctx, method)
		if err != nil {
			return err
		}
		if other != nil {
			answer = other
		}
	}
	return jsonv2.Unmarshal(answer, result)
}

// session is a new session that answers well.
func session(t testing.TB) *saved {
	t.Helper()
	s := &saved{answers: map[string][]byte{}}
	for _, method := range []string{askTree, askSnapshot} {
		data, err := os.ReadFile(filepath.Join("testdata", "capture", method+".json"))
		if err != nil {
			t.Fatal(err)
		}
		s.answers[method] = data
	}
	return s
}

var errBroken = errors.New("pipe broke")

// captureFaults are ways in which one answer can fail.
var captureFaults = map[string]struct {
	fault func(ctx context.Context) ([]byte, error)
	err   error // of the capture when the top frame is hit; nil when any will do
}{
	"fails": {func(context.Context) ([]byte, error) { return nil, errBroken }, errBroken},
	"never comes": {func(ctx context.Context) ([]byte, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}, context.DeadlineExceeded},
	"has another shape": {func(context.Context) ([]byte, error) { return []byte(`[1, {"nodes": "x"}]`), nil }, nil},
	"is no JSON":        {func(context.Context) ([]byte, error) { return []byte(`{"nodes": [`), nil }, nil},
}

func TestCaptureFaults(t *testing.T) {
	for name, tt := range captureFaults {
		for _, method := range []string{askTree, askSnapshot} {
			for _, hit := range []string{"top", "inner"} {
				t.Run(name+"/"+method+"/"+hit, func(t *testing.T) {
					top, inner := session(t), session(t)
					frames := []Frame{{ID: "T", Session: top}, {ID: "I", Parent: "T", Session: inner, Owner: 3}}
					bad := top
					if hit == "inner" {
						bad = inner
					}
					bad.fault = func(ctx context.Context, m string) ([]byte, error) {
						if m == method {
							return tt.fault(ctx)
						}
						return nil, nil
					}
					ctx := t.Context()
					if name == "never comes" {
						short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
						defer cancel()
						ctx = short
					}
					tree, err := Capture(ctx, frames)
					switch {
					case hit == "inner" && name != "never comes":
						if err != nil || tree == nil || len(tree.Nodes) == 0 {
							t.Errorf("a frame that fails hides the page: %v", err)
						}
					case err == nil || tree != nil || tt.err != nil && !errors.Is(err, tt.err):
						t.Errorf("error = %v, want one of %v", err, tt.err)
					}
				})
			}
		}
	}
	if _, err := Capture(t.Context(), nil); err == nil {
		t.Error("no frames give no error")
	}
}

func TestBound(t *testing.T) {
	long := strings.Repeat("é", maxString)
	for in, want := range map[string]string{"": "", "Save": "Save", long: long[:maxString], "x" + long: ("x" + long)[:maxString-1]} {
		if got := bound(in); got != want {
			t.Errorf("bound(%.10q… of %d bytes) has %d bytes, want %d", in, len(in), len(got), len(want))
		}
	}
}

// Answers that fit no page, or each other not at all, may give a poor tree and nothing worse.
func TestCaptureOfEmptyAnswers(t *testing.T) {
	for _, answer := range []string{
		`{}`, `{"nodes": [], "documents": [], "strings": []}`, `{"nodes": [null], "documents": [null], "strings": []}`,
		`{"nodes": [{"nodeId": "1", "ignored": false}], "documents": [{"nodes": null, "layout": null}], "strings": [""]}`,
	} {
		s := session(t)
		for _, method := range []string{askTree, askSnapshot} {
			s.fault = func(_ context.Context, m string) ([]byte, error) {
				if m == method {
					return []byte(answer), nil
				}
				return nil, nil
			}
			if tree, err := Capture(t.Context(), []Frame{{ID: "T", Session: s}}); err == nil && len(tree.Nodes) == 0 {
				t.Errorf("%s as answer to %s: a tree without a root", answer, method)
			}
		}
	}
}

// Numbers of an answer that point elsewhere than they should are no reason to panic, or never to end.
func TestCaptureOfWrongNumbers(t *testing.T) {
	good := session(t)
	for seed := range uint64(100) {
		dice := rand.New(rand.NewPCG(seed, 1))
		s := &saved{answers: map[string][]byte{}}
		for method, data := range good.answers {
			var v any
			if err := json.Unmarshal(data, &v); err != nil {
				t.Fatal(err)
			}
			spoilt, err := json.Marshal(spoil(v, dice))
			if err != nil {
				t.Fatal(err)
			}
			s.answers[method] = spoilt
		}
		if _, err := Capture(t.Context(), []Frame{{ID: "T", Session: cdp.Session(s)}}); err != nil {
			t.Logf("seed %d: %v", seed, err)
		}
	}
}

// spoil changes one number in fifty and shortens one list in fifty.
func spoil(v any, dice *rand.Rand) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = spoil(v[k], dice)
		}
	case []any:
		if len(v) > 0 && dice.IntN(50) == 0 {
			v = v[:dice.IntN(len(v))]
		}
		for i := range v {
			v[i] = spoil(v[i], dice)
		}
		return v
	case float64:
		if dice.IntN(50) == 0 {
			return float64([]int{-1, 0, 1, 2, 1 << 30, dice.IntN(60)}[dice.IntN(6)])
		}
	}
	return v
}

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"retrace/e2e/harness"
	"retrace/e2e/site"
	"retrace/replay"
	"retrace/replay/trace"
	"retrace/resolve"
)

// TestDebug leads a replay by commands from standard input, looks about on the way, and goes on after a step was left out.
func TestDebug(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	bin, attach := binary(t), slices.Clip(sharedBrowser(t))
	server := harness.Serve(site.FS)
	defer server.Close()
	picture := filepath.Join(t.TempDir(), "page.jpg")
	cmd := exec.CommandContext(t.Context(), bin, append([]string{"debug", filepath.Join("traces", "cart-voucher"), "--base-url", server.URL, "--step", "2"}, attach...)...)
	cmd.Stdin = strings.NewReader("look\ntry button \"Apply voucher\"\ntree voucher\nshot " + picture + "\nrun\n")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{`next: step 2 click button "Remove"`, "candidates: 4", `decision: one: the only button "Apply voucher"`, `textbox "Voucher code"`, "✓   4 click button", "at the end"} {
		if !bytes.Contains(out, []byte(want)) {
			t.Errorf("output lacks %q:\n%s", want, out)
		}
	}
	if data, err := os.ReadFile(picture); err != nil || !bytes.HasPrefix(data, []byte{0xff, 0xd8, 0xff}) {
		t.Errorf("picture: %d bytes, %v", len(data), err)
	}
}

// TestDebugOtherTarget marks an element, uses it in place of the recorded one, and pauses a run at its failure.
func TestDebugOtherTarget(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	remote := sharedBrowser(t)[1]
	server := harness.Serve(site.FS)
	defer server.Close()
	rec, err := trace.Load(filepath.Join("traces", "cart-voucher"))
	if err != nil {
		t.Fatal(err)
	}
	o := replay.Options{Remote: remote, BaseURL: server.URL, Verify: "off", Timeout: 3 * time.Second}
	step := *rec.Steps[1] // its target is not there
	step.Target = &resolve.Descriptor{Role: "button", Name: "Take away"}
	rec.Steps[1] = &step
	d, err := replay.Debug(t.Context(), rec, o)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if s := d.Step(t.Context()); s.Failure != nil {
			t.Fatal(s.Failure)
		}
	}
	if s := d.Step(t.Context()); s.Failure == nil || d.At() != 2 {
		t.Fatalf("step 2 passed without its target, at %d", d.At())
	}
	other := resolve.Descriptor{Role: "button", Name: "Apply voucher"}
	if ok, err := d.Highlight(t.Context(), &other); !ok || err != nil {
		t.Errorf("highlight: %t, %v", ok, err)
	}
	if err := d.Use(other); err != nil {
		t.Fatal(err)
	}
	if s := d.Step(t.Context()); s.Failure != nil || d.At() != 3 {
		t.Errorf("with another target: %v, at %d", s.Failure, d.At())
	}
	d.Close()

	at := -1
	o.OnFailed = func(_ context.Context, d *replay.Debugger) { at = d.At() }
	if r, err := replay.Run(t.Context(), rec, o); err != nil || r.Failure == nil || at != 2 {
		t.Errorf("paused at %d: %v", at, err)
	}
}

// TestTraceCDP finds the messages in the log, and no secret.
func TestTraceCDP(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	bin, attach := binary(t), slices.Clip(sharedBrowser(t))
	recordings, err := harness.Recordings("traces")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range recordings {
		if r.Name != "checkout-redacted" {
			continue
		}
		server := harness.Serve(site.FS)
		defer server.Close()
		work := t.TempDir()
		log := filepath.Join(work, "cdp.jsonl")
		o, err := server.Replay(t.Context(), bin, work, r, append(attach, "--trace-cdp", log, "-vv")...)
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
		for _, l := range lines {
			if len(l) > 16<<10 || !json.Valid(l) {
				t.Errorf("line of %d bytes: %.200s", len(l), l)
			}
		}
		if len(lines) < 100 || !bytes.Contains(data, []byte("Input.dispatchMouseEvent")) || !strings.Contains(o.Output, "Input.dispatchMouseEvent") {
			t.Errorf("%d lines\n%s", len(lines), o.Output)
		}
		for name, secret := range r.Secrets {
			if len(secret) < 4 {
				continue // a value that short is in too many innocent words
			}
			if bytes.Contains(data, []byte(secret)) || strings.Contains(o.Output, secret) {
				t.Errorf("the secret %s is in the log", name)
			}
		}
	}
}

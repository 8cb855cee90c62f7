package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"retrace/resolve/axtree"
)

var update = flag.Bool("update", false, "rewrite golden files")

// bundles are real recordings, v3 and v2.
func bundles(tb testing.TB) []string {
	tb.Helper()
	dirs, err := filepath.Glob("testdata/bundles/*")
	if err != nil || len(dirs) == 0 {
		tb.Fatalf("no recordings to test with: %v", err)
	}
	return dirs
}

func TestLoadGolden(t *testing.T) {
	for _, dir := range bundles(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			got, err := Load(dir)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Join("testdata", "golden", got.Name+".txt"), show(got))
		})
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

// show writes all that was read, but of page texts only their size, and what Review says of it.
func show(t *Trace) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s version %d\nfile %s\npurpose %q\nstart %s\n", t.Name, t.Version, t.File, t.Purpose, t.StartURL)
	fmt.Fprintf(&b, "from %s to %s, stopped by %q, recorder %q\n",
		t.StartedAt.Format("2006-01-02T15:04:05.000Z07:00"), t.RecordedAt.Format("2006-01-02T15:04:05.000Z07:00"),
		t.StoppedBy, t.Recorder)
	for _, s := range t.States {
		fmt.Fprintf(&b, "state %s %s %q: %d bytes, %d nodes, truncated %t\n",
			s.ID, s.URL, s.Title, len(s.Body), len(s.Tree.Nodes), s.Truncated)
	}
	for _, s := range t.Steps {
		fmt.Fprintf(&b, "step %d %s %s→%s", s.ID, s.Op, s.State.ID, s.Result.ID)
		switch s.Op {
		case Navigate:
			fmt.Fprintf(&b, " to %s cause %q", s.To, s.Cause)
		case Fill:
			fmt.Fprintf(&b, " value %q commit %s redacted %t", s.Value, s.Commit, s.Redacted)
		case Select:
			fmt.Fprintf(&b, " selection %q", s.Selection)
		case Press:
			fmt.Fprintf(&b, " key %s modifiers %q", s.Key, s.Modifiers.Names())
		}
		if s.Target != nil {
			fmt.Fprintf(&b, " target %+v", *s.Target)
		}
		b.WriteByte('\n')
	}
	for _, p := range append(t.Warnings, Review(t)...) {
		fmt.Fprintf(&b, "%s\n", p)
	}
	return b.String()
}

// wire is the recording in one piece: every page text inline, as a recorder answers it.
func wire(t *testing.T, dir string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "trace.json"))
	if err != nil {
		t.Fatal(err)
	}
	var root map[string]any
	if err := json.Unmarshal(data, &root); err != nil {
		t.Fatal(err)
	}
	for _, s := range root["states"].([]any) {
		state := s.(map[string]any)
		text, err := os.ReadFile(filepath.Join(dir, "states", state["page"].(string)))
		if err != nil {
			t.Fatal(err)
		}
		state["body"] = string(text)
		delete(state, "page")
	}
	data, err = json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestOneRecordingInEveryForm reads a recording in all the ways in which it can be handed over.
func TestOneRecordingInEveryForm(t *testing.T) {
	const dir = "testdata/bundles/frames-booking"
	want, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	inline := wire(t, dir)
	var fork map[string]any
	if err := json.Unmarshal(inline, &fork); err != nil {
		t.Fatal(err)
	}
	fork["version"] = 4
	fork["capture"] = map[string]any{"diagnostics": "minimal"}
	version4, err := json.Marshal(fork)
	if err != nil {
		t.Fatal(err)
	}
	forms := map[string]func() (*Trace, error){
		"trace.json of the bundle": func() (*Trace, error) { return Load(dir + "/trace.json") },
		"stream":                   func() (*Trace, error) { return Read(bytes.NewReader(inline), "-") },
		"file":                     func() (*Trace, error) { return Load(write(t, "wire.json", inline)) },
		"byte order mark":          func() (*Trace, error) { return Decode(append([]byte("\uFEFF"), inline...), "-", nil) },
		"CRLF": func() (*Trace, error) {
			return Decode(bytes.ReplaceAll(inline, []byte(`\n`), []byte(`\r\n`)), "-", nil)
		},
		"wrapped": func() (*Trace, error) {
			return Decode(fmt.Appendf(nil, `{"trace": %s}`, inline), "-", nil)
		},
		"wrapped twice": func() (*Trace, error) {
			return Decode(fmt.Appendf(nil, `{"ok": true, "result": {"trace": %s}}`, inline), "-", nil)
		},
		"version 4": func() (*Trace, error) { return Decode(version4, "-", nil) },
	}
	for name, read := range forms {
		t.Run(name, func(t *testing.T) {
			got, err := read()
			if err != nil {
				t.Fatal(err)
			}
			got.Name, got.File = want.Name, want.File
			for _, s := range got.States {
				s.Body = strings.ReplaceAll(s.Body, "\r\n", "\n")
			}
			if diff := cmp.Diff(want, got, sameTrees); diff != "" {
				t.Errorf("differs from the bundle (-want +got):\n%s", diff)
			}
		})
	}
}

// sameTrees compares page texts by what they say; walking trees, whose nodes know their parents, takes seconds.
var sameTrees = cmp.Comparer(func(a, b *axtree.Tree) bool { return axtree.Format(a) == axtree.Format(b) })

func write(t *testing.T, name string, data []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestNames(t *testing.T) {
	t.Chdir("testdata/bundles/hover-menus")
	for path, want := range map[string]string{".": "hover-menus", "trace.json": "hover-menus", "../hover-menus": "hover-menus"} {
		got, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if got.Name != want {
			t.Errorf("Load(%q) is named %q, want %q", path, got.Name, want)
		}
	}
}

func TestLoadRefusesFiles(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ path, want string }{
		{"nowhere", "DIR/nowhere: "},
		{"nowhere/trace.json", "DIR/nowhere/trace.json: "},
		{"empty", "DIR/empty holds no trace.json: file does not exist"},
	} {
		_, err := Load(filepath.Join(dir, tt.path))
		if err == nil {
			t.Errorf("Load(%q) succeeded", tt.path)
			continue
		}
		got := filepath.ToSlash(strings.ReplaceAll(err.Error(), dir, "DIR"))
		if !strings.HasPrefix(got, tt.want) || strings.Contains(got, "open") {
			t.Errorf("Load(%q): %q, want it to begin with %q and to name no system call", tt.path, got, tt.want)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Load(%q): %v is not fs.ErrNotExist", tt.path, err)
		}
	}
}

// TestStatesStayInside makes bundles whose page texts lead elsewhere.
func TestStatesStayInside(t *testing.T) {
	const recording = `{"version": 3, "entry": {"start_url": "http://a/"}, "steps": [],
		"states": [{"id": "s1", "url": "http://a/", "page": "s1.txt"}]}`
	secret := write(t, "secret.txt", []byte("L1 page\n  main\n"))
	for _, tt := range []struct {
		name  string
		place func(bundle string) error
		want  string
	}{
		{"text is a link out of the bundle", func(bundle string) error {
			if err := os.Mkdir(filepath.Join(bundle, "states"), 0o755); err != nil {
				return err
			}
			return os.Symlink(secret, filepath.Join(bundle, "states", "s1.txt"))
		}, "states/s1.txt cannot be read: path escapes from parent"},
		{"directory is a link out of the bundle", func(bundle string) error {
			return os.Symlink(filepath.Dir(secret), filepath.Join(bundle, "states"))
		}, "BUNDLE/states: path escapes from parent"},
		{"text is a directory", func(bundle string) error {
			return os.MkdirAll(filepath.Join(bundle, "states", "s1.txt"), 0o755)
		}, "states/s1.txt is not a file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bundle := t.TempDir()
			if err := os.WriteFile(filepath.Join(bundle, "trace.json"), []byte(recording), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := tt.place(bundle); err != nil {
				t.Skip(err) // a system without symbolic links
			}
			_, err := Load(bundle)
			if err == nil {
				t.Fatal("was read")
			}
			if got := strings.ReplaceAll(err.Error(), bundle, "BUNDLE"); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// TestWarnings has what is not right, but does not stop a replay.
func TestWarnings(t *testing.T) {
	const recording = `{"version": 3, "recorded_at": %q, "entry": {"start_url": "http://a/"}, "steps": [],
		"states": [{"id": "s1", "url": "http://a/%s", "page": "s1.txt"}]}`
	for _, tt := range []struct {
		name, time, path string
		states           fs.FS
		want             string
	}{
		{"nothing", "2026-11-30T06:32:16.622Z", "", fstest.MapFS{"s1.txt": {Data: []byte("main\n")}}, ""},
		{"text is missing", "2026-11-30T06:32:16Z", "", fstest.MapFS{}, "states/s1.txt is missing"},
		{"no directory", "2026-11-30T06:32:16Z", "", nil,
			"trace.json: states name files for their page texts, but there is no directory states beside the recording"},
		{"bytes in a text", "2026-11-30T06:32:16Z", "", fstest.MapFS{"s1.txt": {Data: []byte("main \"a\xff\"\n")}},
			"states/s1.txt is not all UTF-8: what could not be read was replaced"},
		{"bytes in the JSON", "2026-11-30T06:32:16Z", "\xff", fstest.MapFS{"s1.txt": {Data: []byte("main\n")}},
			"trace.json is not all UTF-8: what could not be read was replaced"},
		{"time", "yesterday", "", fstest.MapFS{"s1.txt": {Data: []byte("main\n")}},
			`trace.json: recorded_at is "yesterday", which is not a time such as 2026-11-30T06:32:16Z`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Decode(fmt.Appendf(nil, recording, tt.time, tt.path), "trace.json", tt.states)
			if err != nil {
				t.Fatal(err)
			}
			var lines []string
			for _, w := range got.Warnings {
				lines = append(lines, w.String())
			}
			if diff := cmp.Diff(tt.want, strings.Join(lines, "\n")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if got.States[0].Tree == nil {
				t.Error("state has no tree")
			}
		})
	}
}

package report

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"retrace/replay"
)

// shard writes a report with files by name and the results, and gives its directory.
func shard(t *testing.T, files map[string]string, results ...*replay.Result) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := WriteResults(filepath.Join(dir, ResultsFile), "v1", results); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestMerge(t *testing.T) {
	one := shard(t, map[string]string{"cart-voucher/step-4.png": "picture 1", "cart-voucher/list.csv": "a,b"}, failing(), passing())
	two := shard(t, map[string]string{"cart-voucher/step-4.png": "picture 2"}, flaky())
	none := shard(t, nil)
	to := t.TempDir()
	for range 2 { // the second time over the first
		got, err := Merge(to, []string{one, two, none})
		if err != nil {
			t.Fatal(err)
		}
		type row struct {
			Trace, Source, Shot string
			Downloads           []string
		}
		var rows []row
		for _, r := range got.Results {
			last := attempts(r)[0].Steps
			s := last[len(last)-1]
			if len(last) == 4 {
				s = last[2]
			}
			for _, shot := range s.Shots {
				if _, err := os.Stat(filepath.Join(to, shot.File)); err != nil || shot.File != s.Screenshot {
					t.Errorf("picture %s beside %s: %v", shot.File, s.Screenshot, err)
				}
			}
			rows = append(rows, row{r.Trace, r.Source, s.Screenshot, s.Downloads})
		}
		want := []row{
			{"cart-voucher", filepath.ToSlash(one), "cart-voucher/step-4.png", []string{"cart-voucher/list.csv"}}, {"quiet", filepath.ToSlash(one), "", nil},
			{"cart-voucher", filepath.ToSlash(two), "cart-voucher-2/step-4.png", nil},
		}
		if diff := cmp.Diff(want, rows); diff != "" {
			t.Errorf("merged (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string{none}, got.Empty); diff != "" {
			t.Errorf("empty (-want +got):\n%s", diff)
		}
		if w := strings.Join(got.Results[2].Warnings, "\n"); !strings.Contains(w, "cart-voucher/list.csv was not copied") {
			t.Errorf("warnings %q lack the file that is not there", w)
		}
	}
	for name, want := range map[string]string{"cart-voucher/step-4.png": "picture 1", "cart-voucher-2/step-4.png": "picture 2"} {
		if data, err := os.ReadFile(filepath.Join(to, name)); err != nil || string(data) != want {
			t.Errorf("%s holds %q (%v), want %q", name, data, err, want)
		}
	}
}

// Results from elsewhere can name any file; none outside of their report, and none but pictures, is taken.
func TestMergeStaysInside(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret.png")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, shot string
		want       string // of the copy; empty when there must be none
	}{
		{"plain", "a/x.png", "evil/x.png"},
		{"absolute", outside, ""},
		{"above", "../" + filepath.Base(filepath.Dir(outside)) + "/secret.png", ""},
		{"link", "link.png", ""},
		{"no picture", "results.json", ""},
		{"directory", "d.png", ""},
		{"hidden", "a/.x.png", "evil/x.png"},
		{"same name elsewhere", "b/x.png", "evil/x.png"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := passing()
			r.Trace = "../../evil"
			r.Steps[0].Screenshot = tt.shot
			dir := shard(t, map[string]string{"a/x.png": "1", "a/.x.png": "2", "b/x.png": "3", "d.png/y": ""}, r)
			if err := os.Symlink(outside, filepath.Join(dir, "link.png")); err != nil {
				t.Fatal(err)
			}
			to := t.TempDir()
			got, err := Merge(to, []string{dir})
			if err != nil {
				t.Fatal(err)
			}
			if shot := got.Results[0].Steps[0].Screenshot; shot != tt.want {
				t.Errorf("copied as %q, want %q", shot, tt.want)
			}
			if tt.want == "" && len(got.Results[0].Warnings) != 1 {
				t.Errorf("warnings %q, want one", got.Results[0].Warnings)
			}
			if entries, err := os.ReadDir(filepath.Join(to, "evil")); err != nil || len(entries) > 1 {
				t.Errorf("copied %v (%v)", entries, err)
			}
		})
	}
}

func TestMergeKeepsNamesApart(t *testing.T) {
	r := passing()
	r.Steps[0].Downloads = []string{"quiet/a/List.json", "quiet/b/list.json", "quiet/c/no extension", "quiet/d/x.png evil"}
	files := map[string]string{}
	for _, d := range r.Steps[0].Downloads {
		files[d] = d
	}
	got, err := Merge(t.TempDir(), []string{shard(t, files, r)})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"quiet/List.json", "quiet/list-2.json", "quiet/no-extension", "quiet/x"}
	if diff := cmp.Diff(want, got.Results[0].Steps[0].Downloads); diff != "" {
		t.Errorf("downloads (-want +got):\n%s", diff)
	}
}

func TestReadResultsRefuses(t *testing.T) {
	const head = `{"schema":1,"generator":"retrace","results":[`
	tests := []struct {
		name, content string
		want          error
		text          string
	}{
		{"newer", `{"schema":2,"generator":"retrace","results":{"not":"known"}}`, ErrNewerSchema, "it has schema 2, and this program reads up to 1"},
		{"foreign", `{"schema":1,"generator":"jest","results":[]}`, ErrNotResults, ""},
		{"no schema", `{"generator":"retrace","results":[]}`, ErrNotResults, ""},
		{"no JSON", `<html>`, ErrNotResults, ""},
		{"cut off", head + `{"verdict":"passed"`, ErrNotResults, ""},
		{"null", head + `null]}`, ErrNotResults, "results[0]: is null"},
		{"unknown verdict", head + `{"verdict":"fine"}]}`, ErrNotResults, `verdict "fine" is not known`},
		{"failed without failure", head + `{"verdict":"failed"}]}`, ErrNotResults, "does not go with"},
		{"passed with failure", head + `{"verdict":"passed","failure":{"code":"timeout"}}]}`, ErrNotResults, "does not go with"},
		{"step failed without failure", head + `{"verdict":"passed","steps":[{"verdict":"failed"}]}]}`, ErrNotResults, "steps[0]"},
		{"earlier null", head + `{"verdict":"flaky","earlier":[null]}]}`, ErrNotResults, "earlier[0]: is null"},
		{"earlier passed", head + `{"verdict":"flaky","earlier":[{"verdict":"passed"}]}]}`, ErrNotResults, "earlier[0]: did not fail"},
		{"absent", "", os.ErrNotExist, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), ResultsFile)
			if tt.content != "" {
				if err := os.WriteFile(file, []byte(tt.content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			_, err := ReadResults(file)
			if !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.text) || !strings.Contains(err.Error(), file) {
				t.Errorf("ReadResults: %v, want %v with %q", err, tt.want, tt.text)
			}
		})
	}
}

package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestNamingKinds: the table of the naming kinds lists the cases that are there, and no others.
func TestNamingKinds(t *testing.T) {
	table, err := os.ReadFile("decoys/README.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := regexp.MustCompile("`(naming-[a-z0-9-]+)`").FindAllStringSubmatch(string(table), -1)
	var want []string
	for _, m := range listed {
		want = append(want, m[1])
	}
	files, err := filepath.Glob("decoys/naming-*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, f := range files {
		have = append(have, strings.TrimSuffix(filepath.Base(f), ".txtar"))
	}
	slices.Sort(want)
	slices.Sort(have)
	if !slices.Equal(want, have) {
		t.Errorf("the table lists\n%q\nand there are\n%q", want, have)
	}
}

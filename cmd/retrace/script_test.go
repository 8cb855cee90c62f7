package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"retrace": main})
}

// TestScripts runs the command lines of testdata/*.txt. $RECORDINGS holds real recordings.
func TestScripts(t *testing.T) {
	recordings, err := filepath.Abs(filepath.Join("..", "..", "e2e", "traces"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("RECORDINGS", recordings)
			env.Setenv("TMPDIR", env.WorkDir)
			env.Setenv("GORACE", "atexit_sleep_ms=0") // or each command takes a second under the race detector
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"code": codeCmd},
	})
}

// codeCmd runs a command that must end with the given exit code: code 2 retrace run.
func codeCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N command args…")
	}
	file := ts.MkAbs("exit-code")
	script := ts.MkAbs("run.sh")
	ts.Check(os.WriteFile(script, []byte("\"$@\"\necho $? > \""+file+"\"\n"), 0o600))
	ts.Check(ts.Exec("sh", append([]string{script}, args[1:]...)...))
	if got := ts.ReadFile(file); got != args[0]+"\n" {
		ts.Fatalf("exit code %q, want %s", got, args[0])
	}
}

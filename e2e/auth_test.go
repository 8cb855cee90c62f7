package e2e

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"retrace/e2e/hostile"
	"retrace/replay"
	"retrace/replay/auth"
)

// loginSite has a page that logs its visitor in with a cookie, a local and a session storage, and one that works only for whom has
// all three.
func loginSite(t *testing.T, sid string) string {
	t.Helper()
	mux := http.NewServeMux()
	page := func(w http.ResponseWriter, text string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(text)) // a page that went away
	}
	mux.HandleFunc("/login", func(w http.ResponseWriter, _ *http.Request) {
		page(w, trialPage("<button>Go</button>", `document.querySelector("button").onclick = async () => {
			await fetch("/session", {method: "POST"});
			localStorage.setItem("token", "local-`+sid+`"); sessionStorage.setItem("tab", "session-`+sid+`");
			done();
		}`))
	})
	mux.HandleFunc("/much", func(w http.ResponseWriter, _ *http.Request) {
		page(w, trialPage("<button>Go</button>", `document.querySelector("button").onclick = () => { for (let i = 0; i < 200001; i++) localStorage.setItem(i, "x"); done(); }`))
	})
	mux.HandleFunc("/session", func(w http.ResponseWriter, _ *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "sid", Value: sid, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
		http.SetCookie(w, &http.Cookie{Name: "brief", Value: "soon-gone-1", Path: "/", MaxAge: 3600})
	})
	mux.HandleFunc("/members", func(w http.ResponseWriter, r *http.Request) {
		if c, err := r.Cookie("sid"); err != nil || c.Value != sid {
			page(w, trialPage("<button>Go</button>", ""))
			return
		}
		page(w, trialPage("<button>Go</button><p>"+sid+"</p>", `if (localStorage.getItem("token") === "local-`+sid+`" && sessionStorage.getItem("tab") === "session-`+sid+`") `+goes))
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}

func TestAuth(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	const sid = "swordfish-4711"
	site := loginSite(t, sid)
	dir := t.TempDir()
	login, file := filepath.Join(dir, "login.json"), filepath.Join(dir, "auth", "state.json")
	if err := hostile.Click(site + "/login").Write(login); err != nil {
		t.Fatal(err)
	}
	save := func(args ...string) (int, string) {
		cmd := exec.CommandContext(t.Context(), binary(t), append([]string{"auth", "save", login, "-o", file}, args...)...)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		_ = cmd.Run() // the exit code says all
		return cmd.ProcessState.ExitCode(), out.String()
	}
	code, out := save("-v")
	if code != 0 || !strings.Contains(out, "2 cookies, storage of 1 origin") {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	state, warnings, err := auth.Load(file)
	if err != nil || len(warnings) > 0 {
		t.Fatal(warnings, err)
	}
	if len(state.Origins) != 1 || state.Origins[0].Origin != site || len(state.Origins[0].SessionStorage) != 1 {
		t.Errorf("origins %+v", state.Origins)
	}

	t.Run("without it", func(t *testing.T) {
		t.Parallel()
		if tr := try(t, hostile.Click(site+"/members"), nil); tr.code != 1 || tr.reason() != replay.EffectNotSeen {
			t.Fatalf("exit code %d\n%s", tr.code, tr.text())
		}
	})
	t.Run("with it", func(t *testing.T) {
		t.Parallel()
		tr := try(t, hostile.Click(site+"/members"), nil, "-v", "--auth", file)
		if tr.code != 0 || tr.result.Environment.Auth != file {
			t.Fatalf("exit code %d, environment %+v\n%s", tr.code, tr.result.Environment, tr.text())
		}
		tr.files["terminal"] = []byte(tr.output)
		for name, data := range tr.files {
			if strings.Contains(string(data), sid) && !strings.HasSuffix(name, ".png") {
				t.Errorf("%s holds a value of the saved state", name)
			}
		}
	})
	t.Run("on another origin", func(t *testing.T) {
		t.Parallel()
		other := strings.Replace(loginSite(t, sid), "127.0.0.1", "localhost", 1)
		if tr := try(t, hostile.Click(site+"/members"), nil, "--auth", file, "--base-url", other); tr.code != 0 {
			t.Fatalf("exit code %d\n%s", tr.code, tr.text())
		}
	})
	t.Run("expired", func(t *testing.T) {
		t.Parallel()
		old := *state
		old.Cookies = append([]auth.Cookie(nil), state.Cookies...)
		for i := range old.Cookies {
			old.Cookies[i].Expires = 1700000000
		}
		data, err := old.Encode()
		if err != nil {
			t.Fatal(err)
		}
		stale := filepath.Join(t.TempDir(), "old.json")
		if err := os.WriteFile(stale, data, 0o600); err != nil {
			t.Fatal(err)
		}
		tr := try(t, hostile.Click(site+"/members"), nil, "--auth", stale)
		if tr.code != 1 || !strings.Contains(strings.Join(tr.result.Warnings, "\n"), "2 of 2 cookies have expired") {
			t.Fatalf("exit code %d, warnings %q\n%s", tr.code, tr.result.Warnings, tr.text())
		}
	})
	t.Run("more than the browser stores", func(t *testing.T) {
		t.Parallel()
		large := auth.State{Origins: []auth.Origin{{Origin: site, LocalStorage: []auth.Item{{Name: "large", Value: strings.Repeat("x", 8<<20)}}}}}
		data, err := large.Encode()
		if err != nil {
			t.Fatal(err)
		}
		much := filepath.Join(t.TempDir(), "large.json")
		if err := os.WriteFile(much, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if tr := try(t, hostile.Click(site+"/members"), nil, "--auth", much); tr.reason() != replay.AuthUnusable {
			t.Fatalf("exit code %d\n%s", tr.code, tr.text())
		}
	})
	t.Run("more than is read again", func(t *testing.T) {
		if os.Getenv(thoroughEnv) == "" {
			t.Skip("it takes a quarter of a minute; " + thoroughEnv + "=1 tries it")
		}
		t.Parallel()
		much, none := filepath.Join(t.TempDir(), "much.json"), filepath.Join(t.TempDir(), "none.json")
		if err := hostile.Click(site + "/much").Write(much); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), binary(t), "auth", "save", much, "-o", none)
		if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), "more than --auth takes") {
			t.Errorf("exit code %d\n%.2000s", cmd.ProcessState.ExitCode(), out)
		}
		if _, err := os.Stat(none); err == nil {
			t.Error("something was saved")
		}
	})
	t.Run("a run that fails saves nothing", func(t *testing.T) {
		t.Parallel()
		broken, none := filepath.Join(t.TempDir(), "broken.json"), filepath.Join(t.TempDir(), "none.json")
		if err := hostile.Click(site + "/nowhere").Write(broken); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), binary(t), "auth", "save", broken, "-o", none, "--timeout", "1s")
		if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 1 {
			t.Errorf("exit code %d\n%s", cmd.ProcessState.ExitCode(), out)
		}
		if _, err := os.Stat(none); err == nil {
			t.Error("something was saved")
		}
	})
}

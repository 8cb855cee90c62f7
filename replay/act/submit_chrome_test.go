package act

import (
	"testing"
	"time"
)

func TestUnrecordedSubmit(t *testing.T) {
	for _, tt := range []struct {
		name, html string
		want       bool
	}{
		{"text area in the form", `<form><textarea id=b></textarea><button>Post</button></form>`, true},
		{"search field in the form", `<form><input id=b type=search><button>Go</button></form>`, true},
		{"input element", `<form><input id=b><input type=submit></form>`, true},
		{"plain form", `<form><input id=b><button>Save</button></form>`, false},
		{"two buttons", `<form><textarea id=b></textarea><button>Post</button><button>Draft</button></form>`, false},
		{"no form", `<textarea id=b></textarea><button>Post</button>`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tb := open(t, tt.html)
			got, err := UnrecordedSubmit(tb.wait(3*time.Second), tb.el("#b"))
			if err != nil {
				t.Fatal(err)
			}
			if got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

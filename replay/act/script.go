package act

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"

	"github.com/chromedp/cdproto/runtime"
)

//go:embed js/*.js
var sources embed.FS

// library is the function that runs an operation on the element: the sources in their order, then the operation that was asked
// for. It leaves itself in the isolated world, where shortcut finds it: its text is long, and need be sent to a document only once.
var library = assemble()

// Sentry is a script for the isolated world of every document, to be run there before the page's own scripts. It makes the
// guard of a press hear the press first: without it, listeners that the page put on its window before the press hear of one
// that met something else before it is withheld from the rest.
//
//go:embed js/sentry.js
var Sentry string

// shortcut runs an operation with the library that an earlier call has left in the world; without one it answers that it is unknown.
const shortcut = "function(op, arg, other) {\n" + useLibrary

const useLibrary = `const library = globalThis[Symbol.for('retrace.act')];
return library ? library(op, this, arg, other) : {state: 'unknown'};
}`

const unknown State = "unknown"

func assemble() string {
	var b strings.Builder
	b.WriteString("async function(op, arg, other) {\n'use strict';\n")
	for _, name := range []string{"dom", "state", "hit", "point", "field", "edit", "submit", "listbox"} {
		text, err := fs.ReadFile(sources, "js/"+name+".js")
		if err != nil {
			panic(fmt.Sprintf("embedded script %s: %v", name, err)) // embedded at build time
		}
		b.Write(text)
		b.WriteByte('\n')
	}
	b.WriteString("const run = async (op, node, arg, other) => ops[op](elementOf(node), arg, other);\n")
	b.WriteString("globalThis[Symbol.for('retrace.act')] = run;\nreturn run(op, this, arg, other);\n}")
	return b.String()
}

// answer is what an operation in the page says.
type answer struct {
	State State  `json:"state"`
	Text  string `json:"text"`
	Cover string `json:"cover"`
	// Final is set when waiting cannot help.
	Final bool `json:"final"`
	// Unfocused is set when all is well but for the focus.
	Unfocused bool `json:"unfocused"`

	// X, Y is the point in the outermost frame that the script sees, LX, LY the same in the element's frame.
	X  float64 `json:"x"`
	Y  float64 `json:"y"`
	LX float64 `json:"lx"`
	LY float64 `json:"ly"`
	// Edge is set when frames around that frame may exist that the script cannot see.
	Edge     bool   `json:"edge"`
	Surface  int    `json:"surface"`
	Note     string `json:"note"`
	Restless bool   `json:"restless"`
	// Busy says what is busy, when that was no longer waited for.
	Busy string `json:"busy"`

	Field wireField `json:"field"`
	After wireField `json:"after"`
	Caret bool      `json:"caret"`
	Gone  bool      `json:"gone"`
	// Changed is set when the document changed while nothing but waiting was left.
	Changed bool `json:"changed"`

	Seen      bool   `json:"seen"`
	Met       bool   `json:"met"`
	By        string `json:"by"`
	Clicked   bool   `json:"clicked"`
	Astray    bool   `json:"astray"`
	Connected bool   `json:"connected"`
	Moved     bool   `json:"moved"`
	Count     int    `json:"count"`

	Offered []string `json:"offered"`
	Origin  string   `json:"origin"`
}

const ready State = "ready"

func (a answer) notReady() *NotReady { return &NotReady{State: a.State, Text: a.Text, Cover: a.Cover} }

// thrown turns an exception into an error without its message, which may quote what was typed.
func thrown(op string, d *runtime.ExceptionDetails) error {
	kind := "exception"
	if d.Exception != nil && d.Exception.ClassName != "" {
		kind = d.Exception.ClassName
	}
	return fmt.Errorf("running %q in the page: %s at line %d", op, kind, d.LineNumber)
}

func decode(op string, raw []byte, into any) error {
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("reading the answer of %q: not the expected shape", op)
	}
	return nil
}

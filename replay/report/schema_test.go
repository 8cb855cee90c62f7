package report

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"

	"retrace/replay"
	"retrace/replay/flake"
)

// forms are the Go types behind the schemas.
var forms = map[string]struct {
	of    any
	title string
}{
	"results": {Document{}, "Results of retrace"},
	"events":  {replay.Event{}, "An event of a run of retrace"},
	"flake":   {flake.Report{}, "What retrace flake found"},
	"explain": {replay.Explanation{}, "A search of retrace explained"},
}

// sources are the packages whose types the forms hold, as seen from this directory.
var sources = []string{".", "..", "../flake", "../verify", "../../resolve"}

// constants are the values of the named string types of the sources, by import path and name of the type, in the order in which
// they are declared. So a closed list cannot be forgotten in its schema.
func constants(t *testing.T) map[string][]any {
	t.Helper()
	out := map[string][]any{}
	for _, dir := range sources {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no files, %v", dir, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range parsed.Decls {
				for key, values := range declared(d) {
					key = path.Join("retrace/replay/report", dir, key)
					out[key] = append(out[key], values...)
				}
			}
		}
	}
	return out
}

// declared are the string constants of a declaration, by the name of their type.
func declared(d ast.Decl) map[string][]any {
	out := map[string][]any{}
	g, ok := d.(*ast.GenDecl)
	if !ok || g.Tok != token.CONST {
		return nil
	}
	for _, spec := range g.Specs {
		v := spec.(*ast.ValueSpec)
		kind, named := v.Type.(*ast.Ident)
		for i := range v.Values {
			if lit, ok := v.Values[i].(*ast.BasicLit); named && ok && lit.Kind == token.STRING {
				if s, err := strconv.Unquote(lit.Value); err == nil {
					out[kind.Name] = append(out[kind.Name], s)
				}
			}
		}
	}
	return out
}

// comments are the doc comments of the types, read once: they become descriptions.
var comments = sync.OnceValues(func() (map[string]string, error) {
	var r jsonschema.Reflector
	for _, dir := range []string{"..", "../../resolve"} { // with all below them
		if err := r.AddGoComments("retrace/replay/report", dir, jsonschema.WithFullComment()); err != nil {
			return nil, err
		}
	}
	return r.CommentMap, nil
})

// generate makes the schema of a form. A closed one allows no members but those that the types have.
func generate(t *testing.T, name string, closed bool) []byte {
	t.Helper()
	values := constants(t)
	r := &jsonschema.Reflector{
		AllowAdditionalProperties: !closed,
		Mapper: func(k reflect.Type) *jsonschema.Schema {
			if list := values[path.Join(k.PkgPath(), k.Name())]; k.Kind() == reflect.String && len(list) > 0 {
				return &jsonschema.Schema{Type: "string", Enum: list}
			}
			return nil
		},
	}
	var err error
	if r.CommentMap, err = comments(); err != nil {
		t.Fatal(err)
	}
	s := r.Reflect(forms[name].of)
	s.ID = jsonschema.ID("urn:retrace:schema:" + name + ":" + strconv.Itoa(replay.SchemaVersion))
	s.Title = forms[name].title
	if name == "events" {
		begun(s)
	}
	if shot := s.Definitions["Shot"]; shot != nil { // one that was not drawn is null
		boxes, _ := shot.Properties.Get("candidates")
		boxes.Items = &jsonschema.Schema{OneOf: []*jsonschema.Schema{boxes.Items, {Type: "null"}}}
	}
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(data, '\n')
}

// begun says that the step of a step_started is known in part only.
func begun(s *jsonschema.Schema) {
	event := s.Definitions["Event"]
	full, _ := event.Properties.Get("step")
	when := func(key, value string) *jsonschema.Schema {
		p := jsonschema.NewProperties()
		p.Set(key, &jsonschema.Schema{Const: value})
		return &jsonschema.Schema{Properties: p}
	}
	step := func(s *jsonschema.Schema) *jsonschema.Schema {
		p := jsonschema.NewProperties()
		p.Set("step", s)
		return &jsonschema.Schema{Properties: p}
	}
	event.Properties.Set("step", &jsonschema.Schema{Type: "object", Description: full.Description, Required: []string{"index", "steps", "op", "title"}})
	event.AllOf = append(event.AllOf, &jsonschema.Schema{If: when("event", string(replay.StepFinished)), Then: step(&jsonschema.Schema{Ref: full.Ref})})
}

// TestSchemas compares the schemas with the types; -update writes them.
func TestSchemas(t *testing.T) {
	if len(forms) != len(Schemas) {
		t.Errorf("%d forms, and %d names", len(forms), len(Schemas))
	}
	for _, name := range Schemas {
		got := generate(t, name, false)
		if *update {
			if err := os.WriteFile("schema/"+name+".schema.json", got, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := Schema(name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s: go test ./replay/report -run TestSchemas -update writes it anew (-want +got):\n%s", name, diff)
		}
	}
	if _, err := Schema("../schema.go"); err == nil {
		t.Error("another file is a schema")
	}
}

// compiled compiles the closed schema of a form: what is not described is refused.
func compiled(t *testing.T, name string) *validator.Schema {
	t.Helper()
	return compileSchema(t, generate(t, name, true))
}

func compileSchema(t *testing.T, data []byte) *validator.Schema {
	t.Helper()
	doc, err := validator.UnmarshalJSON(strings.NewReader(string(data)))
	if err != nil {
		t.Fatal(err)
	}
	c := validator.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// conforms checks JSON against a schema.
func conforms(s *validator.Schema, data []byte) error {
	doc, err := validator.UnmarshalJSON(strings.NewReader(string(data)))
	if err != nil {
		return err
	}
	return s.Validate(doc)
}

// What is written conforms to the schemas.
func TestOutputsConform(t *testing.T) {
	file := filepath.Join(t.TempDir(), ResultsFile)
	if err := WriteResults(file, "v1.2.3", append(everything(), hostileResult())); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := conforms(compiled(t, "results"), data); err != nil {
		t.Errorf("results: %v", err)
	}
	var b strings.Builder
	l := NewLines(&b)
	for _, r := range everything() {
		play(l, r)
	}
	events := compiled(t, "events")
	for line := range strings.Lines(b.String()) {
		if err := conforms(events, []byte(line)); err != nil {
			t.Errorf("event: %v\n%s", err, line)
		}
	}
	b.Reset()
	if err := EncodeJSON(&b, hunt()); err != nil {
		t.Fatal(err)
	}
	if err := conforms(compiled(t, "flake"), []byte(b.String())); err != nil {
		t.Errorf("flake: %v", err)
	}
}

// Every reason code that is declared is among those of [replay.Codes].
func TestCodesAreAll(t *testing.T) {
	var want []any
	for _, c := range replay.Codes() {
		want = append(want, string(c))
	}
	if diff := cmp.Diff(constants(t)["retrace/replay/Code"], want); diff != "" {
		t.Errorf("reason codes (-declared +listed):\n%s", diff)
	}
}

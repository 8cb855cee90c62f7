package e2e

import (
	"bytes"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"retrace/replay/report"
)

// schemas are the published schemas of what programs read, compiled once.
var schemas = sync.OnceValues(func() (map[string]*jsonschema.Schema, error) {
	out := map[string]*jsonschema.Schema{}
	for _, name := range report.Schemas {
		data, err := report.Schema(name)
		if err != nil {
			return nil, err
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		c := jsonschema.NewCompiler()
		c.AssertFormat()
		if err := c.AddResource(name, doc); err != nil {
			return nil, err
		}
		if out[name], err = c.Compile(name); err != nil {
			return nil, err
		}
	}
	return out, nil
})

// conforms checks what a real run wrote against its schema.
func conforms(t *testing.T, name string, data []byte) {
	t.Helper()
	all, err := schemas()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := all[name].Validate(doc); err != nil {
		t.Errorf("%s: %v\n%.4000s", name, err, data)
	}
}

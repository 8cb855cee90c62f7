package report

import (
	"embed"
	"fmt"
	"strings"
)

// schemaFiles are the JSON Schemas of what programs read. They are generated from the Go types by a test, with -update, and compared
// with them by the same test.
//
//go:embed schema/*.schema.json
var schemaFiles embed.FS

// Schemas are the names of the forms that have a JSON Schema.
var Schemas = []string{"results", "events", "flake", "explain"}

// Schema is the JSON Schema (draft 2020-12) of a form: "results" is the document of results.json, "events" a line of run --json -,
// "flake" and "explain" are what these commands write with --json. What a newer version of the same schema number adds is allowed by it.
func Schema(name string) ([]byte, error) {
	data, err := schemaFiles.ReadFile("schema/" + name + ".schema.json")
	if err != nil {
		return nil, fmt.Errorf("there is no schema %q; there are %s", name, strings.Join(Schemas, ", "))
	}
	return data, nil
}

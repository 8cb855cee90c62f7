package report

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"sync"

	"retrace/replay"
)

//go:embed page.html.tmpl page.css page.js flake.html.tmpl flake.css
var pageFiles embed.FS

// pageTemplate has html/template escape everything; the style sheet and the script are ours and constant. It is parsed when it is needed: most
// commands write no page.
var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page.html.tmpl").Funcs(template.FuncMap{
		"ids": stepIDs, "requests": requests, "answer": answer, "refused": refused, "plural": plural, "seconds": seconds, "differs": differs, "meaning": meaning,
		"inc":   func(i int) int { return i + 1 },
		"depth": func(d int) int { return min(max(d, 0), 12) }, // as deep as the style sheet indents
	}).ParseFS(pageFiles, "page.html.tmpl"))
})

var pageCSS, pageJS = mustRead("page.css"), mustRead("page.js")

func mustRead(name string) string {
	data, err := pageFiles.ReadFile(name)
	if err != nil { // embedded at build time
		panic(err)
	}
	return string(data)
}

// contentPolicy allows the page's own style sheet and script, known by their hashes, and pictures inside the page.
// Nothing is loaded from anywhere, and no script that a recording smuggled in could run.
func contentPolicy() string {
	hash := func(s string) string {
		sum := sha256.Sum256([]byte(s))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return "default-src 'none'; style-src " + hash(pageCSS) + "; script-src " + hash(pageJS) + "; img-src data:; base-uri 'none'; form-action 'none'"
}

// WriteHTML writes index.html into the prepared report directory dir: one page without any other file, with the
// screenshots inside it. The version is that of the program.
func WriteHTML(dir, version string, results []*replay.Result) error {
	file := filepath.Join(dir, IndexFile)
	if err := check(file, ownPage); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	defer root.Close()
	var b bytes.Buffer
	if err := pageTemplate().Execute(&b, newPage(root, version, results)); err != nil {
		return fmt.Errorf("report page: %w", err)
	}
	return write(file, b.Bytes())
}

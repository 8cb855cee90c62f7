// Package made holds pages in the manner of component libraries, and recordings that were made on them and on the fixture
// site by a program that works as the recorder does: it listens to the same events, drops what the recorder drops, and writes
// the page texts in the recorder's form. They stand for what real recordings of such pages hold: lists whose opening left
// only a hover, options picked with the arrow keys, forms whose button leaves no step, pages that were seen too late.
//
// The recordings in traces belong to the pages in site, those in fixture to the fixture site.
package made

import (
	"embed"
	"io/fs"
)

//go:embed site
var files embed.FS

// Site gives the pages, each at the root.
func Site() (fs.FS, error) { return fs.Sub(files, "site") }

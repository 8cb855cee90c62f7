// Package site holds the fixture site: a small shop with its back office, its menus, frames, dialogs and editors, on
// which the recordings beside it were made. Every page works without a server behind it.
package site

import "embed"

// FS is the site, with index.html at its root.
//
//go:embed *.html admin assets docs frames shop tabs
var FS embed.FS

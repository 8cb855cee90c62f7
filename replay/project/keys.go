package project

import (
	"maps"
	"slices"
)

// Form is how the value of a setting is written in JSON.
type Form int

// Forms.
const (
	Text   Form = iota // a string
	Number             // a number
	Switch             // true or false
	List               // an array of strings
	Pairs              // an object of strings: NAME=VALUE for each member
)

// Scope says which project files a setting is taken from, and where in them it may stand.
type Scope int

// Scopes.
const (
	// Anywhere: it changes how pages look, or what is waited for, and lets nobody read, write, reach or run anything.
	Anywhere Scope = iota
	// Below: a file that is read. In a file that was found by itself it must lie below the directory of that file, links
	// followed.
	Below
	// Local: an address. In a file that was found by itself it must be one of this machine (localhost), or whoever wrote the
	// file would have what is typed sent to another place than the recording says.
	Local
	// Named: it widens what a run may do. It is taken only from a file that the user named.
	Named
	// Whole: as Named, and it is about the whole command, so it has no place in "traces".
	Whole
)

// Key is what is known of a setting.
type Key struct {
	Form  Form
	Scope Scope
	// Path is set when its values are paths, relative to the directory of the file.
	Path bool
}

// keys are the settings, by the names of their flags.
var keys = map[string]Key{
	"timeout":     {Text, Anywhere, false},
	"verify":      {Text, Anywhere, false},
	"match":       {Text, Anywhere, false},
	"dialogs":     {Text, Anywhere, false},
	"retries":     {Number, Anywhere, false},
	"screenshots": {Text, Anywhere, false},
	"base-url":    {Text, Local, false},
	"assert":      {Text, Below, true},
	"file":        {Pairs, Below, true},

	"viewport":       {Text, Anywhere, false},
	"locale":         {Text, Anywhere, false},
	"timezone":       {Text, Anywhere, false},
	"user-agent":     {Text, Anywhere, false},
	"color-scheme":   {Text, Anywhere, false},
	"reduced-motion": {Text, Anywhere, false},
	"device-scale":   {Number, Anywhere, false},
	"geolocation":    {Text, Anywhere, false},
	"offline":        {Switch, Anywhere, false},
	"block-url":      {List, Anywhere, false},
	"header":         {Pairs, Anywhere, false}, // values of the environment are Named

	// These three can only take away from where the pages may go.
	"allow-host":    {List, Anywhere, false},
	"deny-host":     {List, Anywhere, false},
	"block-private": {Switch, Anywhere, false},

	"auth":                {Text, Named, true},
	"profile":             {Text, Named, true},
	"secrets":             {Text, Named, true},
	"secret":              {Pairs, Named, false},
	"proxy":               {Text, Named, false},
	"ignore-https-errors": {Switch, Named, false},
	"allow-scheme":        {List, Named, false},
	"secret-origin":       {List, Named, false},
	"allow-permission":    {List, Named, false},
	"download-limit":      {Text, Named, false},

	"report":        {Text, Whole, true},
	"json":          {Text, Whole, true},
	"junit":         {Text, Whole, true},
	"junit-cases":   {Text, Whole, false},
	"ctrf":          {Text, Whole, true},
	"github":        {Switch, Whole, false},
	"fail-on-flaky": {Switch, Whole, false},
	"propose":       {Switch, Whole, false},
	"slow":          {Text, Whole, false},
	"headed":        {Switch, Whole, false},
	"chrome":        {Text, Whole, true},
	"remote":        {List, Whole, false},
	"workers":       {Number, Whole, false},
	"max-failures":  {Number, Whole, false},
	"fail-fast":     {Switch, Whole, false},
	"no-sandbox":    {Switch, Whole, false},
	"verbose":       {Number, Whole, false},

	"pause-on-failure": {Switch, Whole, false},
	"trace-cdp":        {Text, Whole, true},
}

// Find gives what is known of a setting.
func Known(name string) (Key, bool) {
	k, ok := keys[name]
	return k, ok
}

// Names are the names of all settings, in order.
func Names() []string { return slices.Sorted(maps.Keys(keys)) }

// bounds are the most that a file which was found by itself can ask for: a stranger cannot make a run last for days.
var bounds = struct{ timeoutSeconds, retries float64 }{300, 5}

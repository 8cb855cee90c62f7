package resolve

import (
	_ "embed"
	"encoding/json"
	"strings"
)

//go:embed roles.json
var rolesJSON []byte

// families maps a role to its family: roles that a recording and a live page may use for one and the same control.
var families, clickable = loadRoles()

type roleFile struct {
	Families  map[string][]string `json:"families"`
	Clickable []string            `json:"clickable"`
}

func loadRoles() (map[string]string, map[string]bool) {
	var f roleFile
	if err := json.Unmarshal(rolesJSON, &f); err != nil {
		panic("roles.json: " + err.Error())
	}
	fam, click := map[string]string{}, map[string]bool{}
	for name, roles := range f.Families {
		for _, r := range roles {
			fam[r] = name
		}
	}
	for _, r := range f.Clickable {
		click[r] = true
	}
	return fam, click
}

// Family returns the family of a role, or the role itself when it has none. A role list ("button link") counts by its
// first token.
func Family(role string) string {
	if f := strings.Fields(role); len(f) > 1 {
		role = f[0]
	}
	if f, ok := families[role]; ok {
		return f
	}
	return role
}

// itemRoles are the roles of what repeats: an element inside one belongs to that item and to no other.
var itemRoles = map[string]bool{"row": true, "listitem": true, "article": true, "LayoutTableRow": true}

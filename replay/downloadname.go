package replay

import "strings"

// gram is how many letters of a secret in a row are taken for a part of it.
const gram = 8

// downloadName keeps the name that a page suggests for a download, unless a part of a secret is in it: names of files are seen
// by others, and in reports they were already cut.
func (o Options) downloadName(suggested string) string {
	values := append([]string(nil), o.Masked...)
	for _, v := range o.Secrets {
		values = append(values, v)
	}
	name := strings.ToLower(suggested)
	for _, v := range values {
		r := []rune(strings.ToLower(v))
		if len(r) < 4 { // it would occur in too many innocent names
			continue
		}
		for i := 0; i+min(gram, len(r)) <= len(r); i++ {
			if strings.Contains(name, string(r[i:i+min(gram, len(r))])) {
				return "download"
			}
		}
	}
	return suggested
}

package jsonast

import "strings"

// DidYouMean ends a message with the known word that is nearest to a mistyped one; it is empty when none is near.
func DidYouMean(typed string, known []string) string {
	best, least := "", 1+len([]rune(typed))/3
	for _, k := range known {
		if d := distance(strings.ToLower(typed), k); d <= least && (best == "" || d < least) {
			best, least = k, d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean \"" + best + "\"?"
}

// distance counts the insertions, deletions, replacements and swaps of neighbours that turn a into b.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	if len(x) > 40 {
		return len(x)
	}
	d := make([][]int, len(x)+1)
	for i := range d {
		d[i] = make([]int, len(y)+1)
		d[i][0] = i
	}
	for j := range y {
		d[0][j+1] = j + 1
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(x)][len(y)]
}

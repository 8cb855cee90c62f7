package main

import (
	"math"
	"slices"
)

// spread is the middle of some values with their quartiles.
type spread struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low"`  // lower quartile
	High   float64 `json:"high"` // upper quartile
	N      int     `json:"n"`
}

func spreadOf(values []float64) spread {
	if len(values) == 0 {
		return spread{}
	}
	v := slices.Clone(values)
	slices.Sort(v)
	return spread{quantile(v, .5), quantile(v, .25), quantile(v, .75), len(v)}
}

// quantile of sorted values, between two of them by proportion.
func quantile(v []float64, q float64) float64 {
	at := q * float64(len(v)-1)
	i := int(math.Floor(at))
	if i+1 >= len(v) {
		return v[i]
	}
	return v[i] + (at-float64(i))*(v[i+1]-v[i])
}

// ratios divides the values pair by pair.
func ratios(ours, theirs []float64) []float64 {
	var out []float64
	for i := range min(len(ours), len(theirs)) {
		if theirs[i] > 0 {
			out = append(out, ours[i]/theirs[i])
		}
	}
	return out
}

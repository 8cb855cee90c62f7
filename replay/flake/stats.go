package flake

import (
	"math"
	"slices"
)

// Spread is a distribution: all values, and what sums them up. The unit is that of the values.
type Spread struct {
	N      int     `json:"n"`
	Min    float64 `json:"min"`
	Q1     float64 `json:"q1"`
	Median float64 `json:"median"`
	Q3     float64 `json:"q3"`
	Max    float64 `json:"max"`
	// Values are in the order of the runs.
	Values []float64 `json:"values"`
}

// spread sums values up; nil when there are none.
func spread(values []float64) *Spread {
	if len(values) == 0 {
		return nil
	}
	sorted := slices.Sorted(slices.Values(values))
	return &Spread{
		N: len(values), Min: sorted[0], Q1: quantile(sorted, 0.25), Median: quantile(sorted, 0.5), Q3: quantile(sorted, 0.75),
		Max: sorted[len(sorted)-1], Values: values,
	}
}

// quantile interpolates between the nearest ranks of sorted values.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	lo := math.Floor(at)
	a, b := sorted[int(lo)], sorted[int(math.Ceil(at))]
	return math.Round((a+(b-a)*(at-lo))*1000) / 1000
}

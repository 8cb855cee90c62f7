package main

import "testing"

func TestSize(t *testing.T) {
	for _, tt := range []struct {
		text string
		want int64 // 0 for an error
		back string
	}{
		{"256MB", 256 << 20, "256MB"}, {"1gb", 1 << 30, "1GB"}, {"1024", 1024, "1KB"}, {"7 kb", 7 << 10, "7KB"}, {"1000B", 1000, "1000"},
		{"0", 0, ""}, {"-1MB", 0, ""}, {"MB", 0, ""}, {"1.5GB", 0, ""}, {"9223372036854775807GB", 0, ""}, {"", 0, ""}, {"lots", 0, ""},
	} {
		var n int64
		s := size{&n}
		if err := s.Set(tt.text); (err == nil) != (tt.want > 0) || n != tt.want || err == nil && s.String() != tt.back {
			t.Errorf("%q: %d, %q, %v", tt.text, n, s.String(), err)
		}
	}
}

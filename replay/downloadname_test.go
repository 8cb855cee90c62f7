package replay

import "testing"

func TestDownloadName(t *testing.T) {
	o := Options{Secrets: Secrets{"Password": "Harbour-42: \"Walrus\" and so on", "Pin": "12"}, Masked: []string{"cook"}}
	for in, want := range map[string]string{
		"report.csv":                  "report.csv",
		"Harbour-42_ _Walrus_.txt":    "download", // Chrome has replaced what a name cannot hold
		"x HARBOUR-42.txt":            "download",
		"id.\"Walrus\" an":            "download",
		"12.txt":                      "12.txt",
		"my-cookies.txt":              "download",
		"Harbour.txt":                 "Harbour.txt", // seven letters are not told from a word
		"Harbour-42: \"Walrus\" and…": "download",
	} {
		if got := o.downloadName(in); got != want {
			t.Errorf("downloadName(%q) = %q, want %q", in, got, want)
		}
	}
}

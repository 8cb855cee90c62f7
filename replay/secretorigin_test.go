package replay

import "testing"

func TestOrigin(t *testing.T) {
	for address, want := range map[string]string{
		"http://Shop.example/x?y#z": "http://shop.example", "https://shop.example:443/": "https://shop.example", "http://shop.example:443/": "http://shop.example:443",
		"HTTP://a:b@[::1]:80/": "http://[::1]", "http://[::1]:81/": "http://[::1]:81", "about:blank": "", "/x": "", "": "", "http://[": "", "file:///x": "",
	} {
		if got := origin(address); got != want {
			t.Errorf("origin(%q) = %q, want %q", address, got, want)
		}
	}
}

func TestCheckOrigins(t *testing.T) {
	for o, ok := range map[string]bool{
		"https://shop.example": true, "http://127.0.0.1:8080/": true, "shop.example": false, "https://shop.example/login": false, "null": false,
		"https://a@shop.example": false, "https://shop.example/?x": false, "file:///x": false, "https://": false,
	} {
		if _, err := (Options{SecretOrigins: []string{o}}).complete(); (err == nil) != ok {
			t.Errorf("secret origin %q: %v", o, err)
		}
	}
}

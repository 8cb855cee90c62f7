package browser

import (
	"strings"
	"testing"
)

func TestRedactMessages(t *testing.T) {
	const secret = "s3cret"
	for _, tt := range []struct{ method, raw, keep string }{
		{"Input.insertText", `{"text":"s3cret"}`, ""},
		{"Input.dispatchKeyEvent", `{"type":"char","text":"s","key":"s","code":"KeyS","windowsVirtualKeyCode":83,"s":"x"}`, `"type":"char"`},
		{"Input.dispatchKeyEvent", `{"type":"keyDown","key":"Enter","text":"\r"}`, `"key":"Enter"`},
		{"Input.imeSetComposition", `{"text":"s3cret","selectionStart":1}`, `"selectionStart":1`},
		{"Network.requestWillBeSent", `{"request":{"url":"http://x/","headers":{"Cookie":"s3cret","X":"y"},"postData":"p=s3cret"}}`, `"X":"y"`},
		{"Network.responseReceivedExtraInfo", `{"headers":{"Set-Cookie":"s3cret"},"headersText":"s3cret"}`, "headers"},
		{"Network.requestWillBeSentExtraInfo", `{"associatedCookies":[{"cookie":{"value":"s3cret"}}]}`, "associatedCookies"},
		{"Network.getCookies", `{"cookies":[{"value":"s3cret"}]}`, "cookies"},
		{"Storage.setCookies", `{"cookies":[{"value":"s3cret"}]}`, "cookies"},
		{"Fetch.continueRequest", `{"headers":[{"name":"Authorization","value":"s3cret"},{"name":"Accept","value":"all"}]}`, "all"},
		{"Fetch.continueWithAuth", `{"authChallengeResponse":{"password":"s3cret"}}`, "password"},
		{"Network.enable", `not JSON s3cret`, ""},
		{"Page.navigate", `{"url":"http://x/"}`, "http://x/"},
		{"Page.frameNavigated", `{"frame":{"id":"F","url":"http://x/?a","urlFragment":"#b"}}`, `"url":"http://x/?a#b"`},
		{"Network.requestWillBeSent", `{"request":{"url":"http://x/?a","urlFragment":"#b"}}`, `"url":"http://x/?a#b"`},
	} {
		got := string(redact(tt.method, []byte(tt.raw)))
		if strings.Contains(got, secret) || !strings.Contains(got, tt.keep) {
			t.Errorf("%s: %s became %s", tt.method, tt.raw, got)
		}
	}
	if got := string(redact("Input.dispatchKeyEvent", []byte(`{"key":"s","code":"KeyS","text":"s"}`))); strings.Contains(got, "KeyS") || strings.Contains(got, `"s"`) {
		t.Errorf("a key is told: %s", got)
	}
}

package browser

import "strings"

// disabledFeatures are features that cost time or change what a page does under us: the omnibox' own renderers (about 1.5 s of
// CPU at each start), delayed paints, guesses about HTTPS, prerendered tabs, translation, media routing.
var disabledFeatures = []string{
	"Translate", "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "PaintHolding", "HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable",
	"OptimizationHints", "MediaRouter", "Prerender2", "DestroyProfileOnBrowserClose", "AcceptCHFrame", "GlobalMediaControls",
	"AutofillServerCommunication", // asks a server of Google about each form
}

// commandLine is the command line of Chrome without the executable and the pipe switch.
func commandLine(profile string, opts Options, noSandbox bool) []string {
	args := []string{
		"--user-data-dir=" + profile,
		"--no-first-run", "--no-default-browser-check", "--no-startup-window",
		"--disable-features=" + strings.Join(disabledFeatures, ","),
		// Cached pages answer for dead nodes as if they lived.
		"--disable-back-forward-cache",
		// Tabs in the background must run like the one in front: an opener is hidden by its popup.
		"--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
		// A replay may navigate faster than a person, and opens its popups itself.
		"--disable-ipc-flooding-protection", "--disable-popup-blocking", "--allow-pre-commit-input", "--disable-hang-monitor",
		"--disable-prompt-on-repost",
		// Nothing that calls home or changes between two runs.
		"--disable-background-networking", "--disable-breakpad", "--disable-crash-reporter", "--disable-client-side-phishing-detection",
		"--disable-component-extensions-with-background-pages", "--disable-component-update", "--disable-default-apps",
		"--disable-extensions", "--disable-field-trial-config", "--disable-search-engine-choice-screen", "--disable-sync",
		"--disable-dev-shm-usage", "--metrics-recording-only", "--no-service-autorun", "--no-pings",
		"--force-color-profile=srgb",
	}
	if opts.Profile == "" { // the key of a real profile's cookies lies in the system's store
		args = append(args, "--password-store=basic", "--use-mock-keychain")
	} else if opts.Proxy != "" {
		args = append(args, "--proxy-server="+opts.Proxy, "--proxy-bypass-list=<-loopback>")
	}
	if !opts.Headed {
		args = append(args, "--headless=new", "--hide-scrollbars", "--mute-audio")
	}
	if noSandbox {
		args = append(args, "--no-sandbox")
	}
	if opts.ProxiedOnly {
		args = append(args, "--webrtc-ip-handling-policy=disable_non_proxied_udp", "--force-webrtc-ip-handling-policy=disable_non_proxied_udp")
	}
	return args
}

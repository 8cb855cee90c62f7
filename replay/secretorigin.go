package replay

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"retrace/replay/act"
	"retrace/replay/plan"
	"retrace/resolve"
)

// origin is that of an address as browsers serialise it: scheme, host and a port that is not the scheme's own. It is empty for
// an address that has none.
func origin(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	scheme, host, port := strings.ToLower(u.Scheme), strings.ToLower(u.Hostname()), u.Port()
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port != "" && !(scheme == "http" && port == "80" || scheme == "https" && port == "443") {
		host += ":" + port
	}
	return scheme + "://" + host
}

// checkOrigins checks the origins that secrets may be given to beside the recorded ones.
func checkOrigins(list []string) error {
	for _, o := range list {
		u, err := url.Parse(o)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
			return fmt.Errorf("secret origin %q is none: write it as https://shop.example", o)
		}
	}
	return nil
}

// entrust makes sure that the element is in a document to which the secret of the intent may be given: one of the origin on
// which it was recorded, or one that the options name. The error is a *[Failure] when it is not.
func (r *runner) entrust(ctx context.Context, it *plan.Intent, el act.Element) error {
	live, err := act.Origin(ctx, el)
	if err != nil {
		return err
	}
	recorded := ""
	if it.Step.State != nil {
		recorded = origin(it.Step.State.URL)
	}
	if live != "null" && live != "" && (live == recorded || slices.ContainsFunc(r.o.SecretOrigins, func(o string) bool { return origin(o) == live })) {
		return nil
	}
	f := &Failure{
		Code: SecretOrigin, Text: fmt.Sprintf("the value of %q was not entered: it was recorded on %s, and its field is in a document of %s", clip(resolve.StripSuffix(it.Step.Target.Name), 80), orUnknown(recorded), orUnknown(live)),
		Hint: "when that is meant, allow it with --secret-origin " + live,
	}
	if live == "null" || live == "" {
		f.Hint = "a document without an origin, such as a sandboxed frame, is given no secrets"
	}
	return f
}

func orUnknown(origin string) string {
	if origin == "" || origin == "null" {
		return "no origin that is known"
	}
	return clip(origin, 200)
}

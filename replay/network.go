package replay

import (
	"errors"
	"fmt"
	"strings"

	"retrace/replay/browser"
	"retrace/replay/gateway"
	"retrace/replay/urlpolicy"
)

// policy compiles the rules about schemes and hosts.
func (o Options) policy() (*urlpolicy.Policy, error) {
	return urlpolicy.New(urlpolicy.Rules{Schemes: o.AllowSchemes, AllowHosts: o.AllowHosts, DenyHosts: o.DenyHosts, BlockPrivate: o.BlockPrivate})
}

// allowed checks an address that the replay itself would open.
func (r *runner) allowed(address string) *Failure {
	if err := r.policy.Check(address); err != nil {
		return &Failure{Code: BlockedURL, Text: "the address " + err.Error()}
	}
	return nil
}

// strayed is the failure of a run whose page went where it may not go; nil when it did not. Nothing on such a page is read or
// acted on.
func (r *runner) strayed() error {
	if err := r.policy.CheckPage(r.page.URL()); err != nil {
		return &Failure{Code: BlockedURL, Text: "the page went to an address that is not allowed: " + err.Error()}
	}
	return nil
}

// guard starts the gateway when the policy says something about hosts.
func (r *runner) guard() error {
	if !r.policy.Network() {
		return nil
	}
	g, err := gateway.Start(r.policy)
	if err != nil {
		return err
	}
	r.gateway = g
	return nil
}

// unguard ends the gateway and says in the result what it refused.
func (r *runner) unguard() {
	if r.gateway == nil {
		return
	}
	if list, more := r.gateway.Refused(); len(list) > 0 {
		var names []string
		for i, h := range list {
			if i == 10 {
				more += len(list) - i
				break
			}
			names = append(names, clip(h.Host, 100)+":"+h.Port)
		}
		text := "connections were refused by the rules about hosts: " + strings.Join(names, ", ")
		if more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		r.res.Warnings = append(r.res.Warnings, text)
	}
	if err := r.gateway.Close(); err != nil {
		r.o.Log.Debug("closing the gateway", "err", err)
	}
	r.gateway = nil
}

// refusals counts what the gateway refused so far.
func (r *runner) refusals() int {
	if r.gateway == nil {
		return 0
	}
	list, more := r.gateway.Refused()
	for _, h := range list {
		more += h.Times
	}
	return more
}

// diverted is the failure of a navigation that was redirected to a host that is refused; nil for any other error. before is
// the count of refusals before the navigation.
func (r *runner) diverted(err error, before int) *Failure {
	var nav *browser.NavigationError
	if !errors.As(err, &nav) || nav.Kind != browser.NavigationFailed || r.refusals() == before {
		return nil
	}
	list, _ := r.gateway.Refused()
	last := list[len(list)-1]
	return &Failure{
		Code: BlockedURL, Text: fmt.Sprintf("%s led to a host that is not allowed", clip(nav.URL, 120)),
		Evidence: []string{fmt.Sprintf("%s:%s %s", clip(last.Host, 100), last.Port, last.Why)},
	}
}

package main

import (
	"strings"

	"github.com/spf13/pflag"

	"retrace/replay/browser"
	"retrace/replay/urlpolicy"
)

// addPolicyFlags are the flags about where a run may go; every command that opens pages has them.
func (o *runOptions) addPolicyFlags(f *pflag.FlagSet) {
	f.StringArrayVar(&o.replay.AllowSchemes, "allow-scheme", nil, "open addresses of `SCHEME` too, such as file (can be repeated)")
	f.StringArrayVar(&o.replay.AllowHosts, "allow-host", nil, "reach only hosts that match `PATTERN`: shop.example, *.shop.example, 127.0.0.1:8080 (can be repeated)")
	f.StringArrayVar(&o.replay.DenyHosts, "deny-host", nil, "reach no host that matches `PATTERN` (can be repeated)")
	f.BoolVar(&o.replay.BlockPrivate, "block-private", false, "reach public addresses only: nothing on this machine or in private networks")
}

// addPermissionFlag is the flag about what pages may ask of the browser.
func (o *runOptions) addPermissionFlag(f *pflag.FlagSet) {
	f.StringArrayVar(&o.replay.Permissions, "allow-permission", nil, "grant pages the permission `NAME`, such as clipboard-read or notifications (can be repeated)")
}

func (o *runOptions) addSecretOriginFlag(f *pflag.FlagSet) {
	f.StringArrayVar(&o.replay.SecretOrigins, "secret-origin", nil, "enter secrets on `ORIGIN` too, beside the one where each was recorded (can be repeated)")
}

// checkPolicy names the flag of a rule that cannot be used.
func (o *runOptions) checkPolicy(hint string) error {
	for _, name := range o.replay.Permissions {
		if err := browser.CheckPermission(name); err != nil {
			return usagef("there are "+strings.Join(browser.PermissionNames(), ", "), "--allow-permission: %v", err)
		}
	}
	for _, s := range o.replay.SecretOrigins {
		if err := checkURL("--secret-origin", s, "http", "https"); err != nil {
			return err
		}
	}
	for _, flag := range []struct {
		name  string
		rules urlpolicy.Rules
	}{
		{"--allow-scheme", urlpolicy.Rules{Schemes: o.replay.AllowSchemes}},
		{"--allow-host", urlpolicy.Rules{AllowHosts: o.replay.AllowHosts}},
		{"--deny-host", urlpolicy.Rules{DenyHosts: o.replay.DenyHosts}},
		{"--block-private", urlpolicy.Rules{BlockPrivate: o.replay.BlockPrivate}},
	} {
		p, err := urlpolicy.New(flag.rules)
		if err != nil {
			return usagef(hint, "%s: %v", flag.name, err)
		}
		if p.Network() && (o.replay.Remote != "" || len(o.many.remotes) > 0) {
			return usagef(hint, "%s and --remote exclude each other: a browser that runs already cannot be kept from a host", flag.name)
		}
		if p.Network() && o.replay.Profile != "" {
			return usagef(hint, "%s and --profile exclude each other", flag.name)
		}
		if p.Network() && o.replay.Emulation.Proxy != "" {
			return usagef(hint, "%s and --proxy exclude each other: behind a proxy nobody knows which address is reached", flag.name)
		}
	}
	return nil
}

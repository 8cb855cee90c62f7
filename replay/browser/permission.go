package browser

import (
	"context"
	"fmt"
	"slices"

	cdpbrowser "github.com/chromedp/cdproto/browser"
)

// asked are the permissions for which Chrome asks the user, by their names in the Permissions API. In a replay nobody answers,
// so they are denied; a page that asks hears so at once. What Chrome grants to every page (writing to the clipboard after a
// click, full screen) or denies by itself stays as it is.
var asked = []string{
	"geolocation", "notifications", "camera", "microphone", "speaker-selection", "display-capture", "captured-surface-control",
	"clipboard-read", "midi", "idle-detection", "window-management", "local-fonts", "nfc", "persistent-storage",
}

// PermissionNames are the permissions that are denied unless the options of a context grant them.
func PermissionNames() []string { return slices.Clone(asked) }

// CheckPermission makes sure that name is one of them.
func CheckPermission(name string) error {
	if !slices.Contains(asked, name) {
		return fmt.Errorf("permission %q is none of those that can be granted", name)
	}
	return nil
}

// permit denies every permission for which Chrome would ask and that was not granted. It costs one round trip.
func (c *Context) permit(ctx context.Context) error {
	granted := slices.Clone(c.opts.Permissions)
	if c.opts.Emulation.Position != nil {
		granted = append(granted, "geolocation")
	}
	calls := make([]*pendingCall, 0, len(asked))
	for _, name := range asked {
		setting := cdpbrowser.PermissionSettingDenied
		if slices.Contains(granted, name) {
			setting = cdpbrowser.PermissionSettingGranted
		}
		call, err := c.b.root.start(ctx, cdpbrowser.CommandSetPermission, cdpbrowser.SetPermissionParams{
			Permission: &cdpbrowser.PermissionDescriptor{Name: name}, Setting: setting, BrowserContextID: c.id,
		})
		if err != nil {
			return fmt.Errorf("setting permissions: %w", err)
		}
		calls = append(calls, call)
	}
	for i, call := range calls {
		err := call.wait(ctx, nil)
		switch {
		case err == nil:
		case ctx.Err() != nil || c.b.conn.reason() != nil:
			return fmt.Errorf("setting permissions: %w", err)
		case slices.Contains(granted, asked[i]):
			return fmt.Errorf("granting the permission %s: %w", asked[i], err)
		default: // this Chrome does not know it, and so has nothing to deny
			c.b.log.Debug("denying a permission", "name", asked[i], "error", err)
		}
	}
	return nil
}

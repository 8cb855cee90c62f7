package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"retrace/replay/browser"
	"retrace/replay/browser/install"
)

func newBrowserCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "browser",
		Short: "Find or install the browser",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("see retrace browser --help", "unknown command %q for %q", args[0], cmd.CommandPath())
			}
			return cmd.Help()
		},
	}
	var chrome string
	path := &cobra.Command{
		Use:     "path",
		Short:   "Print the path of the browser that would be used",
		Example: "  retrace browser path",
		Args:    arguments(0, 0, ""),
		RunE:    func(*cobra.Command, []string) error { return runBrowserPath(a, chrome) },
	}
	path.Flags().StringVar(&chrome, "chrome", "", "use the browser at `PATH`")
	cmd.AddCommand(path, &cobra.Command{
		Use:     "install",
		Short:   "Download Chrome for this user and print its path",
		Example: "  retrace browser install",
		Args:    arguments(0, 0, ""),
		RunE:    func(cmd *cobra.Command, _ []string) error { return runBrowserInstall(cmd.Context(), a) },
	})
	return cmd
}

func runBrowserPath(a *app, chrome string) error {
	found, err := browser.Find(chrome)
	if err != nil {
		return err
	}
	fmt.Fprintln(a.stdout, found.Path)
	fmt.Fprintf(a.stderr, "%s\n", found.How)
	return nil
}

func runBrowserInstall(ctx context.Context, a *app) error {
	path, err := install.Install(ctx, a.stderr)
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		a.complain(err.Error(), "")
		return codeError(exitBrowser)
	}
	fmt.Fprintln(a.stdout, path)
	return nil
}

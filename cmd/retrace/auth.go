package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"retrace/replay/auth"
	"retrace/replay/report"
)

func newAuthCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "auth",
		Short: "Save what a login leaves, so that other runs begin logged in",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("see retrace auth --help", "unknown command %q for %q", args[0], cmd.CommandPath())
			}
			return cmd.Help()
		},
	}
	cmd.AddCommand(newAuthSaveCmd(a))
	return cmd
}

type authSaveOptions struct {
	pageOptions
	file string
}

func newAuthSaveCmd(a *app) *cobra.Command {
	o := &authSaveOptions{}
	cmd := &cobra.Command{
		Use:   "save TRACE -o FILE",
		Short: "Replay a login and save the cookies and the storage that it leaves",
		Long: `Replay the recording of a login, and save the cookies and the storage that it leaves.
Other runs begin with them: --auth FILE. Nothing is written unless the run passes. Who
has the file is logged in, so it is readable by its owner only.`,
		Example: `  retrace auth save ./login -o auth.json --secret Password=env:LOGIN_PASSWORD
  retrace run ./orders --auth auth.json`,
		Args: arguments(1, 1, "TRACE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.trace = args[0]
			o.run.again = againAs(cmd, "retrace run")
			return runAuthSave(cmd.Context(), a, o, cmd.Flags())
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&o.file, "output", "o", "", "save to `FILE`")
	o.run.replay.Match = "strict"
	o.addFlags(f)
	return cmd
}

func runAuthSave(ctx context.Context, a *app, o *authSaveOptions, flags *pflag.FlagSet) error {
	if o.file == "" {
		return usagef("see retrace auth save --help", "retrace auth save: -o FILE is missing")
	}
	if err := errors.Join(report.CheckAuth(o.file), os.MkdirAll(filepath.Dir(o.file), 0o700)); err != nil {
		return usagef("choose another file with -o", "-o: %w", err)
	}
	if _, err := o.prepare(a, flags); err != nil {
		return err
	}
	t, err := a.load(o.trace)
	if err != nil {
		return err
	}
	var state *auth.State
	o.run.replay.OnState = func(s *auth.State) { state = s }
	if o.run.replay.Remote != "" {
		o.run.many.remotes = []string{o.run.replay.Remote}
	}
	if err := a.replayAll(ctx, []job{{path: o.trace, name: t.Name, trace: t}}, nil, &o.run); err != nil {
		return err
	}
	if state == nil || state.Empty() {
		a.complain("the run left neither cookies nor storage, so nothing was saved", "")
		return codeError(exitFailed)
	}
	data, err := state.Encode()
	if err != nil {
		return err
	}
	if _, _, err := auth.Parse(data, o.file); err != nil {
		a.complain("the run left more than --auth takes, so nothing was saved: "+err.Error(), "")
		return codeError(exitFailed)
	}
	if err := report.WriteAuth(o.file, data); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "saved: %s, %s, storage of %s\n", report.Clean(o.file), count(len(state.Cookies), "cookie"), count(len(state.Origins), "origin"))
	return nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"path"
	"time"

	"github.com/spf13/cobra"

	"retrace/e2e/site"
	"retrace/e2e/traces"
	"retrace/replay"
	"retrace/replay/trace"
)

func newDemoCmd(a *app) *cobra.Command {
	o := &runOptions{}
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Replay a built-in recording on a built-in shop",
		Long: `Serve a small shop on a free port of this machine, replay a recording of a person
who changed her basket there, and leave a report. Nothing leaves the machine.`,
		Example: "  retrace demo\n  retrace demo --headed",
		Args:    arguments(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runDemo(cmd.Context(), a, o)
		},
	}
	cmd.Flags().StringVar(&o.reportDir, "report", "report", "leave the report in `DIR`")
	o.addBrowserFlags(cmd.Flags())
	return cmd
}

func runDemo(ctx context.Context, a *app, o *runOptions) error {
	recording, err := demoTrace()
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("demo site: %w", err)
	}
	server := &http.Server{Handler: http.FileServerFS(site.FS), ReadHeaderTimeout: 10 * time.Second}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()

	o.replay.BaseURL = "http://" + listener.Addr().String()
	o.replay.Timeout = 10 * time.Second
	o.replay.Screenshots = replay.ShotsAll
	o.replay.Dialogs, o.replay.Verify = "accept", "effects"
	o.again = func(*replay.Result) string { return "retrace demo --headed" }
	runErr := a.replayAll(ctx, []job{{name: recording.Name, trace: recording}}, nil, o)

	if err := server.Close(); err != nil {
		return errors.Join(runErr, fmt.Errorf("demo site: %w", err))
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return errors.Join(runErr, fmt.Errorf("demo site: %w", err))
	}
	return runErr
}

// demoTrace reads the recording that is part of the program.
func demoTrace() (*trace.Trace, error) {
	data, err := traces.Demo.ReadFile(path.Join(traces.DemoName, "trace.json"))
	if err != nil {
		return nil, fmt.Errorf("demo recording: %w", err)
	}
	states, err := fs.Sub(traces.Demo, path.Join(traces.DemoName, "states"))
	if err != nil {
		return nil, fmt.Errorf("demo recording: %w", err)
	}
	t, err := trace.Decode(data, traces.DemoName, states)
	if err != nil {
		return nil, fmt.Errorf("demo recording: %w", err)
	}
	t.Name = traces.DemoName
	return t, nil
}

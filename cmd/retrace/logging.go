package main

import (
	"io"
	"log/slog"

	"retrace/replay/browser"
)

// logger writes what happens to w: nothing, from -v on what the engine does, with -vv also the messages of the protocol.
func logger(w io.Writer, verbose int) *slog.Logger {
	switch verbose {
	case 0:
		return slog.New(slog.DiscardHandler)
	case 1:
		return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: browser.LevelProtocol}))
}

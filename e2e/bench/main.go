package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"retrace/e2e/harness"
	"retrace/e2e/peers"
	"retrace/replay/browser"
)

func main() {
	var o options
	flag.StringVar(&o.json, "json", "bench.json", "write all figures to this `file`")
	flag.IntVar(&o.rounds, "rounds", 5, "how often each tool replays each flow; a third as often where pages are large")
	flag.StringVar(&o.only, "only", "", "only flows whose names contain one of these `texts`, apart by ;")
	flag.StringVar(&o.tools, "tools", "", "only tools whose names contain one of these `texts`, apart by ;")
	flag.StringVar(&o.against, "against", "", "compare with this other retrace `binary` instead of the other tools")
	flag.StringVar(&o.keep, "keep", "", "keep what the tools wrote in this `directory`")
	flag.BoolVar(&o.long, "long", false, "replay a recording of 2,000 steps too")
	flag.IntVar(&o.many, "many", 200, "how many short recordings to replay with one worker and with two, and with Playwright Test; 0 for none")
	flag.BoolVar(&o.wire, "wire", true, "count commands, bytes and memory")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

type options struct {
	json, only, tools, against, keep string
	rounds, many                     int
	long, wire                       bool
}

func run(ctx context.Context, o options) error {
	chrome, err := browser.Find("")
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "retrace-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	bin, err := harness.Build(ctx, work)
	if err != nil {
		return err
	}
	b := &bench{options: o, chrome: chrome.Path, work: work, bin: bin}
	if o.against != "" {
		before, err := filepath.Abs(o.against)
		if err != nil {
			return err
		}
		b.set = []tool{retrace("retrace", bin, chrome.Path), retrace("other", before, chrome.Path)}
	} else {
		if err := peers.Ready(); err != nil {
			return err
		}
		b.set = toolset(bin, chrome.Path)
	}
	if o.tools != "" {
		var some []tool
		for _, t := range b.set {
			if one(t.name, o.tools) {
				some = append(some, t)
			}
		}
		b.set = some
	}
	doc, err := b.measure(ctx)
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(o.json, append(data, '\n'), 0o644); err != nil {
		return err
	}
	fmt.Print(doc.table())
	return nil
}

// one reports whether a name contains one of the texts.
func one(name, texts string) bool {
	for t := range strings.SplitSeq(texts, ";") {
		if strings.Contains(name, t) {
			return true
		}
	}
	return false
}

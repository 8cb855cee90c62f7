//go:build embedded

package main

import "retrace/replay/queue/embedded"

func init() {
	startServer = func(dir, address string) (string, func(), error) {
		s, err := embedded.Start(dir, address)
		if err != nil {
			return "", nil, err
		}
		return s.URL(), s.Stop, nil
	}
}

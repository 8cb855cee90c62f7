// Package embedded runs a NATS server with JetStream in this process, for one machine and for tests. The same code works against
// a cluster; see package queue.
package embedded

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// readyDeadline is how long a server may take to accept connections, with recovering what it had stored.
const readyDeadline = 30 * time.Second

// Server is a running server.
type Server struct{ s *server.Server }

// Start runs a server at address (host:port; port 0 means any) that stores what it holds in dir.
func Start(dir, address string) (*Server, error) {
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("nats server: %w", err)
	}
	port, err := strconv.Atoi(text)
	if err != nil {
		return nil, fmt.Errorf("nats server: port %q: %w", text, err)
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	s, err := server.NewServer(&server.Options{
		ServerName: "retrace", Host: host, Port: port, JetStream: true, StoreDir: dir, NoSigs: true, NoLog: true, DisableJetStreamBanner: true,
	})
	if err != nil {
		return nil, fmt.Errorf("nats server: %w", err)
	}
	s.Start()
	if !s.ReadyForConnections(readyDeadline) {
		s.Shutdown()
		s.WaitForShutdown()
		return nil, errors.New("nats server: does not come up; is the port taken?")
	}
	return &Server{s}, nil
}

// URL is the address for clients.
func (s *Server) URL() string { return s.s.ClientURL() }

// Stop ends the server. What it holds stays in its directory.
func (s *Server) Stop() {
	s.s.Shutdown()
	s.s.WaitForShutdown()
}

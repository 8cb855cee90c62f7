package queue

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"retrace/replay/queue/embedded"
)

// roleEnv makes the test program a server or a worker that is killed.
const roleEnv = "RETRACE_QUEUE_ROLE"

var killed = Config{Silence: time.Second, MaxDeliveries: 1000}

// victim is what the test program does in a role: "server DIR ADDRESS" or "worker URL".
func victim() int {
	role := strings.Fields(os.Getenv(roleEnv))
	switch {
	case len(role) == 3 && role[0] == "server":
		s, err := embedded.Start(role[1], role[2])
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		fmt.Println("ready")
		defer s.Stop()
	case len(role) == 2 && role[0] == "worker":
		nc, err := nats.Connect(role[1], nats.MaxReconnects(-1), nats.ReconnectWait(50*time.Millisecond), nats.RetryOnFailedConnect(true))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		q, err := Open(context.Background(), nc, killed)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		fmt.Println("ready")
		go q.Work(context.Background(), Worker{Name: fmt.Sprint(os.Getpid()), AtATime: 4, Do: func(ctx context.Context, j Job, data []byte) ([]byte, []byte, error) {
			pause(ctx, time.Duration(rand.IntN(100))*time.Millisecond)
			return echo(ctx, j, data)
		}})
	default:
		return 2
	}
	os.Stdin.Read(make([]byte, 1)) // until the test ends, if it does not kill this process before
	return 0
}

// start runs the test program in a role and waits until it is ready.
func start(t *testing.T, role ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleEnv+"="+strings.Join(role, " "))
	cmd.Stderr = os.Stderr
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		t.Fatalf("%s: %q, %v", role[0], line, err)
	}
	return cmd
}

// end kills a process outright.
func end(cmd *exec.Cmd) {
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// TestKilledAtRandom kills workers and the server again and again while a batch is submitted, done and collected. Nothing is
// lost, and nothing is reported twice.
func TestKilledAtRandom(t *testing.T) {
	jobs, pauses := 40, 300*time.Millisecond
	if os.Getenv("RETRACE_E2E_THOROUGH") != "" {
		jobs, pauses = 300, time.Second
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	dir, url := t.TempDir(), "nats://"+address
	server := start(t, "server", dir, address)
	workers := []*exec.Cmd{start(t, "worker", url), start(t, "worker", url)}
	q := open(t, url, killed)

	stop, kills := make(chan struct{}), map[string]int{}
	var reaper sync.WaitGroup
	reaper.Go(func() {
		dice := rand.New(rand.NewPCG(7, 8))
		for {
			select {
			case <-stop:
				return
			case <-time.After(pauses/2 + time.Duration(dice.Int64N(int64(pauses)))):
			}
			if i := dice.IntN(3); i < 2 {
				end(workers[i])
				workers[i] = start(t, "worker", url)
				kills["worker"]++
			} else {
				end(server)
				server = start(t, "server", dir, address)
				kills["server"]++
			}
		}
	})
	submit(t, q, "night", jobs)
	got := collect(t, q, "night")
	close(stop)
	reaper.Wait()
	end(workers[0])
	end(workers[1])
	end(server)
	if len(got) != jobs {
		t.Errorf("%d of %d jobs were reported: %v", len(got), jobs, numbers(got))
	}
	again := 0
	for i, o := range got {
		if o.SetAside != "" || !strings.HasPrefix(string(o.Result), fmt.Sprintf("t%d {", i)) {
			t.Errorf("job %d: %+v", i, o)
		}
		if o.Delivery > 1 {
			again++
		}
	}
	t.Logf("%d jobs, %d workers and %d servers killed, %d jobs were given to more than one worker", jobs, kills["worker"], kills["server"], again)
}

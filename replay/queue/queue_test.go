package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"
	"go.uber.org/goleak"

	"retrace/replay/queue/embedded"
)

func TestMain(m *testing.M) {
	if os.Getenv(roleEnv) != "" {
		os.Exit(victim())
	}
	// nats.go v1.55.0 starts this goroutine for asynchronous publishing, as objects are put. When the publisher is cleaned up
	// before it has begun, it waits for a channel that is nil by then.
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("github.com/nats-io/nats.go/jetstream.(*jetStream).resetPendingAcksOnReconnect"))
}

// serve starts a server for a test.
func serve(t *testing.T) *embedded.Server {
	t.Helper()
	s, err := embedded.Start(t.TempDir(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	return s
}

// open connects to a server and opens a queue there.
func open(t *testing.T, url string, c Config) *Queue {
	t.Helper()
	nc, err := nats.Connect(url, nats.MaxReconnects(-1), nats.ReconnectWait(50*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	q, err := Open(t.Context(), nc, c)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// items are n small jobs.
func items(n int) func(int) (Item, error) {
	return func(i int) (Item, error) {
		return Item{Name: fmt.Sprint("t", i), Bundle: fmt.Appendf(nil, "bundle %d", i%3), Spec: json.RawMessage(fmt.Sprintf(`{"i":%d}`, i))}, nil
	}
}

func submit(t *testing.T, q *Queue, batch string, n int) {
	t.Helper()
	if err := q.Submit(t.Context(), batch, n, items(n)); err != nil {
		t.Fatal(err)
	}
}

// echo does a job by saying what it was.
func echo(_ context.Context, j Job, data []byte) (result, files []byte, err error) {
	return fmt.Appendf(nil, "%s %s %s", j.Name, j.Spec, data), fmt.Appendf(nil, "files of %d", j.Number), nil
}

// work runs a worker until the test ends, or until the function that it gives is called.
func work(t *testing.T, q *Queue, w Worker) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- q.Work(ctx, w) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("worker: %v", err)
		}
	})
	t.Cleanup(stop)
	return stop
}

// collect gives the outcomes of a batch by number, and fails when one comes twice.
func collect(t *testing.T, q *Queue, batch string) map[int]Outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	out := map[int]Outcome{}
	err := q.Collect(ctx, batch, func(o Outcome) error {
		if _, twice := out[o.Job.Number]; twice {
			t.Errorf("job %d was reported twice", o.Job.Number)
		}
		out[o.Job.Number] = o
		return nil
	})
	if err != nil {
		t.Fatalf("%d outcomes, then: %v", len(out), err)
	}
	return out
}

func TestQueue(t *testing.T) {
	q := open(t, serve(t).URL(), Config{})
	work(t, q, Worker{Name: "w", AtATime: 3, Do: echo})
	submit(t, q, "nightly", 10)
	got := collect(t, q, "nightly")
	if len(got) != 10 {
		t.Fatalf("%d outcomes", len(got))
	}
	want := Outcome{Job: Job{Batch: "nightly", Number: 4, Name: "t4"}, Result: []byte(`t4 {"i":4} bundle 1`), Files: []byte("files of 4"), Worker: "w", Delivery: 1}
	if diff := cmp.Diff(want, got[4]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n, err := q.Waiting(t.Context()); err != nil || n != 0 {
		t.Errorf("%d jobs are left, %v", n, err)
	}
}

// A batch is submitted once, however often that is tried, and stands for one thing.
func TestSubmitAgain(t *testing.T) {
	q := open(t, serve(t).URL(), Config{})
	submit(t, q, "a", 3)
	submit(t, q, "a", 3)
	if n, err := q.Waiting(t.Context()); err != nil || n != 3 {
		t.Errorf("%d jobs wait, %v", n, err)
	}
	if err := q.Submit(t.Context(), "a", 4, items(4)); !errors.Is(err, ErrBatch) {
		t.Errorf("another batch of the same name: %v", err)
	}
	var done atomic.Int32
	w := Worker{Drain: true, Do: func(ctx context.Context, j Job, data []byte) ([]byte, []byte, error) {
		done.Add(1)
		return echo(ctx, j, data)
	}}
	if err := q.Work(t.Context(), w); err != nil {
		t.Error(err)
	}
	submit(t, q, "a", 3) // all have an outcome
	if n, err := q.Waiting(t.Context()); err != nil || n != 0 {
		t.Errorf("%d jobs wait after they were done, %v", n, err)
	}
	if len(collect(t, q, "a")) != 3 || done.Load() != 3 {
		t.Errorf("%d jobs were done", done.Load())
	}
}

func TestNames(t *testing.T) {
	for _, name := range []string{"", "a.b", "a b", "*", ">", strings.Repeat("x", 65), "ä"} {
		if err := CheckName(name); !errors.Is(err, ErrName) {
			t.Errorf("CheckName(%q) = %v", name, err)
		}
	}
	if err := CheckName("Nightly_2026-11-30"); err != nil {
		t.Error(err)
	}
}

// A job that takes longer than the silence that is allowed is not given to another, as long as its worker lives.
func TestHeartbeat(t *testing.T) {
	q := open(t, serve(t).URL(), Config{Silence: time.Second})
	var begun atomic.Int32
	slow := func(ctx context.Context, j Job, data []byte) ([]byte, []byte, error) {
		begun.Add(1)
		pause(ctx, 2200*time.Millisecond)
		return echo(ctx, j, data)
	}
	work(t, q, Worker{AtATime: 2, Do: slow})
	submit(t, q, "a", 1)
	if got := collect(t, q, "a"); got[0].Delivery != 1 || begun.Load() != 1 {
		t.Errorf("delivery %d, begun %d times", got[0].Delivery, begun.Load())
	}
}

// A worker that is told to stop gives its job back at once, and one that refuses a job leaves it to others.
func TestGivenBack(t *testing.T) {
	server := serve(t)
	q := open(t, server.URL(), Config{Silence: 600 * time.Millisecond})
	taken := make(chan struct{})
	stop := work(t, q, Worker{Name: "leaving", Do: func(ctx context.Context, j Job, _ []byte) ([]byte, []byte, error) {
		close(taken)
		<-ctx.Done()
		return []byte("half done"), nil, nil
	}})
	submit(t, q, "a", 1)
	<-taken
	stop()
	refused := make(chan struct{})
	stop = work(t, q, Worker{Name: "without a browser", Do: func(context.Context, Job, []byte) ([]byte, []byte, error) {
		defer func() { close(refused) }()
		return nil, nil, errors.New("no browser")
	}})
	<-refused
	stop()
	work(t, q, Worker{Name: "able", Do: echo})
	if got := collect(t, q, "a"); got[0].Worker != "able" || got[0].Delivery != 3 || !strings.HasPrefix(string(got[0].Result), "t0 ") {
		t.Errorf("%+v", got[0])
	}
}

// A job that nobody brings to an end is set aside, and reported once.
func TestSetAside(t *testing.T) {
	q := open(t, serve(t).URL(), Config{Silence: 150 * time.Millisecond, MaxDeliveries: 2})
	var tries atomic.Int32
	work(t, q, Worker{Name: "w", Do: func(ctx context.Context, j Job, data []byte) ([]byte, []byte, error) {
		if j.Number == 1 {
			tries.Add(1)
			return nil, nil, errors.New("it brought the worker down")
		}
		return echo(ctx, j, data)
	}})
	submit(t, q, "a", 3)
	got := collect(t, q, "a")
	if got[1].SetAside != "2 workers were given it, and none came to an end" || got[1].Result != nil || tries.Load() != 2 {
		t.Errorf("%+v after %d tries", got[1], tries.Load())
	}
	if got[0].SetAside != "" || got[2].SetAside != "" {
		t.Error("others were set aside too")
	}
}

// Two workers with the same job: the outcome of the first stays, and nothing is left of that of the second.
func TestFirstOutcomeStays(t *testing.T) {
	q := open(t, serve(t).URL(), Config{Silence: 10 * time.Second})
	submit(t, q, "a", 1)
	j := Job{Batch: "a", Number: 0, Name: "t0", Bundle: "bundle-" + digest([]byte("bundle 0")), Delivery: 1}
	late := make(chan struct{})
	second := make(chan error, 1)
	go func() {
		second <- q.settle(t.Context(), Worker{Name: "second", Do: func(context.Context, Job, []byte) ([]byte, []byte, error) {
			<-late
			return []byte("2"), []byte("2"), nil
		}}, j)
	}()
	if err := q.settle(t.Context(), Worker{Name: "first", Do: echo}, j); err != nil {
		t.Fatal(err)
	}
	close(late)
	if err := <-second; err != nil {
		t.Fatal(err)
	}
	if got := collect(t, q, "a"); got[0].Worker != "first" {
		t.Errorf("the outcome is that of %s", got[0].Worker)
	}
	list, err := q.files.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, info := range list {
		if strings.HasPrefix(info.Name, "a.") {
			names = append(names, info.Name)
		}
	}
	if len(names) != 2 { // files and result of the first
		t.Errorf("objects %q", names)
	}
}

// numbers are the keys in order.
func numbers[V any](m map[int]V) []int { return slices.Sorted(maps.Keys(m)) }

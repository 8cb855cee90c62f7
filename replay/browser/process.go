package browser

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/chromedp"
)

// process is a Chrome that we started.
type process struct {
	cmd    *exec.Cmd
	output *tail
	exited chan struct{}
	err    error // of the wait; valid after exited closes
}

// startProcess starts Chrome with its two debugging pipes. The goroutine that starts it stays on its thread until Chrome has
// exited: on Linux the kernel kills the child when the thread that started it ends, which is how Chrome dies with us even
// when we are killed outright. Everywhere, the end of the pipe makes it exit too.
func startProcess(path string, args, env []string) (*process, chromedp.Transport, error) {
	cmd := exec.Command(path, args...)
	cmd.Env = env
	p := &process{cmd: cmd, output: &tail{max: 8 << 10}, exited: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = p.output, p.output
	// A child of Chrome may hold the output open for longer than Chrome lives.
	cmd.WaitDelay = time.Second

	childR, w, err := os.Pipe()
	if err != nil {
		return nil, nil, fmt.Errorf("making the command pipe: %w", err)
	}
	r, childW, err := os.Pipe()
	if err != nil {
		closeAll(childR, w)
		return nil, nil, fmt.Errorf("making the reply pipe: %w", err)
	}
	if err := attachPipes(cmd, childR, childW, r, w); err != nil {
		closeAll(childR, w, r, childW)
		return nil, nil, err
	}
	isolate(cmd)

	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			p.err = cmd.Wait()
			close(p.exited)
		}
	}()
	err = <-started
	closeAll(childR, childW)
	if err != nil {
		closeAll(r, w)
		return nil, nil, fmt.Errorf("starting %s: %w", path, err)
	}
	return p, chromedp.NewPipeConn(&bounded{ReadCloser: r, maxTalk: maxTalk, maxMessage: maxMessage}, w), nil
}

func closeAll(files ...io.Closer) {
	for _, f := range files {
		f.Close()
	}
}

// reason describes how the process ended, with the last lines that it printed. Call it after exited closed.
func (p *process) reason() string {
	text := "exit status 0"
	if p.err != nil {
		text = p.err.Error()
	}
	if out := p.output.String(); out != "" {
		text += "; it printed: " + out
	}
	return text
}

// tail keeps the last bytes of what is written to it.
type tail struct {
	max int

	mu  sync.Mutex
	buf []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if over := len(t.buf) - t.max; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
	return len(p), nil
}

// String returns the last few lines, joined with " | ".
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(bytes.ToValidUTF8(t.buf, []byte("?")))), "\n")
	if n := len(lines); n > 5 {
		lines = lines[n-5:]
	}
	return strings.Join(lines, " | ")
}

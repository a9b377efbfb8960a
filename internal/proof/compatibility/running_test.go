package compatibility_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"syscall"
	"testing"
	"time"
)

// running is a command that runs until it is stopped.
type running struct {
	t     *testing.T
	cmd   *exec.Cmd
	ended chan error

	mu  sync.Mutex
	out bytes.Buffer // of both outputs
}

// start starts a command, which ends with the test at the latest.
func (a account) start(program string, args ...string) *running {
	a.t.Helper()
	r := &running{t: a.t, cmd: a.command(program, args...), ended: make(chan error, 1)}
	r.cmd.Stdout, r.cmd.Stderr = r, r
	if err := r.cmd.Start(); err != nil {
		a.t.Fatal(err)
	}
	go func() { r.ended <- r.cmd.Wait(); close(r.ended) }()
	a.t.Cleanup(func() { _ = r.cmd.Process.Kill(); <-r.ended })
	return r
}

// Write implements io.Writer.
func (r *running) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.out.Write(p)
}

func (r *running) printed() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.out.String()
}

// until waits for a pattern in what is printed, and returns its last group.
func (r *running) until(pattern string) string {
	r.t.Helper()
	compiled, found := regexp.MustCompile(pattern), []string(nil)
	r.wait(pattern, func() bool {
		found = compiled.FindStringSubmatch(r.printed())
		return found != nil
	})
	return found[len(found)-1]
}

// wait waits for a condition while the command runs.
func (r *running) wait(what string, holds func() bool) {
	r.t.Helper()
	limit, cancel := context.WithTimeout(r.t.Context(), 2*time.Minute)
	defer cancel()
	for over := false; !holds(); {
		if over {
			r.t.Fatalf("%v: no %s in\n%s", r.cmd.Args, what, r.printed())
		}
		select {
		case <-r.ended: // what it printed last may be it
			over = true
		case <-limit.Done():
			over = true
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// stop sends a signal and returns the exit status.
func (r *running) stop(signal os.Signal) int {
	r.t.Helper()
	if err := r.cmd.Process.Signal(signal); err != nil {
		r.t.Fatal(err)
	}
	return r.status()
}

// status returns the exit status of a command that ends.
func (r *running) status() int {
	r.t.Helper()
	select {
	case <-r.ended:
	case <-time.After(time.Minute):
		r.t.Fatalf("%v does not end\n%s", r.cmd.Args, r.printed())
	}
	return r.cmd.ProcessState.ExitCode()
}

// interrupt ends a command as Ctrl-C does.
func (r *running) interrupt() int { return r.stop(syscall.SIGINT) }

//go:build unix

package proof

import (
	"bufio"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// orderVariable holds the order of a child process. Without it the binary runs the tests.
const orderVariable = "T49_MIRROR_ORDER"

// process is a child that mirrors.
type process struct {
	cmd     *exec.Cmd
	address string // of its receiver
	log     string // a file
	ended   chan struct{}

	mu     sync.Mutex
	points []string // that it has passed, each once
}

// start starts a child process, which is killed at the end of the test at the latest, and waits
// until its receiver listens. It returns a process that has ended if the child ends before that.
func start(t testing.TB, o order) *process {
	t.Helper()
	p := &process{log: filepath.Join(t.TempDir(), "log"), ended: make(chan struct{})}
	o.Log = p.log
	text, err := json.Marshal(o)
	require.NoError(t, err)
	p.cmd = exec.Command(os.Args[0])
	p.cmd.Env = append(os.Environ(), orderVariable+"="+string(text))
	p.cmd.Stderr = os.Stderr
	out, err := p.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, p.cmd.Start())
	listening := make(chan struct{})
	read := make(chan struct{})
	go func() { defer close(read); p.read(bufio.NewScanner(out), listening) }()
	go func() { defer close(p.ended); <-read; _ = p.cmd.Wait() }()
	t.Cleanup(p.kill)
	select {
	case <-listening:
	case <-p.ended:
	}
	return p
}

// read reads what the child prints: the address of its receiver, and the points that it passes.
func (p *process) read(lines *bufio.Scanner, listening chan<- struct{}) {
	for lines.Scan() {
		line := lines.Text()
		if address, ok := strings.CutPrefix(line, "listening "); ok {
			p.address = address
			close(listening)
			continue
		}
		p.mu.Lock()
		p.points = append(p.points, strings.TrimPrefix(line, "point "))
		p.mu.Unlock()
	}
}

// passed returns the points that the process has passed.
func (p *process) passed() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.points...)
}

// kill ends the process without a chance to clean up.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.ended
}

// signal sends a signal, such as SIGSTOP.
func (p *process) signal(t testing.TB, s syscall.Signal) {
	t.Helper()
	require.NoError(t, p.cmd.Process.Signal(s))
}

// wasKilled reports whether the process has ended by SIGKILL.
func (p *process) wasKilled() bool {
	status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// endedWithin reports whether the process ends in time.
func (p *process) endedWithin(d time.Duration) bool {
	select {
	case <-p.ended:
		return true
	case <-time.After(d):
		return false
	}
}

// unlogged returns those words that the child's log does not have.
func (p *process) unlogged(words ...string) []string {
	text, _ := os.ReadFile(p.log)
	return slices.DeleteFunc(words, func(words string) bool { return strings.Contains(string(text), words) })
}

// lastLines returns the end of the child's log.
func (p *process) lastLines() string {
	text, _ := os.ReadFile(p.log)
	return string(text[max(0, len(text)-2500):])
}

// release frees the locks of a process that was killed, as if the time after which another one
// takes them had passed. In Postgres it first waits until the process's last statements have ended.
func (s *stored) release(t testing.TB) {
	t.Helper()
	eventually(t, func() []string {
		if s.postgres && s.count(t, "select count(*) from pg_stat_activity where datname = current_database() and application_name = $1 and state <> 'idle'", "child"+s.schema) > 0 {
			return []string{"statements of a process that was killed still run"}
		}
		return nil
	})
	s.expire(t)
}

// expire ends the right to write, which takes some seconds otherwise.
func (s *stored) expire(t testing.TB) {
	t.Helper()
	if _, err := s.Exec(s.statement("update t49.leases set holder = ''")); err != nil && !isNoTable(err) {
		require.NoError(t, err)
	}
}

// isNoTable reports whether a child was killed before it created the tables.
func isNoTable(err error) bool {
	return strings.Contains(err.Error(), "no such table") || strings.Contains(err.Error(), "does not exist")
}

// patience is how long a test waits for what must come to be, on a busy machine, too. How long that
// takes is measured, not asserted. It is less than the shortest jump of a clock.
const patience = 150 * time.Second

// pass lets real time pass, in which the processes and servers of a test go on. No test needs that
// they have done something by then.
func pass(d time.Duration) { time.Sleep(d) }

// listen returns a listener on a port that is free.
func listen() (net.Listener, error) { return net.Listen("tcp", "127.0.0.1:0") }

// eventually waits until there are no problems any more, and fails with those that remain.
func eventually(t testing.TB, problems func() []string) {
	t.Helper()
	within(t, patience, problems)
}

// within is eventually with another limit, for tests whose clock does not jump.
func within(t testing.TB, limit time.Duration, problems func() []string) {
	t.Helper()
	var list []string
	for end := time.Now().Add(limit); time.Now().Before(end); pass(20 * time.Millisecond) {
		if list = problems(); len(list) == 0 {
			return
		}
	}
	requireNone(t, list)
}

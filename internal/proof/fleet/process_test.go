package fleet_test

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// Only this file starts processes, listens on ports and reads the clock of the machine.

// roleVariable holds the order of a child process. Without it the binary runs the tests.
const roleVariable = "T49_FLEET_ORDER"

// order is what a child process does.
type order struct {
	Role  string // "worker" or "receiver"
	Store store

	API      string        // where a worker calls
	Window   time.Duration // of the service
	Agent    string        // the worker's user agent
	Callers  int           // how many goroutines of a worker call in each bucket
	Share    float64       // of its calls; 0 for none
	Patience time.Duration // a call is given up before; 0 for never
	Settling bool

	Name   string // namespace of the notifications
	Ledger string // where a receiver reports its work
	Crash  int    // one in so many steps kills the receiver; 0 for none
	Seed   int64
}

func TestMain(m *testing.M) {
	text, child := os.LookupEnv(roleVariable)
	if !child {
		flag.Parse()
		_ = flag.Set("test.parallel", parallel()) // the tests mostly wait
		goleak.VerifyTestMain(sharedTests{m})     // ends the process
	}
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		panic(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Hour)
	defer cancel()
	if err := map[string]func(context.Context, order) error{"worker": work, "receiver": receive}[o.Role](ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, o.Role, err)
		os.Exit(1)
	}
}

// parallel returns how many tests run at a time: the flag, unless it has its default.
func parallel() string {
	set := strconv.Itoa(scale(10, 14)) // in short windows each process calls twelve times as often
	flag.Visit(func(f *flag.Flag) {
		if f.Name == "test.parallel" {
			set = f.Value.String()
		}
	})
	return set
}

// start starts a child process, which is killed at the end of the test at the latest.
func start(t *testing.T, o order, pipe bool) *process {
	t.Helper()
	text, err := json.Marshal(o)
	require.NoError(t, err)
	p := &process{cmd: exec.Command(os.Args[0]), ended: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), roleVariable+"="+string(text))
	p.cmd.Stderr = os.Stderr
	var lines <-chan string
	if pipe {
		lines = p.readLines(t)
	}
	require.NoError(t, p.cmd.Start())
	go func() { defer close(p.ended); _ = p.cmd.Wait() }()
	t.Cleanup(p.kill)
	if pipe {
		p.address = <-lines
	}
	return p
}

type process struct {
	cmd     *exec.Cmd
	address string // the first line that it printed
	ended   chan struct{}
}

// stop suspends the process until resume.
func (p *process) stop()   { _ = p.cmd.Process.Signal(syscall.SIGSTOP) }
func (p *process) resume() { _ = p.cmd.Process.Signal(syscall.SIGCONT) }

// kill ends the process without a chance to clean up.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.ended
}

// readLines returns what the process prints.
func (p *process) readLines(t *testing.T) <-chan string {
	out, err := p.cmd.StdoutPipe()
	require.NoError(t, err)
	lines := make(chan string, 1)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			lines <- s.Text()
		}
	}()
	return lines
}

// startSentinel starts a Sentinel of Redis, which ends with the test.
func startSentinel(t *testing.T, file string) {
	t.Helper()
	sentinel := exec.Command("redis-server", file, "--sentinel")
	require.NoError(t, sentinel.Start())
	t.Cleanup(func() { _, _ = sentinel.Process.Kill(), sentinel.Wait() })
}

// listen listens on a port of the loopback address; 0 for one that the system chooses.
func listen(port int) (net.Listener, error) {
	return net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port))
}

// rest lets a part of a window pass, in which processes and engines do what they do.
func rest(d time.Duration) { time.Sleep(d) }

// stopwatch returns a function that returns the time since.
func stopwatch() (took func() time.Duration) {
	began := time.Now()
	return func() time.Duration { return time.Since(began) }
}

package fleet_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// roleVariable holds the order of a child process. Without it the binary runs the tests.
const roleVariable = "T49_FLEET_ORDER"

// order is what a child process does.
type order struct {
	Role   string // "worker" or "receiver"
	Store  store
	Window time.Duration
	Limit  int
	Share  float64 // of a worker's calls; 0 for none
	Local  float64 // part of the budget that a worker has while the engine is away; 0 for none
	Name   string  // namespace

	API     string // where a worker calls
	Callers int    // how many goroutines of a worker call

	Ledger string // where a receiver reports its work
	Crash  int    // one in so many steps kills the receiver; 0 for none
	Seed   int64
}

func TestMain(m *testing.M) {
	text, child := os.LookupEnv(roleVariable)
	if !child {
		goleak.VerifyTestMain(m) // ends the process
	}
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		panic(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Minute)
	defer cancel()
	if err := map[string]func(context.Context, order) error{"worker": work, "receiver": receive}[o.Role](ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, o.Role, err)
		os.Exit(1)
	}
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

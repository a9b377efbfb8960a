package main

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/go-freight/terminal49/cmd/internal/clitest"
	"github.com/go-freight/terminal49/terminal49test"
)

func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", "4") // most of them wait for a program; an argument of the command wins
	goleak.VerifyTestMain(clitest.Tests{M: m})
}

// bench is a simulated account, and a database of the command.
type bench struct {
	*testing.T
	srv *terminal49test.Server
	db  string // path or URL
	env []string
}

// newBench returns a simulated account with a stopped clock, served over the loopback interface.
func newBench(t *testing.T, opts ...terminal49test.Option) *bench {
	t.Helper()
	srv := terminal49test.NewServer(append([]terminal49test.Option{terminal49test.WithSpeed(0), terminal49test.WithoutRateLimits()}, opts...)...)
	t.Cleanup(srv.Close)
	return &bench{
		T: t, srv: srv, db: filepath.Join(t.TempDir(), "mirror.db"),
		env: []string{"T49_API_TOKEN=" + srv.Token, "T49_API_BASE_URL=" + srv.URL},
	}
}

// command returns the command with the bench's database and an environment of its own.
func (b *bench) command(args ...string) *exec.Cmd {
	if b.db != "" {
		args = append(args, "--db", b.db)
	}
	return clitest.Command(b, b.env, args...)
}

// do runs the command to its end.
func (b *bench) do(args ...string) (status int, out, log string) {
	b.Helper()
	return clitest.Run(b, b.command(args...))
}

// must runs the command to its end and returns what it prints. It must succeed.
func (b *bench) must(args ...string) string {
	b.Helper()
	status, out, log := b.do(args...)
	require.Zero(b, status, "%s\n%s", out, log)
	return out
}

// here runs the command to its end in this process, and reads what differs once more without
// waiting ten seconds. Its tests run one after another, because it sets the environment.
func (b *bench) here(args ...string) (status int, out, log string) {
	b.Helper()
	b.Setenv("T49_ACCOUNT_ID", "")
	for _, variable := range b.env {
		name, value, _ := strings.Cut(variable, "=")
		b.Setenv(name, value)
	}
	var stdout, stderr bytes.Buffer
	a := &app{settle: time.Millisecond}
	status = a.execute(b.Context(), append(args, "--db", b.db), &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

// child is a running command.
type child struct {
	*bench
	cmd   *exec.Cmd
	lines chan string // of its standard output
	ended chan error

	mu  sync.Mutex
	log bytes.Buffer // its standard error
}

func (b *bench) start(args ...string) *child {
	b.Helper()
	c := &child{bench: b, cmd: b.command(args...), lines: make(chan string, 100_000), ended: make(chan error, 1)}
	out, err := c.cmd.StdoutPipe()
	require.NoError(b, err)
	c.cmd.Stderr = c
	require.NoError(b, c.cmd.Start())
	go func() {
		defer close(c.lines)
		for scanner := bufio.NewScanner(out); scanner.Scan(); {
			c.lines <- scanner.Text()
		}
		c.ended <- c.cmd.Wait()
	}()
	b.Cleanup(func() {
		_ = c.cmd.Process.Kill()
		for range c.lines { // until it has ended
		}
	})
	return c
}

// Write keeps the log.
func (c *child) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.log.Write(p)
}

func (c *child) logged() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.log.String()
}

// stop sends a signal and returns the exit status; -1 if the signal killed it.
func (c *child) stop(signal os.Signal) int {
	c.Helper()
	require.NoError(c, c.cmd.Process.Signal(signal))
	return c.wait()
}

func (c *child) wait() int {
	c.Helper()
	select {
	case <-c.ended:
	case <-time.After(longest):
		require.Fail(c, "it does not end", c.logged())
	}
	return c.cmd.ProcessState.ExitCode()
}

// until waits for a condition.
func (c *child) until(what string, holds func() bool) {
	c.Helper()
	until(c, holds, func() string { return "no " + what + "; the log:\n" + c.logged() })
}

var served = regexp.MustCompile(`--(listen|metrics) serves (http://\S+)`)

// address returns the address that a flag's server has printed.
func (c *child) address(flag string) (address string) {
	c.Helper()
	c.until("address of --"+flag, func() bool {
		for _, found := range served.FindAllStringSubmatch(c.logged(), -1) {
			if found[1] == flag {
				address = found[2]
			}
		}
		return address != ""
	})
	return address
}

// get returns a response; "" if there is none.
func get(ctx context.Context, address string) (status int, body string) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0, err.Error()
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: longest}
	resp, err := client.Do(r)
	if err != nil {
		return 0, err.Error()
	}
	defer resp.Body.Close() //nolint:errcheck // it was read
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text) + fmt.Sprint(errOr(err))
}

func errOr(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// untilWalked waits until everything has been walked over.
func (c *child) untilWalked() {
	c.Helper()
	address := c.address("metrics")
	c.until("whole walk", func() bool {
		_, metrics := get(c.Context(), address+"/metrics")
		return strings.Contains(metrics, `terminal49_mirror_age_seconds{of="whole_walk"}`)
	})
}

// copy runs the mirror until everything has been walked over.
func (b *bench) copy() {
	b.Helper()
	c := b.start("run", "--metrics", "127.0.0.1:0")
	c.untilWalked()
	require.Zero(b, c.stop(syscall.SIGTERM), c.logged())
}

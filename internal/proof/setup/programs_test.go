package setup

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// patience is how long a program may take on a busy machine.
const patience = 3 * time.Minute

// commands are the programs that users install.
var commands = []string{"t49", "terminal49-mirror"}

// Only this file starts programs and reads the clock of the machine.

// built returns the folder of the programs, built from the work tree: those of a newcomer, if the
// whole proof installs them anyway.
func built(t *testing.T) string {
	t.Helper()
	if wholeProof() {
		return installed(t)
	}
	folder, err := build()
	require.NoError(t, err)
	return folder
}

var build = sync.OnceValues(func() (string, error) {
	args := []string{"build", "-o", filepath.Join(scratch, "built") + "/"}
	for _, name := range commands {
		args = append(args, "./cmd/"+name)
	}
	cmd := tool("go", args...)
	cmd.Dir = root
	return filepath.Join(scratch, "built"), quiet(cmd)
})

// tool returns a program of this machine, with the environment of the tests.
func tool(name string, args ...string) *exec.Cmd { return exec.Command(name, args...) }

// quiet runs a command, and returns what it printed if it failed.
func quiet(cmd *exec.Cmd) error {
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	return err
}

// command returns a program in an empty folder, with no environment but env.
func command(t *testing.T, env []string, path string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := tool(path, args...)
	cmd.Dir = t.TempDir()
	cmd.Env = append([]string{"HOME=" + cmd.Dir, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + cmd.Dir}, env...)
	return cmd
}

// start starts a program and interrupts it at the end of the test. It returns its standard output.
// Its errors go to the test's output unless they go elsewhere.
func start(t *testing.T, cmd *exec.Cmd) *bufio.Reader {
	t.Helper()
	if cmd.Stderr == nil {
		cmd.Stderr = t.Output()
	}
	out, to := io.Pipe()
	cmd.Stdout = to
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		require.NoError(t, cmd.Process.Signal(os.Interrupt))
		go io.Copy(io.Discard, out) //nolint:errcheck // what it prints until it ends
		require.NoError(t, cmd.Wait(), "%s", cmd)
		require.NoError(t, to.Close())
	})
	return bufio.NewReader(out)
}

// until reads lines until one matches a pattern, and returns it.
func until(t *testing.T, from *bufio.Reader, pattern string) string {
	t.Helper()
	matches := regexp.MustCompile(pattern).MatchString
	for {
		line, err := from.ReadString('\n')
		require.NoError(t, err, "no line matches %s", pattern)
		if matches(line) {
			return strings.TrimSpace(line)
		}
	}
}

// page waits until a page contains a text.
func page(t *testing.T, url, text string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	defer http.DefaultClient.CloseIdleConnections()
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		require.NoError(t, err)
		if resp, err := http.DefaultClient.Do(req); err == nil {
			body, err := io.ReadAll(resp.Body)
			require.NoError(t, errors.Join(err, resp.Body.Close()))
			if strings.Contains(string(body), text) {
				return
			}
		}
		select {
		case <-ctx.Done():
			t.Fatalf("%s does not contain %s", url, text)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// simulator starts the simulated service, and returns the environment of its clients.
func simulator(t *testing.T) []string {
	t.Helper()
	return simulated(t, command(t, nil, filepath.Join(built(t), "t49"), "simulator", "--addr", "127.0.0.1:0"))
}

func simulated(t *testing.T, service *exec.Cmd) []string {
	t.Helper()
	return strings.Fields(strings.TrimPrefix(until(t, start(t, service), "^export "), "export "))
}

// run runs a command that must succeed, and returns what it prints.
func run(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s: %s", cmd, out)
	return string(out)
}

// stopwatch returns a function that returns the time since, for figures.
func stopwatch() (took func() time.Duration) {
	began := time.Now()
	return func() time.Duration { return time.Since(began) }
}

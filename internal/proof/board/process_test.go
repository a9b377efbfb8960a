package board

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Only this file starts processes and reads the clock of the machine.

func build() (string, error) {
	binary := filepath.Join(shared.folder, "board")
	out, err := exec.Command("go", "build", "-o", binary, "github.com/go-freight/terminal49/cmd/terminal49-mirror").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return binary, nil
}

// run runs a board until the test ends, and returns its address and process. Arguments that begin
// with T49_ are variables of its environment.
func run(t *testing.T, args ...string) (string, *exec.Cmd) {
	t.Helper()
	needChromium(t)
	binary, err := shared.binary()
	require.NoError(t, err)
	cmd := exec.Command(binary, "board", "--addr", "127.0.0.1:0")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()} // no token
	for _, arg := range args {
		if strings.HasPrefix(arg, "T49_") {
			cmd.Env = append(cmd.Env, arg)
		} else {
			cmd.Args = append(cmd.Args, arg)
		}
	}
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		if cmd.Process.Signal(os.Interrupt) == nil {
			require.NoError(t, cmd.Wait(), "it ends cleanly, also while pages listen")
		}
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	return strings.TrimSpace(line), cmd
}

// axe returns the script of axe-core, which npm installs.
func axe(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	cmd := exec.Command("npm", "install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--fetch-retries=6", "--fetch-retry-mintimeout=2000", "axe-core@4.14.1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "npm, a Debian package, installs it: %s", out)
	script, err := os.ReadFile(filepath.Join(folder, "node_modules", "axe-core", "axe.min.js"))
	require.NoError(t, err)
	return string(script)
}

// proc returns what Linux reports on a process.
func proc(t *testing.T, cmd *exec.Cmd, what string) string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", cmd.Process.Pid, what))
	require.NoError(t, err)
	return string(text)
}

// processTime returns the CPU time of a process; see proc(5).
func processTime(t *testing.T, cmd *exec.Cmd) time.Duration {
	t.Helper()
	stat := proc(t, cmd, "stat")
	fields := strings.Fields(stat[strings.LastIndex(stat, ")")+1:])
	user, err := strconv.Atoi(fields[11])
	require.NoError(t, err)
	system, err := strconv.Atoi(fields[12])
	require.NoError(t, err)
	return time.Duration(user+system) * 10 * time.Millisecond
}

// stopwatch returns a function that returns the time since, for figures and for the one bound that
// the board promises.
func stopwatch() (took func() time.Duration) {
	began := time.Now()
	return func() time.Duration { return time.Since(began) }
}

// rest lets time pass in a measure: a page stays open, or something happens at another moment.
func rest(d time.Duration) { time.Sleep(d) }

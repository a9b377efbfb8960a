package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What this file has is all that the tests know of other processes and of real time.

// programPath is that of the built command.
var programPath string

// builtTests are tests of the built command, for goleak.VerifyTestMain.
type builtTests struct{ *testing.M }

// Run builds the command and runs its tests.
func (t builtTests) Run() int {
	folder, err := os.MkdirTemp("", "program")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder) //nolint:errcheck // it is the system's folder for temporary files
	programPath = filepath.Join(folder, "program")
	if runtime.GOOS == "windows" {
		programPath += ".exe"
	}
	if out, err := exec.Command("go", "build", "-o", programPath, ".").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%s", out)
		return 1
	}
	return t.M.Run()
}

// programCommand returns the command in an empty folder, with no environment but env.
func programCommand(t testing.TB, env []string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), programPath, args...)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TMPDIR=" + os.TempDir()}, env...)
	cmd.Dir = t.TempDir()
	return cmd
}

// otherCommand returns a command of this machine, such as a shell that runs the program.
func otherCommand(t testing.TB, name string, args ...string) *exec.Cmd {
	return exec.CommandContext(t.Context(), name, args...)
}

// runProgram runs a command to its end.
func runProgram(t testing.TB, cmd *exec.Cmd) (status int, out, log string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var failed *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
}

// longest is how long a test waits before it fails. A sender waits up to 30 s between two attempts
// at a receiver that is away.
const longest = 2 * time.Minute

// until waits for what another process does. If that does not happen, the test fails with why.
func until(t testing.TB, holds func() bool, why func() string) {
	t.Helper()
	for end := time.Now().Add(longest); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			require.Fail(t, "it does not happen", why())
		}
	}
}

// stopwatch returns how long a figure took, when it is asked. No test passes or fails by it, unless
// it is a measurement.
func stopwatch() (took func() time.Duration) {
	began := time.Now()
	return func() time.Duration { return time.Since(began) }
}

// pause lets time pass for other processes. No test passes because it was long enough.
func pause(d time.Duration) { time.Sleep(d) }

// pace does something again and again at an interval, for a time.
func pace(interval, long time.Duration, do func()) {
	began := time.Now()
	for i := time.Duration(1); time.Since(began) < long; i++ {
		do()
		time.Sleep(time.Until(began.Add(i * interval)))
	}
}

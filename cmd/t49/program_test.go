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
)

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

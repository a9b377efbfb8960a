// Package program runs a command of this repository, for the command's own tests.
package program

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

// path is that of the built command.
var path string

// Tests are the tests of the command in the current folder, for goleak.VerifyTestMain.
type Tests struct{ M *testing.M }

// Run builds the command and runs its tests.
func (t Tests) Run() int {
	folder, err := os.MkdirTemp("", "program")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder) //nolint:errcheck // it is the system's folder for temporary files
	path = filepath.Join(folder, "program")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%s", out)
		return 1
	}
	return t.M.Run()
}

// Command returns the command in an empty folder, with no environment but env.
func Command(t testing.TB, env []string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TMPDIR=" + os.TempDir()}, env...)
	cmd.Dir = t.TempDir()
	return cmd
}

// Run runs a command to its end.
func Run(t testing.TB, cmd *exec.Cmd) (status int, out, log string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var failed *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
}

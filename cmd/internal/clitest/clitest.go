// Package clitest builds a command and runs it as a user does.
package clitest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// path is that of the built command.
var path string

// Tests are tests of the command in their folder, for goleak.VerifyTestMain.
type Tests struct{ *testing.M }

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

// Path returns the file of the built command.
func Path() string { return path }

// Command returns the command in an empty folder, with no environment but env.
func Command(t testing.TB, env []string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TMPDIR=" + os.TempDir()}, env...)
	cmd.Dir = t.TempDir()
	return cmd
}

// Other returns a command of this machine, such as a shell that runs the program.
func Other(t testing.TB, name string, args ...string) *exec.Cmd {
	return exec.CommandContext(t.Context(), name, args...)
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

// CheckPages checks that every command and flag in the pages exists: with --help, cobra checks both
// and does nothing. run runs the command with arguments. It returns how many there are.
func CheckPages(t *testing.T, name string, run func(args ...string) (status int, out, log string), more ...string) int {
	t.Helper()
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	inPage := regexp.MustCompile("(?m)(?:^|`|[|] |; do )" + name + " ([^`#|&\n]+)")
	seen := map[string]bool{}
	for _, page := range append(append(pages, "../../README.md", "../../AGENTS.md"), more...) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range inPage.FindAllStringSubmatch(string(text), -1) {
			args := strings.Fields(found[1])
			if seen[found[1]] {
				continue
			}
			seen[found[1]] = true
			status, help, log := run(append(args, "--help")...)
			if isFlag := strings.HasPrefix(args[0], "-"); status != 0 || !isFlag && !strings.Contains(help, name+" "+args[0]) {
				t.Errorf("%s: %s: status %d\n%s%s", page, found[0], status, help, log)
			}
		}
	}
	return len(seen)
}

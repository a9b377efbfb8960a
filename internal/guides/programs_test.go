package guides_test

import (
	"os"
	"os/exec"
	"testing"
)

// installed skips a test that needs a program which this machine does not have.
func installed(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skip(program + " is not installed")
	}
}

// run runs a program in a folder, with more variables in its environment, and returns what it
// prints.
func run(t *testing.T, folder string, env []string, program string, args ...string) (string, error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, args...)
	command.Dir, command.Env = folder, append(os.Environ(), env...)
	out, err := command.CombinedOutput()
	return string(out), err
}

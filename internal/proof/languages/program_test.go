package languages

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Only this file starts programs.

// build builds the command as a file.
func build(file string) ([]byte, error) {
	return exec.Command("go", "build", "-o", file, "github.com/go-freight/terminal49/cmd/t49").CombinedOutput()
}

// run runs a program to its end and returns what it prints.
func run(t *testing.T, folder string, environment []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), environment...)
	cmd.WaitDelay = time.Minute
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s, of a Debian package of .ci/engines: %v\n%s", name, err, out)
	}
	return string(out)
}

// startSimulator starts the command and returns the variables that it says to export.
func startSimulator(t *testing.T) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, "simulator", "--addr", "127.0.0.1:0")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	out := &started{found: make(chan []string, 1)}
	cmd.Stdout, cmd.Stderr = out, out
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Wait() }) // the end of the test interrupts it first
	select {
	case environment := <-out.found:
		return environment
	case <-time.After(time.Minute):
		require.FailNow(t, "the simulator does not start", "%s", &out.text)
		return nil
	}
}

var exports = regexp.MustCompile(`T49_API_BASE_URL=\S+|T49_API_TOKEN=\S+`)

// started is the output of the command. It finds the variables once.
type started struct {
	text  bytes.Buffer
	found chan []string
}

func (s *started) Write(p []byte) (int, error) {
	s.text.Write(p)
	if all := exports.FindAllString(s.text.String(), 2); len(all) == 2 && bytes.HasSuffix(p, []byte("\n")) {
		select {
		case s.found <- all:
		default:
		}
	}
	return len(p), nil
}

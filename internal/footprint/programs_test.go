package footprint_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Commands and examples do not link package testing, also those that serve the simulator.
func TestFootprint_ProgramsWithoutTesting(t *testing.T) {
	lines := func(folder string, args ...string) []string {
		out, err := list(folder, "", args...)
		if needsLaterGo(err) {
			t.Skipf("go.work needs a later Go: %v", err)
		}
		require.NoError(t, err)
		return strings.Split(strings.TrimSpace(out), "\n")
	}
	programs := 0
	for _, folder := range lines("", "-m", "-f", "{{.Dir}}") {
		for _, line := range lines(folder, "-f", `{{if eq .Name "main"}}{{.ImportPath}}{{range .Deps}} {{.}}{{end}}{{end}}`, "./...") {
			path, dependencies, found := strings.Cut(line, " ")
			if !found || strings.Contains(path, "/internal/") {
				continue
			}
			programs++
			require.False(t, slices.Contains(strings.Fields(dependencies), "testing"), "%s links testing", path)
		}
	}
	require.GreaterOrEqual(t, programs, 8)
}

// Only a go.work for a later Go lets the test of the programs be skipped.
func TestFootprint_SkipsOnlyForAnOlderGo(t *testing.T) {
	t.Setenv("GOTOOLCHAIN", "local") // fetches no other Go
	for text, skips := range map[string]bool{"go 1.9999\n": true, "go 1.21\nuse ./missing\n": false, "go\n": false} {
		work := filepath.Join(t.TempDir(), "go.work")
		require.NoError(t, os.WriteFile(work, []byte(text), 0o600))
		_, err := list("", work, "-m")
		require.Error(t, err, text)
		require.Equal(t, skips, needsLaterGo(err), "%s%v", text, err)
	}
}

// needsLaterGo reports whether the go command refused a file that was written for a later Go.
func needsLaterGo(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && bytes.Contains(exit.Stderr, []byte("(running go "))
}

// list returns what go list prints in a folder. work is the file go.work, "" for that of the folder
// or one above, and off for none.
func list(folder, work string, args ...string) (string, error) {
	command := exec.Command("go", append([]string{"list"}, args...)...)
	command.Dir, command.Env = folder, append(os.Environ(), "GOWORK="+work)
	out, err := command.Output()
	return string(out), err
}

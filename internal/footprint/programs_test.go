package main

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Commands and examples do not link package testing, also those that serve the simulator.
func TestFootprint_ProgramsWithoutTesting(t *testing.T) {
	lines := func(folder string, args ...string) []string {
		out, err := list(folder, "", args...)
		if err != nil {
			t.Skipf("go.work needs a later Go: %v", err)
		}
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

// list returns what go list prints in a folder, with go.work or, if work is off, without it.
func list(folder, work string, args ...string) (string, error) {
	command := exec.Command("go", append([]string{"list"}, args...)...)
	command.Dir, command.Env = folder, append(os.Environ(), "GOWORK="+work)
	out, err := command.Output()
	return string(out), err
}

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
	list := func(folder string, args ...string) []string {
		command := exec.Command("go", append([]string{"list"}, args...)...)
		command.Dir, command.Env = folder, append(os.Environ(), "GOWORK=")
		out, err := command.Output()
		if err != nil {
			t.Skipf("go.work needs a later Go: %v", err)
		}
		return strings.Split(strings.TrimSpace(string(out)), "\n")
	}
	programs := 0
	for _, folder := range list("", "-m", "-f", "{{.Dir}}") {
		for _, line := range list(folder, "-f", `{{if eq .Name "main"}}{{.ImportPath}}{{range .Deps}} {{.}}{{end}}{{end}}`, "./...") {
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

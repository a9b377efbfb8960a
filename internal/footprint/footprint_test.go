// Package footprint_test holds what a program gets that imports the client, and what the commands
// and the examples do not get.
package footprint_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/go-freight/terminal49"

// A program that imports the root package builds these modules and no others. Each is justified in
// the README.
func TestFootprint_Imports(t *testing.T) {
	require.Equal(t, []string{
		"github.com/google/uuid",
		"github.com/hashicorp/go-cleanhttp", // which go-retryablehttp needs
		"github.com/hashicorp/go-retryablehttp",
		"github.com/shopspring/decimal",
		"golang.org/x/time",
	}, imports(t, `{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}`, module))
}

// Of the standard library, the root package builds with little that a program does not have anyhow
// that uses net/http and encoding/json.
func TestFootprint_StandardLibrary(t *testing.T) {
	const public = `{{if .Standard}}{{.ImportPath}}{{end}}`
	plain := imports(t, public, "net/http", "encoding/json")
	for _, path := range imports(t, public, module) {
		if !slices.Contains(plain, path) && !slices.Contains(strings.Split(path, "/"), "internal") {
			require.Contains(t, []string{"database/sql/driver", "embed", "hash/maphash", "log/slog", "regexp", "regexp/syntax"}, path)
		}
	}
}

// The root package is built without the packages around it.
func TestFootprint_OwnPackages(t *testing.T) {
	for _, path := range imports(t, `{{with .Module}}{{if .Main}}{{$.ImportPath}}{{end}}{{end}}`, module) {
		if below := strings.TrimPrefix(path, module); below != "" {
			require.True(t, strings.HasPrefix(below, "/internal/"), "the root package must not import %s", path)
		}
	}
}

// A mistake in the client cannot hide behind the same mistake in the simulator, and programs that
// serve the simulator do not contain package testing.
func TestFootprint_Simulator(t *testing.T) {
	for _, path := range imports(t, "{{.ImportPath}}", module+"/terminal49test") {
		own := strings.HasPrefix(path, module+"/terminal49test") || path == module+"/internal/zones"
		require.True(t, own || path != "testing" && !strings.HasPrefix(path, module), "the simulator must not import %s", path)
	}
}

// imports returns what a format prints of each package that the packages build with.
func imports(t *testing.T, format string, packages ...string) []string {
	t.Helper()
	out, err := list("", "off", append([]string{"-deps", "-f", format}, packages...)...) // as a user builds it
	require.NoError(t, err)
	return slices.Compact(slices.Sorted(slices.Values(strings.Fields(out))))
}

package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A program that imports the root package builds these modules and no others. Each is justified in
// the README.
func TestFootprint_Imports(t *testing.T) {
	require.Equal(t, []string{
		"github.com/google/uuid",
		"github.com/hashicorp/go-cleanhttp", // which go-retryablehttp needs
		"github.com/hashicorp/go-retryablehttp",
		"github.com/shopspring/decimal",
		"golang.org/x/time",
	}, imports(t, `{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}`))
}

// The root package is built without the packages around it.
func TestFootprint_OwnPackages(t *testing.T) {
	for _, path := range imports(t, `{{with .Module}}{{if .Main}}{{$.ImportPath}}{{end}}{{end}}`) {
		if below := strings.TrimPrefix(path, module); below != "" {
			require.True(t, strings.HasPrefix(below, "/internal/"), "the root package must not import %s", path)
		}
	}
}

// imports returns what a format prints of each package that the root package builds with.
func imports(t *testing.T, format string) []string {
	t.Helper()
	out, err := list("", "off", "-deps", "-f", format, module) // as a user builds it
	require.NoError(t, err)
	return slices.Compact(slices.Sorted(slices.Values(strings.Fields(out))))
}

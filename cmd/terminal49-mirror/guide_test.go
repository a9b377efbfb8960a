package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var inGuide = regexp.MustCompile("(?m)(?:^|`|[|] )terminal49-mirror ([a-z][^`#|&\n]+)")

// Every command and flag of the pages exists: with --help, cobra checks both and does nothing.
func TestGuide_CommandsExist(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, page := range append(pages, "../../README.md", "../../AGENTS.md") {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, command := range inGuide.FindAllStringSubmatch(string(text), -1) {
			if seen[command[1]] {
				continue
			}
			seen[command[1]] = true
			var help, log bytes.Buffer
			args := strings.Fields(command[1])
			require.Zero(t, (&app{}).execute(t.Context(), append(args, "--help"), &help, &log), "%s: %s\n%s", page, command[0], &log)
			require.Contains(t, help.String(), "terminal49-mirror "+args[0], "%s: %s", page, command[0])
		}
	}
	require.Greater(t, len(seen), 30)
}

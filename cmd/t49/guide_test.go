package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var inGuide = regexp.MustCompile("(?m)(?:^|`|[|] |; do )t49 ([^`#|&\n]+)")

// Every command and flag in the guides exists: with --help, cobra checks both and does nothing.
func TestGuide_CommandsExist(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	a := (&account{T: t}).here()
	seen := map[string]bool{}
	for _, page := range append(pages, "official.md", "../../README.md", "../../AGENTS.md") {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, command := range inGuide.FindAllStringSubmatch(string(text), -1) {
			if seen[command[1]] {
				continue
			}
			seen[command[1]] = true
			args := strings.Fields(command[1])
			help := a.must(append(args, "--help")...)
			require.Contains(t, help, "t49 "+args[0], page+": "+command[0])
		}
	}
	require.Greater(t, len(seen), 100)
	guide, err := os.ReadFile("../../docs/command.md")
	require.NoError(t, err)
	for status := range 10 {
		require.Contains(t, string(guide), fmt.Sprintf("\n| %d | ", status))
		require.Regexp(t, fmt.Sprintf(`[ \n]%d[ \n]`, status), exitHelp)
	}
}

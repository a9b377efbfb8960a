package main

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/cmd/internal/clitest"
)

// Every command and flag in the guides exists.
func TestGuide_CommandsExist(t *testing.T) {
	require.Greater(t, clitest.CheckPages(t, "t49", (&account{T: t}).here().do, "official.md"), 100)
	guide, err := os.ReadFile("../../docs/command.md")
	require.NoError(t, err)
	for status := range 10 {
		require.Contains(t, string(guide), fmt.Sprintf("\n| %d | ", status))
		require.Regexp(t, fmt.Sprintf(`[ \n]%d[ \n]`, status), exitHelp)
	}
}

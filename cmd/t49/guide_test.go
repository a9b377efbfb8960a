package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var inGuide = regexp.MustCompile("(?m)(?:^|`)t49 ([^`#|&\n]+)")

// Every command and flag in the guide exists: with --help, cobra checks both and does nothing.
func TestGuide_CommandsExist(t *testing.T) {
	guide, err := os.ReadFile("../../docs/command.md")
	require.NoError(t, err)
	a := (&account{T: t}).here()
	found := inGuide.FindAllStringSubmatch(string(guide), -1)
	require.Greater(t, len(found), 20)
	for _, command := range found {
		args := strings.Fields(command[1])
		help := a.must(append(args, "--help")...)
		require.Contains(t, help, "t49 "+args[0], command[0])
	}
	for status := range 10 {
		require.Contains(t, string(guide), fmt.Sprintf("\n| %d | ", status))
		require.Regexp(t, fmt.Sprintf(`[ \n]%d[ \n]`, status), exitHelp)
	}
}

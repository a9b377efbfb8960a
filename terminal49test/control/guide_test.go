package control

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/terminal49test/internal/state"
)

// inGuide is a command of the guide, or the name of one.
var inGuide = regexp.MustCompile("`(?:([a-z_]+)|(\\{\"([a-z_]+)\": .*?\\}))`")

// The guide has every command, and its examples run one after the other.
func TestGuide_HasTheCommands(t *testing.T) {
	guide, err := os.ReadFile("../../docs/testing.md")
	require.NoError(t, err)
	_, section, _ := strings.Cut(string(guide), "\n### Commands\n")
	section, _, _ = strings.Cut(section, "\n| request |")
	server := terminal49test.NewServer(
		terminal49test.WithoutSocket(), terminal49test.WithSpeed(0), terminal49test.WithStart(time.Date(2026, 11, 2, 17, 0, 0, 0, time.UTC)),
	)
	named := map[string]bool{"comment": true} // under Scenarios
	for _, found := range inGuide.FindAllStringSubmatch(section, -1) {
		named[found[1]+found[3]] = true
		if found[2] != "" && found[3] != "redeliver" { // which needs the id of a notification
			_, err := Run(server, strings.NewReader(found[2]))
			require.NoError(t, err, found[2])
		}
	}
	for _, name := range state.SortedKeys(commands) {
		require.True(t, named[name], "docs/testing.md does not name %s", name)
	}
}

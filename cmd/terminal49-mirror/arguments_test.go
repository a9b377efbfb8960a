package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/testkit/engines"
)

// A text that Postgres refuses (22021) is a mistake of the caller, with the name of the argument,
// and not a failure of the database.
func TestArguments_ThatAreNotText(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.db = engines.SharedPostgres(t).NewDatabase(t)
	b.must("run", "--once")
	for args, name := range map[string]string{
		"repair X": "Ref.ID must", "repair container X": "Ref.ID must", "forget party X": "Ref.ID must", "confirm-deletions container X": "each ID an id",
		"dispute X": "number must", "worklist X": "Work must", "tail --after X": "--after must", "status --schema X": "--schema must",
		"push parked --name X": "--name must", "push replay --name X": "--name must", "push replay X": "POSITION must",
		"push reposition --name X --from end": "--name must", "push reposition --from X": "--from must", "push remove --name X": "--name must",
	} {
		status, out, log := b.do(strings.Fields(strings.Replace(args, "X", "MSCU\xff", 1))...)
		require.Equal(t, exitUsage, status, args+log)
		require.Empty(t, out)
		require.Contains(t, log, name)
	}
}

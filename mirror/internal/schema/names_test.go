package schema

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/sqlstore"
)

func TestNames_InAStatement(t *testing.T) {
	const written = "select nextval('t49.ticket'), x.t49_n from t49.inbox,datasync.containers join (t49.walks) on terminal49.id = 'at49.a' || _t49.x"
	require.Equal(t, written, NamesOf(sqlstore.Postgres, "").In(written))
	require.Equal(t, written, NamesOf(sqlstore.Postgres, "t49").In(written))
	require.Equal(t, `select nextval('"acct_a".ticket'), x.t49_n from "acct_a".inbox,"acct_a_datasync".containers join ("acct_a".walks) on terminal49.id = 'at49.a' || _t49.x`,
		NamesOf(sqlstore.Postgres, "acct_a").In(written))
	require.Equal(t, "select nextval('ticket'), x.t49_n from inbox,datasync_containers join (walks) on terminal49.id = 'at49.a' || _t49.x",
		NamesOf(sqlstore.SQLite, "").In(written))
}

var (
	prefixed = regexp.MustCompile(`(?:\bt49|\bdatasync)\.(\w*)`)
	created  = regexp.MustCompile(`create (?:table if not exists|or replace (?:view|function)|sequence if not exists) (?:t49|datasync)\.(\w+)`)
)

// Each prefix in a statement is that of a table, a view or the sequence, so none is part of a text
// that must stay as it is.
func TestNames_PrefixesAreThoseOfTables(t *testing.T) {
	known := map[string]bool{"": true, "live_": true, "migrations": true} // the rest of the name is added
	for _, step := range steps(sqlstore.Postgres) {
		for _, found := range created.FindAllStringSubmatch(step, -1) {
			known[found[1]] = true
		}
	}
	require.Greater(t, len(known), 40)
	known["tickets"] = true // of SQLite
	sources, err := filepath.Glob("../store/*.go")
	require.NoError(t, err)
	migrations, err := filepath.Glob("migrations/postgres/*.sql")
	require.NoError(t, err)
	n := 0
	for _, file := range append(sources, migrations...) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			code, _, _ := strings.Cut(line, "// ")
			for _, found := range prefixed.FindAllStringSubmatch(code, -1) {
				n++
				require.True(t, known[found[1]], "%s: %s", file, line)
			}
		}
	}
	require.Greater(t, n, 200)
}

// The migrations of both dialects have the same number of steps.
func TestMigrationsOf_BothDialects(t *testing.T) {
	require.Len(t, steps(sqlstore.SQLite), len(steps(sqlstore.Postgres)))
	require.Empty(t, steps(0))
}

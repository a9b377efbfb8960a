package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The file has the name that the user gave, and the settings that mirror.New requires, also if the
// name has characters that mean something in a URI (sqlite.org/uri.html).
func TestOpen_FileWithAnyName(t *testing.T) {
	for _, name := range []string{"mirror.db", "my fleet.db", "a#b.db", "a?b.db", "a?_pragma=busy_timeout(1).db", "50%.db", "a%23b.db", "a&b=c.db", "a+b.db", "ü.db"} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), name)
			db, err := (&app{db: file}).open(true)
			require.NoError(t, err)
			defer db.Close()
			var used, journal string
			var timeout int
			require.NoError(t, db.QueryRow("select file from pragma_database_list").Scan(&used))
			require.NoError(t, db.QueryRow("pragma journal_mode").Scan(&journal))
			require.NoError(t, db.QueryRow("pragma busy_timeout").Scan(&timeout))
			require.Equal(t, []any{file, "wal", 5000}, []any{used, journal, timeout})
		})
	}
}

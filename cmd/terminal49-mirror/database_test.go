package main

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/cmd/internal/cli"
	"github.com/go-freight/terminal49/internal/testkit/engines"
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

// A session's client_encoding says what its bytes are (Postgres 15, chapter 24.3.3), and the driver
// sends UTF-8 whatever the default of the role or the URL is.
func TestOpen_SessionsAreUTF8(t *testing.T) {
	url := engines.SharedPostgres(t).NewDatabase(t)
	first, err := (&app{db: url, secrets: new(cli.Secrets)}).open(true)
	require.NoError(t, err)
	defer first.Close()
	_, err = first.Exec("create role latin login superuser; alter role latin set client_encoding = 'LATIN1'; alter role latin set datestyle = 'German'")
	require.NoError(t, err)
	for _, url := range []string{url + "&client_encoding=LATIN1&datestyle=German", strings.Replace(url, "postgres@", "latin@", 1)} {
		db, err := (&app{db: url, secrets: new(cli.Secrets)}).open(true)
		require.NoError(t, err)
		defer db.Close()
		var length int
		var date string
		require.NoError(t, db.QueryRow("select length($1), date '2026-11-29'::text", "山本物流 ÄÖ €").Scan(&length, &date))
		require.Equal(t, []any{9, "2026-11-29"}, []any{length, date})
	}
}

// SECURITY: what only reads cannot write to Postgres; TestBoard_ShowsTheCopy has SQLite.
func TestOpen_ReadingCannotWrite(t *testing.T) {
	db, err := (&app{db: engines.SharedPostgres(t).NewDatabase(t), secrets: new(cli.Secrets), reading: true}).open(false)
	require.NoError(t, err)
	defer db.Close()
	_, err = db.Exec("create table x (y int)")
	require.ErrorContains(t, err, "read-only")
}

// A database whose encoding lacks letters is refused with the remedy, and so is a setting of a role
// that changes numbers.
func TestMirror_RefusesOtherEncodings(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	url := engines.SharedPostgres(t).NewDatabase(t)
	db, err := sql.Open("pgx", url)
	require.NoError(t, err)
	defer db.Close()
	name := strings.TrimPrefix(url[strings.LastIndex(url[:strings.Index(url, "?")], "/"):strings.Index(url, "?")], "/")
	for _, encoding := range []string{"LATIN1", "WIN1252", "EUC_JP"} {
		_, err = db.Exec("create database " + name + encoding + " encoding '" + encoding + "' template template0 lc_collate 'C' lc_ctype 'C'")
		require.NoError(t, err)
		b.db = strings.Replace(url, "/"+name+"?", "/"+strings.ToLower(name+encoding)+"?", 1)
		status, _, log := b.do("run", "--once")
		require.Equal(t, exitUsage, status, log)
		require.Contains(t, log, "server_encoding = UTF8, not "+encoding)
		require.Contains(t, log, "create the database with")
	}
}

package main

import (
	"database/sql"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/cmd/internal/clitest"
	"github.com/go-freight/terminal49/internal/testkit/engines"
	"github.com/go-freight/terminal49/terminal49test"
)

// as returns the address of a database for a role.
func as(t testing.TB, dsn, role string) string {
	t.Helper()
	address, err := url.Parse(dsn)
	require.NoError(t, err)
	address.User = url.User(role)
	return address.String()
}

// psql executes a script as a database administrator does, and returns what it prints.
func psql(t testing.TB, dsn, script string) (string, error) {
	t.Helper()
	cmd := clitest.Other(t, "psql", "--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1", dsn)
	cmd.Stdin = strings.NewReader(script)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func mustPSQL(t testing.TB, dsn, script string) {
	t.Helper()
	out, err := psql(t, dsn, script)
	require.NoError(t, err, out)
}

// An administrator who is not a superuser applies what print-sql prints, in a database that nobody
// else may use. With nothing else the writer runs the mirror and the reader reads, and neither can
// do more.
func TestPrintSQL_RolesOfLeastRights(t *testing.T) {
	t.Parallel()
	server := engines.StartPostgres(t)
	super := server.NewDatabase(t)
	database := strings.TrimPrefix(mustParse(t, super).Path, "/")
	mustPSQL(t, super, `create role dba login createrole; alter database `+database+` owner to dba;
revoke all on database `+database+` from public; revoke all on schema public from public`)
	b := newBench(t)
	b.srv.SeedDemo()
	b.env = append(b.env, "T49_MIRROR_SCHEMA=user") // a word of SQL

	b.db = ""
	script := b.must("print-sql", "--owner", "fleet.owner", "--writer", "fleet-writer", "--reader", "fleet@reader")
	for range 2 { // the second time it changes nothing
		out, err := psql(t, as(t, super, "dba"), script)
		require.NoError(t, err, out)
		require.Empty(t, out, "no notice for each table that exists")
	}
	writer, reader := as(t, super, "fleet-writer"), as(t, super, "fleet@reader")

	b.db = writer
	b.copy()
	for _, args := range [][]string{{"verify"}, {"run", "--once"}, {"rebuild"}, {"forget", "party", "p-1"}, {"verify"}} {
		b.must(args...)
	}
	tail := b.must("tail")
	require.Greater(t, strings.Count(tail, "\n"), 20)

	b.db = reader
	require.Equal(t, tail, b.must("tail"))
	require.Contains(t, b.must("status"), "rows of containers")
	require.Contains(t, b.must("verify"), "no difference in ")
	mustPSQL(t, reader, `select * from "user".containers; select * from user_datasync.containers`)

	const in = `"user".`
	for _, attempt := range []struct{ role, statement string }{
		{writer, "create table " + in + "x (n int)"}, {writer, "drop table " + in + "inbox"}, {writer, `drop schema "user" cascade`},
		{writer, "alter table " + in + "inbox add x int"}, {writer, "truncate " + in + "inbox"}, {writer, "create schema x"}, {writer, "create table public.x (n int)"},
		{writer, "insert into " + in + "migrations (version_id, is_applied) values (99, true)"}, {writer, "create role x"},
		{reader, "insert into " + in + "identity (account, seen_at) values ('a', now())"}, {reader, "delete from " + in + "changes"},
		{reader, "update " + in + "leases set holder = ''"}, {reader, "select nextval('" + in + "ticket')"}, {reader, "create table " + in + "x (n int)"},
	} {
		out, err := psql(t, attempt.role, attempt.statement)
		require.Error(t, err, attempt.statement)
		require.Regexp(t, "permission denied|must be owner", out, attempt.statement)
	}
	for _, command := range []string{"run --once", "rebuild"} { // they write
		status, _, log := b.do(strings.Fields(command)...)
		require.Equal(t, exitFailed, status, log)
		require.Contains(t, log, "permission denied", command)
	}
	out, err := psql(t, super, "select relname from pg_class where relnamespace = 'public'::regnamespace")
	require.NoError(t, err)
	require.Contains(t, out, "(0 rows)", "nothing is in public")
}

func mustParse(t testing.TB, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	require.NoError(t, err)
	return u
}

// A role that may not create the tables gets the remedy, and so does one that may not read them.
func TestRun_RoleWithoutRights(t *testing.T) {
	t.Parallel()
	super := engines.StartPostgres(t).NewDatabase(t)
	mustPSQL(t, super, "create role writer login; create role reader login")
	b := newBench(t)
	b.db = as(t, super, "writer")
	remedy := func(args ...string) {
		status, _, log := b.do(args...)
		require.Equal(t, exitFailed, status, log)
		require.Contains(t, log, "terminal49-mirror: mirror: the role of this program lacks rights for schema t49; "+
			"have an administrator execute what terminal49-mirror print-sql --writer ROLE or --reader ROLE prints")
		require.Equal(t, 1, strings.Count(log, "\n"), log)
	}
	remedy("run")
	missing := func(args ...string) {
		status, _, log := b.do(args...)
		require.Equal(t, exitFailed, status, log)
		require.Contains(t, log, "mirror: the tables do not exist: schema t49 has no copy, or one of an earlier version; start the mirror first, or choose another one")
	}
	missing("status")
	missing("tail")

	script := *b
	script.db = ""
	mustPSQL(t, super, script.must("print-sql", "--writer", "writer"))
	b.db = as(t, super, "reader")
	remedy("status")
	remedy("tail")
}

// Tables of a program that recorded its versions elsewhere are refused in one sentence by every
// command, and stay as they are. They are those of commit 7ca435d.
func TestRun_RefusesTheTablesOfAnOlderProgram(t *testing.T) {
	t.Parallel()
	super := engines.StartPostgres(t).NewDatabase(t)
	const made = "create table inbox (id text primary key, event text not null); create table containers (id text primary key); create table t49_mirror_migrations (version_id int)"
	mustPSQL(t, super, "create schema t49; set search_path = t49; "+strings.Replace(made, "table t49_", "table public.t49_", 1))
	file := filepath.Join(t.TempDir(), "old.db")
	db, err := sql.Open("sqlite", file)
	require.NoError(t, err)
	defer db.Close()
	_, err = db.Exec(made)
	require.NoError(t, err)
	for name, want := range map[string]string{
		super: "schema t49 has tables of an older program, which this one cannot change; nothing there was touched: use another schema (WithSchema, --schema) or a new database",
		file:  "the file has tables of an older program, which this one cannot change; nothing there was touched: use a new file",
	} {
		b := newBench(t)
		b.db = name
		for _, command := range []string{"run", "status", "tail", "verify", "run --once", "rebuild"} {
			status, _, log := b.do(strings.Fields(command)...)
			require.Equal(t, exitFailed, status, log)
			require.Contains(t, log, want+", and everything is read from the service again", command)
			require.Equal(t, 1, strings.Count(log, "\n"), "%s: %s", command, log)
		}
	}
	for _, statement := range []string{"select 1 from t49.containers", "select 1 from public.t49_mirror_migrations"} {
		mustPSQL(t, super, statement)
	}
	var tables int
	require.NoError(t, db.QueryRow("select count(*) from sqlite_master where type = 'table'").Scan(&tables))
	require.Equal(t, 3, tables)

	b := newBench(t)
	b.db = ""
	out, err := psql(t, super, b.must("print-sql"))
	require.Error(t, err)
	require.Contains(t, out, "schema t49 has tables of an older program; use another schema or a new database")

	b = newBench(t) // a program that was never released had the tables of this one but for one column
	b.srv.SeedDemo()
	b.copy()
	b.exec("alter table situations rename column brief to told")
	for _, command := range []string{"run", "status", "worklist ready"} {
		status, _, log := b.do(strings.Fields(command)...)
		require.Equal(t, exitFailed, status, log)
		require.Contains(t, log, "the file has tables of an older program", command)
	}

	b = newBench(t) // another schema of the same database works
	b.srv.SeedDemo()
	b.db, b.env = super, append(b.env, "T49_MIRROR_SCHEMA=fleet")
	b.copy()
	require.Contains(t, b.must("verify"), "no difference in ")
}

// The tables of a later version are refused, too.
func TestRun_RefusesALaterVersion(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.srv.SeedDemo()
	b.copy()
	b.exec("insert into migrations (version_id, is_applied) values (1000, true)")
	for _, command := range []string{"run", "status", "tail"} {
		status, _, log := b.do(command)
		require.Equal(t, exitFailed, status, log)
		require.Contains(t, log, "the tables have version 1000 in migrations, and this program knows only ")
		require.Contains(t, log, "use a newer program")
	}
}

// Accounts share a database and keep to their schemas, and a schema keeps to its account.
func TestRun_AccountsInOneDatabase(t *testing.T) {
	t.Parallel()
	super := engines.StartPostgres(t).NewDatabase(t)
	a, b := newBench(t), newBench(t, terminal49test.WithSeed(99))
	for name, of := range map[string]*bench{"acct_a": a, "acct_b": b} {
		of.srv.SeedDemo()
		of.db = super
		of.env = append(of.env, "T49_MIRROR_SCHEMA="+name)
	}
	a.copy()
	b.copy()
	require.Contains(t, a.must("verify"), "no difference in ")
	require.Contains(t, b.must("verify"), "no difference in ")
	status, _, log := a.do("run", "--schema", "acct_b") // the flag goes before the variable
	require.Equal(t, exitFailed, status)
	require.Contains(t, log, "the database has the copy of another account; use another schema or database, or the token of that account")
}

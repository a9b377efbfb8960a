package mirror

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/sqlstore"
	"github.com/go-freight/terminal49/terminal49test"
)

// Mirrors of two accounts share a process and a pool of connections, and each keeps to its schema.
// The token of one account is refused in the schema of the other.
func TestAccounts_InOneProcess(t *testing.T) {
	t.Parallel()
	db := postgres(t)
	var mirrors []*Mirror
	var clients []*terminal49.Client
	var servers []*terminal49test.Server
	for i, name := range []string{"acct_a", "order"} { // order is a word of SQL
		srv := stillServer(t, terminal49test.WithSeed(int64(60+i)))
		client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(srv.HTTPClient()), terminal49.WithoutRateLimits())
		require.NoError(t, err)
		m, err := New(client, db, WithSchema(name))
		require.NoError(t, err)
		mirrors, clients, servers = append(mirrors, m), append(clients, client), append(servers, srv)
	}
	var both sync.WaitGroup
	for _, m := range mirrors {
		both.Go(func() {
			if err := m.Reconcile(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	for i, m := range mirrors {
		require.Empty(t, verified(t, m))
		var accounts, containers int
		require.NoError(t, db.QueryRow(m.db.SQL("select count(*) from t49.identity where account = $1"), servers[i].AccountID).Scan(&accounts))
		require.Equal(t, 1, accounts)
		require.NoError(t, db.QueryRow(m.db.SQL("select count(*) from datasync.containers")).Scan(&containers))
		require.Positive(t, containers)
	}
	var elsewhere int
	require.NoError(t, db.QueryRow(`select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace
where nspname not in ('acct_a', 'acct_a_datasync', 'order', 'order_datasync', 'information_schema') and nspname not like 'pg\_%'`).Scan(&elsewhere))
	require.Zero(t, elsewhere, "tables, sequences or views in other schemas")

	wrong, err := New(clients[1], db, WithSchema("acct_a"))
	require.NoError(t, err)
	err = wrong.Reconcile(t.Context())
	require.ErrorIs(t, err, ErrOtherAccount)
	require.ErrorContains(t, err, "use another schema or database")
	require.Empty(t, verified(t, mirrors[0]))
}

// SQLite has no schemas, which the first use says before it creates anything.
func TestWithSchema_NeedsPostgres(t *testing.T) {
	db := sqliteFile(t)
	srv := stillServer(t)
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(srv.HTTPClient()))
	require.NoError(t, err)
	m, err := New(client, db, WithSchema("acct_a"))
	require.NoError(t, err)
	_, statusErr := m.Status(t.Context())
	for _, err := range []error{m.Migrate(t.Context()), m.Run(t.Context()), statusErr} {
		var argument *terminal49.ArgumentError
		require.ErrorAs(t, err, &argument)
		require.Equal(t, "WithSchema", argument.Field)
		require.Contains(t, argument.Problem, "use another file for another account")
	}
	var tables int
	require.NoError(t, db.QueryRow("select count(*) from sqlite_master").Scan(&tables))
	require.Zero(t, tables)
}

// A name is checked before anything is sent.
func TestWithSchema_Names(t *testing.T) {
	for name, works := range map[string]bool{
		"t49": true, "acct_a": true, "_1": true, "select": true, "a23456789012345678901234567890123456789012345678_": true,
		"": false, `a"b`: false, "a'b": false, "a b": false, "A": false, "1a": false, "ä": false, "a;drop": false, "a.b": false, "a\x00": false,
		"pg_a": false, "information_schema": false, "datasync": false, "acct_datasync": false,
		"a2345678901234567890123456789012345678901234567890": true, "a23456789012345678901234567890123456789012345678901": false,
	} {
		checkOption(t, "WithSchema", WithSchema(name), works)
		if name != "" {
			_, err := Schema(sqlstore.Postgres, SchemaOptions{Name: name})
			require.Equal(t, works, err == nil, name)
		}
	}
}

func TestSchema_RefusesWhatCannotBe(t *testing.T) {
	for field, o := range map[string]SchemaOptions{
		"Owner": {Owner: "it's"}, "Writer": {Writer: `a"b`}, "Reader": {Reader: "public"}, "Name": {Name: "pg_x"},
	} {
		_, err := Schema(sqlstore.Postgres, o)
		var argument *terminal49.ArgumentError
		require.ErrorAs(t, err, &argument)
		require.Equal(t, field, argument.Field)
		_, err = Schema(sqlstore.SQLite, o)
		require.ErrorAs(t, err, &argument)
		require.Equal(t, "SchemaOptions", argument.Field)
	}
	_, err := Schema(0, SchemaOptions{})
	require.ErrorContains(t, err, "dialect must be Postgres or SQLite")
	for _, role := range []string{"fleet_writer", "Fleet-Writer", "app@example.com", "schöner"} {
		require.Empty(t, schema.RoleProblem(role), role)
	}
}

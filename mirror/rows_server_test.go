package mirror

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/testkit/engines"
	"github.com/go-freight/terminal49/terminal49test"
)

// A role that may only select, a replica, a pooler of transactions and a driver without prepared
// statements are enough for all reads.
func TestRows_NeedOnlySelect(t *testing.T) {
	t.Parallel()
	primary := engines.StartPostgres(t)
	dsn := primary.NewDatabase(t)
	db := open(t, "pgx", dsn)
	want := numbers(t, seeded(t, db), "order by number")
	require.Len(t, want, 8)
	_, err := db.ExecContext(t.Context(), `
create role reader login;
grant usage on schema t49 to reader;
grant select on all tables in schema t49 to reader`)
	require.NoError(t, err)
	replica := primary.Replica()
	asReader := strings.Replace(dsn, "postgres@", "reader@", 1)
	require.NotEqual(t, dsn, asReader)
	for name, dsn := range map[string]string{
		"role":            asReader,
		"replica":         strings.Replace(dsn, hostOf(t, primary.DSN()), hostOf(t, replica.DSN()), 1),
		"pooler":          primary.StartPgBouncer(t).Through(dsn) + "&default_query_exec_mode=exec",
		"simple protocol": dsn + "&default_query_exec_mode=simple_protocol",
		"describe":        dsn + "&default_query_exec_mode=cache_describe",
	} {
		t.Run(name, func(t *testing.T) {
			r := NewReader(open(t, "pgx", dsn))
			require.Equal(t, want, numbers(t, r, "where number <> $1 order by number", "x"))
			require.Equal(t, want[:1], numbers(t, r, "where number = $1", want[0]))
			for range r.Vessels(t.Context(), "") {
				t.Log("of another table on the same connection")
			}
			require.Error(t, errorOf(t.Context(), r, "where nextval('t49.ticket') > 0"))
			require.Equal(t, want, numbers(t, r, "order by number"))
		})
	}
}

// hostOf returns the address in a URL of Postgres.
func hostOf(t *testing.T, dsn string) string {
	t.Helper()
	_, rest, ok := strings.Cut(dsn, "@")
	require.True(t, ok, dsn)
	host, _, ok := strings.Cut(rest, "/")
	require.True(t, ok, dsn)
	return host
}

// Two accounts share a database, and a Reader reads the tables of its schema alone: its own, those
// that a clause names, and those of the short forms.
func TestRows_OfTheSchema(t *testing.T) {
	t.Parallel()
	db := postgres(t)
	var readers []*Reader
	var all [][]string
	for i, name := range []string{"acct_a", "order"} { // order is a word of SQL
		srv := terminal49test.NewServer(terminal49test.WithSpeed(0), terminal49test.WithoutRateLimits())
		t.Cleanup(srv.Close)
		if i == 0 {
			srv.SeedDemo()
		} else {
			srv.SeedTraffic(3)
		}
		m, err := New(srvClient(t, srv), db, WithSchema(name))
		require.NoError(t, err)
		require.NoError(t, m.Reconcile(t.Context()))
		r := NewReader(db, WithSchema(name))
		own := numbers(t, r, "order by number")
		require.Len(t, own, count(srv, "container"))
		readers, all = append(readers, r), append(all, own)
	}
	require.NotEqual(t, all[0], all[1])
	for i, r := range readers {
		require.Equal(t, all[i], numbers(t, r, "where shipment_id in (select id from shipments) order by number"))
		require.Empty(t, numbers(t, readers[1-i], "where number = $1", all[i][0]))
		found, err := r.ContainersByNumber(t.Context(), all[i][0])
		require.NoError(t, err)
		require.Len(t, found, 1)
		shipment, ok := found[0].Shipment.Value()
		require.True(t, ok)
		same, err := r.ShipmentsByNumber(t.Context(), shipment.BillOfLadingNumber)
		require.NoError(t, err)
		require.Contains(t, ids(same), shipment.ID)
	}
	require.ErrorIs(t, errorOf(t.Context(), NewReader(db), ""), ErrNoTables)
	require.ErrorContains(t, errorOf(t.Context(), NewReader(db, WithSchema("pg_a")), ""), "WithSchema")
	require.ErrorContains(t, errorOf(t.Context(), NewReader(sqliteFile(t), WithSchema("acct_a")), ""), "SQLite has no schemas")
}

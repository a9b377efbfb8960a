package store

import (
	"database/sql"
	"errors"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit/engines"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/sqlstore"
)

// emptyStores returns a store of each database, without rows.
func emptyStores(t *testing.T) (all []*Store) {
	t.Helper()
	for driver, dsn := range map[string]string{"sqlite": ":memory:", "pgx": engines.SharedPostgres(t).NewDatabase(t)} {
		db, err := sql.Open(driver, dsn)
		require.NoError(t, err)
		t.Cleanup(func() { _ = db.Close() })
		db.SetMaxOpenConns(1)
		d := New(db, slog.New(slog.DiscardHandler))
		require.NoError(t, d.Migrate(t.Context()))
		all = append(all, d)
	}
	return all
}

// guarded returns what the guard says of a statement that was not checked.
func guarded(t *testing.T, d *Store, views []string, statement string) error {
	t.Helper()
	s, err := d.querySnapshot(t.Context(), Query{Timeout: time.Minute})
	require.NoError(t, err)
	defer s.end()
	return s.guardQuery(t.Context(), views, statement)
}

// isGuarded reports whether it is the guard that refuses, and not the database.
func isGuarded(err error) bool {
	var argument *terminal49.ArgumentError
	return errors.As(err, &argument) && strings.Contains(argument.Problem, "must only read the views")
}

// The guard alone refuses statements that the check would not let through, too.
func TestQueryGuard_RefusesAlone(t *testing.T) {
	t.Parallel()
	both := []string{
		"select * from t49.inbox", "select (select count(*) from t49.cursors)", "select 1 from t49.containers c join t49.leases on true",
		"with inbox as (select * from t49.inbox) select * from inbox", "select * from t49.live_containers where id in (select id from t49.inbox)",
		"select * from t49.parties", "select * from t49.last_seen", "delete from t49.containers", "update t49.containers set number = 'x'",
	}
	of := map[sqlstore.Dialect][]string{
		sqlstore.SQLite: {
			"select * from sqlite_master", "select * from json_each('[1]')", "select * from pragma_table_info('containers')", "select zeroblob(10)",
			"select randomblob(number) from containers", "select printf('%s', number) from containers", "select load_extension(number) from containers",
			"select quote(number) from containers", "insert into containers (id) values ('x')", "drop table containers",
		},
		sqlstore.Postgres: {
			"select * from pg_class", "select * from pg_catalog.pg_authid", "select * from information_schema.tables", "select * from generate_series(1, 2)",
			"select * from pg_ls_dir('/')", "select * from t49_b.containers", "select * from public.containers", "select number from t49.containers for update",
			"select * from json_each('{}')", "select * from xmltable('/a' passing xml '<a/>' columns b text)", "select * from datasync._transfer_status, t49.walks",
		},
	}
	for _, d := range emptyStores(t) {
		if d.Dialect == sqlstore.Postgres {
			for _, statement := range []string{"create schema t49_b", "create table t49_b.containers (id text)", "create table public.containers (id text)"} {
				_, err := d.Pool.ExecContext(t.Context(), statement)
				require.NoError(t, err)
			}
		}
		for _, statement := range append(both, of[d.Dialect]...) {
			statement = d.queryTables(strings.ReplaceAll(statement, "from containers", "from t49.containers"))
			require.True(t, isGuarded(guarded(t, d, []string{"containers"}, statement)), statement)
		}
		require.NoError(t, guarded(t, d, []string{"containers"}, d.SQL("select number from t49.live_containers")))
		require.True(t, isGuarded(guarded(t, d, []string{"shipments"}, d.SQL("select number from t49.live_containers"))), "another view")
	}
}

// mutations are what mutated queries are made of.
var mutations = strings.Fields(`
select from where with as join on using ( ) , . * ; union all lateral values cast :: || - = 1 'x' "number" "inbox" order by limit offset window over
containers shipments inbox cursors leases pg_class sqlite_master t49 main public pg_catalog information_schema number id c s count sum pg_sleep(1) zeroblob(9) like
is not distinct extract substring trim exists in null case when then else end filter within group materialized natural left full cross inner a b x regclass date
current_date current_user for update into recursive only tablesample table row array interval 'x'::regclass at time zone string_agg`)

// mutated returns a query with a few words changed, so that most are still SQL.
func mutated(r *rand.Rand, query string) string {
	words := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ", ",", " , ", ".", " . ").Replace(query))
	for range 1 + r.IntN(2) {
		i, word := r.IntN(len(words)), mutations[r.IntN(len(mutations))]
		switch r.IntN(4) {
		case 0:
			words[i] = word
		case 1:
			words = append(words[:i], append([]string{word}, words[i:]...)...)
		case 2:
			words[i] = words[r.IntN(len(words))]
		case 3:
			words = append(words, ",", word)
		}
	}
	return strings.Join(words, " ")
}

var mutatedQueries = []string{
	"select c.number, s.id from containers c join shipments s on s.id = c.shipment_id where c.number like 'M%' order by 1 limit 5",
	"with a as (select id, number from containers), b as (select id from a) select b.id from b, a where a.id = b.id",
	"select number from containers where id in (select container_id from holds) union all select id from shipments",
	"select 1 as inbox, pg_class.number from containers pg_class, (select id from shipments) as x (id) where x.id is not distinct from pg_class.id",
	"select extract(year from created_at), count(*) filter (where number is not null) from containers group by 1",
	"select x.number from containers x left join (shipments s join ports p on p.id = s.port_of_discharge_id) on s.id = x.shipment_id",
	"select row_number() over (partition by number order by id) as n from containers where exists (select 1 from fees f where f.container_id = containers.id)",
}

// What the check lets through, the database agrees with: it reads nothing but the views.
func TestQueryCheck_AgreesWithTheGuard(t *testing.T) {
	t.Parallel()
	for _, d := range emptyStores(t) {
		r := rand.New(rand.NewPCG(34, uint64(d.Dialect)))
		passed, executed := 0, 0
		for range mirrortest.Scale(1_500, 20_000) {
			query := mutated(r, mutatedQueries[r.IntN(len(mutatedQueries))])
			if _, err := checkQuery(d.Dialect, query); err != nil {
				continue
			}
			passed++
			_, err := d.Query(t.Context(), Query{SQL: query, Timeout: time.Second, Rows: 5, Bytes: 1000, Cell: 100})
			require.False(t, isGuarded(err), query)
			if err == nil {
				executed++
			}
		}
		t.Logf("%s: %d passed the check, %d were executed", d.Dialect, passed, executed)
		require.Greater(t, executed, 15)
	}
}

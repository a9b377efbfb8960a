package mirror

import (
	"cmp"
	"crypto/sha256"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/sqlstore"
)

var update = flag.Bool("update", false, "write the files that are made from the descriptions of the tables")

var dialects = []sqlstore.Dialect{sqlstore.SQLite, sqlstore.Postgres}

// common are the columns that all tables of resources have, before and after their own.
var common = []schema.Column{
	{Name: "id", Kind: schema.KindText, Doc: "Of the resource."},
	{Name: "type", Kind: schema.KindText, Doc: "Wire type."},
}

var bookkeeping = []schema.Column{
	{Name: "raw", Kind: schema.KindJSON, Doc: "The resource as the service sent it, without secrets."},
	{Name: "digest", Kind: schema.KindText, Doc: "Of raw."},
	{Name: "ticket", Kind: schema.KindInteger, Doc: "Drawn before the request whose response the row shows; 0 if only a notification had it."},
	{Name: "until", Kind: schema.KindInteger, Doc: "The latest ticket when that response had arrived."},
	{Name: "first_ticket", Kind: schema.KindInteger, Doc: "Of the first read that showed it; 0 if only notifications had it."},
	{Name: "seen_at", Kind: schema.KindInstant, Doc: "The last read that changed the row or was about it alone. The view `last_seen` has those of lists."},
	{Name: "changed_at", Kind: schema.KindInstant, Doc: "The last read that differed, apart from times of the service's own checks."},
	{Name: "missing_since", Kind: schema.KindInstant, Doc: "When the service first answered 404."},
	{Name: "deleted_at", Kind: schema.KindInstant, Doc: "When it answered 404 again, at least a whole walk later, or when the deletion was confirmed."},
}

// allColumns are the columns of a table in the database.
func allColumns(t *schema.Table) []schema.Column {
	return slices.Concat(common, schema.Physical(t.Columns), bookkeeping)
}

// columnType is the type of a column in a database.
func columnType(d sqlstore.Dialect, k schema.Kind) string {
	if d == sqlstore.SQLite {
		return [...]string{"text", "integer", "real", "integer", "text", "text", "", "text"}[k]
	}
	return [...]string{"text", "bigint", "double precision", "boolean", "timestamptz", `text collate "C"`, "", "jsonb"}[k]
}

// prefix is the schema of the tables.
func prefix(d sqlstore.Dialect) string {
	if d == sqlstore.SQLite {
		return ""
	}
	return "t49."
}

// createTables are the statements for the tables of resources.
func createTables(d sqlstore.Dialect) string {
	var b strings.Builder
	for _, t := range schema.Tables {
		fmt.Fprintf(&b, "create table if not exists %s%s (\n  id text primary key,\n", prefix(d), t.Name)
		for _, c := range allColumns(t)[1:] {
			null := " not null"
			if c.Name == "missing_since" || c.Name == "deleted_at" || c.Name != "type" && !isIn(bookkeeping, c) {
				null = ""
			}
			if c.Name == "first_ticket" {
				null += " default 0"
			}
			fmt.Fprintf(&b, "  %s %s%s,\n", c.Name, columnType(d, c.Kind), null)
		}
		b.WriteString("\n);\n")
		fmt.Fprintf(&b, "create index if not exists %s_missing on %s%[1]s (missing_since) where missing_since is not null;\n", t.Name, prefix(d))
		for _, i := range slices.Concat([]index{{columns: "changed_at"}}, indexes[t.Name], forms{d}.dataSyncIndexes(t.Name)) {
			fmt.Fprintf(&b, "create index if not exists %s_%s on %s%[1]s (%[4]s)%[5]s;\n", t.Name, cmp.Or(i.name, strings.Split(i.columns, ",")[0]), prefix(d), i.columns, i.where)
		}
	}
	return strings.ReplaceAll(b.String(), ",\n\n)", "\n)")
}

// index describes an index. Its name is that of the first column, unless it has another.
type index struct{ columns, name, where string }

// indexes are those for joins and for the queries of the guide. Every table also has one for
// readers who ask what changed since a time.
var indexes = map[string][]index{
	"shipments":  {{columns: "bill_of_lading_number"}, {columns: "normalized_number"}, {columns: "pod_eta_at"}},
	"containers": {{columns: "shipment_id"}, {columns: "number"}, {columns: "current_status"}, {columns: "pickup_lfd_local"}},
	"tracking_requests": {
		{columns: "shipment_id, created_at, id, customer_id, deleted_at"}, // all that the customer in DataSync's views needs
		{columns: "request_number"}, {columns: "updated_at"},
	},
	"transport_events": {{columns: "container_id, event"}, {
		columns: "container_id, created_at, id, timestamp, timestamp_local", name: "berthed", // all that pod_berthed_at needs
		where: " where event = 'container.transport.vessel_berthed' and invalidated_at is null and deleted_at is null",
	}},
	"estimates":        {{columns: "shipment_id, created_at"}},
	"container_events": {{columns: "container_id"}},
	"custom_fields":    {{columns: "entity_id, api_slug"}},
}

// dataSyncIndexes are those for updated_at in DataSync's view of a table, which is an expression.
func (f forms) dataSyncIndexes(table string) []index {
	for _, v := range dataSyncViews(f.dialect) {
		if last := v.columns[len(v.columns)-1]; v.name == table {
			_, column, _ := strings.Cut(last.from, ".")
			return []index{{columns: "(" + f.utc(column) + ")", name: "datasync"}}
		}
	}
	return nil
}

func isIn(list []schema.Column, c schema.Column) bool {
	for _, other := range list {
		if c.Name == other.Name {
			return true
		}
	}
	return false
}

// writeMigrations writes the files that are made from the descriptions. Once they are released,
// they must stay as they are.
func writeMigrations(t *testing.T) {
	t.Helper()
	require.Empty(t, released(t, "testdata/released.sha256"), "the migrations were released, and databases have run them: write a new one by hand")
	for _, d := range dialects {
		folder := "internal/schema/migrations/" + strings.ToLower(d.String())
		require.NoError(t, os.WriteFile(folder+"/0002_tables.sql", []byte(createTables(d)), 0o644))
		require.NoError(t, os.WriteFile(folder+"/0003_views.sql", []byte(createViews(d)), 0o644))
	}
}

// The migrations are frozen once they are released; the descriptions are not. A difference needs a
// new migration.
func TestMigrations_MakeWhatTheDescriptionsSay(t *testing.T) {
	t.Parallel()
	if *update {
		writeMigrations(t) // they are in the next build
		return
	}
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := migrated(t, db)
		for _, described := range schema.Tables {
			var want []dbColumn
			for _, c := range allColumns(described) {
				typ, _, _ := strings.Cut(columnType(m.db.Dialect, c.Kind), " collate")
				typ = strings.Replace(typ, "timestamptz", "timestamp with time zone", 1)
				want = append(want, dbColumn{c.Name, typ})
			}
			require.Equal(t, want, columnsOf(t, m, "t49", described.Name), described.Name)
			var names []string
			for _, c := range columnsOf(t, m, "t49", "live_"+described.Name) {
				names = append(names, c.name)
			}
			require.Len(t, names, len(want), "live_%s has all columns", described.Name)
		}
	})
}

// Migrations that were released stay as they are, because databases have run them. The file is
// written by a release.
func TestMigrations_ReleasedStay(t *testing.T) {
	for file, sum := range released(t, "testdata/released.sha256") {
		data, err := schema.Migrations.ReadFile("migrations/" + file)
		require.NoError(t, err)
		require.Equal(t, sum, fmt.Sprintf("%x", sha256.Sum256(data)), "%s was released: write a new migration", file)
	}
}

// released returns the hashes of files as sha256sum writes them; none before the first release.
func released(t *testing.T, list string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(list)
	if !errors.Is(err, fs.ErrNotExist) {
		require.NoError(t, err)
	}
	sums := map[string]string{}
	for line := range strings.Lines(string(data)) {
		sum, file, ok := strings.Cut(strings.TrimSpace(line), "  ")
		require.True(t, ok, line)
		sums[file] = sum
	}
	return sums
}

// print-sql makes the same tables in a database in which the mirror may not.
func TestSchema_MakesTheSameTables(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := &Mirror{db: store.New(db, slog.New(slog.DiscardHandler))}
		require.NoError(t, m.db.Ask(t.Context()))
		script, err := Schema(m.db.Dialect, SchemaOptions{})
		require.NoError(t, err)
		_, err = db.ExecContext(t.Context(), script)
		require.NoError(t, err)
		for _, described := range schema.Tables {
			require.Len(t, columnsOf(t, m, "t49", described.Name), len(allColumns(described)))
		}
		require.NoError(t, m.Migrate(t.Context()), "finds the tables")
	})
}

func migrated(t *testing.T, db *sql.DB) *Mirror {
	t.Helper()
	m := &Mirror{db: store.New(db, slog.New(slog.DiscardHandler))}
	require.NoError(t, m.Migrate(t.Context()))
	return m
}

// dbColumn is a column as the database describes it.
type dbColumn struct{ name, typ string }

func columnsOf(t *testing.T, m *Mirror, schema, name string) (columns []dbColumn) {
	t.Helper()
	statement, args := "select name, type from pragma_table_info($1) order by cid", []any{name}
	if m.db.Dialect == sqlstore.Postgres {
		statement = "select column_name, data_type from information_schema.columns where table_name = $1 and table_schema = $2 order by ordinal_position"
		args = append(args, schema)
	} else if schema == "datasync" {
		args[0] = "datasync_" + name
	}
	rows, err := m.db.Pool.QueryContext(t.Context(), m.db.SQL(statement), args...)
	require.NoError(t, err)
	defer rows.Close() //nolint:errcheck // rows.Err has it
	for rows.Next() {
		var c dbColumn
		require.NoError(t, rows.Scan(&c.name, &c.typ))
		c.typ = strings.ToLower(c.typ)
		columns = append(columns, c)
	}
	require.NoError(t, rows.Err())
	return columns
}

// sinceQueries are the queries of readers who ask what changed since a time, by name.
func sinceQueries(d sqlstore.Dialect, since time.Time) map[string]string {
	at := since.UTC().Format(schema.SQLiteTime)
	all := map[string]string{"changes": "select * from t49.changes where at > '" + at + "'"}
	for _, t := range schema.Tables {
		for _, name := range []string{t.Name, "live_" + t.Name} {
			all[name] = "select * from t49." + name + " where changed_at > '" + at + "'"
		}
	}
	for _, v := range dataSyncViews(d) {
		if v.name != "_transfer_status" {
			all["datasync."+v.name] = "select * from datasync." + v.name + " where updated_at > '" + since.UTC().Format(time.DateTime) + "'"
		}
	}
	return all
}

// Readers who ask what changed since a time do not make the database read a whole table.
func TestSchema_SinceUsesAnIndex(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := migrated(t, db)
		explain, column := "explain query plan ", 3
		conn, err := db.Conn(t.Context())
		require.NoError(t, err)
		defer conn.Close() //nolint:errcheck // of the test
		if m.db.Dialect == sqlstore.Postgres {
			explain, column = "explain ", 0
			_, err := conn.ExecContext(t.Context(), "set enable_seqscan = off") // the tables are empty
			require.NoError(t, err)
		}
		for name, statement := range sinceQueries(m.db.Dialect, time.Now()) {
			plan := strings.Join(firstColumn(t, conn, explain+m.db.SQL(statement), column), "\n")
			_, table, isView := strings.Cut(name, ".")
			if !isView {
				table = strings.TrimPrefix(name, "live_")
			}
			index := map[bool]string{false: table + "_changed_at", true: table + "_datasync"}[isView]
			if name == "changes" {
				index = "changes_at"
			}
			if m.db.Dialect == sqlstore.SQLite || table != "tracking_requests" { // of an empty table, Postgres may choose another
				require.Contains(t, plan, index, name)
			}
			require.NotContains(t, plan, "Seq Scan", name)
		}
	})
}

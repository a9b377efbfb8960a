package mirror

import (
	"bytes"
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/sqlstore"
	"github.com/go-freight/terminal49/terminal49test"
)

// TestMeasure_Views measures how long readers wait with 300,000 containers in 120,000 shipments and
// 1,800,000 transport events: for all rows of the views, and for those since a minute ago; and how
// large the rows are.
//
//	MIRROR_MEASURE=1 go test -timeout 1h -run Measure_Views -v ./mirror
func TestMeasure_Views(t *testing.T) { measured(t, measureViews) }

func measureViews(t *testing.T, db *sql.DB) {
	srv := terminal49test.NewServer()
	defer srv.Close()
	srv.SeedDemo()
	srv.Advance(30 * 24 * time.Hour)
	m, l := stored(t, db, srv)
	walkPage(t, m, l, samplesOf(srv))
	now := time.Now().UTC().Truncate(time.Second)
	took := mirrortest.Stopwatch()
	filler{m, now}.fill(t, 300_000)
	t.Logf("filled in %v; containers, bytes of raw: %v", took().Round(time.Second),
		m.strings(t, "select cast(count(*) as text) || ', ' || cast(sum(length(cast(raw as text))) / count(*) as text) from t49.containers"))
	for _, table := range []string{"shipments", "containers", "tracking_requests", "transport_events", "changes"} {
		size := forms{m.db.Dialect}.pick("(select sum(pgsize) from dbstat where name in (select name from sqlite_schema where tbl_name = '"+table+"'))",
			"pg_total_relation_size('t49."+table+"')")
		t.Logf("figure: bytes of a row of %s with its indexes: %v", table, m.strings(t, "select cast("+size+" / count(*) as text) from t49."+table))
	}
	all := map[string]string{"containers, id and number": "select container_id, container_number from datasync.containers"}
	for _, view := range []string{"shipments", "containers", "tracking_requests", "transport_events"} {
		all[view+", all"] = "select * from datasync." + view
	}
	for name, statement := range all {
		t.Logf("figure: datasync.%s: %v", name, m.reads(t, statement))
	}
	for name, statement := range sinceQueries(m.db.Dialect, now.Add(-time.Minute)) {
		t.Logf("figure: since a minute ago, %s: %v", name, m.reads(t, statement))
	}
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

// reads returns how many rows a statement has, and how long it takes to read all columns of all.
func (m *Mirror) reads(t *testing.T, statement string) string {
	t.Helper()
	took := mirrortest.Stopwatch()
	rows, err := m.db.Pool.QueryContext(t.Context(), m.db.SQL(statement))
	require.NoError(t, err)
	defer rows.Close() //nolint:errcheck // rows.Err has it
	names, err := rows.Columns()
	require.NoError(t, err)
	into := make([]any, len(names))
	for i := range into {
		into[i] = new(sql.RawBytes)
	}
	n := 0
	for rows.Next() {
		require.NoError(t, rows.Scan(into...))
		n++
	}
	require.NoError(t, rows.Err())
	return fmt.Sprintf("%d rows in %v", n, took().Round(time.Millisecond/10))
}

// samplesOf returns a document with the resources of the demo world. Half of the containers have
// holds and fees, and each has the attributes of a large response.
func samplesOf(srv *terminal49test.Server) string {
	const holds = `[{"name":"customs","status":"hold","description":"exam"},{"name":"freight","status":"pending","description":"not paid"}]`
	const fees = `[{"type":"demurrage","amount":300.5,"currency_code":"USD"},{"type":"exam","amount":50,"currency_code":"USD"}]`
	var all [][]byte
	for r := range srv.Snapshot("shipment", "container", "transport_event", "tracking_request", "port", "terminal", "metro_area", "rail_terminal", "vessel") {
		data := r.JSON
		if r.Type == "container" {
			data = bytes.Replace(data, []byte(`"seal_number":null`), fmt.Appendf(nil, `"seal_number":null,"more":%q`, strings.Repeat(r.ID, 20)), 1)
		}
		if r.Type == "container" && len(all)%2 == 0 {
			data = bytes.Replace(data, []byte(`"holds_at_pod_terminal":[]`), []byte(`"holds_at_pod_terminal":`+holds), 1)
			data = bytes.Replace(data, []byte(`"fees_at_pod_terminal":[]`), []byte(`"fees_at_pod_terminal":`+fees), 1)
		}
		all = append(all, data)
	}
	return fmt.Sprintf(`{"data":[%s]}`, bytes.Join(all, []byte(",")))
}

// filler makes rows of the rows that are stored. The n-th row of each table changed n/5 seconds
// before now.
type filler struct {
	*Mirror
	now time.Time
}

// fill makes n containers and what belongs to them.
func (f filler) fill(t *testing.T, n int) {
	t.Helper()
	hex := f.pick("printf('%08x', n)", "lpad(to_hex(n), 8, '0')")
	of := "-5555-4000-8000-000000000000'" // of a shipment, after the number
	shipment := strings.ReplaceAll(strings.ReplaceAll(hex, "n)", "(n * 2 + 4) / 5)"), "(n,", "((n * 2 + 4) / 5,") + " || '" + of
	id := hex + " || substr(b.id, 9)"
	f.prepare(t, "create table base_containers as select * from t49.containers")
	f.prepare(t, "create table base_events as select * from t49.transport_events")
	f.insert(t, "shipments", nth("t49.shipments", "b"), n*2/5, map[string]string{"id": hex + " || '" + of})
	f.insert(t, "tracking_requests", nth("t49.tracking_requests", "b"), n*2/5, map[string]string{
		"id": id, "shipment_id": hex + " || '" + of, "customer_id": "'customer'", "updated_at": f.ago(),
	})
	f.insert(t, "containers", nth("t49.containers", "b"), n, map[string]string{"id": id, "shipment_id": shipment, "number": "'MSCU' || n"})
	names := []string{"empty_out", "full_in", "vessel_loaded", "vessel_departed", "vessel_arrived", "vessel_discharged"}
	f.insert(t, "transport_events", nth("base_containers", "c")+
		" join base_events b on b.container_id = c.id and b.event in ('container.transport."+strings.Join(names, "', 'container.transport.")+"')", n, map[string]string{
		"id": id, "container_id": hex + " || substr(c.id, 9)", "shipment_id": "null",
		"event": "case when b.event = 'container.transport.vessel_arrived' and n % 2 = 0 then 'container.transport.vessel_berthed' else b.event end",
	})
	f.prepare(t, "insert into t49.changes (seq, position, kind, id, attribute, ticket, source, at) "+f.numbers(n)+
		"select 1000000 + n, (1000000 + n) || '-0123456789abcdef', 'container', 'x', 'current_status', 1, 'walk', "+f.ago()+" from g")
	f.prepare(t, f.pick("analyze", "vacuum analyze"))
}

func (f filler) pick(sqlite, postgres string) string {
	return forms{f.db.Dialect}.pick(sqlite, postgres)
}

// numbers is a table g of the numbers from 1.
func (f filler) numbers(n int) string {
	return fmt.Sprintf(f.pick("with recursive g(n) as (select 1 union all select n + 1 from g where n < %d) ",
		"with g as (select n::bigint from generate_series(1, %d) n) "), n)
}

// ago is when the n-th row changed.
func (f filler) ago() string {
	return f.pick("strftime('%Y-%m-%dT%H:%M:%f', '"+f.now.Format(time.DateTime)+"', '-' || (n * 0.2) || ' seconds') || '000Z'",
		"timestamptz '"+f.now.Format(time.RFC3339)+"' - n * interval '0.2 seconds'")
}

// nth joins one row of a table for each number.
func nth(table, as string) string {
	return "join (select *, row_number() over (order by id) - 1 as nr, count(*) over () as many from " + table + ") " + as +
		" on " + as + ".nr = n % " + as + ".many"
}

// insert inserts rows that are those of b, apart from some columns.
func (f filler) insert(t *testing.T, table, from string, n int, set map[string]string) {
	t.Helper()
	set["changed_at"] = f.ago()
	var names, values []string
	for _, described := range schema.Tables {
		if described.Name != table {
			continue
		}
		for _, c := range allColumns(described) {
			value, is := set[c.Name]
			if !is {
				value = "b." + c.Name
			}
			names, values = append(names, c.Name), append(values, value)
		}
	}
	f.prepare(t, "insert into t49."+table+" ("+strings.Join(names, ", ")+") "+f.numbers(n)+"select "+strings.Join(values, ", ")+" from g "+from)
}

// prepare runs a statement of any number of rows.
func (m *Mirror) prepare(t *testing.T, statement string) {
	t.Helper()
	_, err := m.db.Pool.ExecContext(t.Context(), m.db.SQL(statement))
	require.NoError(t, err)
}

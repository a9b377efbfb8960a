package mirror

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/sqlstore"
	"github.com/go-freight/terminal49/terminal49test"
)

// queries are those of common questions. The page of the documentation shows them.
var queries = []struct {
	title, sql string
	index      string   // that it uses, so that it is fast
	rows       []string // with the sample, the first column
}{
	{"The dispatcher's board: what is at a terminal, the most urgent first", `
select c.number, c.current_status, t.nickname as terminal, c.pickup_lfd_local, c.pickup_appointment_at_local,
  c.available_for_pickup, c.location_at_pod_terminal,
  (select count(*) from holds h where h.container_id = c.id and h.cleared_at is null) as holds
from live_containers c
left join terminals t on t.id = coalesce(c.pickup_facility_id, c.pod_terminal_id)
where c.current_status in ('grounded', 'available', 'not_available', 'off_dock')
order by c.pickup_lfd_local nulls last`, "containers_current_status", []string{"TGHU6578122"}},
	{"Last free day tomorrow, at the place of the container", `
select c.number, c.pickup_lfd_local, c.pickup_appointment_at_local, s.bill_of_lading_number, s.customer_name
from live_containers c
left join shipments s on s.id = c.shipment_id
where c.pickup_lfd_local >= '2026-03-02' and c.pickup_lfd_local < '2026-03-03'
  and c.current_status not in ('picked_up', 'delivered', 'empty_returned')
order by c.pickup_lfd_local`, "containers_pickup_lfd_local", []string{"TGHU6578122"}},
	{"Demurrage by customer", `
select s.customer_name, f.currency_code, sum(f.amount) as demurrage, count(*) as fees
from fees f
join live_containers c on c.id = f.container_id
left join shipments s on s.id = c.shipment_id
where f.type = 'demurrage' and f.counted and f.cleared_at is null
group by s.customer_name, f.currency_code
order by demurrage desc`, "fees_open", []string{"Acme"}},
	{"Arrivals that were put off", `
select s.bill_of_lading_number, s.customer_name, s.pod_vessel_name, g.old, g.new, g.at
from changes g
join live_shipments s on s.id = g.id
where g.attribute = 'pod_eta_at' and g.at >= '2026-01-01' and g.new > g.old
order by g.seq`, "changes_attribute", []string{"MAEU231812345"}},
	{"What changed since yesterday", `
select g.attribute, g.kind, g.id, g.old, g.new, g.at
from changes g
where g.attribute in ('pod_eta_at', 'current_status', 'available_for_pickup', 'pickup_lfd', 'holds_at_pod_terminal', 'fees_at_pod_terminal')
  and g.at >= '2026-01-01'
order by g.seq`, "changes_attribute", []string{"pod_eta_at"}},
}

func TestQueries(t *testing.T) {
	t.Parallel()
	const page = `{"data":[
{"id":"s1","type":"shipment","attributes":{"bill_of_lading_number":"MAEU231812345","customer_name":"Acme","pod_eta_at":"%s"}},
{"id":"c1","type":"container","attributes":{"number":"TGHU6578122","current_status":"available","pod_timezone":"America/Los_Angeles",
	"pickup_lfd":"2026-03-02T08:00:00Z"},
	"relationships":{"shipment":{"data":{"id":"s1","type":"shipment"}}}},
{"id":"c2","type":"container","attributes":{"number":"MSCU1234566","current_status":"on_ship"}}]}`
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer()
		defer srv.Close()
		m, l := stored(t, db, srv)
		walkPage(t, m, l, fmt.Sprintf(page, "2026-02-19T08:00:00Z"))
		walkPage(t, m, l, fmt.Sprintf(page, "2026-02-20T08:00:00Z"))
		_, err := db.ExecContext(t.Context(), m.db.SQL(`
insert into t49.fees (n, container_id, type, amount, currency_code, counted, first_seen, last_seen, source)
values (1, 'c1', 'demurrage', '300', 'USD', true, '2026-03-03', '2026-03-04', 'walk')`))
		require.NoError(t, err)
		conn, err := db.Conn(t.Context())
		require.NoError(t, err)
		defer conn.Close() //nolint:errcheck // of the test
		if m.db.Dialect == sqlstore.Postgres {
			_, err := conn.ExecContext(t.Context(), "set search_path to t49")
			require.NoError(t, err)
		}
		for _, q := range queries {
			require.Equal(t, q.rows, firstColumn(t, conn, q.sql, 0), q.title)
			if m.db.Dialect == sqlstore.SQLite {
				plan := strings.Join(firstColumn(t, conn, "explain query plan "+q.sql, 3), "\n")
				require.Contains(t, plan, "USING INDEX "+q.index, q.title)
			}
		}
	})
}

// firstColumn returns one column of the rows of a query, as text.
func firstColumn(t *testing.T, conn *sql.Conn, query string, column int) (values []string) {
	t.Helper()
	rows, err := conn.QueryContext(t.Context(), query)
	require.NoError(t, err)
	defer rows.Close() //nolint:errcheck // rows.Err has it
	names, err := rows.Columns()
	require.NoError(t, err)
	for rows.Next() {
		row := make([]any, len(names))
		var value sql.NullString
		for i := range row {
			row[i] = new(any)
		}
		row[column] = &value
		require.NoError(t, rows.Scan(row...))
		values = append(values, value.String)
	}
	require.NoError(t, rows.Err())
	return values
}

func writeQueries(b *strings.Builder) {
	b.WriteString("\n## Queries\n\nIn Postgres after `set search_path to t49`. Put in your own dates. A test runs them on both databases.\n")
	for _, q := range queries {
		fmt.Fprintf(b, "\n%s:\n\n```sql%s;\n```\n", q.title, q.sql)
	}
}

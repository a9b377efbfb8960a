package mirror

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/sqlstore"
)

// readPlain returns the rows of a statement that is sent as it is.
func readPlain(t *testing.T, db *sql.DB, statement string) (all [][]any) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), statement)
	require.NoError(t, err)
	defer rows.Close()
	columns, err := rows.Columns()
	require.NoError(t, err)
	for rows.Next() {
		row, dest := make([]any, len(columns)), make([]any, len(columns))
		for i := range dest {
			dest[i] = &row[i]
		}
		require.NoError(t, rows.Scan(dest...))
		all = append(all, row)
	}
	require.NoError(t, rows.Err())
	return all
}

// allowedQueries are queries as people and models write them, on both databases.
var allowedQueries = []string{
	"select 1",
	"SELECT COUNT(*) FROM containers;",
	"select number from containers order by number",
	"select c.number, s.bill_of_lading_number from containers c join shipments s on s.id = c.shipment_id order by 1",
	"select c.number, s.bill_of_lading_number from containers as c, shipments as s where s.id = c.shipment_id order by c.number limit 3 offset 1",
	"select current_date >= '2026-01-01' and current_timestamp is not null", "select current_status, count(*) as n from containers group by current_status having count(*) > 0 order by n desc, current_status",
	"with owed as (select container_id, sum(amount) as amount from fees where counted and cleared_at is null group by container_id) select c.number, o.amount from owed o join containers c on c.id = o.container_id order by 2 desc, 1",
	"with a as (select id, number from containers), b(x, y) as (select id, number from a) select b.y from b left join a on a.id = b.x order by b.y",
	"select number from containers where id in (select container_id from holds where status = 'hold' and cleared_at is null) order by number",
	"select number from containers c where exists (select 1 from fees f where f.container_id = c.id) order by number",
	"select situation, count(*) from situations group by situation order by situation",
	"select number, row_number() over (partition by port_of_discharge_locode order by number) from containers order by 1",
	"select coalesce(port_of_discharge_name, '-') || ' / ' || number as \"Port / Number\" from containers order by \"Port / Number\"",
	"select case when number like 'M%' then 'm' else 'other' end as kind, count(*) from containers group by 1 order by 1",
	"select number from containers where pickup_lfd_local between '2026-01-01' and '2027-12-31' union all select bill_of_lading_number from shipments order by 1",
	"select count(distinct shipment_id), min(created_at), max(created_at) from containers",
	"select replace(replace(number, 'U', ''), '1', '2') from containers order by 1",
	"select upper(name), length(trim(name)) from ports order by 1",
	"select number from (select number, seal_number from containers where shipment_id is not null) as sealed order by number",
	"select kind, attribute, count(*) from changes group by kind, attribute order by 1, 2 limit 10",
	"select cast(substr(number, 5, 3) as integer) from containers order by 1",
	"select number from containers where number not in ('it''s; --', 'select') and (1 = 1 or -1 < - 2) order by number",
	"select event, timestamp, location_locode from transport_events where invalidated_at is null order by timestamp, event, id limit 5",
	"select number from containers where current_status is distinct from 'picked_up' order by number",
	"select t.name, p.name from terminals t inner join ports p on p.id = t.port_id order by 1, 2",
	"select bill_of_lading_number, string_agg(number, ', ') as numbers from containers group by bill_of_lading_number order by 1",
	"with m as (select bill_of_lading_number as bl, number from containers order by number) select bl, string_agg(number, ', ') from m where bl in (select bill_of_lading_number from shipments) group by bl order by bl",
	"select s.situation, sum(case when h.container_id is null then 0 else 1 end) as held from situations s left join holds h using (container_id) group by s.situation order by 1",
}

// allowedOn are queries for one of the databases.
var allowedOn = map[sqlstore.Dialect][]string{
	sqlstore.SQLite: {
		"select date(pickup_lfd), julianday('now') > 0 from containers order by number",
		"select strftime('%Y-%m', created_at) as month, count(*) from shipments group by month order by month",
		"select shipment_id, group_concat(distinct current_status) from containers group by shipment_id order by 1",
		"select ifnull(seal_number, 'none') from containers order by 1",
	},
	sqlstore.Postgres: {
		"select date_trunc('week', created_at)::date as week, count(*) from shipments group by 1 order by 1",
		"select extract(year from created_at), count(*) filter (where number ilike 'm%') from containers group by 1",
		"select number from containers where created_at > now() - interval '10 years' and created_at < current_timestamp order by number",
		"select number, created_at at time zone 'America/Los_Angeles' from containers order by number",
		"select c.number, l.name from containers c cross join lateral (select name from holds h where h.container_id = c.id order by name limit 1) l order by 1",
		"select position('U' in number) from containers order by number",
		"select percentile_cont(0.5) within group (order by weight_in_lbs) from containers",
		"select distinct on (shipment_id) number from containers order by shipment_id, number",
		"select c.number, v.* from containers c cross join (values (1, 'a'), (2, 'b')) as v(n, letter) order by 1, 2",
	},
}

// A query returns what the database returns for the same statement over the views.
func TestQuery_ReturnsWhatAPlainReadDoes(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		r := seeded(t, db)
		for _, query := range append(allowedQueries[:len(allowedQueries):len(allowedQueries)], allowedOn[r.db.Dialect]...) {
			got, err := r.Query(t.Context(), query, QueryOptions{})
			require.NoError(t, err, query)
			require.False(t, got.More)
			want := readPlain(t, db, plainQuery(r, query))
			require.True(t, len(want) > 0 || strings.Contains(query, "situations"), query) // nothing is assessed here
			require.Len(t, got.Rows, len(want), query)
			for i, row := range want {
				require.Equal(t, texts(row), texts(got.Rows[i]), query)
			}
		}
	})
}

// plainQuery returns a query over views that are tables of with.
func plainQuery(r *Reader, query string) string {
	var b strings.Builder
	for _, v := range schema.Views {
		if !strings.Contains(query, v.Name) && v != schema.Views[0] {
			continue
		}
		var columns []string
		for _, c := range v.Columns {
			columns = append(columns, v.Value(c.Name)+" as "+c.Name)
		}
		from := v.From
		if r.db.Dialect == sqlstore.SQLite {
			from = strings.ReplaceAll(from, "t49.", "main.")
		}
		fmt.Fprintf(&b, ", %s as (select %s from %s)", v.Name, strings.Join(columns, ", "), from)
	}
	query = strings.TrimSuffix(query, ";")
	if rest, found := strings.CutPrefix(query, "with "); found {
		query = ", " + rest
	}
	return r.db.SQL("with " + b.String()[2:] + " " + query)
}

// texts returns values in a form that does not depend on the types of a driver.
func texts(row []any) (all []string) {
	for _, v := range row {
		switch v := v.(type) {
		case time.Time:
			all = append(all, v.UTC().Format("2006-01-02T15:04"))
		case string:
			if at, err := time.Parse(time.RFC3339, strings.TrimSuffix(v, "Z")+"Z"); err == nil {
				v = at.Format("2006-01-02T15:04")
			} else if _, err := time.Parse(time.DateOnly, v); err == nil {
				v += "T00:00"
			}
			all = append(all, v)
		default:
			all = append(all, fmt.Sprint(v))
		}
	}
	return all
}

// Each view can be read, with each of its columns, and none has what is not for users.
func TestQuery_Views(t *testing.T) {
	t.Parallel()
	for _, v := range QueryViews() {
		for _, c := range v.Columns {
			require.NotContains(t, []string{"raw", "digest", "ticket", "until", "parsed", "changeset", "provided_data", "standing", "reported"}, c.Name)
			require.NotContains(t, c.Name, "url")
			require.NotEqual(t, "json", c.Type, c.Name)
		}
	}
	onBoth(t, func(t *testing.T, db *sql.DB) {
		r := seeded(t, db)
		for _, v := range QueryViews() {
			var names []string
			for _, c := range v.Columns {
				names = append(names, "v."+c.Name)
			}
			got, err := r.Query(t.Context(), "select "+strings.Join(names, ", ")+" from "+v.Name+" v limit 3", QueryOptions{})
			require.NoError(t, err, v.Name)
			require.Len(t, got.Columns, len(v.Columns))
			all, err := r.Query(t.Context(), "select * from "+v.Name, QueryOptions{MaxRows: 3})
			require.NoError(t, err, v.Name)
			require.Equal(t, got.Columns, all.Columns)
		}
	})
}

// refusal returns why a query is refused, and fails if it is not.
func refusal(t *testing.T, r *Reader, query string, opts QueryOptions) string {
	t.Helper()
	result, err := r.Query(t.Context(), query, opts)
	var argument *terminal49.ArgumentError
	require.ErrorAs(t, err, &argument, "%s: %+v", query, result)
	require.Equal(t, "sql", argument.Field)
	return argument.Problem
}

// A refused query says what is wrong with it, and what is allowed.
func TestQuery_SaysWhatIsAllowed(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		r := seeded(t, db)
		for query, problem := range map[string]string{
			"delete from containers":                         `must begin with "select" or "with"`,
			"select pickup_ldf from containers":              "did you mean containers.pickup_lfd",
			"select * from container":                        `reads from "container"; the views are containers, shipments`,
			"select sleep(5)":                                `must not call "sleep"; the functions for `,
			"select 1; select 2":                             `must not contain ";"`,
			"select number from containers where x = 'it's'": "must not",
			"select number from containers where id = $1":    "no arguments",
			"select (1":                        "not closed",
			"select 1)":                        "not opened",
			"select s.number from shipments s": "does not work: ",
			"select cast(number as regclass) from containers":  `must not have the type "regclass"; the types are bigint`,
			"select * from t49.containers":                     "without a schema",
			"select " + strings.Repeat("1, ", 100) + "1":       "at most 100 columns",
			"select '" + strings.Repeat("x", 8000) + "'":       "at most 8000 characters",
			strings.Repeat("select (", 99) + "1":               "at most 40 parentheses",
			"with recursive n as (select 1) select * from n":   `must not contain "recursive"`,
			"select '1'" + strings.Repeat(" || '1'", 9):        "at most 8 operators ||",
			"select number from containers for update":         `must not contain "for"`,
			"select number into copied from containers":        `must not contain "into"`,
			"select 1 where 1 in (select a from (values (1)))": `unknown name "a"`,
		} {
			require.Contains(t, refusal(t, r, query, QueryOptions{}), problem, query)
		}
	})
}

// The bounds of a query hold, and its options are checked.
func TestQuery_Bounds(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		r, ctx := seeded(t, db), t.Context()
		got, err := r.Query(ctx, "select a.id, b.id from transport_events a, transport_events b order by a.id, b.id", QueryOptions{})
		require.NoError(t, err)
		require.Len(t, got.Rows, 500)
		require.True(t, got.More)
		require.Equal(t, []string{"id", "id"}, got.Columns)
		require.IsIncreasing(t, ids2(got.Rows), "in the order of the query")

		got, err = r.Query(ctx, "select number from containers order by number", QueryOptions{MaxRows: 8})
		require.NoError(t, err)
		require.Len(t, got.Rows, 8)
		require.False(t, got.More)

		long := "with a as (select '" + strings.Repeat("é", 3000) + "' as x) select x from a, transport_events"
		got, err = r.Query(ctx, long, QueryOptions{})
		require.NoError(t, err)
		require.True(t, got.More)
		require.True(t, got.Shortened)
		require.Len(t, []rune(got.Rows[0][0].(string)), 2000)
		require.LessOrEqual(t, len(got.Rows)*4000, 256<<10)

		var argument *terminal49.ArgumentError
		for _, opts := range []QueryOptions{{MaxRows: 501}, {MaxRows: -1}, {Timeout: 16 * time.Second}, {Timeout: 1}} {
			_, err := r.Query(ctx, "select 1", opts)
			require.ErrorAs(t, err, &argument)
			require.NotEqual(t, "sql", argument.Field)
		}
		_, err = NewReader(nil).Query(ctx, "select 1", QueryOptions{})
		require.ErrorContains(t, err, "db must not be nil")
	})
}

func ids2(rows [][]any) (all []string) {
	for _, row := range rows {
		all = append(all, row[0].(string)+row[1].(string))
	}
	return all
}

// endless are queries that do not end by themselves, at the first row or at a later one.
var endless = []string{
	"select count(*) from changes a, changes b, changes c, changes d, changes e, changes f where a.id || b.id || c.id || d.id || e.id = f.id || 'x'",
	"select 1 union all select count(*) from changes a, changes b, changes c, changes d, changes e, changes f",
	"select a.id from changes a, changes b, changes c, changes d, changes e order by b.id || c.id || d.id || e.id",
	"select distinct a.id || b.id || c.id from changes a, changes b, changes c, changes d, changes e, changes f order by 1",
}

// A query ends with its time and with the context, and the pool works afterwards.
func TestQuery_EndsInTime(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		r := seeded(t, db)
		for _, query := range endless {
			require.Contains(t, refusal(t, r, query, QueryOptions{Timeout: 300 * time.Millisecond}), "takes longer than 300ms", query)
			ctx, cancel := context.WithCancelCause(t.Context())
			cancelled := fmt.Errorf("enough")
			time.AfterFunc(200*time.Millisecond, func() { cancel(cancelled) })
			_, err := r.Query(ctx, query, QueryOptions{})
			require.ErrorIs(t, err, cancelled, query)
		}
		require.Len(t, numbers(t, r, ""), 8)
		_, err := db.ExecContext(t.Context(), r.db.SQL("update t49.containers set seal_number = 'x'"))
		require.NoError(t, err, "the pool's connections write as before")
	})
}

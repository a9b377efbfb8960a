package mirror

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/sqlstore"
	"github.com/go-freight/terminal49/terminal49test"
)

// seeded returns a database with the demo account. Its role may write.
func seeded(t *testing.T, db *sql.DB) *Reader {
	t.Helper()
	srv := terminal49test.NewServer(terminal49test.WithSpeed(0))
	t.Cleanup(srv.Close)
	srv.SeedDemo()
	m, l := stored(t, db, srv)
	for _, s := range plan.WholeLists {
		_, err := m.worker(l).Walks.Walk(t.Context(), s)
		require.NoError(t, err)
	}
	return NewReader(db)
}

// numbers returns the numbers of the selected containers.
func numbers(t *testing.T, r *Reader, clause string, args ...any) (list []string) {
	t.Helper()
	for c, err := range r.Containers(t.Context(), clause, args...) {
		require.NoError(t, err, clause)
		list = append(list, c.Number)
	}
	return list
}

// errorOf returns the error of a clause, which must select nothing.
func errorOf(ctx context.Context, r *Reader, clause string, args ...any) error {
	for c, err := range r.Containers(ctx, clause, args...) {
		if err != nil {
			return err
		}
		return errors.New("selected " + c.ID)
	}
	return nil
}

// A clause that is anything else than where, order by, limit and offset is refused before it is
// sent, or fails, and writes nothing, although the role may write.
func TestRows_ClauseCannotWrite(t *testing.T) {
	t.Parallel()
	refused := []string{
		"where 1=1; delete from containers",
		"where 1=1 -- ",
		"where 1=1 /* x */",
		"delete from containers",
		"; delete from containers",
		"select 1",
		"as c where true",
		", containers c",
		"join shipments on true",
		"where true union select id, type, seen_at, true, raw from containers",
		"where true group by id",
		"limit 1 for update",
		"where number = 'a\\' or number = '; delete from containers; --'",
		"where number = E'a\\'; delete from containers; --'",
		"where number = $$a$$",
		"where number = `number`",
		"where (number = 'a'",
		"where number = 'a')",
		"where number = 'a",
		"where number = \x00",
		"returning id",
	}
	fails := map[sqlstore.Dialect][]string{
		sqlstore.SQLite: {
			"where id in (with x as (insert into containers (id) values ('x') returning id) select id from x)",
			"where id in (delete from containers returning id)",
			"where load_extension('x') = 1",
			"where pickup_ldf_local < '2026'",
			`where "pickup_ldf_local" < '2026'`,
			"where number = [number]",
			"where number = $2",
		},
		sqlstore.Postgres: {
			"where id in (with x as (insert into t49.containers (id) values ('x') returning id) select id from x)",
			"where id in (with x as (delete from t49.containers returning id) select id from x)",
			"where nextval('t49.ticket') > 0",
			"where setval('t49.ticket', 1) > 0",
			"where id in (select id from containers for update)",
			"where set_config('transaction_read_only', 'off', true) = 'off' and nextval('t49.ticket') > 0",
			"where query_to_xml('delete from t49.containers', true, true, '') is not null",
			"where writes() > 0",
			"where pickup_ldf_local < '2026'",
			"where number = $2",
		},
	}
	onBoth(t, func(t *testing.T, db *sql.DB) {
		r := seeded(t, db)
		all := numbers(t, r, "")
		require.Len(t, all, 8)
		if r.db.Dialect == sqlstore.Postgres {
			_, err := db.ExecContext(t.Context(), `create function writes() returns int language plpgsql security definer as
$$ begin delete from t49.containers; return 1; end $$`)
			require.NoError(t, err)
		}
		before := state(t, r, db)
		for _, clause := range refused {
			var argument *terminal49.ArgumentError
			err := errorOf(t.Context(), r, clause)
			require.ErrorAs(t, err, &argument, clause)
			require.Equal(t, "clause", argument.Field)
		}
		for _, clause := range fails[r.db.Dialect] {
			require.Error(t, errorOf(t.Context(), r, clause), clause)
		}
		require.Equal(t, before, state(t, r, db))
		require.Equal(t, all, numbers(t, r, ""))
		_, err := db.ExecContext(t.Context(), r.db.SQL("update t49.containers set seal_number = 'x'"))
		require.NoError(t, err, "the pool's connections write as before")
	})
}

// A table or a column that does not exist is an error that names it, before any row.
func TestRows_UnknownNames(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		r := seeded(t, db)
		for clause, name := range map[string]string{
			"where pickup_ldf_local < $1":                           "pickup_ldf_local",
			"where $1 <> '' order by vessel_name":                   "vessel_name",
			"where number = $1 and containers.vessel_name = 'x'":    "vessel_name",
			"where id in (select id from holdings where name = $1)": "holdings",
		} {
			err := errorOf(t.Context(), r, clause, "x")
			require.ErrorContains(t, err, "mirror: containers "+clause+":")
			_, problem, _ := strings.Cut(err.Error(), clause)
			require.Contains(t, problem, name)
			require.NotContains(t, problem, "selected")
		}
	})
}

// state is what a clause could have changed.
func state(t *testing.T, r *Reader, db *sql.DB) []int64 {
	t.Helper()
	all := make([]int64, 3)
	require.NoError(t, db.QueryRow(r.db.SQL("select count(*) from t49.containers")).Scan(&all[0]))
	require.NoError(t, db.QueryRow(r.db.SQL("select count(*) from t49.changes")).Scan(&all[1]))
	if r.db.Dialect == sqlstore.Postgres {
		require.NoError(t, db.QueryRow("select last_value from t49.ticket").Scan(&all[2]))
	}
	return all
}

// What a user types works as expected on both databases.
func TestRows_Clauses(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		r := seeded(t, db)
		all := numbers(t, r, "order by number")
		require.Len(t, all, 8)
		require.Equal(t, all[:3], numbers(t, r, "order by number limit 3"))
		require.Equal(t, all[1:3], numbers(t, r, "ORDER BY containers.number LIMIT $1 OFFSET $2", 2, 1))
		require.Equal(t, all[4:5], numbers(t, r, "where number = $1", all[4]))
		require.Equal(t, all[4:5], numbers(t, r, `where "number" = $1 and number <> 'it''s; -- ok'`, all[4]))
		require.Equal(t, all, numbers(t, r, "where shipment_id in (select id from shipments) order by number"))
		require.Equal(t, all, numbers(t, r, "where created_at < $1 order by number", time.Now().Add(time.Hour)))
		require.Equal(t, all, numbers(t, r, "where created_at < $1 order by number", time.Now().In(time.FixedZone("x", 7200)).Add(time.Hour)))
		require.Empty(t, numbers(t, r, "where created_at > $1", time.Now().Add(time.Hour)))
		require.Len(t, numbers(t, r, "where current_status = $1", terminal49.StatusOnShip),
			len(numbers(t, r, "where current_status = 'on_ship'")))
		require.Empty(t, numbers(t, r, "where number = $1", "'; delete from containers; --"))
		require.NoError(t, errorOf(t.Context(), r, "where false"))
		require.Equal(t, all[:1], numbers(t, r, "where number is not distinct from $1", all[0]))
		require.Empty(t, numbers(t, r, "where pickup_lfd_local < $1", terminal49.Date{Year: 2001, Month: time.January, Day: 1}))
		require.Len(t, numbers(t, r, "where created_at <= $1", terminal49.NewTime(time.Now().Add(time.Hour), "America/Los_Angeles")), 8)
	})
}

// A clause that takes long ends with the context, and so does one that waits in Postgres.
func TestRows_EndWithTheContext(t *testing.T) {
	t.Parallel()
	slow := map[sqlstore.Dialect]string{
		sqlstore.SQLite:   "where (with recursive x(n) as (select 1 union all select n + 1 from x) select count(*) from x) > 0",
		sqlstore.Postgres: "where pg_sleep(3600) is not null",
	}
	onBoth(t, func(t *testing.T, db *sql.DB) {
		r := seeded(t, db)
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		ended := make(chan error, 1)
		go func() { ended <- errorOf(ctx, r, slow[r.db.Dialect]) }()
		select {
		case err := <-ended:
			require.Error(t, err)
		case <-time.After(time.Minute): // less than it would take
			t.Fatal("it goes on")
		}
		require.Len(t, numbers(t, r, ""), 8, "the pool still works")
	})
}

// A result that fits into one page holds no connection while the loop runs, and a loop may end
// early.
func TestRows_OneConnectionIsEnough(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		r := seeded(t, db)
		db.SetMaxOpenConns(1)
		for c, err := range r.Containers(t.Context(), "") {
			require.NoError(t, err)
			same, err := r.Container(t.Context(), c.ID)
			require.NoError(t, err)
			require.Equal(t, c.Number, same.Number)
		}
		for range r.Containers(t.Context(), "") {
			break
		}
		require.NoError(t, db.PingContext(t.Context()))
	})
}

// The short forms find what the service's own methods would.
func TestRows_Lookups(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		r, ctx := seeded(t, db), t.Context()
		for s, err := range r.Shipments(ctx, "") {
			require.NoError(t, err)
			same, err := r.Shipment(ctx, s.ID)
			require.NoError(t, err)
			require.Equal(t, s.BillOfLadingNumber, same.BillOfLadingNumber)
			found, err := r.ShipmentsByNumber(ctx, s.BillOfLadingNumber)
			require.NoError(t, err)
			require.Equal(t, s.ID, found[0].ID)
			containers, complete := s.Containers.Values()
			require.True(t, complete)
			for _, reference := range s.ReferenceNumbers {
				found, err := r.ShipmentsByReference(ctx, reference)
				require.NoError(t, err)
				require.Contains(t, ids(found), s.ID)
				of, err := r.ContainersByReference(ctx, reference)
				require.NoError(t, err)
				require.Subset(t, ids(of), ids(containers))
			}
			for _, c := range containers {
				_, complete := c.TransportEvents.Values()
				require.True(t, complete)
				found, err := r.ContainersByNumber(ctx, " "+c.Number[:4]+" "+c.Number[4:])
				require.NoError(t, err)
				require.Contains(t, ids(found), c.ID)
			}
		}
		_, err := r.Container(ctx, "none")
		require.ErrorIs(t, err, sql.ErrNoRows)
		found, err := r.ContainersByNumber(ctx, "MSCU0000000")
		require.NoError(t, err)
		require.Empty(t, found)
		require.ErrorContains(t, errorOf(ctx, NewReader(nil), ""), "db must not be nil")
	})
}

// ids returns the ids of resources, as a printed resource ends with it.
func ids[T fmt.Stringer](list []T) (all []string) {
	for _, v := range list {
		all = append(all, uuid.FindString(v.String()))
	}
	return all
}

var uuid = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`)

// AsOf is when the resource was last read: by the reading that wrote the row, or by a later whole
// walk that showed the same, unless the resource was marked since.
func TestRows_AsOf(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		began := time.Now().Truncate(time.Microsecond)
		r, old := seeded(t, db), time.Date(2020, 1, 2, 3, 4, 5, 6000, time.UTC)
		all := numbers(t, r, "order by number")
		for _, statement := range []string{"update t49.containers set seen_at = $1", "update t49.transport_events set seen_at = $1"} {
			_, err := db.ExecContext(t.Context(), r.db.SQL(statement), r.db.Time(old))
			require.NoError(t, err)
		}
		_, err := db.ExecContext(t.Context(), r.db.SQL(`insert into t49.dirty (kind, id, ticket, due_at, not_before)
select 'container', id, 1000000, seen_at, seen_at from t49.containers where number = $1`), all[0])
		require.NoError(t, err)
		for c, err := range r.Containers(t.Context(), "order by number") {
			require.NoError(t, err)
			if c.Number == all[0] {
				require.Equal(t, old, c.AsOf)
			} else {
				require.WithinRange(t, c.AsOf, began, time.Now())
			}
			for _, e := range valuesOf(c.TransportEvents) {
				require.Equal(t, old, e.AsOf)
			}
		}
	})
}

func valuesOf[V any](r terminal49.ToMany[V]) []V {
	values, _ := r.Values()
	return values
}

// Without tables the error says what to do.
func TestRows_WithoutTables(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		require.ErrorContains(t, errorOf(t.Context(), NewReader(db), ""), "has no copy")
	})
}

// Deleted rows are left out unless they are asked for.
func TestRows_Deleted(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		r := seeded(t, db)
		all := numbers(t, r, "order by number")
		_, err := db.ExecContext(t.Context(), r.db.SQL("update t49.containers set missing_since = $1, deleted_at = $1 where number = $2"), r.db.Time(time.Now()), all[0])
		require.NoError(t, err)
		require.Equal(t, all[1:], numbers(t, r, "order by number"))
		require.Equal(t, all, numbers(t, r.WithDeleted(), "order by number"))
	})
}

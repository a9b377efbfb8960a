package mirror

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit/engines"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/sqlstore"
)

// manyContainers stores containers that need several pages, each with a transport event.
func manyContainers(t *testing.T, db *sql.DB, n int) {
	t.Helper()
	m, all := offline(t, db), []string(nil)
	for i := range n {
		all = append(all, fmt.Sprintf(`{"id":"c%04d","type":"container","attributes":{"number":"N%04[1]d"},
"relationships":{"transport_events":{"data":[{"id":"e%04[1]d","type":"transport_event"}]}}}`, i),
			fmt.Sprintf(`{"id":"e%04d","type":"transport_event","attributes":{"event":"container.transport.empty_out"},
"relationships":{"container":{"data":{"id":"c%04[1]d","type":"container"}}}}`, i))
	}
	m.write(plan.Reading{Ticket: 1, Until: 1, Sent: time.Now(), Source: "walk"}, all...)
}

// However a loop ends, nothing is read any more, and its connection is in the pool again and writes
// as before.
func TestRows_ReadingAheadEndsWithTheLoop(t *testing.T) {
	t.Parallel()
	type loop func(t *testing.T, ctx context.Context, cancel func(), all iter.Seq2[*terminal49.Container, error])
	loops := map[string]loop{
		"break": func(_ *testing.T, _ context.Context, _ func(), all iter.Seq2[*terminal49.Container, error]) {
			for range all {
				break
			}
		},
		"panic": func(t *testing.T, _ context.Context, _ func(), all iter.Seq2[*terminal49.Container, error]) {
			require.PanicsWithValue(t, "body", func() {
				for range all {
					panic("body")
				}
			})
		},
		"exit": func(_ *testing.T, _ context.Context, _ func(), all iter.Seq2[*terminal49.Container, error]) {
			ended := make(chan bool)
			go func() {
				defer close(ended)
				for range all {
					runtime.Goexit() // as t.FailNow does
				}
			}()
			<-ended
		},
		"context": func(t *testing.T, _ context.Context, cancel func(), all iter.Seq2[*terminal49.Container, error]) {
			var last error
			n := 0
			for _, last = range all {
				n++
				cancel()
			}
			require.ErrorIs(t, last, context.Canceled)
			require.Less(t, n, 450)
		},
		"all": func(t *testing.T, _ context.Context, _ func(), all iter.Seq2[*terminal49.Container, error]) {
			n := 0
			for _, err := range all {
				require.NoError(t, err)
				n++
			}
			require.Equal(t, 450, n)
		},
	}
	onBoth(t, func(t *testing.T, db *sql.DB) {
		manyContainers(t, db, 450)
		r := NewReader(db)
		db.SetMaxOpenConns(1)
		for name, run := range loops {
			for range 2 {
				ctx, cancel := context.WithCancel(t.Context())
				run(t, ctx, cancel, r.Containers(ctx, "order by number"))
				cancel()
				if name != "context" { // with which database/sql itself ends a transaction, soon
					require.Zero(t, db.Stats().InUse, name)
				}
				_, err := db.ExecContext(t.Context(), r.db.SQL("update t49.containers set seal_number = $1"), name)
				require.NoError(t, err, name)
			}
		}
	})
}

// A loop that is left does not wait for the next rows, however slow they are. (The driver of SQLite
// cannot be interrupted within a row, except the first one.)
func TestRows_ReadingSlowlyEndsWithTheLoop(t *testing.T) {
	t.Parallel()
	dsn := engines.SharedPostgres(t).NewDatabase(t)
	db := open(t, "pgx", dsn)
	manyContainers(t, db, 450)
	r, other := NewReader(db), open(t, "pgx", dsn)
	db.SetMaxOpenConns(1)
	for _, leave := range []func(cancel func()) bool{
		func(func()) bool { return true },
		func(cancel func()) bool { cancel(); return false },
	} {
		ctx, cancel := context.WithCancel(t.Context())
		var once sync.Once
		for _, err := range r.Containers(ctx, "where number < 'N0300' or pg_sleep(3600) is not null") {
			once.Do(func() { soon(t, func() bool { return sleeps(t, other) }) }) // the slow rows are being read
			if err != nil || leave(cancel) {
				break
			}
		}
		cancel()
		require.Len(t, numbers(t, r, "where number < 'N0003'"), 3)
	}
}

// sleeps reports whether a statement of the database sleeps.
func sleeps(t *testing.T, db *sql.DB) (does bool) {
	t.Helper()
	require.NoError(t, db.QueryRow("select exists (select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep')").Scan(&does))
	return does
}

// Without events a container has all but those.
func TestRows_WithoutEvents(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		r := seeded(t, db)
		want, n := map[string]*terminal49.Container{}, 0
		for c, err := range r.Containers(t.Context(), "") {
			require.NoError(t, err)
			want[c.ID] = c
		}
		for got, err := range r.WithoutEvents().Containers(t.Context(), "") {
			require.NoError(t, err)
			_, complete := got.TransportEvents.Values()
			require.False(t, complete)
			require.Equal(t, want[got.ID].TransportEvents.IDs(), got.TransportEvents.IDs())
			a, ok := want[got.ID].Shipment.Value()
			require.True(t, ok)
			b, ok := got.Shipment.Value()
			require.True(t, ok)
			require.Equal(t, a.PODETA, b.PODETA)
			require.Equal(t, want[got.ID].PODDischargedAt, got.PODDischargedAt)
			n++
		}
		require.Len(t, want, n)
	})
}

// A row whose JSON is damaged is an error that names the row, wherever it is among those that a
// read needs. It never is a panic, and never a value.
func TestRows_Damaged(t *testing.T) {
	t.Parallel()
	damages := map[sqlstore.Dialect][]string{
		sqlstore.SQLite: {
			"", " ", "{", "}", "{}", "[]", "null", `"x"`, "\x00", `{"id":"`, "{\"id\":\"c0001\"", "{]}", `{"id":"c0001","type":"container","attributes":{"number":"N}`,
			`{"id":"c0001","type":"container","attributes":{"number":"N"}`, `{"id":"c0001","type":"container"}}`,
		},
		sqlstore.Postgres: {"{}", "[]", "null", `"x"`, "7", `{"a":1}`},
	}
	onBoth(t, func(t *testing.T, db *sql.DB) {
		manyContainers(t, db, 3)
		r := NewReader(db)
		require.Len(t, numbers(t, r, ""), 3)
		for table, row := range map[string]string{"containers": "container c0001", "transport_events": "transport_event e0001"} {
			_, id, _ := strings.Cut(row, " ")
			var sound string
			require.NoError(t, db.QueryRow(r.db.SQL("select raw from t49."+table+" where id = $1"), id).Scan(&sound))
			for _, damage := range damages[r.db.Dialect] {
				_, err := db.Exec(r.db.SQL("update t49."+table+" set raw = $1 where id = $2"), damage, id)
				require.NoError(t, err)
				err = errorOf(t.Context(), r, "where id = 'c0001'")
				require.ErrorContains(t, err, "the JSON of "+row+" is damaged", damage)
				require.Equal(t, 1, strings.Count(err.Error(), "mirror: "), err)
				require.ErrorContains(t, err, `"terminal49-mirror repair `+row+`"`, damage)
				_, err = r.Container(t.Context(), "c0001")
				require.ErrorContains(t, err, row, damage)
				require.Len(t, numbers(t, r, "where id <> 'c0001'"), 2)
			}
			_, err := db.Exec(r.db.SQL("update t49."+table+" set raw = $1 where id = $2"), sound, id)
			require.NoError(t, err)
		}
		require.Len(t, numbers(t, r, ""), 3)
	})
}

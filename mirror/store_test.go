package mirror

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/mirror/internal/worker"
	"github.com/go-freight/terminal49/terminal49test"
)

// leading is a mirror, and its work while it has the lease.
type leading struct {
	*Mirror
	work *worker.Worker
}

func lead(m *Mirror, l *store.Lease) *leading { return &leading{m, m.worker(l)} }

// stored returns a mirror with tables, and the right to write.
func stored(t *testing.T, db *sql.DB, srv *terminal49test.Server) (*Mirror, *store.Lease) {
	t.Helper()
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(srv.HTTPClient()))
	require.NoError(t, err)
	m, err := New(client, db)
	require.NoError(t, err)
	require.NoError(t, m.Migrate(t.Context()))
	require.NoError(t, m.Migrate(t.Context()), "a second time")
	l := store.NewLease()
	has, err := m.db.TakeLease(t.Context(), l, time.Now())
	require.NoError(t, err)
	require.True(t, has)
	return m, l
}

// A process that lost its lease cannot write.
func TestApply_OnlyWithTheLease(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer()
		defer srv.Close()
		m, l := stored(t, db, srv)
		other := store.NewLease()
		has, err := m.db.TakeLease(t.Context(), other, time.Now())
		require.NoError(t, err)
		require.False(t, has)
		has, err = m.db.TakeLease(t.Context(), other, time.Now().Add(time.Minute))
		require.NoError(t, err)
		require.True(t, has)
		require.Equal(t, l.Epoch+1, other.Epoch)
		require.ErrorIs(t, m.db.Apply(t.Context(), l, "test", func(*store.Tx) error { t.Error("applied"); return nil }), store.ErrLeaseLost)
	})
}

// Each transaction renews the lease, so that another process does not take it from one that writes
// all the time. A process that takes it on purpose gets it nevertheless.
func TestApply_RenewsTheLease(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer()
		defer srv.Close()
		m, l := stored(t, db, srv)
		other, now := store.NewLease(), time.Now()
		for i := range 3 {
			has, err := m.db.TakeLease(t.Context(), other, now.Add(time.Duration(i)*store.LeaseTime))
			require.NoError(t, err)
			require.False(t, has)
			require.NoError(t, m.db.Apply(t.Context(), l, "test", func(*store.Tx) error { return nil }))
		}
		require.NoError(t, m.db.Apply(t.Context(), l, "test", func(*store.Tx) error { return nil }))
		has, err := m.db.SeizeLease(t.Context(), other)
		require.NoError(t, err)
		require.True(t, has)
	})
}

// A holder renews the lease in each transaction. If one commits while another process takes the
// lease, the holder keeps it, however old the lease was when the other one read it.
func TestApply_RenewsALeaseThatIsBeingTaken(t *testing.T) {
	t.Parallel()
	srv, db := terminal49test.NewServer(), postgres(t)
	defer srv.Close()
	m, l := stored(t, db, srv)
	other, now := store.NewLease(), time.Now()
	take := func(at time.Time) bool {
		has, err := m.db.TakeLease(t.Context(), other, at)
		assert.NoError(t, err)
		return has
	}
	require.False(t, take(now))
	taken := make(chan bool, 1)
	require.NoError(t, m.db.Apply(t.Context(), l, "test", func(*store.Tx) error {
		go func() { taken <- take(now.Add(store.LeaseTime)) }()
		soon(t, func() bool {
			return len(m.strings(t, "select wait_event from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")) == 1
		}, "the other process waits for the transaction")
		return nil
	}))
	require.False(t, <-taken)
	require.NoError(t, m.db.Apply(t.Context(), l, "test", func(*store.Tx) error { return nil }))
}

func TestWrite_StoresAPage(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer()
		defer srv.Close()
		srv.SeedDemo()
		m, l := stored(t, db, srv)
		ctx := context.Background()
		ticket, err := m.db.Draw(ctx)
		require.NoError(t, err)
		var page model.Document
		require.NoError(t, m.client.Do(ctx, terminal49.Request{Method: "GET", Path: "/shipments", Query: map[string][]string{"include": {"containers"}}}, &page))
		err = m.db.Apply(ctx, l, "test", func(tx *store.Tx) error {
			return tx.Write(ctx, plan.Reading{Ticket: ticket, Until: ticket, Sent: time.Now(), Source: "walk"}, page.All())
		})
		require.NoError(t, err)
		for kind, table := range map[string]string{"shipment": "shipments", "container": "containers"} {
			n := 0
			for r := range srv.Snapshot(kind) {
				var raw []byte
				require.NoError(t, db.QueryRow(m.db.SQL("select raw from t49."+table+" where id = $1"), r.ID).Scan(&raw))
				require.JSONEq(t, string(r.JSON), string(raw))
				n++
			}
			require.NotZero(t, n)
		}
	})
}

// Drivers send UTF-8 and read ISO dates, shortest floats and hex (pgx/v5, pgtype; Postgres 15,
// chapter 55.2.7: a session's settings decide how a value is sent). Other settings of a caller's
// sessions are refused before anything is stored, with the remedy.
func TestMigrate_RefusesSettingsThatChangeValues(t *testing.T) {
	t.Parallel()
	srv := terminal49test.NewServer()
	defer srv.Close()
	for setting, value := range map[string]string{
		"client_encoding": "LATIN1", "DateStyle": "German", "bytea_output": "escape", "extra_float_digits": "-10", "standard_conforming_strings": "off",
	} {
		db := postgresWith(t, setting+"="+value)
		var wrong *terminal49.ArgumentError
		require.ErrorAs(t, accepting(t, db, srv).Migrate(t.Context()), &wrong, setting)
		require.Equal(t, "db", wrong.Field)
		require.Contains(t, wrong.Problem, setting+" = ")
		require.ErrorAs(t, accepting(t, db, srv).Run(t.Context()), &wrong, setting)
		_, err := NewReader(db).Shipment(t.Context(), "x")
		require.ErrorAs(t, err, &wrong, setting)
	}
	for _, setting := range []string{"client_encoding=UTF8", "client_encoding=SQL_ASCII", "TimeZone=Asia/Kathmandu", "IntervalStyle=sql_standard", "search_path=nowhere"} {
		require.NoError(t, accepting(t, postgresWith(t, setting), srv).Migrate(t.Context()), setting)
	}
}

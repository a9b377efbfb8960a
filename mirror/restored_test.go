package mirror

import (
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/sqlstore"
)

// setTicket sets the latest ticket of the database, as a restore does.
func (m *testMirror) setTicket(n int64) {
	m.Helper()
	if m.db.Dialect == sqlstore.Postgres {
		m.row("select setval('t49.ticket', $1)", n)
		return
	}
	m.exec("update tickets set n = $1", n)
}

// A process notices at its next step that the database has less than it has committed, writes
// nothing of what it read before, and goes on with tickets that nobody has drawn.
func TestRestored_IsNoticed(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		for name, restore := range map[string]func(*testMirror) error{
			"a transaction is missing": func(m *testMirror) error {
				m.exec("update t49.leases set writes = writes - 1")
				return m.db.Apply(t.Context(), m.lease, "test", func(*store.Tx) error { t.Error("applied"); return nil })
			},
			"tickets are missing, as a transaction notices": func(m *testMirror) error {
				m.setTicket(50)
				return m.db.Apply(t.Context(), m.lease, "test", func(*store.Tx) error { t.Error("applied"); return nil })
			},
			"tickets are missing, as a request notices": func(m *testMirror) error {
				m.setTicket(50)
				_, err := m.db.Draw(t.Context())
				return err
			},
			"tickets are missing, as a response notices": func(m *testMirror) error {
				m.setTicket(50)
				_, err := m.db.Drawn(t.Context())
				return err
			},
		} {
			m := newTestMirror(t, db)
			m.setTicket(100)
			drawn, err := m.db.Draw(t.Context())
			require.NoError(t, err)
			require.EqualValues(t, 101, drawn)
			m.do(func(*store.Tx) error { return nil })
			err = restore(m)
			require.ErrorIs(t, err, store.ErrRestored, name)
			require.ErrorIs(t, err, store.ErrLeaseLost, "it ends the turn")
			require.ErrorIs(t, m.db.Apply(t.Context(), m.lease, "test", func(*store.Tx) error { t.Error("applied"); return nil }), store.ErrRestored)

			_, err = m.db.RenewLease(t.Context(), m.lease)
			require.ErrorIs(t, err, store.ErrRestored, "it is noted")
			require.ErrorIs(t, m.db.Apply(t.Context(), m.lease, "test", func(*store.Tx) error { t.Error("applied"); return nil }), store.ErrRestored, "of the old turn")
			has, err := m.db.RenewLease(t.Context(), m.lease)
			require.NoError(t, err)
			require.True(t, has)
			m.do(func(*store.Tx) error { return nil })
			next, err := m.db.Draw(t.Context())
			require.NoError(t, err)
			require.Greater(t, next, drawn, name)
			asked, err := m.db.CursorNumber(t.Context(), store.CursorReconcileAsked)
			require.NoError(t, err)
			require.Greater(t, asked, drawn)
			s, err := m.Status(t.Context())
			require.NoError(t, err)
			require.WithinDuration(t, time.Now(), s.Restored, time.Minute)
			m.exec("delete from t49.cursors")
			m.exec("delete from t49.leases")
		}
	})
}

// A transaction that is rolled back is not a restore, although SQLite draws its tickets again.
func TestRestored_NotAfterARollback(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := newTestMirror(t, db)
		failed := errors.New("no")
		for range 3 {
			require.ErrorIs(t, m.db.Apply(t.Context(), m.lease, "test", func(tx *store.Tx) error {
				_, err := tx.Ticket(t.Context())
				require.NoError(t, err)
				return failed
			}), failed)
			m.do(func(tx *store.Tx) error {
				_, err := tx.Ticket(t.Context())
				return err
			})
		}
		_, err := m.db.Draw(t.Context())
		require.NoError(t, err)
		has, err := m.db.RenewLease(t.Context(), m.lease)
		require.NoError(t, err)
		require.True(t, has)
	})
}

// A process that waits for the lease notices it, too.
func TestRestored_IsNoticedWithoutTheLease(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := newTestMirror(t, db)
		other := another(t, db)
		l := store.NewLease()
		m.do(func(*store.Tx) error { return nil })
		has, err := other.db.RenewLease(t.Context(), l)
		require.NoError(t, err)
		require.False(t, has)
		m.exec("update t49.leases set writes = 0")
		_, err = other.db.RenewLease(t.Context(), l)
		require.ErrorIs(t, err, store.ErrRestored)
		require.NotEmpty(t, m.row("select value from t49.cursors where name = 'restored'"))
		has, err = other.db.RenewLease(t.Context(), l)
		require.NoError(t, err)
		require.False(t, has)
	})
}

// another returns another mirror into a database.
func another(t *testing.T, db *sql.DB) *Mirror {
	t.Helper()
	client, err := terminal49.New("Zr8xW2kQ9vB4nT7m")
	require.NoError(t, err)
	m, err := New(client, db)
	require.NoError(t, err)
	require.NoError(t, m.Migrate(t.Context()))
	return m
}

// Restored by hand: the running mirror loses its turn, and everything is to be read again.
func TestRestored_ByHand(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := newTestMirror(t, db)
		drawn, err := m.db.Draw(t.Context())
		require.NoError(t, err)
		require.NoError(t, another(t, db).Restored(t.Context()))
		require.ErrorIs(t, m.db.Apply(t.Context(), m.lease, "test", func(*store.Tx) error { t.Error("applied"); return nil }), store.ErrLeaseLost)
		asked, err := m.db.CursorNumber(t.Context(), store.CursorReconcileAsked)
		require.NoError(t, err)
		require.Greater(t, asked, drawn)
		s, err := m.Status(t.Context())
		require.NoError(t, err)
		require.False(t, s.Restored.IsZero())
	})
}

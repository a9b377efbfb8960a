package mirror

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/terminal49test"
)

// stored returns a mirror with tables, and the right to write.
func stored(t *testing.T, db *sql.DB, srv *terminal49test.Server) (*Mirror, *lease) {
	t.Helper()
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(srv.HTTPClient()))
	require.NoError(t, err)
	m, err := New(client, db)
	require.NoError(t, err)
	require.NoError(t, m.Migrate(t.Context()))
	require.NoError(t, m.Migrate(t.Context()), "a second time")
	l := newLease()
	has, err := m.db.take(t.Context(), l, time.Now())
	require.NoError(t, err)
	require.True(t, has)
	return m, l
}

// Fleet-mirror 6.3: a process that lost its lease cannot write.
func TestApply_OnlyWithTheLease(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer()
		defer srv.Close()
		m, l := stored(t, db, srv)
		other := newLease()
		has, err := m.db.take(t.Context(), other, time.Now())
		require.NoError(t, err)
		require.False(t, has)
		has, err = m.db.take(t.Context(), other, time.Now().Add(time.Minute))
		require.NoError(t, err)
		require.True(t, has)
		require.Equal(t, l.epoch+1, other.epoch)
		require.ErrorIs(t, m.apply(t.Context(), l, "test", func(*tx) error { t.Error("applied"); return nil }), errLeaseLost)
	})
}

func TestWrite_StoresAPage(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer()
		defer srv.Close()
		srv.SeedDemo()
		m, l := stored(t, db, srv)
		ctx := context.Background()
		ticket, err := m.db.draw(ctx, db)
		require.NoError(t, err)
		var page model.Document
		require.NoError(t, m.client.Do(ctx, terminal49.Request{Method: "GET", Path: "/shipments", Query: map[string][]string{"include": {"containers"}}}, &page))
		err = m.apply(ctx, l, "test", func(tx *tx) error {
			return tx.write(ctx, plan.Reading{Ticket: ticket, Until: ticket, Sent: time.Now(), Source: "walk"}, page.All())
		})
		require.NoError(t, err)
		for kind, table := range map[string]string{"shipment": "shipments", "container": "containers"} {
			n := 0
			for r := range srv.Snapshot(kind) {
				var raw []byte
				require.NoError(t, db.QueryRow(m.db.sql("select raw from t49."+table+" where id = $1"), r.ID).Scan(&raw))
				require.JSONEq(t, string(r.JSON), string(raw))
				n++
			}
			require.NotZero(t, n)
		}
	})
}

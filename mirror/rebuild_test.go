package mirror

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/terminal49test"
)

// The columns of all tables are the same after they were emptied and rebuilt from raw, without a
// request.
func TestRebuild(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer()
		defer srv.Close()
		srv.SeedDemo()
		m, l := stored(t, db, srv)
		w := &testMirror{m, t, l}
		var page model.Document
		for _, read := range []terminal49.Request{
			{Method: "GET", Path: "/shipments", Query: map[string][]string{"include": {"containers,port_of_lading,pod_terminal"}}},
			{Method: "GET", Path: "/containers", Query: map[string][]string{"include": {"transport_events"}}},
			{Method: "GET", Path: "/tracking_requests"},
		} {
			var some model.Document
			require.NoError(t, m.client.Do(t.Context(), read, &some))
			page.Data = append(page.Data, some.All()...)
		}
		w.do(func(tx *store.Tx) error { return tx.Write(t.Context(), between(1, 1), page.All()) })

		before, count := map[string][]string{}, 0
		for _, into := range schema.Tables {
			before[into.Name] = w.all("select * from t49." + into.Name + " order by id")
			count += len(before[into.Name])
			if len(before[into.Name]) > 0 {
				_, err := db.Exec(m.db.SQL("update t49." + into.Name + " set " + strings.Join(into.ColumnNames(), " = null, ") + " = null"))
				require.NoError(t, err)
			}
		}
		require.Greater(t, count, 50)
		changes := w.changes()
		srv.Close()
		require.NoError(t, m.Rebuild(t.Context()))
		for name, rows := range before {
			for i, row := range w.all("select * from t49." + name + " order by id") {
				require.Equal(t, rows[i], row, name)
			}
		}
		require.Equal(t, changes, w.changes())
	})
}

// A database that is larger than a page of rows is rebuilt as well.
func TestRebuild_Pages(t *testing.T) {
	t.Parallel()
	m := newTestMirror(t, sqliteFile(t))
	var all []string
	for i := range 2*store.RebuildPage + 1 {
		all = append(all, strings.Replace(onVessel("X"), `"A"`, fmt.Sprintf(`"%04d"`, i), 1))
	}
	m.write(between(1, 1), all...)
	_, err := m.db.Pool.Exec("update shipments set pod_vessel_name = null")
	require.NoError(t, err)
	require.NoError(t, m.Rebuild(t.Context()))
	require.Equal(t, "1001", m.row("select count(*) from shipments where pod_vessel_name = 'X'"))
}

// A command waits for the lock of another program, as a running mirror does.
func TestUnlocked_WaitsForTheLockOfAnotherProgram(t *testing.T) {
	t.Parallel()
	dsn := "file:" + filepath.Join(t.TempDir(), "mirror.db") + "?_pragma=busy_timeout(10)&_pragma=journal_mode(WAL)"
	m := newTestMirror(t, open(t, "sqlite", dsn))
	m.write(between(1, 1), onVessel("X"))
	require.NoError(t, m.db.ReleaseLease(t.Context(), m.lease))
	for name, command := range map[string]func(context.Context) error{
		"rebuild":  m.Rebuild,
		"forget":   func(ctx context.Context) error { return m.Forget(ctx, Ref{"party", "P"}) },
		"restored": m.Restored,
	} {
		other, err := open(t, "sqlite", dsn+"&_txlock=immediate").Begin()
		require.NoError(t, err)
		short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		require.Error(t, command(short), name)
		require.Error(t, short.Err(), "%s waited", name)
		cancel()
		ended := make(chan error, 1)
		go func() { ended <- command(t.Context()) }()
		require.NoError(t, other.Rollback())
		require.NoError(t, <-ended, name)
	}
}

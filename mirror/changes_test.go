package mirror

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// Changes are read in pages, and no connection is held while the loop's body runs: with a single
// one, the body would wait forever.
func TestChanges_Pages(t *testing.T) {
	t.Parallel()
	m := offline(t, sqliteMemory(t))
	const count = 2*changesPage + 3
	var all []string
	for i := range count {
		all = append(all, fmt.Sprintf(`{"type":"party","id":"%05d","attributes":{"company_name":"x"}}`, i))
	}
	m.write(between(1, 1), all...)
	next := int64(4)
	for c, err := range m.Changes(t.Context(), Position(m.row("select position from changes where seq = 3"))) {
		require.NoError(t, err)
		require.Equal(t, next, c.Seq)
		require.Equal(t, fmt.Sprintf("%05d", next-1), c.ID)
		require.Equal(t, "party", c.Kind)
		next++
		if c.Seq%250 == 0 {
			require.Equal(t, fmt.Sprint(count), m.row("select count(*) from changes"))
		}
	}
	require.Equal(t, int64(count+1), next)
	for range m.Changes(t.Context(), "") {
		break
	}
}

// An error is yielded once, at the end.
func TestChanges_Error(t *testing.T) {
	t.Parallel()
	m := offline(t, sqliteMemory(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var errs []error
	for _, err := range m.Changes(ctx, "") {
		errs = append(errs, err)
	}
	require.Len(t, errs, 1)
	require.ErrorIs(t, errs[0], context.Canceled)
}

// Numbers of changes have no gaps if transactions are rolled back.
func TestChanges_NoGaps(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := offline(t, db)
		for i := range 6 {
			err := m.db.Apply(t.Context(), m.lease, "test", func(tx *store.Tx) error {
				if err := tx.Write(t.Context(), between(int64(i+1), int64(i+1)), list(t, onVessel(fmt.Sprint(i)))); err != nil || i%2 == 0 {
					return err
				}
				return context.Canceled
			})
			require.Equal(t, i%2 == 1, err != nil)
		}
		assert.Equal(t, []string{`shipment A id - "A" poll`, `shipment A pod_vessel_name "0" "2" poll`, `shipment A pod_vessel_name "2" "4" poll`}, m.changes())
	})
}

// Behind PgBouncer in transaction mode, statements are not prepared, or not by name.
func TestWrite_WithoutPreparedStatements(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"exec", "simple_protocol", "describe_exec"} {
		t.Run(mode, func(t *testing.T) {
			db := postgresWith(t, "default_query_exec_mode="+mode)
			m := offline(t, db)
			m.write(between(1, 1), forgetShipment, forgetContainer, forgetEvent)
			m.write(between(2, 3), strings.Replace(forgetContainer, "customs", "freight", 1), onVessel("X"))
			m.do(func(tx *store.Tx) error { return tx.Facts(t.Context(), list(t, lateEvent)) })
			m.write(between(3, 3), strings.Replace(forgetContainer, "customs", "line", 1), onVessel("X"))
			m.do(func(tx *store.Tx) error {
				return tx.Remove(t.Context(), between(9, 9), model.Ref{Type: "container", ID: "C"})
			})
			assert.Equal(t, []string{"container|C"}, m.marks())
			assert.Len(t, m.changes(), 8)
			require.NoError(t, m.Rebuild(t.Context()))
			require.NoError(t, m.Forget(t.Context(), Ref{"shipment", "S"}))
			assert.Equal(t, "0", m.row("select count(*) from t49.containers"))
		})
	}
}

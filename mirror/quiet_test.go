package mirror

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/terminal49test"
)

// A walk over what has not changed writes no row of a resource. The view last_seen shows when each
// was read.
func TestWalk_WritesNoRowThatHasNotChanged(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer()
		defer srv.Close()
		srv.SeedDemo()
		m, l := stored(t, db, srv)
		walks := lead(m, l).work.Walks
		walkAll := func() {
			for _, list := range append([]*plan.List{plan.ActiveList}, plan.WholeLists...) {
				_, err := walks.Walk(t.Context(), list)
				require.NoError(t, err)
			}
		}
		walkAll()
		states := func() (all []string) {
			for _, table := range []string{"shipments", "containers", "ports", "terminals", "transport_events", "tracking_requests"} {
				all = append(all, m.strings(t, "select id || ' ' || ticket || ' ' || until || ' ' || cast(seen_at as text) from t49."+table+" order by id")...)
			}
			return all
		}
		before := states()
		require.Greater(t, len(before), 50)
		between := time.Now()
		walkAll()
		require.Equal(t, before, states())

		for kind, table := range map[string]string{"shipment": "shipments", "container": "containers"} {
			var n, seen int
			require.NoError(t, db.QueryRow(m.db.SQL("select count(*) from t49."+table+" where ticket > 0")).Scan(&n))
			require.NoError(t, db.QueryRow(m.db.SQL("select count(*) from t49.last_seen where kind = $1 and seen_at >= $2"), kind, m.db.Time(between)).Scan(&seen))
			require.Positive(t, n)
			require.Equal(t, n, seen, table)
		}
	})
}

// A row that a page stops to show keeps the time at which the page showed it.
func TestWalk_KeepsWhenARowWasLastSeen(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer()
		defer srv.Close()
		srv.SeedDemo()
		m, l := stored(t, db, srv)
		walk := func() {
			_, err := lead(m, l).work.Walks.Walk(t.Context(), plan.ContainerList)
			require.NoError(t, err)
		}
		walk()
		walk()
		id := m.strings(t, "select id from t49.containers order by id")[0]
		seen := m.strings(t, "select cast(seen_at as text) from t49.last_seen where id = '"+id+"'")
		srv.RemoveContainer(id)
		walk()
		require.Equal(t, seen, m.strings(t, "select cast(seen_at as text) from t49.containers where id = '"+id+"'"))
		require.Empty(t, m.strings(t, "select id from t49.last_seen where id = '"+id+"'"))
	})
}

// A reading that equals the row is not written, and is newer nevertheless than one that was sent
// before it and is stored after it.
func TestWrite_AfterAConfirmationThatIsNotWritten(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		for name, c := range map[string]struct {
			r      plan.Reading
			stored bool // the reading that differs
			marked bool // is read again
		}{
			"sent before":           {plan.Reading{Ticket: 2, Until: 2}, false, false},
			"sent before, overlaps": {plan.Reading{Ticket: 2, Until: 4}, false, true},
			"sent after":            {plan.Reading{Ticket: 6, Until: 6}, true, false},
			"sent after, overlaps":  {plan.Reading{Ticket: 4, Until: 6}, true, true},
			"very old":              {plan.Reading{Ticket: 6, Until: 6, Sent: time.Now().Add(-time.Hour)}, false, true},
		} {
			srv := terminal49test.NewServer()
			m, l := stored(t, db, srv)
			srv.Close()
			write := func(r plan.Reading, location string) {
				if r.Sent.IsZero() {
					r.Sent = time.Now()
				}
				res, err := model.Parse(fmt.Appendf(nil, `{"type":"container","id":%q,"attributes":{"location_at_pod_terminal":%q}}`, name, location))
				require.NoError(t, err)
				require.NoError(t, m.db.Apply(t.Context(), l, "test", func(tx *store.Tx) error { return tx.Write(t.Context(), r, []*model.Resource{res}) }))
			}
			page := plan.Page{List: plan.ContainerList, Number: 1}
			write(plan.Reading{Ticket: 1, Until: 1, Page: page}, "A")
			write(plan.Reading{Ticket: 3, Until: 4, Page: page}, "A")
			write(c.r, "B")
			want := "A"
			if c.stored {
				want = "B"
			}
			of := " where id = '" + name + "'"
			require.Equal(t, []string{want}, m.strings(t, "select location_at_pod_terminal from t49.containers"+of), name)
			require.Equal(t, c.marked, len(m.strings(t, "select id from t49.dirty"+of)) > 0, name)
			m.run(t, "delete from t49.leases")
		}
	})
}

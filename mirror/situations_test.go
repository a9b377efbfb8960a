package mirror

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/terminal49test"
)

// requireSituations requires that the situation of each container is what the rule finds in its
// rows, that no other has one, and that nothing waits. It returns how many there are.
func requireSituations(t *testing.T, m *Mirror) int {
	t.Helper()
	require.Empty(t, m.strings(t, "select id from t49.unassessed"))
	stored := map[string]terminal49.Standing{}
	for _, text := range m.strings(t, "select cast(standing as text) from t49.situations") {
		var s terminal49.Standing
		require.NoError(t, json.Unmarshal([]byte(text), &s))
		stored[s.ContainerID] = s
	}
	n := 0
	for c, err := range NewReader(m.db.Pool).Containers(t.Context(), "") {
		require.NoError(t, err)
		n++
		require.Equal(t, terminal49.Assess(c, time.Now(), terminal49.VerdictOptions{}).Stored(), stored[c.ID])
	}
	require.Len(t, stored, n)
	return n
}

// round assesses what waits.
func (m *leading) round(t *testing.T) {
	t.Helper()
	require.NoError(t, m.work.Assess.Round(t.Context()))
}

// everythingIn returns a page with all resources of the world of some kinds.
func everythingIn(srv *terminal49test.Server, kinds ...string) string {
	var all [][]byte
	for r := range srv.Snapshot(kinds...) {
		all = append(all, r.JSON)
	}
	return `{"data":[` + string(bytes.Join(all, []byte(","))) + `]}`
}

var worldKinds = []string{"shipment", "container", "transport_event", "port", "terminal", "metro_area", "rail_terminal", "vessel"}

// The situations follow what is written of a world that changes.
func TestSituations_FollowTheRows(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer()
		defer srv.Close()
		srv.SeedDemo()
		m, l := stored(t, db, srv)
		lead := lead(m, l)
		found := map[string]bool{}
		for range 12 {
			walkPage(t, m, l, everythingIn(srv, worldKinds...))
			lead.round(t)
			require.Positive(t, requireSituations(t, m))
			for _, situation := range m.strings(t, "select situation from t49.situations") {
				found[situation] = true
			}
			srv.Advance(5 * 24 * time.Hour)
		}
		require.Greater(t, len(found), 7)
	})
}

// What is written in any order has the situation that it has at the end.
func TestSituations_OfRowsInAnyOrder(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer()
		defer srv.Close()
		srv.SeedDemo()
		srv.Advance(20 * 24 * time.Hour)
		m, l := stored(t, db, srv)
		lead := lead(m, l)
		for _, kind := range []string{"container", "transport_event", "shipment", "rail_terminal", "terminal", "metro_area", "port"} {
			walkPage(t, m, l, everythingIn(srv, kind))
			lead.round(t)
			require.Positive(t, requireSituations(t, m), kind)
		}
		require.NotEmpty(t, m.strings(t, "select place from t49.situations where place is not null"))
	})
}

// A page that shows nothing new queues nothing.
func TestSituations_NothingIsAssessedThatHasNotChanged(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer()
		defer srv.Close()
		srv.SeedDemo()
		m, l := stored(t, db, srv)
		lead := lead(m, l)
		walkPage(t, m, l, everythingIn(srv, worldKinds...))
		lead.round(t)
		before := m.strings(t, "select container_id || cast(assessed_at as text) from t49.situations order by 1")
		walkPage(t, m, l, everythingIn(srv, worldKinds...))
		require.Empty(t, m.strings(t, "select id from t49.unassessed"))
		require.NoError(t, m.db.Apply(t.Context(), l, "test", func(tx *store.Tx) error { return tx.EnqueueAll(t.Context()) }))
		lead.round(t)
		require.Equal(t, before, m.strings(t, "select container_id || cast(assessed_at as text) from t49.situations order by 1"), "an equal row is not written")
	})
}

// A container that is deleted or forgotten has no situation.
func TestSituations_OfDeletedContainers(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer()
		defer srv.Close()
		srv.SeedDemo()
		m, l := stored(t, db, srv)
		lead := lead(m, l)
		walkPage(t, m, l, everythingIn(srv, worldKinds...))
		lead.round(t)
		ids := m.strings(t, "select container_id from t49.situations order by 1")
		require.NoError(t, m.db.Apply(t.Context(), l, "test", func(tx *store.Tx) error { return tx.EnqueueAll(t.Context()) }))
		require.NoError(t, m.Forget(t.Context(), Ref{"container", ids[0]}))
		require.NotContains(t, m.strings(t, "select container_id from t49.situations union all select id from t49.unassessed"), ids[0])
		require.Empty(t, m.strings(t, "select id from t49.changes where id = $1 and kind = 'situation' and attribute <> ''", ids[0]))
	})
}

// A container whose JSON is damaged, or that of its shipment, does not hold up the others.
func TestSituations_OfDamagedRows(t *testing.T) {
	t.Parallel()
	srv := terminal49test.NewServer()
	defer srv.Close()
	srv.SeedDemo()
	db := sqliteFile(t)
	m, l := stored(t, db, srv)
	walkPage(t, m, l, everythingIn(srv, worldKinds...))
	ids := m.strings(t, "select id from t49.containers order by id")
	for i, raw := range []string{"", "{", `{"id": 1}`} {
		_, err := db.Exec("update containers set raw = ? where id = ?", raw, ids[i])
		require.NoError(t, err)
	}
	lead(m, l).round(t)
	require.Equal(t, ids[3:], m.strings(t, "select container_id from t49.situations order by 1"))
	require.Empty(t, m.strings(t, "select id from t49.unassessed"))
	walkPage(t, m, l, everythingIn(srv, "container"))
	_, err := db.Exec("update shipments set raw = '[' where id = (select shipment_id from containers where id = ?)", ids[4])
	require.NoError(t, err)
	lead(m, l).round(t)
}

// Situations that other rules made are made again, once.
func TestSituations_OfOtherRules(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer()
		defer srv.Close()
		srv.SeedDemo()
		m, l := stored(t, db, srv)
		walkPage(t, m, l, everythingIn(srv, worldKinds...))
		lead(m, l).round(t)
		n := requireSituations(t, m)
		for _, statement := range []string{
			"update t49.situations set situation = 'out', old_situation = 'out', rules = 0, standing = '{\"rules\":0,\"situation\":\"out\"}'",
			"update t49.cursors set value = '0' where name = 'situations.rules'",
		} {
			_, err := db.Exec(m.db.SQL(statement))
			require.NoError(t, err)
		}
		lead(m, l).round(t)
		require.Equal(t, n, requireSituations(t, m))
		require.Empty(t, m.strings(t, "select container_id from t49.situations where rules = 0"))
	})
}

// Other numbers make notices due at once; nothing is reported twice.
func TestSituations_OfOtherNumbers(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer()
		defer srv.Close()
		srv.SeedDemo()
		now := time.Now()
		id := srv.AddContainer(terminal49test.Container{
			Number: "MSCU1234566", Shipment: srv.AddShipment(terminal49test.Shipment{PortOfDischarge: "USLAX", PODTerminal: "WBCT"}),
			PODDischargedAt: now.AddDate(0, 0, -1), TerminalCheckedAt: now, ImportDeadlines: terminal49test.Deadlines{Terminal: now.AddDate(0, 0, 20)},
		})
		m, l := stored(t, db, srv)
		walkPage(t, m, l, everythingIn(srv, worldKinds...))
		names := func(days ...int) []string {
			m.opts.Notices.LastFreeDays = days
			lead(m, l).round(t)
			return m.strings(t, "select attribute from t49.changes where kind = 'situation' and id = '"+id+"' order by seq")
		}
		first := names(2)
		require.Len(t, first, 1, "its situation")
		require.Equal(t, append(first, "last_free_day"), names(30, 2))
		require.Equal(t, append(first, "last_free_day"), names(2))
	})
}

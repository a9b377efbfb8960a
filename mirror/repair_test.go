package mirror

import (
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/sqlstore"
	"github.com/go-freight/terminal49/terminal49test"
)

// changesOf returns how many changes are recorded.
func changesOf(t *testing.T, m *Mirror) (n int) {
	t.Helper()
	require.NoError(t, m.db.Pool.QueryRow(m.db.SQL("select count(*) from t49.changes")).Scan(&n))
	return n
}

func repaired(t *testing.T, m *Mirror, all ...Ref) (outcomes []Outcome) {
	t.Helper()
	done, err := m.Repair(t.Context(), all...)
	require.NoError(t, err)
	for _, r := range done {
		outcomes = append(outcomes, r.Outcome)
	}
	return outcomes
}

// A value of raw is wrong although the digest is right, so no walk notices. Verify finds it, repair
// mends it, and no change is recorded, because the service has changed nothing.
func TestRepair_DamagedRaw(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := stillServer(t, terminal49test.WithoutRateLimits())
		m := copied(t, db, srv, nil)
		container, event := one(t, srv, "container", 0), one(t, srv, "transport_event", 0)
		m.change(t, "containers", container, func(attributes, _ map[string]any) {
			attributes["numbes"] = attributes["number"] // a bit of a name
			delete(attributes, "number")
		})
		m.change(t, "transport_events", event, func(attributes, _ map[string]any) { attributes["event"] = "container.transport.full_ouu" })
		m.run(t, "update t49.containers set seal_number = 'SEAL-1' where id = $1", container)
		require.Len(t, verified(t, m), 5, "a member each, and columns")
		before := changesOf(t, m)
		require.Equal(t, []Outcome{Written, Written}, repaired(t, m, Ref{ID: container}, Ref{"transport_event", event}))
		require.Empty(t, verified(t, m))
		require.Equal(t, before, changesOf(t, m))
		require.Zero(t, countOf(t, m, "select count(*) from t49.containers where cast(raw as text) like '%numbes%'"))
		require.Equal(t, []Outcome{Unchanged, Unchanged}, repaired(t, m, Ref{ID: container}, Ref{ID: event}))
		srv.CheckViolations(t)
	})
}

func countOf(t *testing.T, m *Mirror, query string) (n int) {
	t.Helper()
	require.NoError(t, m.db.Pool.QueryRow(m.db.SQL(query)).Scan(&n))
	return n
}

// SQLite stores any text. A row whose raw is not JSON is a difference, delays nothing, and repair
// mends it; if the resource has changed, the next reading does, too.
func TestRepair_RawIsNotJSON(t *testing.T) {
	t.Parallel()
	for name, raw := range map[string]string{
		"cut off": `{"id":"x","type":"container","attr`, "empty": "", "another id": `{"id":"another","type":"container"}`, "a list": `[]`,
		"attributes are a text": `{"id":"x","type":"container","attributes":"none"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := stillServer(t, terminal49test.WithoutRateLimits())
			m := copied(t, sqliteFile(t), srv, nil)
			container, shipment := one(t, srv, "container", 0), one(t, srv, "shipment", 0)
			m.run(t, "update t49.containers set raw = $1 where id = $2", raw, container)
			m.run(t, "update t49.shipments set raw = $1 where id = $2", raw, shipment)
			require.ElementsMatch(t, []string{
				"container " + container + ": containers.raw is damaged", "shipment " + shipment + ": shipments.raw is damaged",
			}, verified(t, m))
			require.NoError(t, m.Rebuild(t.Context()), "it leaves them as they are")
			require.NoError(t, m.Reconcile(t.Context()))
			require.Len(t, verified(t, m), 2, "the digests are right, so walks do not read raw")

			before := changesOf(t, m)
			require.Equal(t, []Outcome{Written}, repaired(t, m, Ref{ID: container}))
			require.Equal(t, before, changesOf(t, m))
			require.Len(t, verified(t, m), 1)
			srv.UpdateShipment(shipment, func(s *terminal49test.Shipment) { s.Tags = []string{"late"} })
			require.NoError(t, m.Reconcile(t.Context()))
			require.Empty(t, verified(t, m))
			require.Equal(t, 1, countOf(t, m, "select count(*) from changes where seq > (select max(seq) - 500 from changes) and attribute = 'bill_of_lading_number' and old is null and id = '"+shipment+"'"),
				"what the row was is unknown, so all is announced")
			srv.CheckViolations(t)
		})
	}
}

// Repair records what the service has changed, ends the mark, and stores what was not there.
func TestRepair_RealChanges(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := stillServer(t, terminal49test.WithoutRateLimits())
		m := copied(t, db, srv, nil)
		changed, gone, lost := one(t, srv, "container", 0), one(t, srv, "container", 1), one(t, srv, "party", 0)
		srv.UpdateContainer(changed, func(c *terminal49test.Container) { c.SealNumber = "SEAL-1" })
		srv.RemoveContainer(gone)
		m.run(t, "delete from t49.parties where id = $1", lost)
		l := store.NewLease()
		_, err := m.db.SeizeLease(t.Context(), l)
		require.NoError(t, err)
		require.NoError(t, m.db.Apply(t.Context(), l, "mark", func(tx *store.Tx) error {
			return tx.InsertMark(t.Context(), plan.Mark{Ref: model.Ref{Type: "container", ID: changed}, Ticket: 1}, tx.Now)
		}))
		before := changesOf(t, m)
		require.Equal(t, []Outcome{Written, NotFound, Written},
			repaired(t, m, Ref{ID: changed}, Ref{ID: gone}, Ref{"party", lost}))
		require.Equal(t, before+2, changesOf(t, m), "the seal, and the party appeared")
		require.Zero(t, countOf(t, m, "select count(*) from t49.dirty where id = '"+changed+"'"))
		require.Zero(t, countOf(t, m, "select count(*) from t49.containers where deleted_at is not null"), "one 404 proves nothing")
	})
}

// What cannot be repaired gets an outcome or an error that says why.
func TestRepair_Refuses(t *testing.T) {
	t.Parallel()
	srv := stillServer(t, terminal49test.WithoutRateLimits())
	m := copied(t, sqliteFile(t), srv, nil)
	party := one(t, srv, "party", 0)
	m.run(t, `insert into t49.estimates (id, type, raw, digest, ticket, until, seen_at, changed_at) values ('e', 'estimated_event', '{}', '', 0, 0, '', '')`)
	m.run(t, `insert into t49.documents (id, type, raw, digest, ticket, until, seen_at, changed_at) values ('`+party+`', 'document', '{}', '', 0, 0, '', '')`)
	require.Equal(t, []Outcome{Unreadable}, repaired(t, m, Ref{ID: "e"}))
	for of, problem := range map[Ref]string{
		{ID: "MSCU\xff"}: "Ref.ID must be valid UTF-8", {"container", "a\x00b"}: "Ref.ID must be valid UTF-8",
		{ID: "unknown"}: "no row has the id unknown", {ID: party}: "rows of document and party have the id", {"webhook", "x"}: "must have the type of a table",
	} {
		_, err := m.Repair(t.Context(), of)
		var argument *terminal49.ArgumentError
		require.ErrorAs(t, err, &argument)
		require.ErrorContains(t, err, problem)
	}
	require.NoError(t, m.Forget(t.Context(), Ref{"party", party}))
	require.Equal(t, []Outcome{Forgotten}, repaired(t, m, Ref{"party", party}))
	other := terminal49test.NewServer(terminal49test.WithSeed(2), terminal49test.WithToken(srv.Token))
	defer other.Close()
	other.SeedDemo()
	m.run(t, "insert into t49.identity (account, seen_at) values ($1, $1)", srv.AccountID)
	stranger := copiedClient(t, m, other)
	_, err := stranger.Repair(t.Context(), Ref{"shipment", one(t, srv, "shipment", 0)})
	require.ErrorIs(t, err, ErrOtherAccount)
	require.ErrorIs(t, stranger.ConfirmDeletions(t.Context()), ErrOtherAccount)
	require.Equal(t, sqlstore.SQLite, m.db.Dialect)
}

// copiedClient returns a mirror into the same database, of another service.
func copiedClient(t *testing.T, m *Mirror, srv *terminal49test.Server) *Mirror {
	t.Helper()
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(srv.HTTPClient()))
	require.NoError(t, err)
	other, err := New(client, m.db.Pool)
	require.NoError(t, err)
	return other
}

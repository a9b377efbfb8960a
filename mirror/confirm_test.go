package mirror

import (
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
)

// waiting returns a mirror on which the rows of some containers wait, because the service answers
// 204 for them.
func waiting(t *testing.T, db *sql.DB, n int) (*vanishing, []Ref) {
	v := newVanishing(t, db, 1)
	v.walks(2)
	var refs []Ref
	for _, id := range v.some("container", 100)[:n] {
		v.hidden[id] = true
		refs = append(refs, Ref{"container", id})
	}
	v.byID = 204
	v.walks(1)
	require.Equal(t, map[string]int{"containers": n}, v.unconfirmed())
	return v, refs
}

// A confirmation deletes what the user named, and ends its holds: nothing else waits then, and the
// problem is gone.
func TestConfirm_Deletes(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		v, refs := waiting(t, db, 3)
		v.m.run(t, "insert into t49.holds (n, container_id, name, status, first_seen, last_seen, source) values (1000, $1, 'customs', 'hold', $2, $2, 'walk')", refs[0].ID, v.m.db.Time(v.srv.Now()))
		require.NoError(t, v.m.ConfirmDeletions(t.Context(), refs[0]))
		require.Zero(t, countOf(t, v.m, "select count(*) from t49.holds where n = 1000 and cleared_at is null"))
		require.Equal(t, 1, countOf(t, v.m, "select count(*) from t49.changes where attribute = 'id' and new is null and source = 'confirm' and id = '"+refs[0].ID+"'"))
		status, err := v.m.Status(t.Context())
		require.NoError(t, err)
		require.Len(t, status.Problems, 1)
		require.Contains(t, status.Problems[0], "containers: 2 rows not deleted")
		require.NoError(t, v.m.ConfirmList(t.Context(), "containers", 2))
		status, err = v.m.Status(t.Context())
		require.NoError(t, err)
		require.Empty(t, status.Problems)
		require.Len(t, v.rowsWhere("t49.containers", "deleted_at is not null"), 3)
		v.heal() // the user was wrong
		v.walks(1)
		v.requireExact("the rows are stored again")
	})
}

// Every refusal says why, and deletes nothing.
func TestConfirm_Refuses(t *testing.T) {
	t.Parallel()
	v, refs := waiting(t, sqliteMemory(t), 3)
	ctx := t.Context()
	var shown string
	for r := range v.srv.Snapshot("container") {
		if !v.hidden[r.ID] {
			shown = r.ID
		}
	}
	for want, err := range map[string]error{
		"3 rows of containers wait for a confirmation, not 2": v.m.ConfirmList(ctx, "containers", 2),
		"3 rows of containers wait for a confirmation, not 4": v.m.ConfirmList(ctx, "containers", 4),
		"3 rows of containers wait for a confirmation, not 0": v.m.ConfirmList(ctx, "containers", 0),
		"no row of shipments waits":                           v.m.ConfirmList(ctx, "shipments", 3),
		"there is no row of container unknown":                v.m.ConfirmDeletions(ctx, refs[0], Ref{"container", "unknown"}),
		"there is no row of shipment " + refs[0].ID:           v.m.ConfirmDeletions(ctx, Ref{"shipment", refs[0].ID}),
		"still shows container " + shown + " in a list":       v.m.ConfirmDeletions(ctx, refs[0], Ref{"container", shown}),
		"a transport_event cannot be read by id":              v.m.ConfirmDeletions(ctx, Ref{"transport_event", "x"}),
	} {
		require.ErrorIs(t, err, ErrNotConfirmed, want)
		require.ErrorContains(t, err, want)
	}
	var argument *terminal49.ArgumentError
	require.ErrorAs(t, v.m.ConfirmList(ctx, "container", 3), &argument)
	require.ErrorAs(t, v.m.ConfirmDeletions(ctx, Ref{"boat", "x"}), &argument)
	require.Empty(t, v.rowsWhere("t49.containers", "deleted_at is not null"))

	require.NoError(t, v.m.ConfirmDeletions(ctx, refs[0]))
	require.ErrorContains(t, v.m.ConfirmDeletions(ctx, refs[0]), "is deleted already")
}

// What the service shows when it is confirmed is not deleted, and nothing else is. Then only the
// others wait.
func TestConfirm_ShownMeanwhile(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		v, refs := waiting(t, db, 3)
		delete(v.hidden, refs[1].ID)
		require.ErrorContains(t, v.m.ConfirmList(t.Context(), "containers", 3), "the service has 1 of the 3, such as container "+refs[1].ID)
		require.Empty(t, v.rowsWhere("t49.containers", "deleted_at is not null"))
		require.Equal(t, map[string]int{"containers": 2}, v.unconfirmed())
		require.NoError(t, v.m.ConfirmList(t.Context(), "containers", 2))
		require.NotContains(t, v.rowsWhere("t49.containers", "deleted_at is not null"), model.Ref(refs[1]))
	})
}

// A list shows a row after the walk that found it missing, although the service does not show it by
// id: a confirmation is not about it any more.
func TestConfirm_ListedMeanwhile(t *testing.T) {
	t.Parallel()
	v, refs := waiting(t, sqliteMemory(t), 2)
	byID := v.hidden
	v.hidden = map[string]bool{}
	v.walksOver(activeOnly...)
	v.hidden = byID
	require.ErrorIs(t, v.m.ConfirmList(t.Context(), "containers", 2), ErrNotConfirmed)
	require.ErrorIs(t, v.m.ConfirmDeletions(t.Context(), refs...), ErrNotConfirmed)
	require.Empty(t, v.rowsWhere("t49.containers", "deleted_at is not null"))
	require.Empty(t, v.unconfirmed())
}

// A service that fails proves nothing, also to a user.
func TestConfirm_ServiceFails(t *testing.T) {
	t.Parallel()
	v, refs := waiting(t, sqliteMemory(t), 2)
	v.byID = 500
	require.ErrorIs(t, v.m.ConfirmList(t.Context(), "containers", 2), terminal49.ErrServer)
	require.ErrorIs(t, v.m.ConfirmDeletions(t.Context(), refs...), terminal49.ErrServer)
	require.Empty(t, v.rowsWhere("t49.containers", "deleted_at is not null"))
	require.Equal(t, map[string]int{"containers": 2}, v.unconfirmed())
}

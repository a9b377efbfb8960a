package mirror

import (
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/worklist"
)

// A text that Postgres refuses (22021, 22P05; JSON has no such limit) names its argument, and is
// found nowhere, in both databases.
func TestReader_RefusesWhatIsNotText(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m, ctx := newTestMirror(t, db), t.Context()
		r := NewReader(db)
		for _, bad := range []string{"a\x00b", "MSCU\xff", "\xed\xa0\x80"} {
			for _, of := range []struct {
				field string
				call  func() error
			}{
				{"id", func() error { _, err := r.Container(ctx, bad); return err }},
				{"id", func() error { _, err := r.Shipment(ctx, bad); return err }},
				{"number", func() error { _, err := r.ContainersByNumber(ctx, bad); return err }},
				{"number", func() error { _, err := r.ShipmentsByNumber(ctx, bad); return err }},
				{"reference", func() error { _, err := r.ContainersByReference(ctx, bad); return err }},
				{"reference", func() error { _, err := r.ShipmentsByReference(ctx, bad); return err }},
				{"args", func() error { _, err := collected(r.Vessels(ctx, "where name = $1", bad)); return err }},
				{"clause", func() error { _, err := collected(r.Vessels(ctx, "where name = '"+bad+"'")); return err }},
				{"containerID", func() error { _, err := r.History(ctx, bad); return err }},
				{"Ref.ID", func() error { return m.Forget(ctx, Ref{"party", bad}) }},
				{"Ref.ID", func() error { return m.ConfirmDeletions(ctx, Ref{"container", bad}) }},
				{"name", func() error { _, err := m.Parked(ctx, bad); return err }},
				{"name", func() error { _, err := m.Replay(ctx, bad); return err }},
				{"name", func() error { return m.Reposition(ctx, bad, "end") }},
				{"name", func() error { return m.RemovePush(ctx, bad) }},
				{"positions", func() error { _, err := m.Replay(ctx, "x", Position(bad)); return err }},
			} {
				var argument *terminal49.ArgumentError
				require.ErrorAs(t, of.call(), &argument, "%q, %s", bad, of.field)
				require.Equal(t, of.field, argument.Field, "%q", bad)
			}
			found, err := r.Find(ctx, bad)
			require.NoError(t, err)
			require.Equal(t, []Found{{Text: bad}}, found)
			_, err = r.Overview().List(ctx, m.db.Now(), ListOptions{Filter: worklist.Filter{Customers: []string{bad}}})
			var unknown *worklist.UnknownNameError
			require.ErrorAs(t, err, &unknown)
		}
	})
}

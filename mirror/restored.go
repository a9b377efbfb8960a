package mirror

import (
	"context"

	"github.com/go-freight/terminal49/mirror/internal/store"
)

// Restored reports to the mirror that the database was restored from a backup while no mirror ran.
// A mirror that runs notices it by itself. The running mirror drops what it is reading, and
// everything is read again, as by [Mirror.Reconcile]; [Mirror.Status] has when it was noted. If no
// mirror runs, the next one does that. Readers of changes need no report: see [ErrPositionLost].
//
// Errors: those of the database.
func (m *Mirror) Restored(ctx context.Context) error {
	return m.alone(ctx, func(ctx context.Context, l *store.Lease) error {
		return m.db.Apply(ctx, l, "restored", func(t *store.Tx) error { return t.NoteRestored(ctx) })
	})
}

package mirror

import (
	"context"

	"github.com/go-freight/terminal49/mirror/internal/store"
)

// Ref identifies a resource, for [Mirror.Forget], [Mirror.Repair] and [Mirror.ConfirmDeletions].
type Ref struct {
	Type string `json:"type"` // wire type, such as "container"
	ID   string `json:"id"`
}

// Forget removes resources permanently, for example after a request for deletion. It removes their
// rows with raw JSON, holds, fees, marks and changes; the facts, custom fields and tracking
// requests that belong to them; and the bodies of notifications that contain them. A shipment is
// removed with its containers. What was removed is not stored again, even if the service still has
// it; its id stays in the table forgotten and in the raw JSON of resources that refer to it.
// Changes gets one last entry for each removed resource, and leaves out the older ones. A mirror
// that runs on the same database waits meanwhile.
//
// Errors: *terminal49.ArgumentError for a Ref without a table or id; those of the database.
func (m *Mirror) Forget(ctx context.Context, all ...Ref) error {
	refs, err := m.refsOf("Forget", all)
	if err != nil {
		return err
	}
	return m.alone(ctx, func(ctx context.Context, l *store.Lease) error {
		return m.db.Apply(ctx, l, "forget", func(t *store.Tx) error { return t.Forget(ctx, refs...) })
	})
}

package mirror

import (
	"context"
	"slices"

	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// Rebuild fills the columns of all tables of resources from their raw JSON. It sends nothing to the
// service, and records no changes. Call it after an update that adds columns, or if [Mirror.Verify]
// finds a column that differs. A mirror that runs on the same database waits meanwhile.
//
// Errors: those of the database and of ctx. It may be repeated at any time.
func (m *Mirror) Rebuild(ctx context.Context) error {
	return m.alone(ctx, func(ctx context.Context, l *store.Lease) error {
		last := schema.TableOf("container") // its columns depend on those of shipments and transport events
		for _, into := range append(slices.DeleteFunc(slices.Clone(schema.Tables), func(t *schema.Table) bool { return t == last }), last) {
			if err := m.rebuild(ctx, l, into); err != nil {
				return err
			}
		}
		return nil
	})
}

func (m *Mirror) rebuild(ctx context.Context, l *store.Lease, into *schema.Table) error {
	for after, more := "", true; more; {
		err := m.db.Apply(ctx, l, "rebuild", func(t *store.Tx) (err error) {
			after, more, err = t.Rebuild(ctx, into, after)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

package mirror

import (
	"context"

	"github.com/go-freight/terminal49/mirror/internal/store"
)

// alone calls f while no other process writes. It takes the lease at once, and releases it
// afterwards. A mirror that runs waits for some seconds, and repeats what it had not committed.
func (m *Mirror) alone(ctx context.Context, f func(context.Context, *store.Lease) error) error {
	if err := m.Migrate(ctx); err != nil {
		return err
	}
	l := store.NewLease()
	for has := false; !has; {
		var err error
		if has, err = m.db.SeizeLease(ctx, l); err != nil {
			return err
		}
	}
	err := m.hold(ctx, l, f)
	if back := m.db.ReleaseLease(context.WithoutCancel(ctx), l); err == nil {
		err = back
	}
	return err
}

package mirror

import (
	"context"
	"time"
)

// alone calls f while no other process writes. It takes the lease at once and gives it back: a
// mirror that runs waits for some seconds, and repeats what it had not committed.
func (m *Mirror) alone(ctx context.Context, f func(context.Context, *lease) error) error {
	if err := m.Migrate(ctx); err != nil {
		return err
	}
	l := newLease()
	for has := false; !has; {
		var err error
		if has, err = m.takeOver(ctx, l); err != nil {
			return err
		}
	}
	err := m.hold(ctx, l, f)
	if back := m.db.giveBack(context.WithoutCancel(ctx), l); err == nil {
		err = back
	}
	return err
}

// takeOver takes the lease from its holder. It returns false if that changed meanwhile.
func (m *Mirror) takeOver(ctx context.Context, l *lease) (bool, error) {
	m.writing.Lock()
	defer m.writing.Unlock()
	now := time.Now()
	h, err := m.db.held(ctx, now)
	if err != nil {
		return false, err
	}
	return m.db.replace(ctx, l, h, now)
}

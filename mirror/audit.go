package mirror

import "context"

// audit compares the service's log of notifications with the inbox: the newest, or the whole log.
func (m *Mirror) audit(ctx context.Context, l *lease, whole bool) error { return nil }

package mirror

import (
	"context"
	"time"
)

func (t *tx) absent(ctx context.Context, r reading, what ref, walkStarted time.Time) error {
	return nil
}

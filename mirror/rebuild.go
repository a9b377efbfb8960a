package mirror

import (
	"context"
	"errors"
)

// Rebuild fills all columns from raw.
func (m *Mirror) Rebuild(ctx context.Context) error { return errors.ErrUnsupported }

package mirror

import (
	"context"
	"errors"
)

// Ref identifies a resource.
type Ref = ref

// Forget removes resources.
func (m *Mirror) Forget(ctx context.Context, all ...Ref) error { return errors.ErrUnsupported }

// withoutForgotten returns the resources that were not forgotten.
func (t *tx) withoutForgotten(ctx context.Context, list []*resource) ([]*resource, error) {
	return list, nil
}

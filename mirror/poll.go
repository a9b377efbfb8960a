package mirror

import (
	"context"
	"time"
)

const pollEvery = time.Second

func (t *tenure) poll(ctx context.Context) error { return nil }

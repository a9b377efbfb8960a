package mirror

import (
	"context"

	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/sqlstore"
)

func (d *database) migrate(ctx context.Context) error {
	files, err := schema.MigrationsOf(d.dialect)
	if err != nil {
		return err
	}
	return sqlstore.Apply(ctx, d.pool, d.dialect, files, "t49_mirror_migrations")
}

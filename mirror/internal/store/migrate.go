package store

import (
	"context"

	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/sqlstore"
)

func (d *Store) Migrate(ctx context.Context) error {
	if err := d.Ask(ctx); err != nil {
		return err
	}
	files, err := schema.MigrationsOf(d.Dialect)
	if err != nil {
		return err
	}
	return sqlstore.Apply(ctx, d.Pool, d.Dialect, files, "t49_mirror_migrations")
}

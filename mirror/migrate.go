package mirror

import (
	"context"
	"embed"

	"github.com/go-freight/terminal49/sqlstore"
)

//go:embed migrations
var migrations embed.FS

func (d *database) migrate(ctx context.Context) error {
	files, err := migrationsOf(d.dialect)
	if err != nil {
		return err
	}
	return sqlstore.Apply(ctx, d.pool, d.dialect, files, "t49_mirror_migrations")
}

package mirror

import (
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/sqlstore"
)

// Schema returns the statements that create all tables and views, as [Mirror.Migrate] does, for
// reading and for programs with migrations of their own. The statements leave existing tables
// unchanged. Schema returns "" if dialect is unknown.
func Schema(dialect sqlstore.Dialect) string { return schema.MigrationsOf(dialect).Script(dialect) }

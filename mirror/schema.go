package mirror

import (
	"io/fs"
	"strings"

	"github.com/go-freight/terminal49/sqlstore"
)

// Schema returns the statements that create all tables and views, as [Mirror.Migrate] does, for
// reading and for programs with migrations of their own. The statements leave existing tables
// unchanged. Schema returns "" if dialect is unknown.
func Schema(dialect sqlstore.Dialect) string {
	files, err := migrationsOf(dialect)
	if err != nil {
		return ""
	}
	names, _ := fs.Glob(files, "*.sql") // sorted
	var all strings.Builder
	for _, name := range names {
		text, _ := fs.ReadFile(files, name)
		all.WriteString(strings.TrimPrefix(string(text), "-- +goose Up\n"))
	}
	return all.String()
}

// migrationsOf returns the migrations for a dialect.
func migrationsOf(dialect sqlstore.Dialect) (fs.FS, error) {
	return fs.Sub(migrations, "migrations/"+strings.ToLower(dialect.String()))
}

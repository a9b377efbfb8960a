package mirror

import (
	"io/fs"
	"strings"

	"github.com/go-freight/terminal49/sqlstore"
)

// Schema returns the statements that create all tables and views in an empty database. [Mirror.Run]
// executes them, so it is for reading, and for databases in which the mirror may not create tables.
// It is "" for an unknown dialect.
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

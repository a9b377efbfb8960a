package schema

import (
	"embed"
	"io/fs"
	"strings"

	"github.com/go-freight/terminal49/sqlstore"
)

//go:embed migrations
var Migrations embed.FS

// Statements returns the statements that create all tables and views; "" for an unknown dialect.
func Statements(dialect sqlstore.Dialect) string {
	files, err := MigrationsOf(dialect)
	if err != nil {
		return ""
	}
	names, _ := fs.Glob(files, "*.sql") // sorted
	var all strings.Builder
	for _, name := range names {
		text, _ := fs.ReadFile(files, name)
		all.WriteString(gooseNotes.Replace(string(text)))
	}
	return all.String()
}

// gooseNotes removes the comments that are for goose.
var gooseNotes = strings.NewReplacer("-- +goose Up\n", "", "-- +goose StatementBegin\n", "", "-- +goose StatementEnd\n", "")

// MigrationsOf returns the migrations for a dialect.
func MigrationsOf(dialect sqlstore.Dialect) (fs.FS, error) {
	return fs.Sub(Migrations, "migrations/"+strings.ToLower(dialect.String()))
}

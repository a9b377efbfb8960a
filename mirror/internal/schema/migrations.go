package schema

import (
	"embed"
	"io/fs"
	"strings"

	"github.com/go-freight/terminal49/sqlstore"
)

//go:embed migrations
var Migrations embed.FS

// MigrationsOf returns the migrations for a dialect.
func MigrationsOf(d sqlstore.Dialect) sqlstore.Migrations {
	m := sqlstore.Migrations{Versions: "t49.migrations"}
	if d == sqlstore.SQLite {
		m.Versions = "migrations"
	}
	folder := "migrations/" + strings.ToLower(d.String())
	names, _ := fs.Glob(Migrations, folder+"/*.sql") // sorted
	for _, name := range names {
		text, _ := Migrations.ReadFile(name)
		m.Steps = append(m.Steps, string(text))
	}
	return m
}

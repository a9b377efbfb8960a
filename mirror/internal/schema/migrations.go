package schema

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"github.com/go-freight/terminal49/sqlstore"
)

//go:embed migrations
var Migrations embed.FS

// MigrationsOf returns the migrations for a dialect, and for the schema of a mirror, "" for the
// default.
func MigrationsOf(d sqlstore.Dialect, name string) sqlstore.Migrations {
	m := tablesOf(d, name)
	if d == sqlstore.Postgres {
		m.Steps[0] = createSchemas(cmp.Or(name, DefaultName), "") + m.Steps[0]
	}
	return m
}

// tablesOf returns the migrations without the statements that create schemas.
func tablesOf(d sqlstore.Dialect, name string) sqlstore.Migrations {
	names := NamesOf(d, name)
	m := sqlstore.Migrations{Steps: steps(d), Versions: names.In("t49.migrations")}
	for i := range m.Steps {
		m.Steps[i] = names.In(m.Steps[i])
	}
	return m
}

// steps returns the migrations as they are written.
func steps(d sqlstore.Dialect) (all []string) {
	folder := "migrations/" + strings.ToLower(d.String())
	names, _ := fs.Glob(Migrations, folder+"/*.sql") // sorted
	for _, name := range names {
		text, _ := Migrations.ReadFile(name)
		all = append(all, string(text))
	}
	return all
}

// createSchemas returns statements that create the two schemas of a mirror, for an owner unless it
// is "". "create schema if not exists" would need the right to create one even if it exists.
func createSchemas(name, owner string) string {
	if owner != "" {
		owner = ` authorization "` + owner + `"`
	}
	var b strings.Builder
	for _, schema := range []string{name, viewsSchema(name)} {
		fmt.Fprintf(&b, `do $$ begin
  if not exists (select from pg_namespace where nspname = '%s') then create schema "%[1]s"%s; end if;
end $$;
`, schema, owner)
	}
	return b.String()
}

package schema

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-freight/terminal49/sqlstore"
)

// Script is what an administrator executes in place of the mirror's own migration.
type Script struct {
	Name                  string // of the schema, "" for the default
	Owner, Writer, Reader string // roles of Postgres, "" for none
}

var isRole = regexp.MustCompile(`^[\pL_][\pL\pN_.@-]{0,62}$`).MatchString

// RoleProblem returns why a role may not have a name; "" if it may.
func RoleProblem(name string) string {
	switch {
	case !isRole(name) || len(name) > 63:
		return "must begin with a letter or _, and have letters, digits and _ . @ - only, at most 63 bytes"
	case strings.HasPrefix(name, "pg_") || name == "public" || name == "none":
		return "must be another name: Postgres has a role of its own with this one"
	}
	return ""
}

// Statements returns the statements for a dialect; "" for an unknown one.
func (s Script) Statements(d sqlstore.Dialect) string {
	m := tablesOf(d, s.Name)
	if d != sqlstore.Postgres {
		return m.Script(d)
	}
	s.Name = cmp.Or(s.Name, DefaultName)
	// Without the notices that what the script creates is there already, one for each table and index.
	parts := []string{"set client_min_messages = warning;\n", s.refuseOthers(), s.createRoles(), createSchemas(s.Name, s.Owner)}
	if s.Owner != "" {
		parts = append(parts, fmt.Sprintf("set role \"%s\";\n", s.Owner))
	}
	parts = append(parts, m.Script(d), s.grants())
	if s.Owner != "" {
		parts = append(parts, "reset role;\n")
	}
	parts = append(parts, "reset client_min_messages;\n")
	return strings.Join(parts, "")
}

// refuseOthers fails if there are tables of a program before v0.1.0, which would stay as they are.
// They lack the last column that was added before.
func (s Script) refuseOthers() string {
	return fmt.Sprintf(`do $$ begin
  if to_regclass('"%s".containers') is not null and not exists (
    select from pg_attribute where attrelid = to_regclass('"%[1]s".situations') and attname = 'brief') then
    raise exception 'schema %[1]s has tables of an older program; use another schema or a new database';
  end if;
end $$;
`, s.Name)
}

// createRoles creates the roles that do not exist, without passwords. Whoever executes it must be
// able to act as the owner, and the others must be able to connect.
func (s Script) createRoles() string {
	var b strings.Builder
	for _, role := range s.roles() {
		login := "login"
		if role == s.Owner {
			login = "nologin"
		}
		fmt.Fprintf(&b, `do $$ begin
  if not exists (select from pg_roles where rolname = '%s') then create role "%[1]s" %s; end if;
  if not has_database_privilege('%[1]s', current_database(), 'connect') then
    execute format('grant connect on database %%I to "%[1]s"', current_database());
  end if;
end $$;
`, role, login)
	}
	if s.Owner != "" {
		fmt.Fprintf(&b, `do $$ begin
  if current_user <> '%s' and not (select rolsuper from pg_roles where rolname = current_user) then
    grant "%[1]s" to current_user;
  end if;
end $$;
`, s.Owner)
	}
	return b.String()
}

// roles returns each role once.
func (s Script) roles() (list []string) {
	for _, role := range []string{s.Owner, s.Writer, s.Reader} {
		if role != "" && !slices.Contains(list, role) {
			list = append(list, role)
		}
	}
	return list
}

// grants gives the writer what a running mirror needs, and the reader what queries need, also in
// tables of later versions.
func (s Script) grants() string {
	var all []string
	for _, role := range []string{s.Writer, s.Reader} {
		if role != "" {
			all = append(all, strings.NewReplacer("$tables", `"`+s.Name+`"`, "$views", `"`+viewsSchema(s.Name)+`"`, "$role", `"`+role+`"`).Replace(
				`grant usage on schema $tables, $views to $role;
grant select on all tables in schema $tables, $views to $role;
grant select on all sequences in schema $tables to $role;
alter default privileges in schema $tables grant select on tables to $role;
alter default privileges in schema $views grant select on tables to $role;
alter default privileges in schema $tables grant select on sequences to $role;
`))
		}
	}
	if s.Writer != "" {
		all = append(all, strings.NewReplacer("$tables", `"`+s.Name+`"`, "$written", s.written(), "$role", `"`+s.Writer+`"`).Replace(
			`grant insert, update, delete on $written to $role;
grant usage on all sequences in schema $tables to $role;
alter default privileges in schema $tables grant insert, update, delete on tables to $role;
alter default privileges in schema $tables grant usage on sequences to $role;
`))
	}
	return strings.Join(all, "")
}

var createdTable = regexp.MustCompile(`(?m)^create table if not exists t49\.(\w+)`)

// written returns the tables that the mirror writes: all but that of the versions.
func (s Script) written() string {
	var all []string
	for _, step := range steps(sqlstore.Postgres) {
		for _, found := range createdTable.FindAllStringSubmatch(step, -1) {
			all = append(all, fmt.Sprintf(`"%s".%s`, s.Name, found[1]))
		}
	}
	return strings.Join(all, ", ")
}

package compatibility_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/sqlstore"
)

// machinery are the mirror's tables that only the mirror may read. Their form may change with a
// migration.
var machinery = []string{"unassessed", "dirty", "missing", "forgotten", "walks", "pages", "cursors", "leases", "pushes", "deliveries", "tickets", "migrations"}

// mirrorTablesOf has the tables and views of the mirror with their columns, keys, functions and
// rights, in real databases that [mirror.Schema] has set up.
func mirrorTablesOf(t *testing.T) (lines []string) {
	for _, db := range newDatabases(t) {
		var roles mirror.SchemaOptions
		if db.dialect == sqlstore.Postgres {
			roles = mirror.SchemaOptions{Owner: "t49_owner", Writer: "t49_writer", Reader: "t49_reader"}
		}
		db.exec(t, must(mirror.Schema(db.dialect, roles))(t))
		for _, line := range describe(t, db) {
			if name, _, _ := strings.Cut(strings.TrimPrefix(line, "Postgres t49."), "."); !slices.Contains(machinery, strings.TrimPrefix(name, "SQLite ")) {
				lines = append(lines, line)
			}
		}
		if db.dialect == sqlstore.Postgres {
			lines = append(lines, rights(t, db)...)
		}
	}
	return lines
}

// describe returns the columns of all tables and views, their keys, and the functions.
func describe(t *testing.T, db database) (lines []string) {
	t.Helper()
	queries := describePostgres
	if db.dialect == sqlstore.SQLite {
		queries = describeSQLite
	}
	for _, query := range queries {
		for _, row := range db.texts(t, query) {
			lines = append(lines, fmt.Sprintf("%s %s: %s", db.dialect, row[0], strings.TrimSpace(row[1])))
		}
	}
	return lines
}

var describeSQLite = []string{
	`select m.name || '.' || c.name, lower(c.type) || case when c."notnull" then ' not null' else '' end || ' of ' || m.type
	from sqlite_master m join pragma_table_xinfo(m.name) c where m.type in ('table', 'view') and m.name not like 'sqlite_%'`,
	`select m.name || ' primary key', group_concat(c.name, ', ' order by c.pk)
	from sqlite_master m join pragma_table_xinfo(m.name) c where m.type = 'table' and c.pk > 0 group by m.name`,
	`select m.name || ' unique', group_concat(c.name, ', ' order by c.seqno)
	from sqlite_master m join pragma_index_list(m.name) i join pragma_index_info(i.name) c where i."unique" and i.origin <> 'pk' group by m.name, i.name`,
}

const ours = `n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_'`

var describePostgres = []string{
	`select n.nspname || '.' || c.relname || '.' || a.attname, format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end ||
		case c.relkind when 'v' then ' of view' else ' of table' end
	from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
	where c.relkind in ('r', 'v', 'm', 'p') and a.attnum > 0 and not a.attisdropped and ` + ours,
	`select n.nspname || '.' || c.relname || case when i.indisprimary then ' primary key' else ' unique' end, string_agg(a.attname, ', ' order by k.n)
	from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
	cross join unnest(i.indkey) with ordinality k(attnum, n) join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
	where i.indisunique and ` + ours + ` group by n.nspname, c.relname, i.indexrelid, i.indisprimary`,
	`select n.nspname || '.' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')', coalesce(pg_get_function_result(p.oid), '')
	from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ` + ours,
}

// rights returns what the roles of print-sql may do, and the state that a lost position has.
func rights(t *testing.T, db database) (lines []string) {
	t.Helper()
	for _, row := range db.texts(t, `select grantee || ' on ' || table_schema || '.' || table_name, privilege_type from information_schema.role_table_grants
		where grantee in ('t49_writer', 't49_reader')`) {
		if name := row[0][strings.LastIndex(row[0], ".")+1:]; !slices.Contains(machinery, name) {
			lines = append(lines, fmt.Sprintf("Postgres role %s: %s", row[0], row[1]))
		}
	}
	_, err := db.ExecContext(t.Context(), "select * from t49.changes_after('999999-0123456789abcdef', 1)")
	if state := (interface{ SQLState() string })(nil); errors.As(err, &state) {
		lines = append(lines, "Postgres t49.changes_after of a lost position: SQLSTATE "+state.SQLState())
	}
	return lines
}

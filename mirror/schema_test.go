package mirror

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/sqlstore"
)

var update = flag.Bool("update", false, "write the files that are made from the descriptions of the tables")

var dialects = []sqlstore.Dialect{sqlstore.SQLite, sqlstore.Postgres}

// common are the columns that all tables of resources have, before and after their own.
var common = []column{
	{"id", kindText, "Of the resource."},
	{"type", kindText, "Wire type."},
}

var bookkeeping = []column{
	{"raw", kindJSON, "The resource as the service sent it, without secrets."},
	{"digest", kindText, "Of raw."},
	{"ticket", kindInteger, "Drawn before the request that read it; 0 if only a notification had it."},
	{"until", kindInteger, "The latest ticket when the response had arrived."},
	{"seen_at", kindInstant, "The last read."},
	{"changed_at", kindInstant, "The last read that differed, apart from times of the service's own checks."},
	{"missing_since", kindInstant, "When the service first answered 404."},
	{"deleted_at", kindInstant, "When it answered 404 again, at least a whole walk later."},
}

// columnType is the type of a column in a database.
func columnType(d sqlstore.Dialect, k kind) string {
	if d == sqlstore.SQLite {
		return [...]string{"text", "integer", "real", "text", "integer", "text", "text", "", "text", "blob"}[k]
	}
	return [...]string{"text", "bigint", "double precision", "numeric", "boolean", "timestamptz", `text collate "C"`, "", "jsonb", "bytea"}[k]
}

// prefix is the schema of the tables.
func prefix(d sqlstore.Dialect) string {
	if d == sqlstore.SQLite {
		return ""
	}
	return "t49."
}

// createTables are the statements for the tables of resources.
func createTables(d sqlstore.Dialect) string {
	var b strings.Builder
	b.WriteString("-- +goose Up\n")
	for _, t := range tables {
		fmt.Fprintf(&b, "create table %s%s (\n  id text primary key,\n", prefix(d), t.name)
		for _, c := range append(append(common[1:2:2], physical(t.columns)...), bookkeeping...) {
			null := " not null"
			if c.name == "missing_since" || c.name == "deleted_at" || c.name != "type" && !isIn(bookkeeping, c) {
				null = ""
			}
			fmt.Fprintf(&b, "  %s %s%s,\n", c.name, columnType(d, c.kind), null)
		}
		b.WriteString("\n);\n")
		fmt.Fprintf(&b, "create index %s_missing on %s%[1]s (missing_since) where missing_since is not null;\n", t.name, prefix(d))
		for _, index := range indexes[t.name] {
			fmt.Fprintf(&b, "create index %s_%s on %s%[1]s (%[4]s);\n", t.name, strings.Split(index, ",")[0], prefix(d), index)
		}
	}
	return strings.ReplaceAll(b.String(), ",\n\n)", "\n)")
}

// indexes are the columns of the indexes of tables, for joins and for the queries of the guide.
var indexes = map[string][]string{
	"shipments":         {"bill_of_lading_number", "normalized_number", "pod_eta_at"},
	"containers":        {"shipment_id", "number", "current_status", "pickup_lfd_local"},
	"tracking_requests": {"shipment_id", "request_number", "updated_at"},
	"transport_events":  {"container_id, event"},
	"estimates":         {"shipment_id, created_at"},
	"container_events":  {"container_id"},
	"custom_fields":     {"entity_id, api_slug"},
}

func isIn(list []column, c column) bool {
	for _, other := range list {
		if c.name == other.name {
			return true
		}
	}
	return false
}

func TestMigrations_Update(t *testing.T) {
	if !*update {
		t.Skip("without -update")
	}
	for _, d := range dialects {
		file := "migrations/" + strings.ToLower(d.String()) + "/0002_tables.sql"
		require.NoError(t, os.WriteFile(file, []byte(createTables(d)), 0o644))
	}
}

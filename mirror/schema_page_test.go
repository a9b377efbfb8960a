package mirror

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/sqlstore"
)

const pageFile = "schema.md"

// The page that users read is made from the descriptions.
func TestSchemaPage_IsCurrent(t *testing.T) {
	text := schemaPage(t)
	if *update {
		require.NoError(t, os.WriteFile(pageFile, []byte(text), 0o644))
	}
	written, err := os.ReadFile(pageFile)
	require.NoError(t, err)
	require.Equal(t, text, string(written), "run go test -run SchemaPage -update")
}

// own are the mirror's own tables, those for users first.
var own = []struct{ name, doc string }{
	{"changes", "What changed when, one row for each attribute or relationship: history, and a queue to hand changes on."},
	{"holds", "Holds of containers as periods. A hold with another status is another period."},
	{"fees", "Fees of containers as periods. A fee with another amount is another period."},
	{"situations", "Where each container is and what that means, as `terminal49.Assess` finds it, without what depends on the clock."},
	{"unassessed", "Resources whose containers are to be assessed again."},
	{"inbox", "Notifications as they were delivered, or found in the service's log."},
	{"dirty", "Resources that may have changed, and are to be read."},
	{"missing", "Rows that a whole walk did not show, and what the service answered when they were read by id."},
	{"forgotten", "Resources that are not to be stored again."},
	{"walks", "Walks over the service's lists."},
	{"pages", "What each page of those lists showed last. The view `last_seen` has its resources, with kind, id and seen_at."},
	{"cursors", "Where each kind of work goes on."},
	{"leases", "The process that writes."},
	{"pushes", "How far the feed is sent to each receiver: [push](../docs/mirror-push.md#push)."},
	{"deliveries", "Changes that a receiver has not accepted yet, and are sent again, or parked."},
	{"identity", "The account that is mirrored."},
}

const pageHead = `# Tables and columns of the mirror

Made from the descriptions of the tables by a test; see [the mirror](../docs/mirror.md) for what they mean.

In Postgres the tables are in the schema ` + "`t49`, or in that of `--schema` (`WithSchema`)" + `; in SQLite they have the same names without
a schema. The table ` + "`migrations`" + ` has the versions of the tables that were applied. In SQLite a boolean is 0 or 1, ` + "`jsonb`,\n`numeric` and `timestamptz` are text, and a time is in UTC, such as `2026-03-02T08:00:00.000000Z`" + `, so that it sorts.
There are no foreign keys: what a column refers to may not be stored yet.

- **Null** means that the service reported nothing. An empty text is stored as null.
- **A time at a place** has two columns. ` + "`x`" + ` is the instant; it is null if the service does not know the zone of the place.
  ` + "`x_local`" + ` is the wall clock of the place, ` + "`YYYY-MM-DD HH:MM:SS`" + `. It is only the day if the service sent only a day, or if
  the zone is one of two and the day is the same in both. It is null if the zone is not known yet, such as that of the port
  of lading before the shipment is stored.
- **A list** is JSON. Null and an empty list differ: ` + "`[]`" + ` means that the service reported that there are none.
- Null is also what a column has no room for: a text of more than 2,000 bytes in a column that an index may have, such as
  a number or a code, and an instant outside the years 1 to 9999. It is in ` + "`raw`" + `.
- A member in a form that is unknown to this version is null in its column, and is in ` + "`raw`" + `.

Every table of resources also has the columns

| column | type | |
|---|---|---|
`

func schemaPage(t *testing.T) string {
	var b strings.Builder
	b.WriteString(pageHead)
	for _, c := range slices.Concat(common, bookkeeping) {
		writeColumn(&b, c)
	}
	b.WriteString("\nand, without the rows whose `deleted_at` is set, a view `live_NAME`.\n\n## Resources\n")
	for _, described := range slices.Concat([]*schema.Table{schema.ShipmentTable, schema.ContainerTable}, others()) {
		fmt.Fprintf(&b, "\n### %s\n\n%s Wire type: %s.\n\n| column | type | |\n|---|---|---|\n", described.Name, described.Doc,
			strings.Join(described.Types, ", "))
		for _, c := range described.Columns {
			writeColumn(&b, c)
		}
	}
	writeOwn(t, &b)
	writeDataSync(&b)
	writeQueries(&b)
	return b.String()
}

// others are the tables that are not at the top of the page.
func others() []*schema.Table {
	return slices.DeleteFunc(slices.Clone(schema.Tables), func(t *schema.Table) bool { return t == schema.ShipmentTable || t == schema.ContainerTable })
}

func writeColumn(b *strings.Builder, c schema.Column) {
	name, typ := "`"+c.Name+"`", ""
	switch c.Kind {
	case schema.KindMoment:
		name, typ = name+", `"+c.Name+"_local`", "timestamptz, text"
	case schema.KindLocal:
		typ = "text"
	default:
		typ = columnType(sqlstore.Postgres, c.Kind)
	}
	fmt.Fprintf(b, "| %s | %s | %s |\n", name, typ, c.Doc)
}

var (
	createTable = regexp.MustCompile(`(?ms)^create table if not exists t49\.(\w+) \((.*?)\);$`)
	ownColumn   = regexp.MustCompile(`(?m)^ *(\w+) (\w+)[^\n]*?(?:-- ([^\n]*))?$`)
)

// writeOwn writes the tables of the first migration, which are described by its comments.
func writeOwn(t *testing.T, b *strings.Builder) {
	data, err := os.ReadFile("internal/schema/migrations/postgres/0001_first.sql")
	require.NoError(t, err)
	bodies := map[string]string{}
	for _, found := range createTable.FindAllStringSubmatch(string(data), -1) {
		bodies[found[1]] = found[2]
	}
	require.Len(t, own, len(bodies), "every table is on the page")
	b.WriteString("\n## The mirror's own tables\n")
	for _, o := range own {
		require.Contains(t, bodies, o.name)
		fmt.Fprintf(b, "\n### %s\n\n%s\n\n| column | type | |\n|---|---|---|\n", o.name, o.doc)
		body := bodies[o.name]
		if !strings.Contains(body, "\n") {
			body = strings.ReplaceAll(body, ", ", ",\n")
		}
		for _, c := range ownColumn.FindAllStringSubmatch(body, -1) {
			if c[1] != "primary" {
				fmt.Fprintf(b, "| `%s` | %s | %s |\n", c[1], c[2], c[3])
			}
		}
	}
}

const dataSyncHead = `
## Views with DataSync's columns

In the schema ` + "`datasync`" + ` of Postgres, or, for tables in another schema, in the one with its name and ` + "`_datasync`" + `; in SQLite the names begin with
` + "`datasync_`" + `. Names, order and types are those of DataSync: timestamps are in UTC and without a zone, local times are text,
lists are joined by commas. Rows that are deleted are left out.
`

// dataSyncDiffers has ~ for each backtick.
const dataSyncDiffers = `
| DataSync | here |
|---|---|
| ~updated_at~ | when a read of the row first differed; that of ~containers~ does not move when only the shipment changes |
| ~customer_id~ of the shipment | that of its newest tracking request with one; null without |
| ~invalidation_reason~ | null: the API does not have it |
| ~pod_last_free_day_on_local~ on the clock of the port of discharge | on the clock of the source that the service chose: the port, or the inland ramp for the railroad's day; null if it is one of the two and the days differ |
| ~empty_out_at_local~, ~full_in_at_local~ on the clock of the port of lading | on the clock of the place of the event; null until that event is stored, because a gate may be far from the port |
`

func writeDataSync(b *strings.Builder) {
	b.WriteString(dataSyncHead + strings.ReplaceAll(dataSyncDiffers, "~", "`"))
	for _, v := range dataSyncViews(sqlstore.Postgres) {
		fmt.Fprintf(b, "\n### datasync.%s\n\n| column | type | from |\n|---|---|---|\n", v.name)
		for i, c := range v.columns {
			local := i+1 < len(v.columns) && v.columns[i+1].name == c.name+"_local"
			switch {
			case strings.HasSuffix(c.name, "_local"):
			case local:
				fmt.Fprintf(b, "| `%s`, `%[1]s_local` | timestamp, text | %s |\n", c.name, sourceOf(c))
			default:
				fmt.Fprintf(b, "| `%s` | %s | %s |\n", c.name, c.typ, sourceOf(c))
			}
		}
	}
}

var (
	coalesced = regexp.MustCompile(`coalesce\(([^()]*)\)`)
	alias     = regexp.MustCompile(`\b(\w+)\.(\w+)`)
)

// sourceOf returns where a column of a view is from, with the names of tables.
func sourceOf(c viewColumn) string {
	from := coalesced.ReplaceAllStringFunc(c.from, func(list string) string {
		return strings.ReplaceAll(list[len("coalesce("):len(list)-1], ", ", " or ")
	})
	return alias.ReplaceAllStringFunc(from, func(column string) string {
		name, column, _ := strings.Cut(column, ".")
		if event, ok := ofEvents[name]; ok {
			return column + " of the " + event + " event"
		}
		return aliases[name] + "." + column
	})
}

var ofEvents = map[string]string{"full_in": "full_in", "loaded": "vessel_loaded", "berthed": "vessel_berthed"}

var aliases = map[string]string{
	"s": "shipments", "c": "containers", "r": "tracking_requests", "e": "transport_events", "p": "ports", "pol": "ports", "pod": "ports",
	"ind": "ports", "pt": "terminals", "dt": "terminals", "it": "terminals", "t": "terminals", "v": "vessels", "w": "walks",
}

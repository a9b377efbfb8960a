package mirror

import "github.com/go-freight/terminal49/mirror/internal/model"

// table describes one table of resources. The migrations, the statements, the page of the
// documentation and the check against drift are all made from it.
type table struct {
	name    string
	types   []string // wire types of its resources
	doc     string
	columns []column // of what the service reports
	read    func(d *database, res *model.Resource, z model.OriginZones) ([]any, error)
}

// column is a column with something that the service reports.
type column struct {
	name string
	kind kind
	doc  string
}

// kind is the type of a column.
type kind uint8

const (
	kindText    kind = iota
	kindInteger      // 64 bits
	kindFloat
	kindBoolean // 0 or 1 in SQLite
	kindInstant // a time; text in SQLite
	kindLocal   // the wall clock of a place, as text that sorts
	kindMoment  // a time at a place: kindInstant, and kindLocal in a second column
	kindJSON    // text in SQLite
)

// tables are all tables of resources, those first that others need when they are written.
var tables = []*table{
	shippingLineTable,
	portTable,
	terminalTable,
	vesselTable,
	partyTable,
	shipmentTable,
	containerTable,
	trackingRequestTable,
	transportEventTable,
	estimateTable,
	containerEventTable,
	documentTable,
	customFieldTable,
}

// tableOf returns the table of a wire type; nil if there is none.
func tableOf(wire string) *table { return byType[wire] }

var byType = func() map[string]*table {
	m := map[string]*table{}
	for _, t := range tables {
		for _, wire := range t.types {
			m[wire] = t
		}
	}
	return m
}()

// facts reports whether the resources of a table happened once, and hardly change afterwards.
func (t *table) facts() bool { return model.IsFact(t.types[0]) }

// columnNames returns the columns of what the service reports, in the order of row.
func (t *table) columnNames() []string {
	var names []string
	for _, c := range physical(t.columns) {
		names = append(names, c.name)
	}
	return names
}

// physical returns the columns in the database: a time at a place has two.
func physical(columns []column) (all []column) {
	for _, c := range columns {
		if c.kind == kindMoment {
			c.kind = kindInstant
			local := "Wall clock at the place, YYYY-MM-DD HH:MM:SS; only the day if the time of day is unknown."
			all = append(all, c, column{c.name + "_local", kindLocal, local})
			continue
		}
		all = append(all, c)
	}
	return all
}

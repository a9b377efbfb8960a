// Package schema describes the tables of resources: their columns, how a resource becomes a row,
// and the migrations that create them. It is pure, too: it opens no database.
package schema

import (
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/sqlstore"
)

// Table describes one table of resources. The migrations, the statements, the page of the
// documentation and the check against drift are all made from it.
type Table struct {
	Name    string
	Types   []string // wire types of its resources
	Doc     string
	Columns []Column // of what the service reports
	read    func(d sqlstore.Dialect, res *model.Resource, z model.OriginZones) ([]any, error)
}

// Column is a column with something that the service reports.
type Column struct {
	Name string
	Kind Kind
	Doc  string
}

// Kind is the type of a column.
type Kind uint8

const (
	KindText    Kind = iota
	KindInteger      // 64 bits
	kindFloat
	kindBoolean // 0 or 1 in SQLite
	KindInstant // a time; text in SQLite
	KindLocal   // the wall clock of a place, as text that sorts
	KindMoment  // a time at a place: kindInstant, and kindLocal in a second column
	KindJSON    // text in SQLite
)

// Tables are all tables of resources, those first that others need when they are written.
var Tables = []*Table{
	ShippingLineTable,
	PortTable,
	TerminalTable,
	VesselTable,
	PartyTable,
	ShipmentTable,
	ContainerTable,
	TrackingRequestTable,
	TransportEventTable,
	EstimateTable,
	ContainerEventTable,
	DocumentTable,
	CustomFieldTable,
}

// TableOf returns the table of a wire type; nil if there is none.
func TableOf(wire string) *Table { return byType[wire] }

var byType = func() map[string]*Table {
	m := map[string]*Table{}
	for _, t := range Tables {
		for _, wire := range t.Types {
			m[wire] = t
		}
	}
	return m
}()

// Facts reports whether the resources of a table happened once, and hardly change afterwards.
func (t *Table) Facts() bool { return model.IsFact(t.Types[0]) }

// ColumnNames returns the columns of what the service reports, in the order of row.
func (t *Table) ColumnNames() []string {
	var names []string
	for _, c := range Physical(t.Columns) {
		names = append(names, c.Name)
	}
	return names
}

// Physical returns the columns in the database: a time at a place has two.
func Physical(columns []Column) (all []Column) {
	for _, c := range columns {
		if c.Kind == KindMoment {
			c.Kind = KindInstant
			local := "Wall clock at the place, YYYY-MM-DD HH:MM:SS; only the day if the time of day is unknown."
			all = append(all, c, Column{c.Name + "_local", KindLocal, local})
			continue
		}
		all = append(all, c)
	}
	return all
}

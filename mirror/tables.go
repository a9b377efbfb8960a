package mirror

// table describes one table of resources. The migrations, the statements, the views, the page of
// the documentation and the check against drift are all made from it.
type table struct {
	name    string
	types   []string // wire types of its resources
	doc     string
	columns []column // besides those that all tables have
}

// column is a column with something that the service reports.
type column struct {
	name string
	kind kind
	wire string // where a resource has it, such as "attributes.number"
}

// kind is the type of a column.
type kind uint8

const (
	text kind = iota
	integer
	decimal
	boolean
	moment // a time: the instant in a column, and the wall clock of its place in name_local
	list   // JSON
)

// tables are all tables of resources, those first that others need when they are written.
var tables = []*table{
	{name: "shipping_lines", types: []string{"shipping_line"}},
	{name: "ports", types: []string{"port", "metro_area"}},
	{name: "terminals", types: []string{"terminal", "rail_terminal"}},
	{name: "vessels", types: []string{"vessel"}},
	{name: "parties", types: []string{"party"}},
	{name: "shipments", types: []string{"shipment"}},
	{name: "containers", types: []string{"container"}},
	{name: "tracking_requests", types: []string{"tracking_request"}},
	{name: "transport_events", types: []string{"transport_event"}},
	{name: "estimates", types: []string{"estimated_event"}},
	{name: "container_events", types: []string{"container_updated_event", "container_created_event", "container_pod_terminal_changed_event"}},
	{name: "documents", types: []string{"document"}},
	{name: "custom_fields", types: []string{"custom_field"}},
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

package schema

// Link is a column with the id of a resource in another table, or a list of such ids.
type Link struct {
	Column string
	To     *Table
}

// Links returns the columns of a table that name resources of other tables.
func (t *Table) Links() []Link { return links[t.Name] }

// links are the links of the tables, by name. A link to itself is left out.
var links = map[string][]Link{
	"containers": {
		{"shipment_id", ShipmentTable}, {"pod_terminal_id", TerminalTable}, {"pickup_facility_id", TerminalTable},
	},
	"shipments": {
		{"port_of_lading_id", PortTable}, {"port_of_discharge_id", PortTable}, {"destination_id", PortTable},
		{"pod_terminal_id", TerminalTable}, {"destination_terminal_id", TerminalTable},
	},
	"transport_events": {
		{"container_id", ContainerTable}, {"shipment_id", ShipmentTable}, {"vessel_id", VesselTable},
		{"location_id", PortTable}, {"terminal_id", TerminalTable},
	},
	"tracking_requests": {{"shipment_id", ShipmentTable}, {"customer_id", PartyTable}},
	"estimates":         {{"shipment_id", ShipmentTable}, {"port_id", PortTable}, {"vessel_id", VesselTable}},
	"container_events": {
		{"container_id", ContainerTable}, {"terminal_id", TerminalTable}, {"shipment_id", ShipmentTable},
	},
	"terminals": {{"port_id", PortTable}, {"metro_area_id", PortTable}},
	"documents": {{"shipment_ids", ShipmentTable}, {"container_ids", ContainerTable}},
	"custom_fields": { // of any of three types
		{"entity_id", TrackingRequestTable}, {"entity_id", ContainerTable}, {"entity_id", ShipmentTable},
	},
}

// Linked are the tables that links lead to, each before those that its own links lead to.
var Linked = []*Table{TrackingRequestTable, ContainerTable, ShipmentTable, VesselTable, TerminalTable, PortTable, PartyTable}

// Many is a relationship of a table to several rows of another, which name it in a column.
type Many struct {
	From   *Table
	Column string // of From
}

// Many returns the rows that belong to those of a table; false if there are none.
func (t *Table) Many() (Many, bool) {
	switch t {
	case ShipmentTable:
		return Many{ContainerTable, "shipment_id"}, true
	case ContainerTable:
		return Many{TransportEventTable, "container_id"}, true
	}
	return Many{}, false
}

package mirror

import (
	"net/url"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/model"
)

// scope is a list that walks read from its first page to its last.
type scope struct {
	name    string
	path    string
	query   url.Values
	kind    string // wire type of what it lists
	whole   bool   // lists everything of the kind, so that a row that is not in it may be missing
	unpaged bool   // the service sends all at once, whatever its links

	latest   bool // has the latest changes first: what follows a page that is stored already is too
	optional bool // an account may lack it, or the service fail to list it

	// refutes reports whether a listed resource contradicts the scope's filter, which the service
	// then ignores.
	refutes func(*model.Resource) bool
}

const placesOfShipment = "containers,port_of_lading,port_of_discharge,pod_terminal,destination,destination_terminal"

// activeList comes first and most often: the shipments that are tracked, with their containers.
var activeList = &scope{
	name: "shipments.active", path: "/shipments", kind: "shipment",
	query: url.Values{"filter[tracking_stopped]": {"false"}, "include": {placesOfShipment}},
	refutes: func(r *model.Resource) bool {
		stopped := string(r.Attributes["line_tracking_stopped_at"])
		return stopped != "" && stopped != "null"
	},
}

// containerList also shows the transport events.
var containerList = &scope{
	name: "containers", path: "/containers", kind: "container", whole: true,
	query: url.Values{"include": {"transport_events"}, "sort": {"-created_at"}},
}

// wholeLists are walked one after another. Shipments come before containers: a container that
// either list shows is not missing.
var wholeLists = []*scope{
	{name: "shipments", path: "/shipments", kind: "shipment", whole: true, query: url.Values{"include": {placesOfShipment}}},
	{name: "tracking_requests", path: "/tracking_requests", kind: "tracking_request", whole: true},
	containerList,
	{name: "documents", optional: true, path: "/documents", kind: "document", whole: true},
	{name: "custom_fields", optional: true, path: "/custom_fields", kind: "custom_field", whole: true},
	{name: "parties", optional: true, path: "/parties", kind: "party", whole: true},
	{name: "shipping_lines", optional: true, path: "/shipping_lines", kind: "shipping_line", whole: true, unpaged: true},
}

// walkState is the row of a walk in the table walks.
type walkState struct {
	id      int64 // the ticket drawn before its first request
	page    int   // the last one stored
	size    int   // of a page
	seen    int   // resources listed so far
	total   int   // as the service says; -1 if it does not
	started time.Time
	pageAt  time.Time // when the last page was stored
}

package plan

import (
	"net/url"

	"github.com/go-freight/terminal49/mirror/internal/model"
)

// List is a list that walks read from its first page to its last.
type List struct {
	Name    string
	Path    string
	Query   url.Values
	Kind    string // wire type of what it lists
	Whole   bool   // lists everything of the kind, so that a row that is not in it may be missing
	Unpaged bool   // the service sends all at once, whatever its links are

	Latest   bool // has the latest changes first: if a page is already stored, so are those after it
	Optional bool // an account may lack it, or the service fail to list it

	// Refutes reports whether a listed resource contradicts the filter of the list, which the
	// service then ignores.
	Refutes func(*model.Resource) bool
}

const placesOfShipment = "containers,port_of_lading,port_of_discharge,pod_terminal,destination,destination_terminal"

// ActiveList lists the tracked shipments, with their containers. It is walked first and most often.
var ActiveList = &List{
	Name: "shipments.active", Path: "/shipments", Kind: "shipment",
	Query: url.Values{"filter[tracking_stopped]": {"false"}, "include": {placesOfShipment}},
	Refutes: func(r *model.Resource) bool {
		stopped := string(r.Attributes["line_tracking_stopped_at"])
		return stopped != "" && stopped != "null"
	},
}

// ContainerList lists all containers, with their transport events.
var ContainerList = &List{
	Name: "containers", Path: "/containers", Kind: "container", Whole: true,
	Query: url.Values{"include": {"transport_events"}, "sort": {"-created_at"}},
}

// WholeLists are walked one after another. Shipments come before containers: a container that
// either list shows is not missing.
var WholeLists = []*List{
	{Name: "shipments", Path: "/shipments", Kind: "shipment", Whole: true, Query: url.Values{"include": {placesOfShipment}}},
	{Name: "tracking_requests", Path: "/tracking_requests", Kind: "tracking_request", Whole: true},
	ContainerList,
	{Name: "documents", Optional: true, Path: "/documents", Kind: "document", Whole: true},
	{Name: "custom_fields", Optional: true, Path: "/custom_fields", Kind: "custom_field", Whole: true},
	{Name: "parties", Optional: true, Path: "/parties", Kind: "party", Whole: true},
	{Name: "shipping_lines", Optional: true, Path: "/shipping_lines", Kind: "shipping_line", Whole: true, Unpaged: true},
}

// ChangedList lists the containers that changed in the last days, if the service has the filter.
// With it, changes in shipments that are no longer tracked, and transport events, are found before
// the next walk over everything. That walk does not depend on it.
var ChangedList = &List{
	Name: "containers.changed", Path: "/containers", Kind: "container", Latest: true,
	Query: url.Values{"include": {"transport_events"}, "sort": {"-updated_at"}},
}

// ListNamed returns the whole list with a name, or nil.
func ListNamed(name string) *List {
	for _, list := range WholeLists {
		if list.Name == name {
			return list
		}
	}
	return nil
}

// ListOf returns the whole list of a wire type, or nil.
func ListOf(kind string) *List {
	for _, list := range WholeLists {
		if list.Kind == kind {
			return list
		}
	}
	return nil
}

// Package model describes the resources of the service: their kinds, how two
// readings of one differ and are merged, what must not be stored, and what a notification is about.
// It is pure: it has no SQL and sends no requests.
package model

// Kind describes the resources of a wire type that the mirror keeps.
type Kind struct {
	fact    bool   // it happened once, and hardly changes afterwards
	Moving  bool   // a notification may be about its state
	Path    string // of a request for one; "" if the service has none
	Include string // what that request includes
}

// Kinds are the kinds of resources, by wire type.
var Kinds = map[string]Kind{
	"shipment": {Moving: true, Path: "/shipments/",
		Include: "containers,containers.transport_events,port_of_lading,port_of_discharge,pod_terminal,destination,destination_terminal"},
	"container":        {Moving: true, Path: "/containers/", Include: "transport_events"},
	"tracking_request": {Moving: true, Path: "/tracking_requests/"},
	"document":         {Moving: true, Path: "/documents/"},
	"custom_field":     {Moving: true, Path: "/custom_fields/"},

	"shipping_line": {Path: "/shipping_lines/"},
	"port":          {Path: "/ports/"},
	"metro_area":    {Path: "/metro_areas/"},
	"terminal":      {Path: "/terminals/"},
	"rail_terminal": {Path: "/terminals/"},
	"vessel":        {Path: "/vessels/"},
	"party":         {Path: "/parties/"},

	"transport_event":                      {fact: true},
	"estimated_event":                      {fact: true},
	"container_updated_event":              {fact: true},
	"container_created_event":              {fact: true},
	"container_pod_terminal_changed_event": {fact: true},
}

// KindNotice is the kind of the changes of the feed that are notices.
const KindNotice = "situation"

// IsKept reports whether the mirror keeps resources of a type.
func IsKept(typ string) bool {
	_, ok := Kinds[typ]
	return ok
}

// IsFact reports whether resources of a type are facts: they happened once, and hardly change
// afterwards.
func IsFact(typ string) bool { return Kinds[typ].fact }

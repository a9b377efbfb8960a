// Package catalogue lists what the service sends, as plain data: its resource types with their
// members, and its enumerations. It is generated from the Go types of the package terminal49, but
// for values that have no constants there. The operations are in package operation.
//
// No program uses this package at run time. The drift check compares it with the service's OpenAPI
// document, so that no change in either goes unnoticed; tests ask it what there is.
//
// Every function returns a new copy, which the caller may change.
package catalogue

import "slices"

// Type is one JSON:API resource type.
type Type struct {
	// Name is the type member of the resources.
	Name string
	// Aliases lists further names of the type, whose resources have some of its members.
	Aliases []string
	// Attributes lists the names of the attributes in JSON. The members of nested objects, and of
	// objects in arrays, follow as "outer.inner".
	Attributes []string
	// Relationships lists the relationships.
	Relationships []Relationship
	// Withdrawn reports whether the service no longer sends the type. The library omits it, and its
	// members are not listed.
	Withdrawn bool
}

// Relationship is one relationship of a resource type.
type Relationship struct {
	// Name is the name in JSON.
	Name string
	// Types lists the resource types that it can point to.
	Types []string
	// Many reports whether it is a to-many relationship.
	Many bool
}

// Enum is the set of known values of an attribute. Every set is open: the service adds values
// without notice.
type Enum struct {
	// Name is the resource type and the attribute, such as "container.current_status".
	Name string
	// Type is the Go type of the attribute, such as "ContainerStatus". Attributes of one type may each
	// have some of its values. It is "" if the values are kept as text.
	Type string
	// Values lists the values as text, including numbers and without null.
	Values []string
}

// Types returns all resource types. The withdrawn ones are last.
func Types() []Type {
	all := generatedTypes()
	for _, name := range withdrawnTypes() {
		all = append(all, Type{Name: name, Withdrawn: true})
	}
	return all
}

// withdrawnTypes lists the resource types of GET /containers/{id}/route. The service has withdrawn
// that operation: its document no longer has it, the service responds with an HTML 404, and
// containers.map_geojson has the same data. The library therefore omits it, and keeps an included
// resource of these types as one of an unknown type.
func withdrawnTypes() []string { return []string{"route", "route_location"} }

// Enums returns the known values of the attributes for which the library has named constants, or
// lists them in the comment of the field.
func Enums() []Enum {
	all := generatedEnums()
	for i := range all {
		all[i].Values = slices.Clone(values[all[i].Type])
	}
	return append(all, texts()...)
}

// texts returns the values of attributes without constants.
func texts() []Enum {
	return []Enum{
		{Name: "container.equipment_length", Values: []string{"10", "20", "40", "45", "50"}},
		{Name: "infer_number_results.number_type", Values: []string{"container", "bill_of_lading", "booking"}},
		{Name: "infer_number_results.validation.type", Values: []string{"container", "shipment"}},
		{Name: "raw_event.event", Values: []string{
			"empty_out", "full_in", "positioned_in", "positioned_out",
			"vessel_loaded", "vessel_departed", "vessel_arrived", "vessel_discharged",
			"transshipment_arrived", "transshipment_discharged", "transshipment_loaded", "transshipment_departed",
			"feeder_arrived", "feeder_discharged", "feeder_loaded", "feeder_departed",
			"rail_loaded", "rail_departed", "rail_arrived", "rail_unloaded",
			"arrived_at_destination", "available", "delivered", "full_out", "empty_in",
			"vgm_received", "carrier_release", "customs_release",
		}},
		{Name: "terminal.facility_type", Values: []string{"ocean_terminal", "rail"}},
		{Name: "credential.kind", Values: []string{"api_key", "user"}},
		{Name: "account.plan", Values: []string{"free_plan", "in_trial", "customer", "locked", "churned"}},
		{Name: "document_schema.schema_format", Values: []string{"json_schema"}},
	}
}

// Package catalogue lists what the service sends, as plain data: its resource types with their
// members, and its enumerations. Its operations are in package operation.
//
// The library does not use this package at run time. Tests compare the library's tables with it,
// and the drift check compares it with the service's OpenAPI document, so that neither can change
// unnoticed. Where the document is wrong or silent, the catalogue follows what the service does,
// and the drift check's allow-list says why.
//
// Every function returns a fresh copy, which the caller may change.
package catalogue

import "slices"

// Type is one JSON:API resource type.
type Type struct {
	// Name is the value of the resource's type member.
	Name string
	// Attributes lists the attribute names on the wire. Members of nested
	// objects, and of objects in arrays, follow as "outer.inner".
	Attributes []string
	// Relationships lists the relationships.
	Relationships []Relationship
	// Withdrawn reports a type that the service no longer sends. The library leaves it out, and its
	// members are not kept.
	Withdrawn bool
}

// Relationship is one relationship of a resource type.
type Relationship struct {
	// Name is the name on the wire.
	Name string
	// Types lists the resource types it can point to.
	Types []string
	// Many reports a to-many relationship.
	Many bool
}

// Enum is the set of values that an attribute is known to take. Every set is
// open: the service adds values without notice.
type Enum struct {
	// Name is the resource type and the attribute, such as
	// "container.current_status".
	Name string
	// Values lists the values as text, numbers included; null is left out.
	Values []string
}

// Types returns all resource types, the withdrawn ones last.
func Types() []Type {
	all := slices.Concat(cargoTypes(), customFieldTypes(), documentTypes())
	for _, name := range withdrawnTypes() {
		all = append(all, Type{Name: name, Withdrawn: true})
	}
	return all
}

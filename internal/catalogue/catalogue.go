// Package catalogue lists what the service sends, as plain data: its resource types with their
// members, and its enumerations. Its operations are in package operation.
//
// No program uses this package at run time. Tests compare the library's tables with it, and the
// drift check compares it with the service's OpenAPI document, so that no change in either goes
// unnoticed. Where the document is wrong or incomplete, the catalogue follows the behaviour of the
// service, and the allow-list of the drift check has the reason.
//
// Every function returns a new copy, which the caller may change.
package catalogue

import "slices"

// Type is one JSON:API resource type.
type Type struct {
	// Name is the type member of the resources.
	Name string
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
	// Values lists the values as text, including numbers and without null.
	Values []string
}

// Types returns all resource types. The withdrawn ones are last.
func Types() []Type {
	all := slices.Concat(cargoTypes(), customFieldTypes(), documentTypes())
	for _, name := range withdrawnTypes() {
		all = append(all, Type{Name: name, Withdrawn: true})
	}
	return all
}

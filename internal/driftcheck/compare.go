package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-freight/terminal49/internal/catalogue"
	"github.com/go-freight/terminal49/internal/operation"
	"github.com/go-freight/terminal49/internal/text"
)

// finding is one difference: where it is, the member, and how the member differs.
type finding struct{ where, what, how string }

// String is printable: names of the document may hold what a terminal or a workflow's log obeys.
func (f finding) String() string { return text.Printable(f.where + ": " + f.what + " " + f.how) }

// How a finding differs.
const (
	notInCatalogue = "is in the document, not in the catalogue"
	notInDocument  = "is in the catalogue, not in the document"
	// allValues is a finding about a whole enumeration that one side lacks.
	allValues = "the enumeration"
)

// listing is the catalogue and the operations, as a value so that tests can have their own.
type listing struct {
	operations []operation.Operation
	types      []catalogue.Type
	enums      []catalogue.Enum
}

// knownTypes returns the names of the catalogue's types.
func (l listing) knownTypes() map[string]bool {
	names := map[string]bool{}
	for _, typ := range l.types {
		for _, name := range append(typ.Aliases, typ.Name) {
			names[name] = true
		}
	}
	return names
}

// comparison collects the differences and counts what was compared.
type comparison struct {
	listing
	document   *surface
	findings   []finding
	operations int
	typesSeen  int // types that the library decodes
	withdrawn  int // types that the service has withdrawn
	members    int // parameters, body members, attributes, relationships, values
}

// compareDocument returns all differences between the catalogue and the document.
func compareDocument(l listing, s *surface) *comparison {
	c := &comparison{listing: l, document: s, findings: slices.Clone(s.faults)}
	c.compareOperations()
	c.compareTypes()
	return c
}

func (c *comparison) compareOperations() {
	listed := map[string]bool{}
	for _, op := range c.listing.operations {
		listed[op.Method+" "+op.Path] = true
		c.operations++
		if described := c.document.operations[op.Method+" "+op.Path]; described != nil {
			c.compareOperation(op, described)
		}
	}
	c.compareLists("operation", sortedKeys(listed), sortedKeys(c.document.operations))
}

func (c *comparison) compareOperation(op operation.Operation, described *describedOperation) {
	c.compareLists("query "+op.Name, op.Query, sortedKeys(described.query))
	if described.includes != nil {
		c.compareLists("include "+op.Name, op.Includes, described.includes)
	}
	c.compareLists("body "+op.Name, op.Body, sortedKeys(described.body))
	// A request may accept fewer values than the resource can have, so only one direction is
	// compared.
	for _, name := range sortedKeys(described.enums) {
		key := op.Resource + "." + name
		enum := c.enum(key)
		if enum == nil {
			c.add("enum "+key, allValues, notInCatalogue)
			continue
		}
		c.compareValues(enum, described.enums[name])
	}
}

// compareValues finds the values of an attribute that its enumeration lacks.
func (c *comparison) compareValues(enum *catalogue.Enum, described []string) {
	for _, value := range missingFrom(described, enum.Values) {
		c.add("enum "+enum.Name, value, notInCatalogue)
	}
}

func (c *comparison) compareTypes() {
	c.compareLists("type", sortedKeys(c.knownTypes()), sortedKeys(c.document.types))
	for _, typ := range c.types {
		if typ.Withdrawn {
			c.withdrawn++
			continue
		}
		c.typesSeen++
		if described := c.document.described(typ); described != nil {
			c.compareType(typ, described)
		}
	}
	c.compareEnums()
}

// described returns what the document says of a type, under all its names together, or nil.
func (s *surface) described(typ catalogue.Type) *resource {
	all := newResource()
	found := false
	for _, name := range append(typ.Aliases, typ.Name) {
		if r := s.types[name]; r != nil {
			found = true
			all.add(r)
		}
	}
	if !found {
		return nil
	}
	return all
}

func (c *comparison) compareType(typ catalogue.Type, described *resource) {
	c.compareLists("attribute "+typ.Name, outer(typ.Attributes, described.attributes), sortedKeys(described.attributes))
	var names []string
	for _, relationship := range typ.Relationships {
		names = append(names, relationship.Name)
		// Relationships without types in the document have nothing to compare.
		if targets := described.relationships[relationship.Name]; len(targets) > 0 {
			c.compareLists("relationship "+typ.Name+"."+relationship.Name, relationship.Types, targets)
		}
	}
	c.compareLists("relationship "+typ.Name, names, sortedKeys(described.relationships))

	for _, attribute := range typ.Attributes {
		key := typ.Name + "." + attribute
		enum, values := c.enum(key), described.enums[attribute]
		switch {
		case enum == nil && values == nil:
		case enum == nil:
			c.add("enum "+key, allValues, notInCatalogue)
		default:
			c.members += len(values)
			c.compareValues(enum, values)
		}
	}
}

// outer returns the attributes without those of objects that the document does not have at all.
func outer(attributes []string, described map[string]bool) []string {
	return slices.DeleteFunc(slices.Clone(attributes), func(name string) bool {
		for i := range name {
			if name[i] == '.' && !described[name[:i]] {
				return true
			}
		}
		return false
	})
}

// compareEnums finds the values of each enumeration that no attribute of the document has, and
// enumerations that the document does not list. The attributes of one Go type have some of its
// values each.
func (c *comparison) compareEnums() {
	described, listed := map[string][]string{}, map[string][]string{}
	for _, enum := range c.enums {
		name := cmp.Or(enum.Type, enum.Name)
		typ, attribute, _ := strings.Cut(enum.Name, ".")
		for _, t := range c.types {
			if r := c.document.described(t); t.Name == typ && r != nil && r.attributes[attribute] {
				described[name] = append(described[name], r.enums[attribute]...)
				listed[name] = enum.Values
			}
		}
	}
	for _, name := range sortedKeys(listed) {
		if len(described[name]) == 0 {
			c.add("enum "+name, allValues, notInDocument)
			continue
		}
		for _, value := range missingFrom(listed[name], described[name]) {
			c.add("enum "+name, value, notInDocument)
		}
	}
}

func (c *comparison) enum(name string) *catalogue.Enum {
	for i := range c.enums {
		if c.enums[i].Name == name {
			return &c.enums[i]
		}
	}
	return nil
}

// compareLists compares a list of the catalogue with one of the document.
func (c *comparison) compareLists(where string, listed, described []string) {
	c.members += len(sortedUnion(listed, described))
	for _, what := range missingFrom(described, listed) {
		c.add(where, what, notInCatalogue)
	}
	for _, what := range missingFrom(listed, described) {
		c.add(where, what, notInDocument)
	}
}

func (c *comparison) add(where, what, how string) {
	c.findings = append(c.findings, finding{where, what, how})
}

// summary returns a line with the counts.
func (c *comparison) summary() string {
	return fmt.Sprintf("%d operations, %d types (and %d withdrawn), %d members compared",
		c.operations, c.typesSeen, c.withdrawn, c.members)
}

// applyAllowed removes the allowed differences from the findings, and adds a finding for each entry
// that allows nothing. It returns how many entries were used.
func applyAllowed(findings []finding, list []allowed) (left []finding, used int) {
	needed := make([]bool, len(list))
	for _, f := range findings {
		i := slices.IndexFunc(list, func(a allowed) bool { return a.where == f.where && a.what == f.what })
		if i < 0 {
			left = append(left, f)
			continue
		}
		needed[i] = true
	}
	for i, a := range list {
		if needed[i] {
			used++
		} else {
			left = append(left, finding{"allow-list", a.where + ": " + a.what, "no longer matches a difference; remove it"})
		}
	}
	slices.SortStableFunc(left, func(a, b finding) int { return strings.Compare(a.String(), b.String()) })
	return slices.Compact(left), used
}

func missingFrom(from, in []string) []string {
	return slices.DeleteFunc(sortedUnion(from, nil), func(s string) bool { return slices.Contains(in, s) })
}

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-freight/terminal49/internal/catalogue"
	"github.com/go-freight/terminal49/internal/operation"
)

// finding is one difference: where it is, what it is, and how it differs.
type finding struct{ where, what, how string }

func (f finding) String() string { return f.where + ": " + f.what + " " + f.how }

const (
	notInCatalogue = "is in the document, not in the catalogue"
	notInDocument  = "is in the catalogue, not in the document"
	// allValues stands for a whole enumeration that one side lacks.
	allValues = "the enumeration"
)

// listing is the catalogue, taken as a value so that tests can use their own.
type listing struct {
	operations []operation.Operation
	types      []catalogue.Type
	enums      []catalogue.Enum
}

// knownTypes returns the set of the catalogue's type names.
func (l listing) knownTypes() map[string]bool {
	names := map[string]bool{}
	for _, typ := range l.types {
		names[typ.Name] = true
	}
	return names
}

// comparison gathers the differences, and counts what was looked at.
type comparison struct {
	listing
	document   *surface
	findings   []finding
	operations int
	typesSeen  int // types that the library decodes
	withdrawn  int // types that the service has taken back
	members    int // parameters, body members, attributes, relationships, values
}

// compare returns every difference between the catalogue and the document.
func compare(l listing, s *surface) *comparison {
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
	c.both("operation", keys(listed), sortedKeys(c.document.operations))
}

func (c *comparison) compareOperation(op operation.Operation, described *describedOperation) {
	c.both("query "+op.Name, op.Query, keys(described.query))
	if described.includes != nil {
		c.both("include "+op.Name, op.Includes, described.includes)
	}
	c.both("body "+op.Name, op.Body, keys(described.body))
	// A request may accept fewer values than the resource can show, so this
	// looks one way only.
	for _, name := range sortedKeys(described.enums) {
		key := op.Resource + "." + name
		enum := c.enum(key)
		if enum == nil {
			c.add("enum "+key, allValues, notInCatalogue)
			continue
		}
		for _, value := range missing(described.enums[name], enum.Values) {
			c.add("enum "+key, value, notInCatalogue)
		}
	}
}

func (c *comparison) compareTypes() {
	c.both("type", keys(c.knownTypes()), sortedKeys(c.document.types))
	for _, typ := range c.types {
		if typ.Withdrawn {
			c.withdrawn++
			continue
		}
		c.typesSeen++
		if described := c.document.types[typ.Name]; described != nil {
			c.compareType(typ, described)
		}
	}
}

func (c *comparison) compareType(typ catalogue.Type, described *resource) {
	c.both("attribute "+typ.Name, typ.Attributes, keys(described.attributes))
	var names []string
	for _, relationship := range typ.Relationships {
		names = append(names, relationship.Name)
		// Relationships without types in the document have nothing to compare.
		if targets := described.relationships[relationship.Name]; len(targets) > 0 {
			c.both("relationship "+typ.Name+"."+relationship.Name, relationship.Types, targets)
		}
	}
	c.both("relationship "+typ.Name, names, sortedKeys(described.relationships))

	for _, attribute := range typ.Attributes {
		key := typ.Name + "." + attribute
		enum, values := c.enum(key), described.enums[attribute]
		switch {
		case enum == nil && values == nil:
		case enum == nil:
			c.add("enum "+key, allValues, notInCatalogue)
		case values == nil:
			c.add("enum "+key, allValues, notInDocument)
		default:
			c.both("enum "+key, enum.Values, values)
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

// both compares a list of the catalogue with one of the document.
func (c *comparison) both(where string, listed, described []string) {
	c.members += len(union(listed, described))
	for _, what := range missing(described, listed) {
		c.add(where, what, notInCatalogue)
	}
	for _, what := range missing(listed, described) {
		c.add(where, what, notInDocument)
	}
}

func (c *comparison) add(where, what, how string) {
	c.findings = append(c.findings, finding{where, what, how})
}

// summary says in one line what was compared and what is left for later.
func (c *comparison) summary() string {
	return fmt.Sprintf("%d operations, %d types (and %d withdrawn), %d members compared",
		c.operations, c.typesSeen, c.withdrawn, c.members)
}

// apply takes the allowed differences out of the findings, and adds a finding
// for each entry that allows nothing any more. It returns how many entries were
// used.
func apply(findings []finding, list []allowed) (left []finding, used int) {
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
			left = append(left, finding{"allow-list", a.where + ": " + a.what, "matches no difference any more; remove it"})
		}
	}
	slices.SortStableFunc(left, func(a, b finding) int { return strings.Compare(a.String(), b.String()) })
	return slices.Compact(left), used
}

func missing(from, in []string) []string {
	return slices.DeleteFunc(union(from, nil), func(s string) bool { return slices.Contains(in, s) })
}

func keys(set map[string]bool) []string { return sortedKeys(set) }

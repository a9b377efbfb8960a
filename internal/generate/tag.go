package main

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// field is a field of an object, with what its tag says.
type field struct {
	name    string
	expr    ast.Expr
	pos     token.Pos
	wire    string   // its name on the wire; "" if nothing reads it
	also    []string // further names
	zone    string   // the name of the sibling that has its zone
	read    string   // the function that reads it
	as      string   // the type as which it is read
	types   []string // of the resources of a relationship
	secret  bool     // it is read and not written
	ignored bool     // it is neither read nor written
}

var wireName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// field reads the tag of a field: its name on the wire, and options after commas.
func (s *source) field(o *object, f *ast.Field, tag string) *field {
	name := typeName(f.Type)
	if len(f.Names) > 1 {
		s.fault(f.Pos(), "%s.%s: one tag cannot name %d fields", o.name, f.Names[0], len(f.Names))
	}
	if len(f.Names) > 0 {
		name = f.Names[0].Name
	}
	to := &field{name: name, expr: f.Type, pos: f.Pos()}
	if tag == "-" {
		return to
	}
	parts := strings.Split(tag, ",")
	if to.wire = parts[0]; !wireName.MatchString(to.wire) {
		s.fault(f.Pos(), "%s.%s: %q is not a name on the wire, such as pod_arrived_at", o.name, name, to.wire)
	}
	for _, option := range parts[1:] {
		if !to.set(option) {
			s.fault(f.Pos(), "%s.%s: option %q: want zone=, read=, as=, types=, also=, unwritten or ignored", o.name, name, option)
		}
	}
	return to
}

// set reports whether it understands an option.
func (f *field) set(option string) bool {
	key, value, has := strings.Cut(option, "=")
	switch key {
	case "unwritten":
		f.secret = true
	case "ignored":
		f.ignored = true
	case "zone":
		f.zone = value
	case "read":
		f.read = value
	case "as":
		f.as = value
	case "types":
		f.types = strings.Split(value, "|")
	case "also":
		f.also = strings.Split(value, "|")
	default:
		return false
	}
	flag := key == "unwritten" || key == "ignored"
	return flag != has && (flag || value != "")
}

// relation reports whether a field is a relationship.
func (f *field) relation() bool {
	name := typeName(f.expr)
	return name == "ToOne" || name == "ToMany"
}

// target returns the type of the resources of a relationship.
func (f *field) target() string {
	if of, ok := f.expr.(*ast.IndexExpr); ok {
		return typeName(of.Index)
	}
	return ""
}

// text returns the type of the values of a field, such as HoldName of Opt[[]HoldName].
func (f *field) text() string {
	if of, ok := f.expr.(*ast.IndexExpr); ok && typeName(of.X) == "Opt" {
		return typeName(of.Index)
	}
	return typeName(f.expr)
}

// checkField finds what a tag may not say, given the other fields and types.
func (s *source) checkField(o *object, f *field) {
	name := o.name + "." + f.name
	isTime := typeName(f.expr) == "Time"
	s.checkNames(o, f)
	switch isSecret := f.text() == "Secret"; {
	case isSecret && f.wire != "" && !f.secret:
		s.fault(f.pos, "%s: a Secret must be unwritten, so that no stored JSON has it", name)
	case f.secret && !isSecret:
		s.fault(f.pos, "%s: only a Secret is unwritten", name)
	case f.zone != "" && !isTime:
		s.fault(f.pos, "%s: only a Time has a zone", name)
	case f.zone != "" && o.zoneField(f.zone) == nil:
		s.fault(f.pos, "%s: zone=%s: no field of type string has that name, which ends in zone", name, f.zone)
	case f.read != "" && !s.declared[strings.Split(f.read, "[")[0]]:
		s.fault(f.pos, "%s: read=%s: no function has that name", name, f.read)
	case f.as != "" && !s.declared[f.as]:
		s.fault(f.pos, "%s: as=%s: no type has that name", name, f.as)
	case f.read != "" && (f.as != "" || f.secret):
		s.fault(f.pos, "%s: read= cannot be combined with as= or unwritten", name)
	case f.ignored && (f.secret || f.zone != "" || f.read != "" || f.as != ""):
		s.fault(f.pos, "%s: what is ignored has no other options", name)
	case f.relation() && (f.zone != "" || f.read != "" || f.as != "" || f.secret):
		s.fault(f.pos, "%s: a relationship has no options but types= and also=", name)
	case len(f.types) > 0 && !f.relation():
		s.fault(f.pos, "%s: types= is for relationships", name)
	case f.relation() && len(s.targets(f)) == 0 && f.target() != "UnknownResource":
		s.fault(f.pos, "%s: %s is not a resource: name the wire types with types=", name, f.target())
	}
	for _, wire := range f.types {
		if !s.isWire(wire) {
			s.fault(f.pos, "%s: types=%s: no resource has that wire type", name, wire)
		}
	}
}

// checkNames finds names on the wire that a field shares with another one.
func (s *source) checkNames(o *object, f *field) {
	for _, other := range o.fields {
		for _, name := range append(slices.Clone(f.also), f.wire) {
			if other != f && name != "" && f.relation() == other.relation() && (name == other.wire || slices.Contains(other.also, name)) {
				s.fault(f.pos, "%s.%s: the name %s is already that of %s", o.name, f.name, name, other.name)
			}
		}
	}
	if slices.Contains(f.also, f.wire) {
		s.fault(f.pos, "%s.%s: also=%s repeats its name", o.name, f.name, f.wire)
	}
}

// zoneField returns the field with a name on the wire that has a time zone.
func (o *object) zoneField(wire string) *field {
	for _, f := range o.fields {
		if text, ok := f.expr.(*ast.Ident); ok && f.wire == wire && text.Name == "string" && strings.HasSuffix(wire, "zone") {
			return f
		}
	}
	return nil
}

// targets returns the wire types of the resources of a relationship.
func (s *source) targets(f *field) []string {
	if len(f.types) > 0 {
		return f.types
	}
	if o := s.structs[f.target()]; o != nil && len(o.wire) > 0 {
		return o.wire[:1]
	}
	return nil
}

func (s *source) isWire(name string) bool {
	for _, o := range s.order {
		for _, wire := range o.wire {
			if wire == name {
				return true
			}
		}
	}
	return false
}

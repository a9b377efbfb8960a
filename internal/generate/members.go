package main

import (
	"fmt"
	"slices"
	"strings"
)

// members returns the methods that list the attributes of each type, and set the zones of times.
func members(s *source) string {
	var b strings.Builder
	b.WriteString("package terminal49\n\nimport \"github.com/go-freight/terminal49/internal/jsonapi\"\n")
	for _, o := range s.order {
		s.attributes(&b, o)
		s.zones(&b, o)
	}
	return b.String()
}

// resources returns the methods that list the relationships of resources and store them, and the
// registry of their types.
func resources(s *source) string {
	var b strings.Builder
	b.WriteString("package terminal49\n\nimport \"github.com/go-freight/terminal49/internal/jsonapi\"\n")
	for _, o := range s.order {
		if len(o.wire) > 0 {
			s.relationships(&b, o)
			s.stored(&b, o)
		}
	}
	s.register(&b)
	return b.String()
}

func (s *source) attributes(b *strings.Builder, o *object) {
	fmt.Fprintf(b, "\nfunc (v *%s) members(m *jsonapi.Members) {\n", o.reader)
	for _, f := range o.fields {
		if !f.relation() && f.wire != "" {
			f.add(b)
		}
	}
	b.WriteString("}\n")
}

// add writes the call that adds a member, and those of its further names.
func (f *field) add(b *strings.Builder) {
	at, call := "&v."+f.name, "Add"
	switch {
	case f.ignored:
		at = "nil"
	case f.secret:
		call = "AddUnwritten"
	case f.as != "":
		at = fmt.Sprintf("(*%s)(&v.%s)", f.as, f.name)
	case f.read != "":
		call, at = "AddAs", at+", "+f.read
	}
	for _, name := range append(slices.Clone(f.also), f.wire) {
		fmt.Fprintf(b, "m.%s(%q, %s)\n", call, name, at)
	}
}

func (s *source) relationships(b *strings.Builder, o *object) {
	if !slices.ContainsFunc(o.fields, (*field).relation) {
		return
	}
	fmt.Fprintf(b, "\nfunc (v *%s) relationships(m *jsonapi.Members) {\n", o.name)
	for _, f := range o.fields {
		if f.relation() && f.wire != "" {
			f.add(b)
		}
	}
	b.WriteString("}\n")
}

// zones writes the method that gives times the zones of their siblings. It is finish, unless that
// is written by hand, and then calls it.
func (s *source) zones(b *strings.Builder, o *object) {
	var zones []string
	times := map[string][]string{}
	for _, f := range o.fields {
		if f.zone == "" {
			continue
		}
		zone := o.zoneField(f.zone).name
		if !slices.Contains(zones, zone) {
			zones = append(zones, zone)
		}
		times[zone] = append(times[zone], "&v."+f.name)
	}
	if len(zones) == 0 {
		return
	}
	name := "finish"
	if s.methods[o.name+".finish"] {
		name = "pairSiblings"
	}
	fmt.Fprintf(b, "\nfunc (v *%s) %s() {\n", o.name, name)
	for _, zone := range zones {
		fmt.Fprintf(b, "pairZone(v.%s, %s)\n", zone, strings.Join(times[zone], ", "))
	}
	b.WriteString("}\n")
}

// stored writes the methods that write and read the JSON of a resource.
func (s *source) stored(b *strings.Builder, o *object) {
	if !s.methods[o.name+".MarshalJSON"] {
		fmt.Fprintf(b, "\n// MarshalJSON returns the JSON:API resource object; see [Resource].\n"+
			"func (v %s) MarshalJSON() ([]byte, error) { return marshalResource(&v) }\n", o.name)
	}
	if !s.methods[o.name+".UnmarshalJSON"] {
		fmt.Fprintf(b, "\n// UnmarshalJSON parses a JSON:API resource object; see [Resource].\n"+
			"func (v *%s) UnmarshalJSON(data []byte) error { return unmarshalResource(data, v) }\n", o.name)
	}
}

func (s *source) register(b *strings.Builder) {
	b.WriteString("\n// registerTypes adds the types that a response may include.\nfunc registerTypes(r *jsonapi.Registry) {\n")
	for _, o := range s.order {
		if len(o.wire) > 0 {
			fmt.Fprintf(b, "r.Register(new(%s), %s)\n", o.name, quoted(o.wire))
		}
	}
	b.WriteString("}\n")
}

// quoted returns texts as Go code.
func quoted(texts []string) string {
	list := make([]string, len(texts))
	for i, text := range texts {
		list[i] = fmt.Sprintf("%q", text)
	}
	return strings.Join(list, ", ")
}

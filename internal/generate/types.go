package main

import (
	"fmt"
	"strings"
)

// types returns the types of the catalogue, and the enumerations that have constants.
func types(s *source) string {
	var b strings.Builder
	b.WriteString("package catalogue\n\nfunc generatedTypes() []Type {\nreturn []Type{\n")
	for _, o := range s.order {
		if len(o.wire) > 0 {
			s.typeOf(&b, o)
		}
	}
	b.WriteString("}\n}\n\nfunc generatedEnums() []Enum {\nreturn []Enum{\n")
	for _, o := range s.order {
		if len(o.wire) > 0 {
			s.enumsOf(&b, o, o.wire[0]+".")
		}
	}
	b.WriteString("}\n}\n\nvar values = map[string][]string{\n")
	for _, e := range s.enums {
		if e.wanted {
			fmt.Fprintf(&b, "%q: {%s},\n", e.name, quoted(e.values))
		}
	}
	b.WriteString("}\n")
	return b.String()
}

func (s *source) typeOf(b *strings.Builder, o *object) {
	var names []string
	s.each(o, "", func(name string, _ *field) { names = append(names, name) })
	fmt.Fprintf(b, "{\nName: %q,\nAttributes: []string{%s},\n", o.wire[0], quoted(names))
	if len(o.wire) > 1 {
		fmt.Fprintf(b, "Aliases: []string{%s},\n", quoted(o.wire[1:]))
	}
	b.WriteString("Relationships: []Relationship{\n")
	for _, f := range o.fields {
		if f.relation() && f.wire != "" {
			s.relationOf(b, f)
		}
	}
	b.WriteString("},\n},\n")
}

func (s *source) relationOf(b *strings.Builder, f *field) {
	for _, name := range append([]string{f.wire}, f.also...) {
		fmt.Fprintf(b, "{Name: %q, Types: []string{%s}, Many: %t},\n", name, quoted(s.targets(f)), typeName(f.expr) == "ToMany")
	}
}

// each calls visit for each attribute of an object with its dotted name.
func (s *source) each(o *object, prefix string, visit func(name string, f *field)) {
	for _, f := range o.fields {
		if f.relation() || f.wire == "" {
			continue
		}
		for _, name := range append([]string{f.wire}, f.also...) {
			visit(prefix+name, f)
			if of := s.structs[f.text()]; of != nil && len(of.wire) == 0 {
				s.each(of, prefix+name+".", visit)
			}
		}
	}
}

// enumsOf writes the attributes of an object whose values have constants.
func (s *source) enumsOf(b *strings.Builder, o *object, prefix string) {
	s.each(o, prefix, func(name string, f *field) {
		for _, e := range s.enums {
			if e.wanted && e.name == f.text() {
				fmt.Fprintf(b, "{Name: %q, Type: %q},\n", name, e.name)
			}
		}
	})
}

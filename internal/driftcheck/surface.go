package main

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// surface is the described service in the terms of the catalogue.
type surface struct {
	operations map[string]*describedOperation // by "GET /path"
	types      map[string]*resource
	faults     []finding // contradictions within the document
}

type describedOperation struct {
	query    map[string]bool
	includes []string            // nil if the document enumerates none
	body     map[string]bool     // members, with dotted names
	enums    map[string][]string // of query parameters and body members
}

type resource struct {
	attributes    map[string]bool
	relationships map[string][]string // the types of their targets; empty if not documented
	enums         map[string][]string // by attribute
}

func newResource() *resource {
	return &resource{map[string]bool{}, map[string][]string{}, map[string][]string{}}
}

// add adds what another description of the type has.
func (r *resource) add(other *resource) {
	maps.Copy(r.attributes, other.attributes)
	for name, types := range other.relationships {
		r.relationships[name] = sortedUnion(r.relationships[name], types)
	}
	for name, values := range other.enums {
		r.enums[name] = sortedUnion(r.enums[name], values)
	}
}

// surface reads the document. The known type names determine the type of a schema whose name
// differs from its type member.
func (d *document) surface(known map[string]bool) *surface {
	s := &surface{operations: map[string]*describedOperation{}, types: map[string]*resource{}}
	schemas := childObject(childObject(d.root, "components"), "schemas")
	for _, name := range sortedKeys(schemas) {
		if _, ok := d.property(schemas[name], "attributes"); ok {
			s.addType(d, s.typeName(d, name, schemas[name], known), schemas[name])
		}
	}
	paths := childObject(d.root, "paths")
	for _, path := range sortedKeys(paths) {
		item := d.resolve(paths[path])
		for _, method := range []string{"get", "put", "post", "patch", "delete"} {
			if op := childObject(item, method); op != nil {
				s.operations[strings.ToUpper(method)+" "+path] = d.operation(item, op)
				d.successSchemas(op, func(schema any) { s.addInline(d, schema, 0) })
			}
		}
	}
	for _, ref := range sortedKeys(d.dangling) {
		s.faults = append(s.faults, finding{"reference", ref, "points to nothing in the document"})
	}
	return s
}

// typeName returns the type that a component describes: its own name if that is a known type, or
// else its type member.
func (s *surface) typeName(d *document, name string, schema any, known map[string]bool) string {
	declared := d.declaredType(schema)
	if !known[name] {
		if declared == "" {
			return name
		}
		return declared
	}
	if declared != "" && declared != name {
		s.faults = append(s.faults, finding{"type " + name, declared, "is the name of its type in the document"})
	}
	return name
}

// declaredType returns the enumerated values of the property "type" of a schema, joined by |, or
// its example if it has none.
func (d *document) declaredType(schema any) string {
	member, ok := d.property(schema, "type")
	if !ok {
		return ""
	}
	if values := d.enum(member); len(values) > 0 {
		return strings.Join(values, "|")
	}
	example, _ := d.resolve(member)["example"].(string)
	return example
}

// addInline adds the resources that a response describes inline. A reference to a component is only
// checked, because components are read by name.
func (s *surface) addInline(d *document, v any, depth int) {
	o, _ := v.(object)
	if o == nil || depth > maxDepth {
		return
	}
	if _, ok := o["$ref"]; ok {
		d.resolve(o)
		return
	}
	if _, ok := childObject(o, "properties")["attributes"]; ok {
		if name := d.declaredType(o); name != "" {
			s.addType(d, name, o)
		}
		return
	}
	s.addInline(d, o["items"], depth+1)
	for _, key := range []string{"allOf", "oneOf", "anyOf"} {
		parts, _ := o[key].([]any)
		for _, part := range parts {
			s.addInline(d, part, depth+1)
		}
	}
	for _, property := range childObject(o, "properties") {
		s.addInline(d, property, depth+1)
	}
}

// addType adds the description of a type in one schema. Several schemas may describe the same type.
func (s *surface) addType(d *document, name string, schema any) {
	r := s.types[name]
	if r == nil {
		r = newResource()
		s.types[name] = r
	}
	for _, variant := range d.variants(schema) {
		for _, member := range sortedKeys(childObject(variant, "properties")) {
			if !slices.Contains([]string{"id", "type", "attributes", "relationships", "links", "meta"}, member) {
				s.faults = append(s.faults, finding{"type " + name, quoteEmpty(member), "is not a member of a resource"})
			}
		}
	}
	if attributes, ok := d.property(schema, "attributes"); ok {
		d.members(attributes, func(attribute string, member any) {
			r.attributes[attribute] = true
			if values := d.enum(member); len(values) > 0 {
				r.enums[attribute] = sortedUnion(r.enums[attribute], values)
			}
		})
	}
	relationships, _ := d.property(schema, "relationships")
	for _, variant := range d.variants(relationships) {
		for _, relationship := range sortedKeys(childObject(variant, "properties")) {
			s.addRelationship(d, name, relationship, childObject(variant, "properties")[relationship])
		}
	}
}

func (s *surface) addRelationship(d *document, owner, name string, schema any) {
	r := s.types[owner]
	data, ok := d.property(schema, "data")
	if !ok {
		data = schema
		s.faults = append(s.faults, finding{"relationship " + owner + "." + name, "data", "is missing from the document"})
	}
	r.relationships[name] = sortedUnion(r.relationships[name], nil)
	d.members(data, func(member string, value any) {
		switch member {
		case "type":
			r.relationships[name] = sortedUnion(r.relationships[name], d.enum(value))
		case "id", "meta":
		default:
			s.faults = append(s.faults, finding{"relationship " + owner + "." + name, member, "is not a member of an identifier"})
		}
	})
}

// operation reads the parameters and the request body of one operation.
func (d *document) operation(item, op object) *describedOperation {
	o := &describedOperation{query: map[string]bool{}, body: map[string]bool{}, enums: map[string][]string{}}
	shared, _ := item["parameters"].([]any)
	own, _ := op["parameters"].([]any)
	for _, p := range append(slices.Clone(shared), own...) {
		parameter := d.resolve(p)
		name, _ := parameter["name"].(string)
		if parameter["in"] != "query" {
			continue
		}
		o.query[name] = true
		values := d.enum(parameter["schema"])
		if name == "include" {
			description, _ := parameter["description"].(string)
			o.includes = sortedUnion(values, allowedInProse(description))
		} else if len(values) > 0 {
			o.enums[lastSegment(name)] = values
		}
	}
	body := mediaSchema(d.resolve(op["requestBody"]))
	if data, ok := d.property(body, "data"); ok {
		body, _ = d.property(data, "attributes")
	}
	d.members(body, func(name string, schema any) {
		o.body[name] = true
		if values := d.enum(schema); len(values) > 0 {
			o.enums[name] = sortedUnion(o.enums[name], values)
		}
	})
	return o
}

var (
	allowedSentence = regexp.MustCompile(`Allowed: (.+?)(?:\.\s|\.?$)`)
	aside           = regexp.MustCompile(`\([^)]*\)`)
)

// allowedInProse reads the list in "Allowed: a, b (alias for a), c.b. More."
func allowedInProse(description string) []string {
	match := allowedSentence.FindStringSubmatch(description)
	if match == nil {
		return nil
	}
	var values []string
	for value := range strings.SplitSeq(aside.ReplaceAllString(match[1], ""), ",") {
		values = append(values, strings.TrimSpace(value))
	}
	return values
}

// successSchemas calls visit for the schemas of an operation's 2xx responses.
func (d *document) successSchemas(op object, visit func(schema any)) {
	responses := childObject(op, "responses")
	for _, status := range sortedKeys(responses) {
		if strings.HasPrefix(status, "2") {
			visit(mediaSchema(d.resolve(responses[status])))
		}
	}
}

// mediaSchema returns the schema of the JSON body of a request or a response.
func mediaSchema(o object) any {
	content := childObject(o, "content")
	for _, mediaType := range sortedKeys(content) {
		if strings.HasSuffix(mediaType, "json") {
			return childObject(content, mediaType)["schema"]
		}
	}
	return nil
}

// lastSegment turns "filter[status]" into "status".
func lastSegment(parameter string) string {
	segments := strings.FieldsFunc(parameter, func(r rune) bool { return r == '[' || r == ']' })
	if len(segments) == 0 {
		return parameter
	}
	return segments[len(segments)-1]
}

func sortedUnion(a, b []string) []string {
	all := append(slices.Clone(a), b...)
	slices.Sort(all)
	return slices.Compact(all)
}

func quoteEmpty(name string) string {
	if name == "" {
		return `""`
	}
	return name
}

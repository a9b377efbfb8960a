package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// object is a JSON object of the document.
type object = map[string]any

// document is an OpenAPI document and its references that point to nothing.
type document struct {
	root     object
	dangling map[string]bool
}

// maxDepth limits every recursion, because schemas may refer to themselves.
const maxDepth = 10

func parseDocument(data []byte) (*document, error) {
	// Numbers are kept as written, so that examples are unchanged.
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	d := &document{dangling: map[string]bool{}}
	if err := decoder.Decode(&d.root); err != nil {
		return nil, fmt.Errorf("not a JSON document: %w", err)
	}
	if len(childObject(d.root, "paths")) == 0 {
		return nil, fmt.Errorf("no paths in the document: is it an OpenAPI document?")
	}
	return d, nil
}

// resolve follows references and merges allOf into its schema.
func (d *document) resolve(v any) object { return d.resolveTo(v, 0) }

func (d *document) resolveTo(v any, depth int) object {
	o, _ := v.(object)
	if o == nil || depth > maxDepth {
		return nil
	}
	if ref, ok := o["$ref"].(string); ok {
		return d.resolveTo(d.lookup(ref), depth+1)
	}
	parts, ok := o["allOf"].([]any)
	if !ok {
		return o
	}
	merged, properties := object{}, object{}
	for _, part := range append(slices.Clone(parts), withoutKey(o, "allOf")) {
		p := d.resolveTo(part, depth+1)
		maps.Copy(merged, p)
		maps.Copy(properties, childObject(p, "properties"))
	}
	if len(properties) > 0 {
		merged["properties"] = properties
	}
	return merged
}

// lookup returns the target of a local reference, or nil if there is none.
func (d *document) lookup(ref string) any {
	var at any = d.root
	for step := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		o, _ := at.(object)
		next, ok := o[step]
		if !ok {
			d.dangling[ref] = true
			return nil
		}
		at = next
	}
	return at
}

// variants returns the resolved schema and every alternative of its oneOf and anyOf.
func (d *document) variants(v any) []object { return d.variantsTo(v, 0) }

func (d *document) variantsTo(v any, depth int) []object {
	o := d.resolve(v)
	if o == nil || depth > maxDepth {
		return nil
	}
	all := []object{o}
	for _, key := range []string{"oneOf", "anyOf"} {
		alternatives, _ := o[key].([]any)
		for _, alternative := range alternatives {
			all = append(all, d.variantsTo(alternative, depth+1)...)
		}
	}
	return all
}

// property returns the schema of a property of any variant.
func (d *document) property(v any, name string) (any, bool) {
	for _, variant := range d.variants(v) {
		if p, ok := childObject(variant, "properties")[name]; ok {
			return p, true
		}
	}
	return nil, false
}

// members calls visit for every property below a schema, through arrays and alternatives, with its
// dotted name.
func (d *document) members(v any, visit func(name string, schema any)) { d.membersTo(v, "", 0, visit) }

func (d *document) membersTo(v any, prefix string, depth int, visit func(string, any)) {
	if depth > maxDepth {
		return
	}
	for _, variant := range d.variants(v) {
		if items, ok := variant["items"]; ok {
			d.membersTo(items, prefix, depth+1, visit)
		}
		for name, schema := range childObject(variant, "properties") {
			visit(prefix+name, schema)
			d.membersTo(schema, prefix+name+".", depth+1, visit)
		}
	}
}

// enum returns the values that a schema, or the items of its array, enumerates, without null.
func (d *document) enum(v any) []string { return d.enumTo(v, 0) }

func (d *document) enumTo(v any, depth int) []string {
	var values []string
	if depth > maxDepth {
		return nil
	}
	for _, variant := range d.variants(v) {
		list, _ := variant["enum"].([]any)
		if constant, ok := variant["const"]; ok {
			list = append(slices.Clone(list), constant)
		}
		for _, value := range list {
			if value != nil {
				values = append(values, fmt.Sprint(value))
			}
		}
		if items, ok := variant["items"]; ok {
			values = append(values, d.enumTo(items, depth+1)...)
		}
	}
	return values
}

func childObject(o object, key string) object {
	c, _ := o[key].(object)
	return c
}

func withoutKey(o object, key string) object {
	rest := maps.Clone(o)
	delete(rest, key)
	return rest
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

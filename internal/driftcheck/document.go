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

// document is an OpenAPI document and the references in it that lead nowhere.
type document struct {
	root     object
	dangling map[string]bool
}

// maxDepth bounds every walk, because schemas may refer to themselves.
const maxDepth = 10

func parse(data []byte) (*document, error) {
	// Numbers stay as they are written, so that examples come out unchanged.
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	d := &document{dangling: map[string]bool{}}
	if err := decoder.Decode(&d.root); err != nil {
		return nil, fmt.Errorf("not a JSON document: %w", err)
	}
	if len(child(d.root, "paths")) == 0 {
		return nil, fmt.Errorf("no paths in the document: is it an OpenAPI document?")
	}
	return d, nil
}

// resolve follows references and merges allOf into the schema that has it.
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
	for _, part := range append(slices.Clone(parts), without(o, "allOf")) {
		p := d.resolveTo(part, depth+1)
		maps.Copy(merged, p)
		maps.Copy(properties, child(p, "properties"))
	}
	if len(properties) > 0 {
		merged["properties"] = properties
	}
	return merged
}

// lookup returns what a local reference points to, and nil when it points to
// nothing.
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

// variants returns the resolved schema itself, and every alternative of its
// oneOf and anyOf.
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

// property returns the schema of a property, looked for in all variants.
func (d *document) property(v any, name string) (any, bool) {
	for _, variant := range d.variants(v) {
		if p, ok := child(variant, "properties")[name]; ok {
			return p, true
		}
	}
	return nil, false
}

// members visits every property below a schema, through arrays and
// alternatives, with the dotted name of each.
func (d *document) members(v any, visit func(name string, schema any)) { d.membersTo(v, "", 0, visit) }

func (d *document) membersTo(v any, prefix string, depth int, visit func(string, any)) {
	if depth > maxDepth {
		return
	}
	for _, variant := range d.variants(v) {
		if items, ok := variant["items"]; ok {
			d.membersTo(items, prefix, depth+1, visit)
		}
		for name, schema := range child(variant, "properties") {
			visit(prefix+name, schema)
			d.membersTo(schema, prefix+name+".", depth+1, visit)
		}
	}
}

// enum returns the values that a schema, or the items of its array, enumerates.
// Null is left out: presence is not a matter of the enumeration.
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

func child(o object, key string) object {
	c, _ := o[key].(object)
	return c
}

func without(o object, key string) object {
	rest := maps.Clone(o)
	delete(rest, key)
	return rest
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

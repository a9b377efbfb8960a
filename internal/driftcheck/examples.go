package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-freight/terminal49/internal/operation"
)

// example is one successful response in the document.
type example struct {
	op     string // the library's name for the operation
	status int
	name   string
	body   []byte
}

// examples returns the examples of the 2xx responses of all operations. Examples of the resource
// schemas become responses of the type's get operation.
func (d *document) examples(operations []operation.Operation) ([]example, error) {
	var all []example
	for _, op := range operations {
		item := d.resolve(childObject(d.root, "paths")[op.Path])
		responses := childObject(childObject(item, strings.ToLower(op.Method)), "responses")
		for _, code := range sortedKeys(responses) {
			if !strings.HasPrefix(code, "2") {
				continue
			}
			// "2XX" is any successful status; 200 is the usual one.
			status, err := strconv.Atoi(code)
			if err != nil {
				status = 200
			}
			for _, named := range d.responseExamples(d.resolve(responses[code])) {
				named.op, named.status = op.Name, status
				all = append(all, named)
			}
		}
		if strings.HasSuffix(op.Name, ".get") {
			schema := d.resolve(childObject(childObject(d.root, "components"), "schemas")[op.Resource])
			for _, named := range d.schemaExamples(schema) {
				envelope, err := json.Marshal(map[string]json.RawMessage{"data": named.body})
				if err != nil {
					return nil, fmt.Errorf("example %q of %s: %w", named.name, op.Resource, err)
				}
				all = append(all, example{op.Name, 200, named.name, envelope})
			}
		}
	}
	return all, nil
}

// responseExamples returns the examples of one response, without operation and status.
func (d *document) responseExamples(response object) []example {
	var all []example
	content := childObject(response, "content")
	for _, mediaType := range sortedKeys(content) {
		if !strings.HasSuffix(mediaType, "json") {
			continue
		}
		media := childObject(content, mediaType)
		named := childObject(media, "examples")
		for _, name := range sortedKeys(named) {
			if value, ok := d.resolve(named[name])["value"]; ok {
				all = appendExample(all, name, value)
			}
		}
		if value, ok := media["example"]; ok {
			all = appendExample(all, "example", value)
		}
		all = append(all, d.schemaExamples(d.resolve(media["schema"]))...)
	}
	return all
}

// schemaExamples returns the examples in a schema, wherever OpenAPI 3.0, 3.1 and common editors put
// them.
func (d *document) schemaExamples(schema object) []example {
	var all []example
	if value, ok := schema["example"]; ok {
		all = appendExample(all, "schema example", value)
	}
	list, _ := schema["examples"].([]any)
	for i, value := range list {
		all = appendExample(all, fmt.Sprintf("schema example %d", i+1), value)
	}
	named := childObject(schema, "x-examples")
	for _, name := range sortedKeys(named) {
		all = appendExample(all, "schema example "+name, named[name])
	}
	return all
}

func appendExample(all []example, name string, value any) []example {
	body, err := json.Marshal(value)
	if err != nil {
		return all // impossible: the value was decoded from JSON
	}
	return append(all, example{name: name, body: body})
}

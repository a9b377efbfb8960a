package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/go-freight/terminal49/cmd/internal/cli"
)

// secretNames are the members of bodies that are secrets, or have some.
var secretNames = []string{"secret", "attached_document", "headers"}

// concealSecrets hides the secrets of a body from errors, which the service may repeat.
func (a *app) concealSecrets(body []byte) {
	var conceal func(value any, secret bool)
	conceal = func(value any, secret bool) {
		switch value := value.(type) {
		case map[string]any:
			for name, member := range value {
				conceal(member, secret && name == "value" || slices.Contains(secretNames, name))
			}
		case []any:
			for _, item := range value {
				conceal(item, secret)
			}
		case string:
			if secret {
				a.secrets.Add(value, cli.BareToken(value))
			}
		}
	}
	var document any
	_ = json.Unmarshal(body, &document) // it is valid
	conceal(document, false)
}

// attributes returns what the body may set: attributes of a resource, or members of a plain object.
func (c *anyCall) attributes() []string {
	return slices.DeleteFunc(slices.Clone(c.operation.Body), func(name string) bool { return strings.Contains(name, ".") })
}

// checkInput returns an error for an attribute that the operation does not have, which the service
// would ignore. What else is wrong with a body, the service says.
func (c *anyCall) checkInput(text []byte) error {
	var members map[string]any
	var document struct {
		Data struct{ Attributes map[string]any }
	}
	_, _ = json.Unmarshal(text, &members), json.Unmarshal(text, &document)
	set := document.Data.Attributes
	if c.operation.BodyType == "" {
		set = members
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		if !c.unchecked && !slices.Contains(c.attributes(), name) {
			return c.unknown("attribute", name, c.attributes())
		}
	}
	return nil
}

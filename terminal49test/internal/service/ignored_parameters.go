package service

import (
	"net/url"
	"slices"
	"strings"
)

// Ignored is a parameter that an operation does not have; "" is every operation.
type Ignored struct{ Operation, Parameter string }

// ignore removes the parameters that the operation ignores from the query.
func (x *Call) ignore(out []Ignored) {
	x.sent = x.Query
	if len(out) == 0 {
		return
	}
	x.Query = url.Values{}
	for name, values := range x.sent {
		if name == "include" && len(values) > 0 {
			values = x.honoredIncludes(out, values[0])
		}
		if len(values) > 0 && !x.ignores(out, name) {
			x.Query[name] = values
		}
	}
}

func (x *Call) ignores(out []Ignored, parameter string) bool {
	return slices.ContainsFunc(out, func(i Ignored) bool {
		return i.Parameter == parameter && (i.Operation == "" || i.Operation == x.Route.Op)
	})
}

// honoredIncludes returns the value of include without the paths that are ignored; nil if none is
// left.
func (x *Call) honoredIncludes(out []Ignored, list string) []string {
	paths := slices.DeleteFunc(strings.Split(list, ","), func(path string) bool { return x.ignores(out, "include="+path) })
	if len(paths) == 0 {
		return nil
	}
	return []string{strings.Join(paths, ",")}
}

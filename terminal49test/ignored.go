package terminal49test

import (
	"net/url"
	"slices"
	"strings"
)

// WithIgnored makes an operation, such as "shipments.list", ignore query parameters without an
// error, as a service does that does not have them. A parameter is a name, such as
// "filter[tracking_stopped]", or one value of include, such as
// "include=containers.transport_events". With "page[size]" the pages have the default size. The
// links still name the parameters. The option can be repeated; "" is every operation.
func WithIgnored(operation string, parameters ...string) Option {
	return func(c *config) {
		for _, p := range parameters {
			c.ignored = append(c.ignored, ignored{operation, p})
		}
	}
}

// ignored is a parameter that an operation does not have; "" is every operation.
type ignored struct{ operation, parameter string }

// ignore removes the parameters that the operation ignores from the query.
func (x *exchange) ignore() {
	x.sent = x.query
	if len(x.s.config.ignored) == 0 {
		return
	}
	x.query = url.Values{}
	for name, values := range x.sent {
		if name == "include" && len(values) > 0 {
			values = x.honoredIncludes(values[0])
		}
		if len(values) > 0 && !x.ignores(name) {
			x.query[name] = values
		}
	}
}

func (x *exchange) ignores(parameter string) bool {
	return slices.ContainsFunc(x.s.config.ignored, func(i ignored) bool {
		return i.parameter == parameter && (i.operation == "" || i.operation == x.route.op)
	})
}

// honoredIncludes returns the value of include without the paths that are ignored; nil if none is
// left.
func (x *exchange) honoredIncludes(list string) []string {
	paths := slices.DeleteFunc(strings.Split(list, ","), func(path string) bool { return x.ignores("include=" + path) })
	if len(paths) == 0 {
		return nil
	}
	return []string{strings.Join(paths, ",")}
}

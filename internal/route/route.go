// Package route turns a route template and its arguments into an escaped path. It is the one place
// where the caller's text becomes part of a path, so an id can never add a segment, leave its
// resource or start a query.
package route

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Error is why a path could not be built. Nothing has been sent.
type Error struct {
	Param  string // name inside the braces; "" if the error is not about one parameter
	Reason string // what is wrong and what to pass instead
}

// Error names the parameter and what to pass instead. It never quotes the argument.
func (e *Error) Error() string {
	if e.Param == "" {
		return "route: " + e.Reason
	}
	return "route: path parameter " + e.Param + " " + e.Reason
}

// Build replaces the {parameters} of template with args, in order, and returns an escaped path:
// "/shipments/{id}" and "a/b" become "/shipments/a%2Fb". Everything outside the braces is copied
// unchanged.
//
// Build returns an [*Error] for a wrong number of arguments, and for an argument that is empty, "."
// or "..", is not valid UTF-8 or holds a control character.
func Build(template string, args ...string) (string, error) {
	var path strings.Builder
	path.Grow(len(template) + 40*len(args)) // an id has 36 characters
	rest, used := template, 0
	for {
		before, after, found := strings.Cut(rest, "{")
		path.WriteString(before)
		if !found {
			break
		}
		param, tail, closed := strings.Cut(after, "}")
		if !closed {
			return "", &Error{Reason: "the template has an opening brace without a closing one"}
		}
		if used == len(args) {
			return "", &Error{Param: param, Reason: "has no argument; pass one for each parameter of the route"}
		}
		if reason := refuse(args[used]); reason != "" {
			return "", &Error{Param: param, Reason: reason}
		}
		path.WriteString(escape(args[used]))
		rest = tail
		used++
	}
	if used != len(args) {
		return "", &Error{Reason: fmt.Sprintf("%d arguments for %d parameters; pass one for each", len(args), used)}
	}
	return path.String(), nil
}

// refuse returns what is wrong with an argument, "" for a valid one.
func refuse(arg string) string {
	switch {
	case arg == "":
		return "is empty; pass the identifier of the resource"
	case arg == "." || arg == "..":
		return "is a relative path element; pass the identifier of the resource"
	case !utf8.ValidString(arg):
		return "is not valid UTF-8; pass the identifier as the service sent it"
	case strings.ContainsFunc(arg, unicode.IsControl):
		return "has a control character; pass the identifier as the service sent it"
	}
	return ""
}

// escape encodes everything except letters, digits and "-_.~". url.PathEscape leaves "@", ":" and
// others that proxies interpret.
func escape(arg string) string {
	return strings.ReplaceAll(url.QueryEscape(arg), "+", "%20")
}

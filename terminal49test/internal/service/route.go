package service

import (
	"net/url"
	"strings"
)

// Route is one operation of the service.
type Route struct {
	Op, Method, Path string
	Bucket           string
	Query            []string              // documented parameters, unescaped
	Filters          map[string]FilterKind // in addition, of the newer service; see filters.go
	Body             *BodyRule
}

// BodyRule describes a request body.
type BodyRule struct {
	Kind          string   // JSON:API type of data; "" for a plain JSON object
	Attributes    []string // of data.attributes, or of the plain object
	Relationships []string
	// Stub accepts an empty body and {"data":{"type","id"}}, which the official TypeScript SDK
	// sends.
	Stub bool
	// Untyped accepts data without a type, which the service's document does not require then.
	Untyped bool
}

// Match reports whether a request is for the route, and returns the values of the path parameters.
func (r *Route) Match(method, path string) (args map[string]string, ok bool) {
	want, got := strings.Split(r.Path, "/"), strings.Split(path, "/")
	if r.Method != method || len(want) != len(got) {
		return nil, false
	}
	return bind(want, got)
}

func bind(want, got []string) (map[string]string, bool) {
	args := map[string]string{}
	for i, w := range want {
		if !strings.HasPrefix(w, "{") {
			if w != got[i] {
				return nil, false
			}
			continue
		}
		value, err := url.PathUnescape(got[i])
		if err != nil || value == "" || w == "{imo}" && strings.Trim(value, "0123456789") != "" {
			return nil, false
		}
		args[strings.Trim(w, "{}")] = value
	}
	return args, true
}

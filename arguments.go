package terminal49

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Arguments of methods become parts of a path or a query. They are checked here, before anything is
// sent.

// argument is a path argument. problem describes what is wrong with it; "" if it is valid.
type argument struct{ name, value, problem string }

// uuidArg returns the argument of an id that the service documents as a UUID.
func uuidArg(id string) argument {
	a := argument{name: "id", value: id}
	if !isUUID(id) {
		a.problem = "must be a UUID such as 5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d"
	}
	return a
}

func isUUID(id string) bool {
	_, err := uuid.Parse(id)
	return err == nil && len(id) == 36 // Parse accepts other lengths too
}

// named sets the name that the parameter has in Go. Routes with several parameters need it.
func (a argument) named(name string) argument {
	a.name = name
	return a
}

// slugArg returns the argument of an identifier that is not a UUID, such as a UN/LOCODE or an IMO
// number.
func slugArg(name, value string) argument {
	a := argument{name: name, value: value}
	if strings.TrimSpace(value) == "" {
		a.problem = "must not be empty"
	}
	return a
}

// apiSlugArg returns the argument of an api_slug. A slash in it would be part of the path for a
// proxy that decodes paths.
func apiSlugArg(name, value string) argument {
	a := slugArg(name, value)
	if strings.Contains(value, "/") {
		a.problem = "must not contain a slash"
	}
	return a
}

// hint adds the remedy to the problem, if there is one.
func (a argument) hint(todo string) argument {
	if a.problem != "" {
		a.problem += "; " + todo
	}
	return a
}

// query collects query parameters. Empty ones are omitted.
type query struct {
	values  url.Values // nil if nothing is set
	paged   bool
	ignored func(items any) (key, id string) // finds a filter that an item contradicts; may be nil
	err     error
}

//go:noinline
func (q *query) setText(name, value string) {
	if value = strings.TrimSpace(value); value != "" {
		q.set(name, value)
	}
}

func (q *query) set(name string, values ...string) {
	if q.values == nil {
		q.values = url.Values{}
	}
	q.values[name] = values
}

func (q *query) setList(name string, values []string) {
	for _, v := range values {
		if v == "" || strings.Contains(v, ",") {
			q.reject(name, "must not have an empty value or one with a comma; pass each value separately")
		}
	}
	q.setText(name, strings.Join(values, ","))
}

func (q *query) setBool(name string, value Opt[bool]) {
	if v, ok := value.Get(); ok {
		q.setText(name, strconv.FormatBool(v))
	}
}

func (q *query) setTime(name string, t time.Time) {
	if !t.IsZero() {
		q.setText(name, t.UTC().Format(time.RFC3339))
	}
}

//go:noinline
func (q *query) reject(field, problem string) {
	if q.err == nil {
		q.err = &ArgumentError{Field: field, Problem: problem}
	}
}

// toStrings returns the plain strings of a typed list.
func toStrings[S ~string](list []S) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return out
}

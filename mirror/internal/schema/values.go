package schema

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/sqlstore"
)

// Row returns the values of a resource, which was scrubbed, in the order of ColumnNames, as
// arguments of a statement. JSON is a json.RawMessage. A member that the client cannot read is
// null: the error is then an OddMembers, and the values can still be stored.
func (t *Table) Row(d sqlstore.Dialect, res *model.Resource, z model.OriginZones) ([]any, error) {
	return t.read(d, res, z)
}

// OddMembers is the error of members of a resource whose form is unknown to the client.
// Their names hold no values.
type OddMembers []string

func (o OddMembers) Error() string {
	return "mirror: members in an unknown form are null: " + strings.Join(o, ", ")
}

// decodeResource decodes a resource with the zones of other resources. If a member does not fit, it
// decodes the others and returns an error that names it.
func decodeResource[T any](res *model.Resource, z model.OriginZones, decode func([]byte) (*T, error)) (*T, error) {
	v, err := decode(res.Raw)
	if err != nil {
		v, err = decodeFitting(res, decode)
	}
	if c, ok := any(v).(*container); ok {
		z.Pair(c, res)
	}
	return v, err
}

// decodeFitting decodes the members of a resource that the client can read.
func decodeFitting[T any](res *model.Resource, decode func([]byte) (*T, error)) (*T, error) {
	var odd OddMembers
	attributes := map[string]json.RawMessage{}
	for name, sent := range res.Attributes {
		if _, err := decode(model.ObjectJSON(res.Ref, map[string]json.RawMessage{name: sent}, nil)); err != nil {
			odd = append(odd, name)
			continue
		}
		attributes[name] = sent
	}
	relationships := map[string]model.Relationship{}
	for name, sent := range res.Relationships {
		if _, err := decode(model.ObjectJSON(res.Ref, nil, map[string]model.Relationship{name: sent})); err != nil {
			odd = append(odd, name)
			continue
		}
		relationships[name] = sent
	}
	slices.Sort(odd)
	v, err := decode(model.ObjectJSON(res.Ref, attributes, relationships))
	if err != nil {
		return new(T), append(odd, "all others") // such as of a resource without an id
	}
	return v, odd
}

// rowValues collects the values of a resource.
type rowValues struct {
	dialect sqlstore.Dialect
	res     *model.Resource
	values  []any
	long    []string // columns whose texts are too long for an index
}

func (r *rowValues) add(v any) { r.values = append(r.values, v) }

func (r *rowValues) text(s string) {
	if s == "" {
		r.add(nil)
		return
	}
	r.add(s)
}

// longestText is what fits into an index, of which Postgres allows 2,704 bytes, together with an
// id.
const longestText = 2000

// indexed adds a text that may be in an index, and null for one that does not fit: one such row
// must not keep the rest of its page from being stored.
func (r *rowValues) indexed(name, s string, longest int) {
	if len(s) > longest {
		r.long = append(r.long, name)
		s = ""
	}
	r.text(s)
}

// json adds JSON that the service sent.
func (r *rowValues) json(data []byte) {
	if len(data) == 0 || string(data) == "null" {
		r.add(nil)
		return
	}
	r.add(json.RawMessage(data))
}

// marshal adds a value as JSON.
func (r *rowValues) marshal(v any) {
	data, err := json.Marshal(v)
	if err != nil {
		r.add(nil)
		return
	}
	r.json(data)
}

func (r *rowValues) instant(t terminal49.Time) {
	at, known := t.Instant()
	if year := at.Year(); !known || year < 1 || year > 9999 { // Postgres has no year 0
		r.add(nil)
		return
	}
	r.add(TimeArgument(r.dialect, at))
}

// moment adds a time and the wall clock of its place.
func (r *rowValues) moment(t terminal49.Time) {
	r.instant(t)
	r.text(wallClock(t))
}

// localTime is the form of the wall clock of a place.
const localTime = time.DateTime

// wallClock returns the local time at the place of t. If the time of day is unknown, or t is in one
// of two zones, it returns only the day. If the zone was not reported, or t is not at a place, it
// returns "".
func wallClock(t terminal49.Time) string {
	if t.IsZero() {
		return ""
	}
	local, err := t.Local()
	switch day, known := t.Date(); {
	case err == nil && t.Zone() == "" && local.Location() == time.UTC: // not at a place
		return ""
	case err == nil:
		return local.Format(localTime)
	case t.DateOnly() || known && isEither(t):
		return day.Format(time.DateOnly)
	case known: // the digits are the wall clock of a place whose zone is unknown
		return t.Format(localTime)
	}
	return ""
}

// isEither reports whether t is at one of two places, so that its instant is known but its local
// time is not.
func isEither(t terminal49.Time) bool {
	_, known := t.Instant()
	return known
}

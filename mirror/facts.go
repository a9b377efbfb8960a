package mirror

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
)

// facts merges facts that a notification has: events, estimates and changesets. Others are left
// out. Copies of a fact that agree in what they mention give the same row in any order.
func (t *tx) facts(ctx context.Context, list []*resource) error {
	others := func(res *resource) bool { into := tableOf(res.Type); return into == nil || !into.facts() }
	return t.write(ctx, reading{source: "notification"}, slices.DeleteFunc(slices.Clone(list), others))
}

// facts reports whether the resources of a table happened once, and hardly change afterwards.
func (t *table) facts() bool {
	return t.name == "transport_events" || t.name == "estimates" || t.name == "container_events"
}

// join adds what a copy of a fact says besides to a row whose reading is not older.
func (w *writer) join(s *step, res, was *resource, k kept) {
	joined := was.and(res, k.ticket == 0)
	if joined == was {
		s.late = append(s.late, res)
		return
	}
	changed := w.differs(joined, was, k, compare(was, joined))
	sum := k.digest
	if k.ticket == 0 {
		joined = joined.plain()
		sum = digest(joined.raw)
	}
	s.rows = append(s.rows, written{joined, res, sum, k.ticket, max(w.r.until, k.until), w.changedAt(k, changed)})
}

// and returns a fact with what a copy says besides. If neither is known to be newer, which is
// symmetric, a value wins over null and the greater value over the smaller.
func (r *resource) and(other *resource, symmetric bool) *resource {
	attributes, relationships := maps.Clone(r.Attributes), maps.Clone(r.Relationships)
	for name, value := range other.Attributes {
		if had, said := attributes[name]; !said || symmetric && wins(value, had) {
			put(&attributes, name, value)
		}
	}
	for name, to := range other.Relationships {
		if had := relationships[name].Data; to.Data != nil && (had == nil || symmetric && wins(to.Data, had)) {
			put(&relationships, name, to)
		}
	}
	if at := earlier(r.Attributes[invalidated], other.Attributes[invalidated]); at != nil {
		put(&attributes, invalidated, at)
	}
	if maps.EqualFunc(attributes, r.Attributes, bytesEqual) && maps.EqualFunc(relationships, r.Relationships, relationship.equal) {
		return r
	}
	return r.with(attributes, relationships)
}

func bytesEqual(a, b json.RawMessage) bool { return bytes.Equal(a, b) }

func (r relationship) equal(other relationship) bool { return bytes.Equal(r.Data, other.Data) }

// wins reports whether a is chosen if neither of two values is known to be newer.
func wins(a, b json.RawMessage) bool {
	return !same(a, b) && (orNil(b) == nil || orNil(a) != nil && bytes.Compare(plain(a), plain(b)) > 0)
}

// invalidated is when an event was withdrawn. Once set, it stays.
const invalidated = "invalidated_at"

// stillInvalidated returns a fact that is withdrawn if was is.
func (r *resource) stillInvalidated(was *resource) *resource {
	at := earlier(r.Attributes[invalidated], was.Attributes[invalidated])
	if at == nil || bytes.Equal(at, r.Attributes[invalidated]) {
		return r
	}
	attributes := maps.Clone(r.Attributes)
	put(&attributes, invalidated, at)
	return r.with(attributes, r.Relationships)
}

// earlier returns the first of two times of the service; nil if both are null.
func earlier(a, b json.RawMessage) json.RawMessage {
	a, b = orNil(a), orNil(b)
	if a == nil || b != nil && bytes.Compare(b, a) < 0 {
		return b
	}
	return a
}

// plain returns a fact in the one form of all copies that say the same.
func (r *resource) plain() *resource {
	relationships := map[string]relationship{}
	for name, to := range r.Relationships {
		if to.Data != nil {
			relationships[name] = to
		}
	}
	raw := encode(struct {
		ref
		Attributes    map[string]json.RawMessage `json:"attributes"`
		Relationships map[string]relationship    `json:"relationships"`
	}{r.ref, r.Attributes, relationships})
	return &resource{r.ref, r.Attributes, relationships, plain(raw)}
}

// plain returns JSON with sorted members and without spaces.
func plain(data json.RawMessage) json.RawMessage { return encode(decode(data)) }

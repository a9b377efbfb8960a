package terminal49test

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// listed is a row of a list as its filters and orders see it. A list of shipments has no container.
type listed struct {
	x *exchange
	c *Container
	s *Shipment // with an empty one instead of none
}

// What a row without a shipment or a customer reads instead. They are shared, and never changed.
var (
	noShipment = &Shipment{}
	noParty    = &Party{}
)

// listKey is a name that the newer service has for a filter of a list, for an order, or for both.
type listKey struct {
	kind  service.FilterKind
	match func(listed, service.Filter) bool // nil if it is not a filter
	order func(listed) string               // text that sorts like the row; nil if it is not an order
}

// filtersOf returns the filters of a list.
func filtersOf(keys map[string]listKey) map[string]service.FilterKind {
	kinds := map[string]service.FilterKind{}
	for name, key := range keys {
		if key.match != nil {
			kinds[name] = key.kind
		}
	}
	return kinds
}

// matches reports whether a row matches all filters.
func (r listed) matches(keys map[string]listKey, filters []service.Filter) bool {
	return !slices.ContainsFunc(filters, func(f service.Filter) bool { return !keys[f.Key].match(r, f) })
}

func textKey(kind service.FilterKind, texts func(listed) []string) listKey {
	return listKey{kind: kind, match: func(r listed, f service.Filter) bool { return f.MatchText(texts(r)...) }}
}

// textFilter compares one text.
func textFilter(text func(listed) string) listKey {
	return textKey(service.FilterText, func(r listed) []string { return []string{text(r)} })
}

func prefixFilter(texts func(listed) []string) listKey {
	return listKey{kind: service.FilterSearch, match: func(r listed, f service.Filter) bool { return f.MatchPrefix(texts(r)...) }}
}

// flagFilter filters by a flag of a row. The flag may be neither true nor false.
func flagFilter(flag func(listed) (yes, no bool)) listKey {
	return listKey{kind: service.FilterBool, match: func(r listed, f service.Filter) bool { return f.MatchBool(flag(r)) }}
}

// ignoredFilter is a filter that accepts every row: it has no effect, or changes only how others
// match.
func ignoredFilter(kind service.FilterKind) listKey {
	return listKey{kind: kind, match: func(listed, service.Filter) bool { return true }}
}

func dayFilter(day func(listed) time.Time) listKey {
	return listKey{kind: service.FilterDate, match: func(r listed, f service.Filter) bool { return f.MatchDay(day(r), r.x.Now) }}
}

func timeOrder(at func(listed) time.Time) listKey {
	return listKey{order: func(r listed) string { return service.SortTime(at(r)) }}
}

// dayKey is a filter and an order.
func dayKey(day func(listed) time.Time) listKey {
	key := dayFilter(day)
	key.order = timeOrder(day).order
	return key
}

// matchETAChange reports whether the ETA of a container changed at a time that is accepted.
func (r listed) matchETAChange(container string, accepts func(at time.Time) bool) bool {
	return slices.ContainsFunc(r.x.w.eventsIn(container), func(id string) bool {
		e := r.x.w.events.Get(id)
		return strings.HasSuffix(e.Event, "estimated.vessel_arrived") && accepts(e.CreatedAt)
	})
}

func (r listed) tracked() (yes, no bool) {
	tracked := r.s.LineTrackingStoppedAt.IsZero()
	return tracked, !tracked
}

func (r listed) arrival() time.Time { return firstTime(r.s.PODATA, r.s.PODETA) }

func (r listed) line() string {
	return cmp.Or(r.x.w.line(r.s.ShippingLine), &ShippingLine{SCAC: r.s.ShippingLine}).SCAC
}

// matchTags reports whether the shipment has any of the tags, or all with filter[tags_and].
func (r listed) matchTags(f service.Filter) bool {
	return f.MatchTags(r.s.Tags, r.x.Query.Get("filter[tags_and]") == "true")
}

// matchCustomer compares the customer of a shipment or, except for presence, its creator.
func (r listed) matchCustomer(f service.Filter) bool {
	ids := r.x.w.partiesWithRole(PartyRole{Shipment: r.s.ID}, "customer")
	if r.s.Customer != "" {
		ids = append(ids, r.s.Customer)
	}
	if len(ids) == 0 && !service.IsPresence(f.Values[0]) {
		ids = []string{r.x.w.account}
	}
	return f.MatchText(ids...)
}

// matchField compares the values that the entities have. The service ignores a slug without a
// definition, and compares texts and options only: nothing else matches.
func (r listed) matchField(f service.Filter, entities ...wire.Ref) bool {
	defined := false
	var shown []*customField
	for _, e := range entities {
		defined = defined || r.x.w.definitionFor(e.Kind, f.Sub) != nil
		if v := r.x.w.field(e, f.Sub); v != nil && v.value != nil {
			shown = append(shown, v)
		}
	}
	return !defined || slices.ContainsFunc(f.Parts(f.Values[0]), func(want string) bool {
		if service.IsPresence(want) {
			return (len(shown) > 0) == (want == "@exists")
		}
		return slices.ContainsFunc(shown, func(v *customField) bool {
			return v.contains(r.x.w.custom.definitions.Get(v.definition), want)
		})
	})
}

// contains reports whether v is a text that contains want, or an option that equals it, ignoring
// case.
func (v *customField) contains(d *CustomFieldDefinition, want string) bool {
	switch value := v.value.(type) {
	case string:
		if d.DataType == "enum" {
			return strings.EqualFold(value, want)
		}
		return d.DataType == "short_text" && strings.Contains(value, want)
	case []string:
		return slices.ContainsFunc(value, func(option string) bool { return strings.EqualFold(option, want) })
	}
	return false
}

func firstTime(times ...time.Time) time.Time {
	for _, t := range times {
		if !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}

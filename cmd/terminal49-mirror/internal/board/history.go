package board

import (
	"encoding/json"
	"slices"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
)

// changesOf returns the beginnings and ends of periods as changes, newest first.
func changesOf(h *mirror.History) (list []change) {
	list = append(list, periods("hold", h.Holds, func(v terminal49.Hold) string { return string(v.Name) + " " + string(v.Status) })...)
	list = append(list, periods("fee", h.Fees, terminal49.Fee.String)...)
	list = append(list, periods("last free day", h.LastFreeDays, func(v terminal49.LastFreeDay) string { return day(v.At) + " (" + string(v.Source) + ")" })...)
	for name, times := range map[string][]mirror.Period[terminal49.Time]{
		"arrival at the port of discharge": h.PODETA, "arrival at the destination": h.DestinationETA, "arrival by rail": h.INDETA,
	} {
		list = append(list, periods(name, times, when)...)
	}
	slices.SortStableFunc(list, func(a, b change) int { return b.At.Compare(a.At) })
	return list
}

// periods returns when values began and ended. One that the first read showed may have begun at any
// time before it.
func periods[V any](name string, all []mirror.Period[V], text func(V) string) (list []change) {
	for _, p := range all {
		encoded, _ := json.Marshal(text(p.Value)) // a string
		if !p.From.IsZero() && !p.Earlier {
			list = append(list, change{At: p.From, Attribute: name, New: string(encoded), By: p.Source})
		}
		if !p.Until.IsZero() {
			list = append(list, change{At: p.Until, Attribute: name, Old: string(encoded)})
		}
	}
	return list
}

package model

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
)

// Digest identifies the JSON of a resource.
func Digest(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:16])
}

// Difference is a member of a resource that two readings describe differently.
type Difference struct {
	Name     string
	Old, New json.RawMessage // nil for null
	Weight   weight
}

// weight is what a difference means.
type weight uint8

const (
	OfCheck  weight = iota // the service checked its sources
	ofFacts                // of links to facts, which have rows of their own
	OfChange               // a change of the resource
)

// Weigh returns the greatest weight of differences.
func Weigh(all []Difference) (most weight) {
	for _, d := range all {
		most = max(most, d.Weight)
	}
	return most
}

// checks are the attributes that change whenever the service checks its sources. A vessel moves
// all the time.
var checks = map[string]bool{
	"terminal_checked_at": true, "last_status_refresh_at": true,
	"pod_last_tracking_request_at": true, "shipment_last_tracking_request_at": true, "rail_last_tracking_request_at": true,
	"line_tracking_last_attempted_at": true, "line_tracking_last_succeeded_at": true,
	"vessel.latitude": true, "vessel.longitude": true, "vessel.positions": true, "vessel.position_timestamp": true,
	"vessel.nautical_speed_knots": true, "vessel.navigational_heading_degrees": true,
}

func weightOf(kind, name string) weight {
	switch {
	case checks[name] || checks[kind+"."+name]:
		return OfCheck
	case kind == "container" && (name == "transport_events" || name == "raw_events"):
		return ofFacts
	}
	return OfChange
}

// Compare returns the members that differ, by name. A member that is absent from now is not a
// difference, nor is a relationship without linkage in one of the two.
func Compare(was, now *Resource) []Difference {
	var all []Difference
	for name, value := range now.Attributes {
		if old := was.Attributes[name]; !Same(old, value) {
			all = append(all, Difference{name, OrNil(old), OrNil(value), weightOf(now.Type, name)})
		}
	}
	for name, to := range now.Relationships {
		if old := was.Relationships[name].Data; to.Data != nil && old != nil && !SameLinkage(old, to.Data) {
			all = append(all, Difference{name, OrNil(old), OrNil(to.Data), weightOf(now.Type, name)})
		}
	}
	slices.SortFunc(all, func(a, b Difference) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// SameLinkage reports whether two relationships name the same resources, in any order.
func SameLinkage(a, b json.RawMessage) bool {
	if Same(a, b) {
		return true
	}
	var x, y []Ref
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil || len(x) != len(y) {
		return false
	}
	slices.SortFunc(x, byRef)
	slices.SortFunc(y, byRef)
	return slices.Equal(x, y)
}

func byRef(a, b Ref) int { return cmp.Or(strings.Compare(a.Type, b.Type), strings.Compare(a.ID, b.ID)) }

package mirror

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// Meaning is what a text of a [Filter] means.
type Meaning struct {
	Field string // of the filter, such as "ShippingLines"
	Text  string
	Names []AccountName // those with the most containers first
}

// AccountName is something of the account that containers have: a terminal, a customer and so on.
type AccountName struct {
	Code       string // such as a SCAC; "" for what has only a name
	Name       string // human-readable; "" if unknown
	Containers int    // of the account that have it
}

// UnknownNameError is returned for a text of a [Filter] that no container of the account has.
type UnknownNameError struct {
	Field   string // of the filter
	Text    string
	Nearest []AccountName // the most alike first, at most 5; none if no container has any
}

// Error returns the text with the nearest names.
func (e *UnknownNameError) Error() string {
	text := fmt.Sprintf("mirror: %s: no container of the account has %s", e.Field, quoted(e.Text))
	for i, n := range e.Nearest {
		text += map[bool]string{true: "; the nearest are ", false: ", "}[i == 0] + quoted(cmp.Or(n.Name, n.Code))
	}
	return text
}

// named is a field of a filter with what its texts mean.
type named struct {
	of    func(e *store.Stored, to []thing) []thing
	meant map[thing]bool
}

func (n *named) has(e *store.Stored) bool {
	var room [4]thing
	return slices.ContainsFunc(n.of(e, room[:0]), func(t thing) bool { return n.meant[t] })
}

// byName is a field of a filter whose texts name something.
type byName struct {
	field string
	texts []string
	of    func(e *store.Stored, to []thing) []thing
}

func (f *Filter) byNames() []byName {
	return []byName{
		{"Terminals", f.Terminals, func(e *store.Stored, to []thing) []thing {
			return append(to, placed(e.Standing.Place), placed(e.Standing.BoundFor))
		}},
		{"PortsOfDischarge", f.PortsOfDischarge, func(e *store.Stored, to []thing) []thing { return append(to, coded(e.Facts.PortOfDischarge)) }},
		{"Destinations", f.Destinations, func(e *store.Stored, to []thing) []thing { return append(to, coded(e.Facts.Destination)) }},
		{"ShippingLines", f.ShippingLines, func(e *store.Stored, to []thing) []thing { return append(to, coded(e.Facts.Line)) }},
		{"Vessels", f.Vessels, func(e *store.Stored, to []thing) []thing { return append(to, coded(e.Facts.Vessel)) }},
		{"Customers", f.Customers, func(e *store.Stored, to []thing) []thing { return append(to, plain(e.Facts.Customer)) }},
		{"References", f.References, func(e *store.Stored, to []thing) []thing { return appendPlain(to, e.Facts.References) }},
		{"Tags", f.Tags, func(e *store.Stored, to []thing) []thing { return appendPlain(to, e.Facts.Tags) }},
		{"Holds", f.Holds, func(e *store.Stored, to []thing) []thing { return appendHolds(to, e) }},
		{"Equipment", f.Equipment, func(e *store.Stored, to []thing) []thing { return append(to, plain(e.Facts.Equipment)) }},
	}
}

// appendHolds appends the holds in force, and the others with their status.
func appendHolds(to []thing, e *store.Stored) []thing {
	if len(e.Facts.Holds)+len(e.Facts.OtherHolds) == 0 && e.Facts.HoldsReported {
		return append(to, plain(CountNoHold))
	}
	return appendPlain(appendPlain(to, e.Facts.Holds), e.Facts.OtherHolds)
}

func appendPlain(to []thing, texts []string) []thing {
	for _, text := range texts {
		to = append(to, plain(text))
	}
	return to
}

// resolve finds out what the texts of the filter mean among all containers.
func (q *question) resolve(all []*store.Stored) error {
	for _, f := range q.byNames() {
		if len(f.texts) == 0 {
			continue
		}
		found, is := things(all, f.of), named{of: f.of, meant: map[thing]bool{}}
		for _, text := range f.texts {
			meant := meanings(found, text)
			if len(meant) == 0 && !(f.field == "Holds" && terminal49.HoldName(text).Known()) {
				return &UnknownNameError{f.field, text, nearest(found, text)}
			}
			for _, t := range meant {
				is.meant[t] = true
			}
			q.meanings = append(q.meanings, Meaning{f.field, text, matched(meant, found)})
		}
		q.named = append(q.named, is)
	}
	return nil
}

// things returns what containers have, with how many have it.
func things(all []*store.Stored, of func(*store.Stored, []thing) []thing) map[thing]int {
	found := map[thing]int{}
	var room [4]thing
	for _, e := range all {
		for _, t := range of(e, room[:0]) {
			if t != (thing{}) {
				found[t]++
			}
		}
	}
	return found
}

// meanings returns what a text means: what has it as a code, or else as a name, or else in a name.
func meanings(found map[thing]int, text string) []thing {
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "" {
		return nil
	}
	is := func(name string) bool { return strings.ToLower(name) == text }
	for _, matches := range []func(t thing) bool{
		func(t thing) bool { return slices.ContainsFunc(t.codes[:], is) },
		func(t thing) bool { return slices.ContainsFunc(t.names[:], is) },
		func(t thing) bool {
			return slices.ContainsFunc(t.names[:], func(name string) bool { return strings.Contains(strings.ToLower(name), text) })
		},
	} {
		var meant []thing
		for t := range found {
			if matches(t) {
				meant = append(meant, t)
			}
		}
		if len(meant) > 0 {
			return meant
		}
	}
	return nil
}

// name returns a thing that a number of containers have.
func (t thing) name(containers int) AccountName {
	if t.codes == [2]string{} {
		return AccountName{Name: t.key, Containers: containers}
	}
	return AccountName{Code: t.key, Name: t.label, Containers: containers}
}

// matched returns the names of things, those with the most containers first.
func matched(some []thing, found map[thing]int) (all []AccountName) {
	for _, t := range some {
		all = append(all, t.name(found[t]))
	}
	slices.SortFunc(all, func(a, b AccountName) int {
		return cmp.Or(cmp.Compare(b.Containers, a.Containers), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Name, b.Name))
	})
	return all
}

// mostNamed is how many names an UnknownNameError has.
const mostNamed = 5

// nearest returns the names that are most like a text.
func nearest(found map[thing]int, text string) []AccountName {
	text = strings.ToLower(strings.TrimSpace(text))
	all := slices.Collect(maps.Keys(found))
	unlike := make(map[thing]int, len(all))
	for _, t := range all {
		unlike[t] = distance(text, t)
	}
	slices.SortFunc(all, func(a, b thing) int {
		return cmp.Or(cmp.Compare(unlike[a], unlike[b]), cmp.Compare(found[b], found[a]), cmp.Compare(a.key, b.key))
	})
	var names []AccountName
	for _, t := range all[:min(len(all), mostNamed)] {
		names = append(names, t.name(found[t]))
	}
	return names
}

// distance returns how many letters two texts differ by, the best of the codes and names of a
// thing. Only their beginnings count.
func distance(text string, t thing) int {
	best := len(text) + 100
	for _, name := range slices.Concat(t.codes[:], t.names[:]) {
		if name != "" {
			best = min(best, edits(cut(text), cut(strings.ToLower(name))))
		}
	}
	return best
}

func cut(text string) string { return text[:min(len(text), 40)] }

// edits returns how many bytes are to be inserted, deleted or replaced to make b of a.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}

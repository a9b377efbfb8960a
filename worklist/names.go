package worklist

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/go-freight/terminal49"
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
	text := fmt.Sprintf("worklist: %s: no container has %s", e.Field, quoted(e.Text))
	for i, n := range e.Nearest {
		text += map[bool]string{true: "; the nearest are ", false: ", "}[i == 0] + quoted(cmp.Or(n.Name, n.Code))
	}
	return text
}

// named is a field of a filter with what its texts mean.
type named struct {
	*nameField
	meant map[thing]bool
	room  []thing // of has
}

func (n *named) has(r *Record) bool {
	n.room = n.of(r, n.room[:0])
	return slices.ContainsFunc(n.room, func(t thing) bool { return n.meant[t] })
}

// nameField is a field of a filter whose texts name something.
type nameField struct {
	name  string
	texts func(*Filter) []string
	of    func(r *Record, to []thing) []thing // what a container has
}

var nameFields = []nameField{
	{"Terminals", func(f *Filter) []string { return f.Terminals }, func(r *Record, to []thing) []thing {
		return append(to, placed(r.place), placed(r.boundFor))
	}},
	{"PortsOfDischarge", func(f *Filter) []string { return f.PortsOfDischarge }, func(r *Record, to []thing) []thing {
		return append(to, coded(r.Facts.PortOfDischarge))
	}},
	{"Destinations", func(f *Filter) []string { return f.Destinations }, func(r *Record, to []thing) []thing {
		return append(to, coded(r.Facts.Destination))
	}},
	{"ShippingLines", func(f *Filter) []string { return f.ShippingLines }, func(r *Record, to []thing) []thing {
		return append(to, coded(r.Facts.Line))
	}},
	{"Vessels", func(f *Filter) []string { return f.Vessels }, func(r *Record, to []thing) []thing {
		return append(to, coded(r.Facts.Vessel), onVoyage(r))
	}},
	{"Customers", func(f *Filter) []string { return f.Customers }, func(r *Record, to []thing) []thing {
		return append(to, plain(r.Facts.Customer))
	}},
	{"References", func(f *Filter) []string { return f.References }, func(r *Record, to []thing) []thing {
		return appendPlain(to, r.Facts.References)
	}},
	{"Tags", func(f *Filter) []string { return f.Tags }, func(r *Record, to []thing) []thing {
		return appendPlain(to, r.Facts.Tags)
	}},
	{"Holds", func(f *Filter) []string { return f.Holds }, func(r *Record, to []thing) []thing { return appendHolds(to, r) }},
	{"Fees", func(f *Filter) []string { return f.Fees }, func(r *Record, to []thing) []thing {
		if r.Facts.owes {
			to = append(to, plain(AnyFee))
		}
		return appendFees(to, r)
	}},
	{"Equipment", func(f *Filter) []string { return f.Equipment }, func(r *Record, to []thing) []thing {
		return append(to, plain(r.Facts.Equipment))
	}},
}

// appendHolds appends the holds in force, and the others with their status, each once.
func appendHolds(to []thing, r *Record) []thing {
	if len(r.Facts.Holds)+len(r.Facts.OtherHolds) == 0 && r.Facts.HoldsReported {
		return append(to, plain(NoHold))
	}
	return appendSorted(appendSorted(to, r.Facts.Holds), r.Facts.OtherHolds)
}

// appendSorted appends texts that are sorted, each once, without the empty one.
func appendSorted(to []thing, texts []string) []thing {
	for i, text := range texts {
		if text != "" && (i == 0 || text != texts[i-1]) {
			to = append(to, plain(text))
		}
	}
	return to
}

// appendFees appends the types with an amount to pay, known or not.
func appendFees(to []thing, r *Record) []thing {
	owed := r.Facts.Owed()
	if owed == nil {
		return to
	}
	types := slices.Clone(owed.NotPosted)
	for _, sum := range owed.ByType() {
		if sum.Amount.IsPositive() {
			types = append(types, sum.Type)
		}
	}
	for _, kind := range types {
		if one := plain(string(kind)); !slices.Contains(to, one) {
			to = append(to, one)
		}
	}
	return to
}

func appendPlain(to []thing, texts []string) []thing {
	for _, text := range texts {
		to = append(to, plain(text))
	}
	return to
}

// onVoyage returns the vessel with its voyage; zero if either is unknown.
func onVoyage(r *Record) thing {
	if r.Facts.Vessel.Name == "" || r.Facts.Voyage == "" {
		return thing{}
	}
	return thing{key: r.Facts.Vessel.Code, name: r.Facts.Vessel.Name + " " + r.Facts.Voyage, whole: true}
}

// notNames are what people write before a vessel and before its voyage.
var notNames = regexp.MustCompile(`(?i)^m/?v\b\.?|\bvoy(age)?\b\.?|\bv\.|,`)

// read returns a text without what is not part of a name.
func (f *nameField) read(text string) string {
	if f.name != "Vessels" {
		return text
	}
	return cmp.Or(strings.Join(strings.Fields(notNames.ReplaceAllString(strings.TrimSpace(text), " ")), " "), text)
}

// isOfService reports whether the service has a name although no container does.
func isOfService(field, text string) bool {
	hold := func(name string) bool { return terminal49.HoldName(name).Known() }
	return field == "Holds" && (hold(text) || hold(strings.ToLower(text)) || hold(strings.ToUpper(text))) || field == "Fees" && (text == AnyFee || terminal49.FeeType(text).Known())
}

// Names returns what the containers of the set have for a filter, by its name in [ParseFilter],
// such as "line": those with the most containers first. It is nil for a filter that is not a name.
func (s *Set) Names(parameter string) (names []AccountName) {
	for i := range nameFields {
		if ParameterName(nameFields[i].name) == parameter {
			all := slices.Collect(maps.Values(s.vocabulary(i).all))
			return accountNames(slices.DeleteFunc(all, func(c *counted) bool { return c.whole }))
		}
	}
	return nil
}

// resolve finds out what the texts of the filter mean among all containers.
func (q *Question) resolve(s *Set) error {
	for i := range nameFields {
		f := &nameFields[i]
		texts := f.texts(&q.filter)
		if len(texts) == 0 {
			continue
		}
		found, is := s.vocabulary(i), named{nameField: f, meant: map[thing]bool{}}
		for _, text := range texts {
			meant := found.meanings(f.read(text))
			if len(meant) == 0 && !isOfService(f.name, text) {
				return &UnknownNameError{f.name, text, found.nearest(text)}
			}
			for _, one := range meant {
				is.meant[one.thing] = true
			}
			q.meanings = append(q.meanings, Meaning{f.name, text, accountNames(meant)})
		}
		q.named = append(q.named, is)
	}
	return nil
}

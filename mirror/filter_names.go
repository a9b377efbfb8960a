package mirror

import (
	"cmp"
	"fmt"
	"slices"

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
	*nameField
	meant map[thing]bool
	room  []thing // of has
}

func (n *named) has(e *store.Stored) bool {
	n.room = n.of(e, n.room[:0])
	return slices.ContainsFunc(n.room, func(t thing) bool { return n.meant[t] })
}

// nameField is a field of a filter whose texts name something.
type nameField struct {
	name  string
	texts func(*Filter) []string
	of    func(e *store.Stored, to []thing) []thing // what a container has
}

var nameFields = []nameField{
	{"Terminals", func(f *Filter) []string { return f.Terminals }, func(e *store.Stored, to []thing) []thing {
		return append(to, placed(e.Place), placed(e.BoundFor))
	}},
	{"PortsOfDischarge", func(f *Filter) []string { return f.PortsOfDischarge }, func(e *store.Stored, to []thing) []thing {
		return append(to, coded(e.Facts.PortOfDischarge))
	}},
	{"Destinations", func(f *Filter) []string { return f.Destinations }, func(e *store.Stored, to []thing) []thing {
		return append(to, coded(e.Facts.Destination))
	}},
	{"ShippingLines", func(f *Filter) []string { return f.ShippingLines }, func(e *store.Stored, to []thing) []thing {
		return append(to, coded(e.Facts.Line))
	}},
	{"Vessels", func(f *Filter) []string { return f.Vessels }, func(e *store.Stored, to []thing) []thing {
		return append(to, coded(e.Facts.Vessel))
	}},
	{"Customers", func(f *Filter) []string { return f.Customers }, func(e *store.Stored, to []thing) []thing {
		return append(to, plain(e.Facts.Customer))
	}},
	{"References", func(f *Filter) []string { return f.References }, func(e *store.Stored, to []thing) []thing {
		return appendPlain(to, e.Facts.References)
	}},
	{"Tags", func(f *Filter) []string { return f.Tags }, func(e *store.Stored, to []thing) []thing {
		return appendPlain(to, e.Facts.Tags)
	}},
	{"Holds", func(f *Filter) []string { return f.Holds }, func(e *store.Stored, to []thing) []thing { return appendHolds(to, e) }},
	{"Equipment", func(f *Filter) []string { return f.Equipment }, func(e *store.Stored, to []thing) []thing {
		return append(to, plain(e.Facts.Equipment))
	}},
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
func (q *question) resolve(all *inventory) error {
	for i := range nameFields {
		f := &nameFields[i]
		texts := f.texts(&q.Filter)
		if len(texts) == 0 {
			continue
		}
		found, is := all.vocabulary(i), named{nameField: f, meant: map[thing]bool{}}
		for _, text := range texts {
			meant := found.meanings(text)
			if len(meant) == 0 && !(f.name == "Holds" && terminal49.HoldName(text).Known()) {
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

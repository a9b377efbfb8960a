package mirror

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// Found is what the database has for a text that a person uses for a container or a shipment.
type Found struct {
	Text  string      // as given
	Items []FoundItem // none if there is nothing: the text is not tracked
	// Deleted reports whether the service has deleted all of them, or does not show them to the
	// account any more.
	Deleted bool
	// Nearest are up to five numbers of the account in which one character differs, is missing, is too
	// many, or has changed places with the next one. They are looked for only if there is no match.
	Nearest []string
}

// FoundBy is what a text is of a [FoundItem].
type FoundBy string

// The values of FoundBy.
const (
	FoundByContainerNumber FoundBy = "container_number"
	FoundByShipmentNumber  FoundBy = "shipment_number" // a bill of lading or a booking
	FoundByReference       FoundBy = "reference"       // a reference number of a shipment, a container or a tracking request
)

// FoundItem is a resource that a text names.
type FoundItem struct {
	By FoundBy

	// One of these is set: a container; a shipment; a tracking request that has no shipment.
	Container *terminal49.Container // not for a reference that its shipment has, too
	Shipment  *terminal49.Shipment
	Request   *terminal49.TrackingRequest
}

// Find looks up container numbers, bills of lading, bookings and references, all at once, and
// returns what each text names, in the order given. Case is ignored; in numbers so are spaces,
// dashes, dots and slashes, and the SCAC before a bill of lading. Commas and semicolons around a
// text are ignored. The latest match is first.
//
// Errors: those of [Reader.Containers].
func (r *Reader) Find(ctx context.Context, texts ...string) ([]Found, error) {
	f := &finder{keys: make([]findKeys, len(texts)), found: make([]Found, len(texts))}
	for i, text := range texts {
		f.keys[i], f.found[i].Text = findKeysOf(text), text
	}
	if err := f.read(ctx, r); err != nil {
		return nil, err
	}
	if !r.deleted && len(f.missing()) > 0 {
		if err := f.readDeleted(ctx, r); err != nil {
			return nil, err
		}
	}
	if len(f.missing()) > 0 {
		return f.found, f.readNearest(ctx, r)
	}
	return f.found, nil
}

// findKeys are the forms of a text in which it is looked up.
type findKeys struct {
	number    string // without what is ignored
	reference string
}

func findKeysOf(text string) findKeys {
	if !isText(text) {
		return findKeys{} // nothing in the database has it
	}
	text = strings.Trim(text, ",; \t\r\n") // of the list that it comes from
	return findKeys{findNumber(text), strings.ToLower(strings.TrimSpace(text))}
}

// findNumber returns a number in the form in which numbers are compared.
func findNumber(text string) string {
	return strings.NewReplacer(".", "", "/", "", "_", "").Replace(terminal49.NormalizeContainerNumber(text))
}

// isShipmentNumber reports whether two numbers are the same bill of lading or booking of a line.
func isShipmentNumber(a, b, scac string) bool {
	without := func(number string) string { return cmp.Or(strings.TrimPrefix(number, scac), number) }
	return a != "" && (a == b || scac != "" && without(a) == without(b))
}

// finder collects what texts name.
type finder struct {
	keys  []findKeys
	found []Found
}

// missing returns the numbers and references of the texts without a match.
func (f *finder) missing() (numbers []string) {
	for i, found := range f.found {
		if len(found.Items) == 0 && f.keys[i].reference != "" {
			numbers = append(numbers, f.keys[i].number)
		}
	}
	return numbers
}

// read adds the matches to the texts that have none.
func (f *finder) read(ctx context.Context, r *Reader) error {
	in := f.wanted()
	if in == "[]" {
		return nil
	}
	open := f.open()
	add := func(by FoundBy, m FoundItem, is func(findKeys) bool) {
		m.By = by
		for _, i := range open {
			if is(f.keys[i]) {
				f.found[i].Items = append(f.found[i].Items, m)
			}
		}
	}
	for c, err := range selected(ctx, r, schema.ContainerTable, store.FindContainers, in, terminal49.ParseResources[terminal49.Container]) {
		if err != nil {
			return err
		}
		add(FoundByContainerNumber, FoundItem{Container: c}, func(k findKeys) bool { return k.number == findNumber(c.Number) })
		add(FoundByReference, FoundItem{Container: c}, func(k findKeys) bool { return hasReference(c.ReferenceNumbers, k) && !hasReference(ofShipment(c), k) })
	}
	requested, err := f.readRequests(ctx, r, in, add)
	if err != nil {
		return err
	}
	for s, err := range selected(ctx, r, schema.ShipmentTable, store.FindShipments, in, terminal49.ParseResources[terminal49.Shipment]) {
		if err != nil {
			return err
		}
		numbers := append(requested[s.ID], s.BillOfLadingNumber, s.NormalizedNumber)
		add(FoundByShipmentNumber, FoundItem{Shipment: s}, func(k findKeys) bool {
			return slices.ContainsFunc(numbers, func(n string) bool { return isShipmentNumber(k.number, findNumber(n), s.ShippingLineSCAC) })
		})
		add(FoundByReference, FoundItem{Shipment: s}, func(k findKeys) bool { return hasReference(s.ReferenceNumbers, k) })
	}
	return nil
}

// readRequests adds the tracking requests without a shipment, and returns the numbers of the others
// by shipment.
func (f *finder) readRequests(ctx context.Context, r *Reader, in string, add func(FoundBy, FoundItem, func(findKeys) bool)) (map[string][]string, error) {
	of := map[string][]string{}
	for q, err := range selected(ctx, r, schema.TrackingRequestTable, store.FindRequests, in, terminal49.ParseResources[terminal49.TrackingRequest]) {
		if err != nil {
			return nil, err
		}
		if id := q.Shipment.ID(); id != "" {
			of[id] = append(of[id], q.RequestNumber)
			continue
		}
		by := FoundByShipmentNumber
		if q.RequestType == terminal49.RequestTypeContainer {
			by = FoundByContainerNumber
		}
		add(by, FoundItem{Request: q}, func(k findKeys) bool { return isShipmentNumber(k.number, findNumber(q.RequestNumber), q.SCAC) })
		add(FoundByReference, FoundItem{Request: q}, func(k findKeys) bool { return hasReference(q.ReferenceNumbers, k) })
	}
	return of, nil
}

// open returns the indices of the texts without a match.
func (f *finder) open() (list []int) {
	for i := range f.found {
		if len(f.found[i].Items) == 0 {
			list = append(list, i)
		}
	}
	return list
}

// wanted returns the forms of the texts without a match, as the store looks them up.
func (f *finder) wanted() string {
	all := []string{}
	for _, i := range f.open() {
		k := f.keys[i]
		if k.reference == "" {
			continue
		}
		all = append(all, k.number, k.reference)
		if len(k.number) > 4 {
			all = append(all, k.number[4:]) // without a SCAC
		}
	}
	slices.Sort(all)
	return string(model.Encode(slices.Compact(all)))
}

// readDeleted adds what is deleted.
func (f *finder) readDeleted(ctx context.Context, r *Reader) error {
	open := f.open()
	err := f.read(ctx, r.WithDeleted())
	for _, i := range open {
		f.found[i].Deleted = len(f.found[i].Items) > 0
	}
	return err
}

// readNearest adds the nearest numbers of the account to the texts without a match.
func (f *finder) readNearest(ctx context.Context, r *Reader) error {
	numbers, err := r.db.Numbers(ctx)
	open := f.open()
	for _, n := range numbers {
		number := findNumber(n)
		for _, i := range open {
			if of := &f.found[i]; len(of.Nearest) < 5 && isNear(f.keys[i].number, number) {
				of.Nearest = append(of.Nearest, n)
			}
		}
	}
	return r.db.Explain(err)
}

// isNear reports whether two numbers differ as if one character were mistyped.
func isNear(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < 6 || len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch {
	case len(a) < len(b):
		return a[i:] == b[i+1:]
	case i == len(a):
		return false // the same
	case i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]:
		return true
	}
	return a[i+1:] == b[i+1:]
}

// ofShipment returns the references of a container's shipment.
func ofShipment(c *terminal49.Container) []string {
	s, ok := c.Shipment.Value()
	if !ok {
		return nil
	}
	return s.ReferenceNumbers
}

func hasReference(references []string, k findKeys) bool {
	return slices.ContainsFunc(references, func(r string) bool { return strings.ToLower(strings.TrimSpace(r)) == k.reference })
}

// selected reads by one of the store's own clauses.
func selected[T any](ctx context.Context, r *Reader, of *schema.Table, by store.Lookup, arg string, parse func([]byte) ([]*T, error)) iter.Seq2[*T, error] {
	return typed(ctx, r, store.Selection{Table: of, Lookup: by, Args: []any{arg}}, parse)
}

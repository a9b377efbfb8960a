package board

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"net/url"
	"slices"
	"strings"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/worklist"
)

// row is what the board shows of a container. It never changes.
type row struct {
	shown
}

// shown is what the board shows of a container, in texts.
type shown struct {
	ID, Number, BillOfLading, References, Customer string

	Situation       terminal49.Situation
	Text            string // where it is and what to do, in a sentence or two
	Place, BoundFor string // where it is; where it goes next
	Holds           string
	Fees, FeesDoubt string // amounts; why they may be too low
	FeeKinds        string // amounts by type
	Owed, Currency  string // the amount as a number, if it is certain and in one currency
	LFD             string // day at the terminal
	Left            string // days left, in words
	Days            terminal49.Opt[int]
	Level           terminal49.Urgency
	Arrival, Slip   string // local time at the place; days later than at first
	Port            string // of discharge
	Line            string
	Vessel, Voyage  string // that call at the port of discharge
	Size, Seal      string

	advice string // Text without the names of places, in which Brief finds what to do
	late   int    // the days of Slip; negative if it is earlier
}

// newRow returns the row of a container with its verdict.
func newRow(c *terminal49.Container, v *terminal49.Verdict) *row {
	r := &row{shown{
		ID: c.ID, Number: c.Number, References: strings.Join(c.ReferenceNumbers, ", "),
		Situation: v.Situation, Text: v.String(), Place: v.Place.String(), BoundFor: v.BoundFor.String(),
		Level: v.Urgency, Days: v.DaysLeft, Size: size(c), Seal: c.SealNumber,
		advice: withoutPlaces(v),
	}}
	r.setHolds(c, v)
	r.setFees(c, v)
	r.LFD = day(v.LastFreeDay.At)
	if days, ok := v.DaysLeft.Get(); ok {
		r.Left = inDays(days)
	}
	s, _ := c.Shipment.Value()
	r.setShipment(s)
	r.setArrival(v, s)
	return r
}

// withoutPlaces returns the sentence of a verdict without the names of places, which may have any
// words, such as "Wait & Sons".
func withoutPlaces(v *terminal49.Verdict) string {
	bare := *v
	bare.Place, bare.BoundFor = terminal49.VerdictPlace{}, terminal49.VerdictPlace{}
	return bare.String()
}

// briefRows returns the rows of a list as far as records have them, without the whole sentences.
func briefRows(l *worklist.List) (list []*row) {
	for _, i := range l.Items {
		f, v := &i.Record.Facts, i.Verdict
		r := &row{shown{
			ID: i.Record.ID, Number: v.Number, BillOfLading: f.BillOfLading, References: strings.Join(f.References, ", "), Customer: f.Customer,
			Situation: v.Situation, Text: v.String(), Place: v.Place.String(), BoundFor: v.BoundFor.String(), Level: v.Urgency, Days: v.DaysLeft,
			LFD: day(v.LastFreeDay.At), Holds: strings.Join(slices.Concat(f.Holds, f.OtherHolds), ", "), Port: named(f.PortOfDischarge.Name, f.PortOfDischarge.Code),
			Line: cmp.Or(f.Line.Name, f.Line.Code), Vessel: f.Vessel.Name, Voyage: f.Voyage, Size: f.Equipment,
			advice: withoutPlaces(v),
		}}
		if owed := f.Owed(); owed != nil {
			r.Fees = owed.String()
		}
		if days, ok := v.DaysLeft.Get(); ok {
			r.Left = inDays(days)
		}
		r.setArrival(v, nil)
		list = append(list, r)
	}
	return list
}

// hash returns a number for all that a row shows.
func (r *row) hash() uint64 { return maphash.Comparable(seed, r.shown) }

// setShipment sets what the shipment reports; s may be nil.
func (r *row) setShipment(s *terminal49.Shipment) {
	if s == nil {
		return
	}
	r.BillOfLading, r.Customer = s.BillOfLadingNumber, s.CustomerName
	r.Port, r.Line = named(s.PortOfDischargeName, s.PortOfDischargeLOCODE), cmp.Or(s.ShippingLineShortName, s.ShippingLineName, s.ShippingLineSCAC)
	r.Vessel, r.Voyage = s.PODVesselName, s.PODVoyageNumber
	for _, reference := range s.ReferenceNumbers {
		if !strings.Contains(r.References, reference) {
			r.References = strings.TrimPrefix(r.References+", "+reference, ", ")
		}
	}
}

// named returns a name with a code after it, as far as they are known.
func named(name, code string) string {
	if name == "" || code == "" {
		return name + code
	}
	return name + " (" + code + ")"
}

// setArrival sets when the container is expected at its next place or, without an estimate, since
// when it has been at its place. At the port of discharge, Slip compares that time with the
// shipping line's first estimate.
func (r *row) setArrival(v *terminal49.Verdict, s *terminal49.Shipment) {
	arrival, port := worklist.Arrival(v), ""
	if s != nil {
		port = s.PortOfDischargeLOCODE
	}
	if r.Arrival = arrivalText(arrival, port); port == "" || arrival.Place.LOCODE != port {
		return
	}
	later, ok := arrival.Time.Sub(s.PODOriginalETA)
	if days := inWholeDays(later); ok && days != 0 {
		r.Slip, r.late = slipText(days), days
	}
}

// arrivalText writes an arrival, with its place unless it is the port of discharge.
func arrivalText(a worklist.Value, port string) string {
	text := "since " + when(a.Time)
	switch {
	case a.Time.IsZero():
		return ""
	case a.Expected:
		text = "expected " + when(a.Time)
	}
	if where := a.Place.String(); port != "" && a.Place.LOCODE != port && where != "" {
		text += " at " + where
	}
	return text
}

// arrivalDay returns the day of Arrival at its place.
func (r *row) arrivalDay() string {
	_, at, _ := strings.Cut(r.Arrival, " ")
	day, _, _ := strings.Cut(at, " ")
	return day
}

// Look returns how the situation is shown.
func (r *row) Look() look { return lookOf(r.Situation) }

// Link returns the path of the container's page. A template escapes neither "/" nor "?" in a path.
func (r *row) Link() string { return "/containers/" + url.PathEscape(r.ID) }

// Names returns the bill of lading and the references.
func (r *row) Names() string { return joined(" · ", r.BillOfLading, r.References) }

// Ship returns the vessel with its voyage.
func (r *row) Ship() string { return joined(" ", r.Vessel, r.Voyage) }

// joined joins the texts that are not empty.
func joined(separator string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(t string) bool { return t == "" }), separator)
}

// size returns the code of size and type, or as much as is reported, such as "50 ft dry".
func size(c *terminal49.Container) string {
	if code := c.SizeTypeGroup(); code != "" {
		return code
	}
	length := ""
	if feet, ok := c.EquipmentLength.Get(); ok {
		length = fmt.Sprintf("%d ft", feet)
	}
	return joined(" ", length, words(string(c.EquipmentHeight)), words(string(c.EquipmentType)))
}

package board

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"net/url"
	"slices"
	"strings"
	"time"
	"unique"

	"github.com/go-freight/terminal49"
)

// row is what the board keeps of a container. It never changes.
type row struct {
	shown
	standing terminal49.Standing
	fees     *terminal49.FeeSummary // nil if there are none
	order    order
	clock    uint64 // of what depends on the clock; see clockOf
	search   string // numbers, references, the vessel with its voyage and InPort, as searchable returns them
}

// shown is what the board shows of a container, in texts.
type shown struct {
	ID, Number, BillOfLading, References, Customer string

	Situation       terminal49.Situation
	Text            string // where it is and what to do, in a sentence or two
	Place, BoundFor string // where it is; where it goes next
	Holds           string
	HoldKinds       string // each kind of Holds once, on a line of its own
	Fees, FeesDoubt string // amounts; why they may be too low
	FeeKinds        string // amounts by type
	Owes            string // the names of what is owed, each on a line of its own; anythingOwed is the first
	Owed, Currency  string // the amount as a number, if it is certain and in one currency
	LFD             string // day at the terminal
	Left            string // days left, in words
	Days            terminal49.Opt[int]
	Level           terminal49.Urgency
	Arrival, Slip   string // local time at the place; days later than at first
	Port            string // of discharge
	InPort          string // the same, if it is there or bound for it
	Line            string
	Vessel, Voyage  string // that call at the port of discharge
	Size, Seal      string

	arrives  int64 // Unix time of Arrival; 0 if there is none
	expected bool  // Arrival is an estimate
	late     int   // the days of Slip; negative if it is earlier
}

func newRow(c *terminal49.Container, now time.Time) *row {
	v := terminal49.Assess(c, now, terminal49.VerdictOptions{})
	r := &row{order: orderOf(&v), standing: compact(v.Stored())}
	r.shown = shown{
		ID: r.standing.ContainerID, Number: r.standing.Number, References: strings.Join(c.ReferenceNumbers, ", "),
		Situation: v.Situation, Text: v.String(), Place: shared(v.Place.String()), BoundFor: shared(v.BoundFor.String()),
		Level: v.Urgency, Days: v.DaysLeft, Size: shared(size(c)), Seal: strings.Clone(c.SealNumber),
	}
	r.setHolds(c, &v)
	r.setFees(c, &v)
	r.LFD = shared(day(v.LastFreeDay.At))
	if days, ok := v.DaysLeft.Get(); ok {
		r.Left = shared(inDays(days))
	}
	s, _ := c.Shipment.Value()
	r.setShipment(s)
	r.setArrival(&v, s)
	if s != nil && s.PortOfDischargeLOCODE != "" && (v.Place.LOCODE == s.PortOfDischargeLOCODE || v.BoundFor.LOCODE == s.PortOfDischargeLOCODE) {
		r.InPort = r.Port
	}
	r.clock = clockOf(&r.standing, now)
	r.search = searchable(strings.Join([]string{r.Number, r.BillOfLading, r.References, r.Ship(), r.InPort}, "\n"))
	return r
}

func newRows(containers []*terminal49.Container, now time.Time) []*row {
	rows := make([]*row, len(containers))
	for i, c := range containers {
		rows[i] = newRow(c, now)
	}
	return rows
}

// shared returns one copy of equal texts. It is never a part of a longer text, which would be kept
// with it.
func shared(text string) string { return unique.Make(text).Value() }

// compact returns a standing whose texts are shared.
func compact(s terminal49.Standing) terminal49.Standing {
	s.ContainerID, s.Number = strings.Clone(s.ContainerID), strings.Clone(s.Number)
	for _, p := range []*terminal49.VerdictPlace{&s.Place, &s.BoundFor} {
		*p = unique.Make(*p).Value()
	}
	return s
}

// setShipment sets what the shipment reports; s may be nil.
func (r *row) setShipment(s *terminal49.Shipment) {
	if s == nil {
		return
	}
	r.BillOfLading, r.Customer = shared(s.BillOfLadingNumber), shared(s.CustomerName)
	r.Port, r.Line = shared(named(s.PortOfDischargeName, s.PortOfDischargeLOCODE)), shared(cmp.Or(s.ShippingLineShortName, s.ShippingLineName, s.ShippingLineSCAC))
	r.Vessel, r.Voyage = shared(s.PODVesselName), shared(s.PODVoyageNumber)
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
// when it has been at its place, which is named if it is not the port of discharge. There, Slip
// compares that time with the shipping line's first estimate.
func (r *row) setArrival(v *terminal49.Verdict, s *terminal49.Shipment) {
	at, where := v.ETA, v.BoundFor
	switch {
	case !at.IsZero():
		r.Arrival, r.expected = "expected ", true
	case !v.Since.IsZero() && v.Place != (terminal49.VerdictPlace{}):
		at, where, r.Arrival = v.Since, v.Place, "since "
	default:
		return
	}
	r.Arrival += when(at)
	if instant, ok := at.Instant(); ok {
		r.arrives = instant.Unix()
	}
	if s == nil || where.LOCODE == "" || where.LOCODE != s.PortOfDischargeLOCODE {
		if s != nil && s.PortOfDischargeLOCODE != "" && where.String() != "" {
			r.Arrival += " at " + where.String()
		}
		return
	}
	later, ok := at.Sub(s.PODOriginalETA)
	if days := int(later.Round(24*time.Hour) / (24 * time.Hour)); ok && days != 0 {
		r.Slip, r.late = shared(slipText(days)), days
	}
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

var seed = maphash.MakeSeed()

// clockOf returns a number that differs if the clock has changed the verdict, its urgency or its
// sentence: the days left, an estimate that has passed, the age of what the terminal reported.
func clockOf(s *terminal49.Standing, now time.Time) uint64 {
	v := s.Verdict(now, terminal49.VerdictOptions{})
	return maphash.String(seed, v.String()+"\n"+string(v.Urgency)+"\n"+ageOf(&v, now))
}

// ageOf returns how old the terminal's report is, for situations whose sentence may have it.
func ageOf(v *terminal49.Verdict, now time.Time) string {
	switch v.Situation {
	case terminal49.SituationStale, terminal49.SituationHeld, terminal49.SituationUnknown, terminal49.SituationNotReleased:
	default:
		return ""
	}
	checked, ok := v.CheckedAt.Instant()
	if age := now.Sub(checked); ok && age >= 24*time.Hour {
		return ago(age)
	}
	return ""
}

// order is what the rows are ordered by: the fields of [terminal49.Verdict.Compare].
type order struct {
	rank, urgent, situation, days int
	since                         terminal49.Time // of the verdict
}

func orderOf(v *terminal49.Verdict) order {
	o := order{2, 0, situationIndex(v.Situation), v.DaysLeft.Or(1 << 30), v.Since}
	switch {
	case v.Situation.HasLeft():
		o.rank = 3
	case v.Urgency == terminal49.UrgencyOverdue:
		o.rank, o.urgent = 0, v.DaysLeft.Or(0)
	case v.Urgency == terminal49.UrgencyImminent:
		o.rank, o.urgent = 1, v.DaysLeft.Or(0)
	}
	return o
}

// compare orders rows, the most urgent first.
func compare(a, b *row) int {
	return cmp.Or(cmp.Compare(a.order.rank, b.order.rank), cmp.Compare(a.order.urgent, b.order.urgent),
		cmp.Compare(a.order.situation, b.order.situation), cmp.Compare(a.order.days, b.order.days),
		a.order.since.Compare(b.order.since), strings.Compare(a.Number, b.Number), strings.Compare(a.ID, b.ID))
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

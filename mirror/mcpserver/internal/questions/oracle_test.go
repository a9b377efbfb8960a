package questions

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// box is a container of the world, with what the definitions need.
type box struct {
	w       *world
	c       *terminal49.Container // as the client reads it, for zones and names
	s       *terminal49.Shipment
	raw     terminal49test.Container
	verdict terminal49.Verdict // by docs/rules.md
}

func byNumber(a, b *box) int {
	return cmp.Or(cmp.Compare(a.c.Number, b.c.Number), cmp.Compare(a.c.ID, b.c.ID))
}

// rules are which definitions apply.
type rules bool

// The definitions as they were written, and those of docs/rules.md where both define the same word:
// the verdict, the last free day that binds, and a pending hold, which is not in force.
const (
	written rules = false
	ruled   rules = true
)

// The words of the definitions.

const unknown = "unknown"

// stages are the nine situations of the definitions.
var stages = []string{
	"empty returned", "picked up", "at inland ramp", "on rail", "at POD terminal", "arrived, not discharged", "on the water", "not departed yet", unknown,
}

func (b *box) stage() string {
	c, s := b.raw, b.s
	switch {
	case !c.EmptyTerminatedAt.IsZero():
		return stages[0]
	case !b.fullOut().IsZero():
		return stages[1]
	case !c.INDATA.IsZero(), !c.INDRailUnloadedAt.IsZero():
		return stages[2]
	case !c.PODRailLoadedAt.IsZero(), !c.PODRailDepartedAt.IsZero():
		return stages[3]
	case !c.PODDischargedAt.IsZero():
		return stages[4]
	case !c.PODArrivedAt.IsZero(), !s.PODATA.IsZero():
		return stages[5]
	case !c.POLVesselDepartedAt.IsZero(), !c.POLVesselLoadedAt.IsZero(), !s.POLATD.IsZero():
		return stages[6]
	case !c.EmptyOutAt.IsZero(), !c.POLFullInAt.IsZero(), !s.PODETA.IsZero(), !s.POLETD.IsZero():
		return stages[7]
	}
	return unknown
}

func (b *box) inland() bool {
	c := b.raw
	return !c.PODRailLoadedAt.IsZero() || !c.PODRailDepartedAt.IsZero() || !c.INDETA.IsZero() || !c.INDATA.IsZero() || !c.INDRailUnloadedAt.IsZero()
}

// fullOut is the actual full gate-out: at the ramp of a container that goes inland.
func (b *box) fullOut() time.Time {
	if b.inland() {
		return b.raw.FinalDestinationFullOutAt
	}
	return laterOf(b.raw.PODFullOutAt, b.raw.FinalDestinationFullOutAt)
}

func laterOf(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func (b *box) left() bool { return !b.fullOut().IsZero() || !b.raw.EmptyTerminatedAt.IsZero() }

func (b *box) waiting() bool {
	return !b.raw.PODDischargedAt.IsZero() && !b.left() && (!b.inland() || !b.raw.INDATA.IsZero())
}

func (b *box) onGround() bool {
	return !b.raw.PODDischargedAt.IsZero() && !b.left() && b.raw.PODRailDepartedAt.IsZero()
}

func (b *box) notArrived() bool {
	return b.raw.PODArrivedAt.IsZero() && b.s.PODATA.IsZero() && b.raw.PODDischargedAt.IsZero()
}

func (b *box) stopped() bool { return !b.s.LineTrackingStoppedAt.IsZero() }

// Zones and days.

func (b *box) podZone() *time.Location { return zone(cmp.Or(b.c.PODTimezone, b.s.PODTimezone)) }

// zone is that of the place of pickup.
func (b *box) zone() *time.Location {
	if b.inland() {
		return zone(cmp.Or(b.c.FinalDestinationTimezone, b.s.DestinationTimezone))
	}
	return b.podZone()
}

func zone(name string) *time.Location {
	if zones[name] == nil {
		z, err := time.LoadLocation(name)
		if err != nil {
			panic(err)
		}
		zones[name] = z
	}
	return zones[name]
}

var zones = map[string]*time.Location{}

// local writes a time at a place; "" if it was not reported.
func local(t time.Time, at *time.Location) string {
	if t.IsZero() {
		return ""
	}
	return t.In(at).Format(time.RFC3339)
}

func dayOf(t time.Time, at *time.Location) string {
	if t.IsZero() {
		return unknown
	}
	return t.In(at).Format(time.DateOnly)
}

// days is the number of calendar days from one to another.
func days(from, to string) int {
	a, _ := time.Parse(time.DateOnly, from)
	b, _ := time.Parse(time.DateOnly, to)
	return int(b.Sub(a) / day)
}

// today is the day of the question at the place of pickup.
func (b *box) today() string { return dayOf(now, b.zone()) }

// later returns the day some days after another.
func later(from string, n int) string {
	a, _ := time.Parse(time.DateOnly, from)
	return a.AddDate(0, 0, n).Format(time.DateOnly)
}

// Last free days.

func dateOf(t terminal49.Time) string {
	if d, ok := t.Date(); ok {
		return d.String()
	}
	return unknown
}

func (b *box) lfd(r rules) string {
	if r == ruled {
		return dateOf(b.verdict.LastFreeDay.At)
	}
	for _, t := range []terminal49.Time{b.c.PickupLFD, b.c.ImportDeadlines.Terminal, b.c.ImportDeadlines.Line} {
		if !t.IsZero() {
			return dateOf(t)
		}
	}
	return unknown
}

func (b *box) lfdSource(r rules) string {
	if r == ruled {
		return cmp.Or(string(b.verdict.LastFreeDay.Source), unknown)
	}
	if b.lfd(written) == unknown {
		return unknown
	}
	return "service"
}

// Holds.

func (b *box) hasHold(r rules, name string) bool {
	return slices.ContainsFunc(b.raw.Holds, func(h terminal49test.Hold) bool {
		return (name == "" || h.Name == name) && (r == written || h.Status != "pending")
	})
}

// holds are the open ones, such as "customs/hold+freight/pending".
func (b *box) holds() string { return holdText(b.raw.Holds) }

func holdText(all []terminal49test.Hold) string {
	var list []string
	for _, h := range all {
		list = append(list, h.Name+"/"+cmp.Or(h.Status, "hold"))
	}
	slices.Sort(list)
	return strings.Join(list, "+")
}

// verdictText is whether the container can be picked up.
func (b *box) verdictText(r rules) string {
	if r == ruled {
		return byRule(string(b.verdict.Situation))
	}
	yes := b.raw.AvailableForPickup
	switch {
	case !b.raw.EmptyTerminatedAt.IsZero():
		return "empty returned"
	case !b.fullOut().IsZero():
		return "picked up"
	case b.inland() && b.raw.INDATA.IsZero():
		return "not at the ramp yet"
	case b.raw.PODDischargedAt.IsZero():
		return "not discharged yet"
	case b.hasHold(written, ""):
		return "no, on hold"
	case yes == nil || !isKnown(&b.raw):
		return unknown
	case !*yes:
		return "no, not available"
	}
	return "yes"
}

// Money.

// money is a sum by currency, in cents.
type money map[string]int64

func (m money) add(other money) {
	for code, cents := range other {
		m[code] += cents
	}
}

func (m money) String() string {
	var list []string
	for code, cents := range m {
		if cents != 0 {
			list = append(list, fmt.Sprintf("%s %d.%02d", code, cents/100, cents%100))
		}
	}
	slices.Sort(list)
	return strings.Join(list, " + ")
}

func feeList(all []terminal49test.Fee) (fees []terminal49test.Fee) {
	total := !slices.ContainsFunc(all, func(f terminal49test.Fee) bool { return f.Type != "total" })
	for _, f := range all {
		f.CurrencyCode = cmp.Or(f.CurrencyCode, "USD") // as the simulator sends it
		if total || f.Type != "total" {
			fees = append(fees, f)
		}
	}
	return fees
}

func owedOf(all []terminal49test.Fee) money {
	m := money{}
	for _, f := range feeList(all) {
		m[f.CurrencyCode] += int64(math.Round(f.Amount * 100))
	}
	return m
}

func (b *box) owed() money { return owedOf(b.raw.Fees) }
func (b *box) owing() bool { return b.owed().String() != "" }

// owingBy is owing; by the rules, a fee whose amount is not posted yet is owed, too.
func (b *box) owingBy(r rules) bool {
	return b.owing() || r == ruled && len(feeList(b.raw.Fees)) > 0
}

func (b *box) port() string { return b.s.PortOfDischargeLOCODE }

func (b *box) terminal() string {
	if t, ok := b.c.PODTerminal.Value(); ok {
		return cmp.Or(t.Nickname, t.Name)
	}
	return unknown
}

// eta is the estimated arrival at the port of discharge.
func (b *box) eta() string {
	at, _ := b.s.PODETA.Instant()
	return local(at, b.podZone())
}

func (b *box) ata() string {
	at, _ := b.s.PODATA.Instant()
	return local(laterOf(at, b.raw.PODArrivedAt), b.podZone())
}

// selections

// active returns the boxes in scope that fit, and how many stopped ones would fit.
func (w *world) active(fits func(*box) bool) (list []*box, stopped int) {
	for _, b := range w.boxes {
		switch {
		case !fits(b):
		case b.stopped():
			stopped++
		default:
			list = append(list, b)
		}
	}
	return list, stopped
}

// any returns the first box that fits.
func (w *world) any(fits func(*box) bool) *box {
	if i := slices.IndexFunc(w.boxes, fits); i >= 0 {
		return w.boxes[i]
	}
	panic("the world has no such container")
}

// some returns n boxes that fit, spread over the account.
func (w *world) some(n int, fits func(*box) bool) (list []*box) {
	var all []*box
	for _, b := range w.boxes {
		if fits(b) {
			all = append(all, b)
		}
	}
	for i := range min(n, len(all)) {
		list = append(list, all[i*len(all)/min(n, len(all))])
	}
	return list
}

// of returns the container of a case.
func (w *world) of(name string) *box {
	if b := w.byID[w.cases[name]]; b != nil {
		return b
	}
	panic("no case " + name)
}

// row writes fields in a line.
func row(fields ...any) string {
	parts := make([]string, len(fields))
	for i, f := range fields {
		parts[i] = fmt.Sprint(f)
	}
	return strings.Join(parts, " | ")
}

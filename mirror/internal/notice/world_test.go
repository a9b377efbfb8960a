package notice_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49"
)

// A world is what the service reports of one container. Everything happens on quarters of an hour,
// in Unix seconds; the terminal's checks are a microsecond before, so that their data becomes too
// old on a quarter.
type world struct {
	*rand.Rand
	port, inland clock // inland is zero if the container does not move on
	times        [8]int64
	reported     [8]bool // the stages of which a fact is reported
	released     int     // 0 not reported, 1 no, 2 yes
	holds        map[terminal49.HoldName]terminal49.HoldStatus
	holdsUnknown bool
	fees         map[terminal49.FeeType]int64 // 0 is not posted
	feesUnknown  bool
	checked      int64 // 0 for never
	portETA      int64 // 0 for unknown
	inlandETA    int64
	days         map[terminal49.LFDSource]int64 // instants
	either       bool                           // the line's day is in either of two zones
	stopped      bool                           // the line no longer tracks it
	lost         [8]bool                        // facts that were reported and withdrawn
}

const quarter = 15 * 60

// clock is the local time of a place: its offset changes once in the weeks of a life, by the IANA
// time zone database.
type clock struct {
	zone          string
	change        int64 // Unix seconds
	before, after int64 // offsets in seconds
}

func changeAt(text string) int64 {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return at.Unix()
}

// The changes of the clocks in the year of the lives: zone, first instant of the new offset, and
// the offsets.
var (
	losAngeles  = clock{"America/Los_Angeles", changeAt("2026-11-01T09:00:00Z"), -7 * 3600, -8 * 3600}
	chicagoFall = clock{"America/Chicago", changeAt("2026-11-01T07:00:00Z"), -5 * 3600, -6 * 3600}
	berlin      = clock{"Europe/Berlin", changeAt("2026-10-25T01:00:00Z"), 2 * 3600, 3600}
	sydney      = clock{"Australia/Sydney", changeAt("2026-10-03T16:00:00Z"), 10 * 3600, 11 * 3600}
	chicago     = clock{"America/Chicago", changeAt("2026-03-08T08:00:00Z"), -6 * 3600, -5 * 3600}
)

// day returns the number of the calendar day from 1970 at the place.
func (c clock) day(at int64) int64 { return floorDiv(at+c.offset(at), 86400) }

func (c clock) offset(at int64) int64 {
	if at < c.change {
		return c.before
	}
	return c.after
}

// midnight returns the beginning of a day. Clocks do not change at midnight in these zones.
func (c clock) midnight(day int64) int64 {
	at := day*86400 - c.before
	if at >= c.change {
		at = day*86400 - c.after
	}
	return at
}

func floorDiv(a, b int64) int64 {
	if a < 0 {
		return (a - b + 1) / b
	}
	return a / b
}

// The stages that a fact proves.
const (
	atOrigin = iota + 1
	atSea
	atPort
	onRail
	atRamp
	gone
	empty
)

var stageEvents = [8]terminal49.EventName{
	atOrigin: terminal49.EventFullIn, atSea: terminal49.EventVesselDeparted, atPort: terminal49.EventVesselDischarged,
	onRail: "container.transport.rail_departed", atRamp: "container.transport.arrived_at_inland_destination",
	gone: terminal49.EventFullOut, empty: terminal49.EventEmptyIn,
}

// newWorld returns a world whose weeks include the change of the clocks of its port.
func newWorld(r *rand.Rand) *world {
	w := &world{Rand: r, holds: map[terminal49.HoldName]terminal49.HoldStatus{}, fees: map[terminal49.FeeType]int64{}, days: map[terminal49.LFDSource]int64{}}
	switch r.IntN(5) {
	case 0:
		w.port = losAngeles
	case 1:
		w.port, w.inland = losAngeles, chicagoFall
	case 2:
		w.port = berlin
	case 3:
		w.port = sydney
	case 4:
		w.port = chicago
	}
	at := w.port.change - w.port.change%quarter - int64(r.IntN(10*96))*quarter
	for stage := range w.times {
		w.times[stage] = at
		at += int64(1+r.IntN(4*96)) * quarter
	}
	w.reported[atOrigin+r.IntN(2)] = true
	w.portETA = w.times[atPort]
	return w
}

func (w *world) movesOn() bool { return w.inland.zone != "" }

// stage returns the furthest stage of which a fact is reported; 0 for none.
func (w *world) stage() (last int) {
	for stage, reported := range w.reported {
		if reported {
			last = stage
		}
	}
	return last
}

// ends returns the names of things that may happen, by how often.
var happenings = map[string]int{
	"next": 8, "early": 2, "withdraw": 2, "hold": 5, "clear": 4, "pending": 1, "strange": 1, "holds unknown": 1, "release": 6,
	"check": 6, "fee": 5, "less": 1, "unposted": 1, "no fees": 1, "fees unknown": 1, "eta": 5, "no eta": 1, "day": 6, "no day": 2,
	"either": 1, "stopped": 1, "nothing": 2,
}

var drawn = func() (all []string) {
	for _, name := range slices.Sorted(maps.Keys(happenings)) {
		for range happenings[name] {
			all = append(all, name)
		}
	}
	return all
}()

// happen changes what is reported.
func (w *world) happen(now int64) (what string) {
	what = drawn[w.IntN(len(drawn))]
	switch what {
	case "next", "early":
		w.reportNext(now, what == "early")
	case "withdraw":
		if stage := w.stage(); stage >= atPort {
			w.reported[stage], w.lost[stage] = false, true
		}
	case "hold", "clear", "pending", "strange":
		w.changeHold(what)
	case "holds unknown":
		w.holdsUnknown = !w.holdsUnknown
	case "release":
		w.released = w.IntN(4) % 3
		w.checked = now
	case "check":
		w.checked = now - int64(w.IntN(30*4))*quarter
		if w.IntN(8) == 0 {
			w.checked = now + int64(w.IntN(48*4))*quarter
		}
	case "fee", "less", "unposted", "no fees":
		w.changeFee(what)
	case "fees unknown":
		w.feesUnknown = !w.feesUnknown
	case "eta", "no eta":
		w.changeETA(what == "no eta")
	case "day", "no day", "either":
		w.changeDay(now, what)
	case "stopped":
		w.stopped = !w.stopped
	}
	return what
}

// reportNext reports a fact of a later stage: late, or up to three days before it happens.
func (w *world) reportNext(now int64, early bool) {
	next := w.stage() + 1
	if !w.movesOn() && (next == onRail || next == atRamp) {
		next = gone
	}
	latest := now
	if early {
		latest += 72 * 3600
	}
	if next <= empty && w.times[next] <= latest {
		w.reported[next] = true
	}
}

func (w *world) changeHold(what string) {
	name := holdNames[w.IntN(3)]
	switch what {
	case "hold":
		w.holds[name] = terminal49.HoldStatusActive
	case "pending":
		w.holds[name] = terminal49.HoldStatusPending
	case "strange":
		w.holds[name] = "on_review"
	default:
		delete(w.holds, name)
	}
}

func (w *world) changeFee(what string) {
	name := feeTypes[w.IntN(3)]
	switch what {
	case "fee":
		w.fees[name] += int64(1+w.IntN(3)) * 100
	case "less":
		w.fees[name] = max(w.fees[name]-100, 0)
	case "unposted":
		w.fees[name] = 0
	default:
		delete(w.fees, name)
	}
}

func (w *world) changeETA(none bool) {
	eta := &w.portETA
	if w.movesOn() && w.IntN(2) == 0 {
		eta = &w.inlandETA
	}
	switch {
	case none:
		*eta = 0
	case *eta == 0:
		*eta = w.times[atPort] + int64(w.IntN(10*96))*quarter
	default:
		*eta += int64(w.IntN(60*4)-20*4) * quarter
	}
}

// changeDay changes a last free day: it is a midnight of its place, at most five days away.
func (w *world) changeDay(now int64, what string) {
	source := terminal49.LFDSourceTerminal
	switch {
	case w.IntN(2) == 0:
	case w.movesOn():
		source = terminal49.LFDSourceRail
	default:
		source = terminal49.LFDSourceLine
	}
	switch {
	case what == "no day":
		delete(w.days, source)
		return
	case what == "either" && w.port == losAngeles && !w.movesOn():
		clear(w.days)
		w.either, source = true, terminal49.LFDSourceLine
	case w.either:
		clear(w.days)
		w.either = false
	}
	at := w.clockOf(source)
	w.days[source] = at.midnight(at.day(now) + int64(w.IntN(7)-1))
	if w.either { // not a midnight, or one of one of the two zones
		w.days[source] += int64(w.IntN(6)-3) * 3600
	}
}

// clockOf returns the clock of a last free day.
func (w *world) clockOf(source terminal49.LFDSource) clock {
	if source == terminal49.LFDSourceRail {
		return w.inland
	}
	return w.port
}

func timeIn(at int64, zone string) terminal49.Time {
	if at == 0 {
		return terminal49.Time{}
	}
	return terminal49.NewTime(time.Unix(at, 0), zone)
}

// container returns the container as the client decodes it.
func (w *world) container() *terminal49.Container {
	c := &terminal49.Container{Number: "MSCU1234566", PODTimezone: w.port.zone, FinalDestinationTimezone: w.inland.zone}
	c.ID = "c"
	c.AvailableForPickup = [...]terminal49.Opt[bool]{terminal49.Null[bool](), terminal49.Some(false), terminal49.Some(true)}[w.released]
	c.PODTerminal = terminal49.Included("t", &terminal49.Terminal{Name: "West Basin", Nickname: "WBCT"})
	if w.checked != 0 {
		c.TerminalCheckedAt = terminal49.NewTime(checkedTime(w.checked), "")
	}
	c.ImportDeadlines.Terminal = timeIn(w.days[terminal49.LFDSourceTerminal], w.port.zone)
	c.ImportDeadlines.Line = timeIn(w.days[terminal49.LFDSourceLine], w.port.zone)
	c.ImportDeadlines.Rail = timeIn(w.days[terminal49.LFDSourceRail], w.inland.zone)
	if w.either && w.days[terminal49.LFDSourceLine] != 0 {
		c.ImportDeadlines.Line = eitherTime(w.days[terminal49.LFDSourceLine])
	}
	shipment := &terminal49.Shipment{PortOfDischargeLOCODE: "USLAX", DestinationLOCODE: "USLAX", PODTimezone: w.port.zone, PODETA: timeIn(w.portETA, w.port.zone)}
	if w.movesOn() {
		shipment.DestinationLOCODE, shipment.DestinationTimezone = "USCHI", w.inland.zone
		c.PODRailCarrierSCAC, c.INDETA = "UPRR", timeIn(w.inlandETA, w.inland.zone)
	}
	if w.stopped {
		shipment.LineTrackingStoppedAt = terminal49.NewTime(time.Unix(w.times[0], 0), "")
	}
	c.Shipment = terminal49.Included("s", shipment)
	c.Holds, c.Fees = w.heldBy(), w.charged()
	c.TransportEvents = terminal49.IncludedAll(w.events()...)
	return c
}

// checkedTime is just before a quarter, so that its data is too old a day after the quarter began.
func checkedTime(at int64) time.Time { return time.Unix(at, 0).Add(-time.Microsecond) }

func eitherTime(at int64) (t terminal49.Time) {
	text := time.Unix(at, 0).UTC().Format(time.RFC3339) + "[America/Los_Angeles or America/Chicago]"
	if err := t.UnmarshalText([]byte(text)); err != nil {
		panic(err)
	}
	return t
}

func (w *world) heldBy() []terminal49.Hold {
	if w.holdsUnknown {
		return nil
	}
	all := []terminal49.Hold{}
	for _, name := range slices.Sorted(maps.Keys(w.holds)) {
		all = append(all, terminal49.Hold{Name: name, Status: w.holds[name]})
	}
	return all
}

func (w *world) charged() []terminal49.Fee {
	if w.feesUnknown {
		return nil
	}
	all := []terminal49.Fee{}
	for _, name := range slices.Sorted(maps.Keys(w.fees)) {
		all = append(all, terminal49.Fee{Type: name, Amount: decimal.NewFromInt(w.fees[name]), CurrencyCode: "USD"})
	}
	return all
}

func (w *world) events() (all []*terminal49.TransportEvent) {
	for stage, name := range stageEvents {
		if !w.reported[stage] && !w.lost[stage] {
			continue
		}
		place, at := "USLAX", w.port
		switch {
		case stage <= atSea:
			place, at = "CNSHA", clock{zone: "Asia/Shanghai"}
		case stage == atRamp, stage == gone && w.movesOn():
			place, at = "USCHI", w.inland
		}
		e := &terminal49.TransportEvent{Event: name, Timestamp: timeIn(w.times[stage], at.zone), Timezone: at.zone, LocationLOCODE: place}
		e.ID = fmt.Sprint("e", stage)
		if !w.reported[stage] {
			e.InvalidatedAt = terminal49.NewTime(time.Unix(w.times[0], 0), "")
		}
		all = append(all, e)
	}
	return all
}

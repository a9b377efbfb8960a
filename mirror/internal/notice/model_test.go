package notice_test

import (
	"fmt"
	"slices"

	"github.com/go-freight/terminal49"
)

// model is what was due of a world, written from the words of the rules and not from the code:
// whole numbers, and the offsets of the clocks.
type model struct {
	began      bool
	situation  string
	holds      map[terminal49.HoldName]bool
	fees       map[terminal49.FeeType]int64
	eta        map[string]int64
	lastDay    int64  // the last day that was known; 0 for none
	deadline   [3]any // source, day, and the instant if the day is unknown
	at         int64
	warned     int64
	slip       int64 // the hours of the rules, in seconds
	thresholds []int64
}

func newModel(slipHours int, days []int) *model {
	m := &model{holds: map[terminal49.HoldName]bool{}, fees: map[terminal49.FeeType]int64{}, eta: map[string]int64{}, slip: int64(slipHours) * 3600}
	for _, d := range days {
		m.thresholds = append(m.thresholds, int64(d))
	}
	m.thresholds = append(m.thresholds, -1)
	slices.Sort(m.thresholds)
	return m
}

// In the order in which they are reported.
var (
	holdNames = []terminal49.HoldName{"VACIS", "customs", "freight"}
	feeTypes  = []terminal49.FeeType{"demurrage", "exam", "total"}
	sources   = []terminal49.LFDSource{terminal49.LFDSourceLine, terminal49.LFDSourceTerminal, terminal49.LFDSourceRail}
)

// due returns what is due of a world at a time, and remembers it.
func (m *model) due(w *world, now int64) (names []string) {
	if situation := situationOf(w, now); !m.began || situation != m.situation {
		names, m.situation = append(names, situation), situation
	}
	moved := m.holdsDue(w)
	moved = append(moved, m.feesDue(w)...)
	if !isFuture(w, now) {
		moved = append(moved, m.etaDue(w)...)
	}
	day, near := "", ""
	if !isFuture(w, now) {
		day, near = m.dayDue(w, now)
	}
	if day != "" {
		moved = append(moved, day)
	}
	if m.began {
		names = append(names, moved...)
	}
	if near != "" {
		names = append(names, near)
	}
	m.began = true
	return names
}

// isFuture reports whether the fact of the stage lies more than a day in the future.
func isFuture(w *world, now int64) bool {
	stage := w.stage()
	return stage > 0 && w.times[stage]-now > 24*3600
}

func situationOf(w *world, now int64) string {
	stage := w.stage()
	switch {
	case isFuture(w, now):
		return "unknown"
	case stage == empty:
		return "returned"
	case stage == gone:
		return "out"
	case stage == onRail:
		return "on_rail"
	case stage == atSea:
		return "at_sea"
	case stage == atOrigin:
		return "before_voyage"
	}
	return releaseOf(w, now, stage)
}

// releaseOf returns the situation of a container at a terminal.
func releaseOf(w *world, now int64, stage int) string {
	active, strange, pending := 0, 0, 0
	for _, status := range w.holds {
		switch {
		case w.holdsUnknown:
		case status == "hold":
			active++
		case status == "pending":
			pending++
		default:
			strange++
		}
	}
	owed := false
	for _, amount := range w.fees { // an amount that is not posted is owed, too
		owed = owed || !w.feesUnknown && amount >= 0
	}
	age := now - w.checked
	recent := w.checked != 0 && age < 24*3600 && age >= -24*3600
	isReady := w.released == 2 && active == 0 && strange == 0
	travels := w.movesOn() && stage <= atPort
	switch {
	case stage == atRamp && (w.checked == 0 || w.checked <= w.times[atRamp]):
		return "not_released_inland" // the terminal's word is about the port
	case isReady && recent && pending == 0 && !w.holdsUnknown && !travels && stage != 0 && owed:
		return "pay_first"
	case isReady && recent && pending == 0 && !w.holdsUnknown && !travels && stage != 0:
		return "ready"
	case w.released == 1 && active > 0:
		return "held"
	case travels && stage == atPort:
		return "awaiting_transfer"
	case isReady, w.released == 2 && active > 0:
		return "stale"
	case w.released == 1 && active == 0 && strange == 0 && stage == atRamp:
		return "not_released_inland"
	case w.released == 1 && active == 0 && strange == 0:
		return "not_released"
	}
	return "unknown"
}

func (m *model) holdsDue(w *world) (names []string) {
	if w.holdsUnknown {
		return nil
	}
	for _, name := range holdNames {
		if w.holds[name] == "hold" && !m.holds[name] {
			names, m.holds[name] = append(names, "hold_placed "+string(name)), true
		}
	}
	for _, name := range holdNames {
		if status, listed := w.holds[name]; m.holds[name] && (!listed || status == "pending") {
			names = append(names, "hold_cleared "+string(name))
			delete(m.holds, name)
		}
	}
	return names
}

func (m *model) feesDue(w *world) (names []string) {
	if w.feesUnknown {
		return nil
	}
	_, demurrage := w.fees["demurrage"]
	_, exam := w.fees["exam"]
	lines := demurrage || exam
	for _, name := range feeTypes {
		amount, listed := w.fees[name]
		switch {
		case !listed:
			delete(m.fees, name)
		case amount == 0, name == "total" && lines: // unknown, or not owed in addition to the lines
		default:
			if amount > m.fees[name] {
				names = append(names, fmt.Sprintf("fee_posted %s %d", name, amount))
			}
			m.fees[name] = amount
		}
	}
	return names
}

func (m *model) etaDue(w *world) (names []string) {
	leg, eta := "port", w.portETA
	switch stage := w.stage(); {
	case stage >= atRamp, stage == atPort && !w.movesOn():
		return nil
	case stage >= atPort:
		leg, eta = "inland", w.inlandETA
	}
	switch from, known := m.eta[leg]; {
	case eta == 0:
	case !known:
		m.eta[leg] = eta
	case eta-from >= m.slip, from-eta >= m.slip:
		names = append(names, fmt.Sprintf("eta_slipped %d", (eta-from)/3600))
		m.eta[leg] = eta
	}
	return names
}

// dayDue returns whether the last free day has moved, and whether it is near.
func (m *model) dayDue(w *world, now int64) (moved, near string) {
	source, at, day := binding(w)
	if source == "" {
		return "", ""
	}
	if day != 0 {
		if m.lastDay != 0 && day != m.lastDay {
			moved = "last_free_day_moved"
		}
		m.lastDay = day
	}
	deadline := [3]any{source, day, 0}
	if day == 0 {
		deadline[2] = at
	}
	if same := deadline == m.deadline || (day == 0) != (m.deadline[1] == int64(0)) && m.deadline[0] == source && m.at == at; !same {
		m.warned = 1000
	}
	m.deadline, m.at = deadline, at
	if w.stopped || w.checked == 0 || now-w.checked >= 7*24*3600 { // no longer up to date
		return moved, ""
	}
	left := mostLeft(w, source, at, now)
	for _, threshold := range m.thresholds {
		if left <= threshold && threshold < m.warned {
			m.warned = threshold
			near = fmt.Sprintf("last_free_day %d", threshold)
			if threshold == -1 {
				near = "overdue"
			}
			return moved, near
		}
		if left <= threshold {
			return moved, ""
		}
	}
	return moved, ""
}

// mostLeft returns the calendar days that are left, at the place where more are.
func mostLeft(w *world, source terminal49.LFDSource, at, now int64) (left int64) {
	place := w.clockOf(source)
	left = place.day(at) - place.day(now)
	if w.either {
		left = max(left, chicagoFall.day(at)-chicagoFall.day(now))
	}
	return left
}

// binding returns the earliest last free day that binds: the railroad's, once the port is left, and
// none after the pickup. Its day is 0 if it is unknown.
func binding(w *world) (source terminal49.LFDSource, at, day int64) {
	stage := w.stage()
	for _, s := range sources {
		instant, reported := w.days[s]
		if !reported || stage >= gone || stage >= onRail && s != terminal49.LFDSourceRail {
			continue
		}
		d := w.clockOf(s).day(instant)
		if source == "" || d < day || d == day && instant < at {
			source, at, day = s, instant, d
		}
	}
	if w.either && source != "" && chicagoFall.day(at) != day {
		day = 0
	}
	return source, at, day
}

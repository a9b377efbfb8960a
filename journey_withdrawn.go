package terminal49

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// overtakenBy returns the milestones that overtake an estimate at the same place.
func overtakenBy(estimate EventName) []EventName {
	switch estimate {
	case EventEstimatedVesselDeparted:
		return []EventName{EventVesselDeparted, EventTransshipmentDeparted, EventFeederDeparted}
	case EventEstimatedVesselArrived:
		return []EventName{
			EventVesselArrived, EventVesselBerthed, EventVesselDischarged, EventTransshipmentArrived,
			EventTransshipmentDischarged, EventTransshipmentLoaded, EventTransshipmentDeparted, EventFeederArrived,
			EventFeederDischarged, EventFeederLoaded, EventFeederDeparted,
		}
	case EventEstimatedArrivedAtInlandDestination:
		return []EventName{EventRailUnloaded, EventFullOut}
	}
	return nil
}

// endOf returns the stop from which on every milestone overtakes an estimate, or unknownStop.
func endOf(estimate EventName) stop {
	switch estimate {
	case EventEstimatedVesselDeparted, EventEstimatedVesselArrived:
		return portOfDischarge
	case EventEstimatedArrivedAtInlandDestination:
		return inlandDestination
	}
	return unknownStop
}

// provesArrival reports whether a milestone at a stop proves that the container has reached it: a
// terminal reports availability before the arrival, and the destination may have several ramps.
func provesArrival(name EventName, at stop) bool {
	switch name {
	case EventAvailable, EventNotAvailable:
		return at > inlandDestination
	case EventRailLoaded, EventRailDeparted, EventRailArrived:
		return at != inlandDestination
	}
	return true
}

// withdrawEstimates withdraws the estimates that a newer one replaces or that have been overtaken.
// Whether one is newer is known only if both have a time of creation.
func withdrawEstimates(facts []fact) {
	o := overtakingOf(facts)
	for i, f := range facts {
		facts[i].Withdrawn = f.Withdrawn || f.Estimated && o.overtakes(f)
	}
}

// overtaking holds what decides whether an estimate has been overtaken: one of the valid facts with
// the same effect. A container may have thousands of events, and comparing each with each would
// take minutes.
type overtaking struct {
	estimates map[EventName]bool
	near      map[nearKey]fact // one that has happened or, if there is none, the newest estimate
	away      fact             // at a port of transshipment
	furthest  fact             // at the last stop that is proved, from the port of discharge on
}

// nearKey is what an estimate and a fact have in common if they may be at the same place.
type nearKey struct {
	estimate EventName
	where    string
	clocks   clocks
}

func overtakingOf(facts []fact) *overtaking {
	o := &overtaking{estimates: map[EventName]bool{}, near: map[nearKey]fact{}}
	for _, f := range facts {
		if f.Estimated && !f.Withdrawn {
			o.estimates[f.Event] = true
		}
	}
	for _, g := range facts {
		if !g.Withdrawn && len(o.estimates) > 0 {
			o.add(g)
		}
	}
	return o
}

// add adds a valid fact.
func (o *overtaking) add(g fact) {
	if !g.Estimated && strings.HasPrefix(string(g.Event), transshipmentPrefix) {
		o.away = g
	}
	if !g.Estimated && g.provesStop(max(o.furthest.where.stop, portOfDischarge)) {
		o.furthest = g
	}
	for _, estimate := range g.estimates() {
		if !o.estimates[estimate] {
			continue
		}
		for _, k := range g.where.keysFor(estimate) {
			last, found := o.near[k]
			if !found || last.Estimated && (!g.Estimated || g.createdAt.utc().After(last.createdAt.utc())) {
				o.near[k] = g
			}
		}
	}
}

// estimates returns the estimates that a fact at the same place replaces or overtakes.
func (f fact) estimates() []EventName {
	if f.Estimated {
		return []EventName{f.Event}
	}
	list := []EventName{EventName(estimatePrefix + strings.TrimPrefix(string(f.Event), milestonePrefix))}
	for _, e := range []EventName{EventEstimatedVesselDeparted, EventEstimatedVesselArrived, EventEstimatedArrivedAtInlandDestination} {
		if e != list[0] && slices.Contains(overtakenBy(e), f.Event) {
			list = append(list, e)
		}
	}
	return list
}

// overtakes reports whether any of the facts overtakes an estimate.
func (o *overtaking) overtakes(f fact) bool {
	return f.isOvertakenBy(o.away) || f.isOvertakenBy(o.furthest) ||
		slices.ContainsFunc(f.where.keysWith(f.Event), func(k nearKey) bool {
			g, found := o.near[k]
			return found && f.isOvertakenBy(g)
		})
}

// keysFor returns the keys under which a fact is found, and keysWith those under which an estimate
// looks for it: by what makes [spot.compare] return samePlace, in its order.
func (at spot) keysFor(estimate EventName) (keys []nearKey) {
	usual := "stop " + strconv.Itoa(int(at.stop))
	if at.sure {
		keys = append(keys, nearKey{estimate: estimate, where: "surely " + usual})
	}
	switch {
	case at.locode != "" && at.sure:
		keys = append(keys, nearKey{estimate: estimate, where: "any " + at.locode})
	case at.locode != "":
		keys = append(keys, nearKey{estimate: estimate, where: "any " + at.locode}, nearKey{estimate: estimate, where: "unsure " + at.locode})
	}
	if at.stop == unknownStop {
		return keys
	}
	for _, where := range []string{usual, usual + " without a place"} {
		if where == usual || at.locode == "" {
			keys = append(keys, nearKey{estimate, where, at.clocks}, nearKey{estimate: estimate, where: where + " anywhere"})
		}
	}
	return keys
}

func (at spot) keysWith(estimate EventName) (keys []nearKey) {
	usual := "stop " + strconv.Itoa(int(at.stop))
	if at.sure {
		keys = append(keys, nearKey{estimate: estimate, where: "surely " + usual})
	}
	switch {
	case at.locode != "" && at.sure:
		keys = append(keys, nearKey{estimate: estimate, where: "unsure " + at.locode})
	case at.locode != "":
		keys = append(keys, nearKey{estimate: estimate, where: "any " + at.locode})
	}
	if at.stop == unknownStop {
		return keys
	}
	if at.locode != "" {
		usual += " without a place"
	}
	if at.clocks.known {
		return append(keys, nearKey{estimate, usual, at.clocks}, nearKey{estimate: estimate, where: usual})
	}
	return append(keys, nearKey{estimate: estimate, where: usual + " anywhere"})
}

// isOvertakenBy reports whether g is a newer estimate than f, proves that f has happened, or is at
// a later stop. A port of transshipment proves nothing about the port of discharge.
func (f fact) isOvertakenBy(g fact) bool {
	here := f.where.compare(g.where) == samePlace
	switch {
	case g.Estimated:
		return here && f.isOlderThan(g)
	case here && (isEstimateOf(f.Event, g.Event) || slices.Contains(overtakenBy(f.Event), g.Event)):
		return true
	case f.where.sure && f.where.stop == portOfLading && strings.HasPrefix(string(g.Event), transshipmentPrefix):
		return true // the ship has left the port of lading; a feeder may have come before
	}
	return g.provesStop(endOf(f.Event))
}

// isOlderThan reports whether g is certainly a newer estimate of the same event.
func (f fact) isOlderThan(g fact) bool {
	return f.Event == g.Event && !f.createdAt.IsZero() && g.createdAt.utc().After(f.createdAt.utc())
}

// provesStop reports whether a fact proves that the container has arrived at a stop or a later one.
func (f fact) provesStop(s stop) bool {
	return s != unknownStop && f.where.sure && f.where.stop >= s && provesArrival(f.Event, f.where.stop)
}

func isEstimate(n EventName) bool { return strings.HasPrefix(string(n), estimatePrefix) }

func isEstimateOf(estimate, n EventName) bool {
	return strings.TrimPrefix(string(estimate), estimatePrefix) == strings.TrimPrefix(string(n), milestonePrefix)
}

// withdrawDuplicates withdraws all but one of the valid milestones with the same name and time that
// may be at the same place. It keeps one with a place, and the newest of those.
func withdrawDuplicates(facts []fact) {
	slices.SortStableFunc(facts, func(a, b fact) int {
		if (a.LOCODE == "") != (b.LOCODE == "") {
			return cmp.Compare(len(b.LOCODE), len(a.LOCODE))
		}
		return b.createdAt.utc().Compare(a.createdAt.utc())
	})
	if len(facts) <= fewFacts {
		withdrawByPairs(facts)
	} else {
		withdrawByKeys(facts)
	}
}

// fewFacts is up to how many facts are compared each with each, which is faster then.
const fewFacts = 60

// withdrawByPairs compares each fact with each before it.
func withdrawByPairs(facts []fact) {
	for i, g := range facts {
		facts[i].Withdrawn = g.Withdrawn || slices.ContainsFunc(facts[:i], func(f fact) bool {
			return f.Event == g.Event && !f.Withdrawn && g.repeats(f)
		})
	}
}

// withdrawByKeys compares each fact with those before it that have something in common with it.
func withdrawByKeys(facts []fact) {
	var valid duplicates
	for i, g := range facts {
		if g.Withdrawn {
			continue
		}
		of, with := g.duplicateKeys()
		facts[i].Withdrawn = slices.ContainsFunc(with, func(k duplicateKey) bool {
			return slices.ContainsFunc(valid.facts[k], func(j int) bool { return g.repeats(facts[j]) })
		})
		if !facts[i].Withdrawn {
			valid.add(of, i, g.where)
		}
	}
}

// duplicates holds the valid facts by what they have in common: of those of a key that compare
// alike with any other fact, the first.
type duplicates struct {
	facts map[duplicateKey][]int
	seen  map[duplicatePlace]bool
}

// duplicatePlace is what decides between facts of the same key.
type duplicatePlace struct {
	duplicateKey
	stop   stop
	sure   bool
	clocks clocks
}

func (d *duplicates) add(keys []duplicateKey, fact int, where spot) {
	if d.facts == nil {
		d.facts, d.seen = map[duplicateKey][]int{}, map[duplicatePlace]bool{}
	}
	for _, k := range keys {
		place := duplicatePlace{k, where.stop, where.sure, where.clocks}
		if !d.seen[place] {
			d.seen[place] = true
			d.facts[k] = append(d.facts[k], fact)
		}
	}
}

// repeats reports whether f, a milestone of the same name, may be g.
func (f fact) repeats(g fact) bool {
	place, untimed := g.where.compare(f.where), f.At.IsZero() && g.At.IsZero()
	return sameTime(g.At, f.At) && place != otherPlace || untimed && place == samePlace
}

// duplicateKey is what two milestones have in common if they may be one. It keeps the comparisons
// few: a container may have thousands of events.
type duplicateKey struct {
	event EventName
	when  string
	where string
}

// duplicateKeys returns the keys under which a fact is found, and those with which it is compared.
func (f fact) duplicateKeys() (of, with []duplicateKey) {
	ofTimes, withTimes := f.At.duplicateKeys()
	ofPlaces, withPlaces := []string{"any", f.where.locode}, []string{"any"}
	if f.where.sure {
		ofPlaces = append(ofPlaces, "stop "+strconv.Itoa(int(f.where.stop)))
	}
	if f.where.locode != "" {
		withPlaces = append(ofPlaces[1:], "")
	}
	return keysOf(f.Event, ofTimes, ofPlaces), keysOf(f.Event, withTimes, withPlaces)
}

func keysOf(event EventName, times, places []string) (keys []duplicateKey) {
	for _, when := range times {
		for _, where := range places {
			keys = append(keys, duplicateKey{event, when, where})
		}
	}
	return keys
}

// duplicateKeys returns the keys under which a time is found, and those with which another one is
// compared, so that sameTime is true: the instant, the day, and the time on the clock of the day.
// What has an instant is compared by its clock only with what has none.
func (t Time) duplicateKeys() (of, with []string) {
	if t.IsZero() {
		return []string{""}, []string{""}
	}
	at, known := t.Instant()
	if known {
		of, with = append(of, at.String()), append(with, at.String())
	}
	day, ok := t.Date()
	if !ok {
		return of, with
	}
	date, clock := day.String(), day.String()+" "+t.wallClock()
	of, with = append(of, date, clock), append(with, date+" only")
	if known {
		return of, append(with, clock+" of no instant")
	}
	of, with = append(of, clock+" of no instant"), append(with, clock)
	if t.DateOnly() {
		of, with = append(of, date+" only"), append(with, date)
	}
	return of, with
}

// sameTime reports whether a and b are the same instant or, if one is unknown, the same wall clock
// or calendar day.
func sameTime(a, b Time) bool {
	atA, okA := a.Instant()
	atB, okB := b.Instant()
	if okA && okB {
		return atA.Equal(atB)
	}
	dayA, okA := a.Date()
	dayB, okB := b.Date()
	return okA && okB && dayA == dayB && (a.DateOnly() || b.DateOnly() || a.wallClock() == b.wallClock())
}

// wallClock returns the time of day at the place, to the second.
func (t Time) wallClock() string {
	if local, err := t.Local(); err == nil {
		return local.Format(time.TimeOnly)
	}
	return t.utc().Format(time.TimeOnly)
}

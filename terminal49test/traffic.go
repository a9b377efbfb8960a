package terminal49test

import (
	"fmt"
	"slices"
	"time"
)

// trafficSpan is how long before now the first shipment of SeedTraffic was requested: most older
// ones would be finished.
const trafficSpan = 42 * day24

// SeedTraffic adds about n shipments with 2.5 containers each, requested within the last six weeks,
// of several lines, ports and customers, and goes on at that pace: as the simulated clock runs, new
// numbers are tracked and journeys advance. Arrivals slip, holds come and go, deadlines move, fees
// accrue, documents arrive; sometimes a container is removed, a shipment merged or its tracking
// stopped. Webhooks are notified of what happens from now on. It returns the ids of the shipments
// so far; nil if it was called before. Everything follows from the seed and the start time. It
// needs the reference data.
func (s *Server) SeedTraffic(n int) []string {
	return withWorld(s, func(w *world) []string {
		if n <= 0 || w.traffic != nil {
			return nil
		}
		before := len(w.shipments.Order)
		w.startTraffic(n, !s.config.mergedKept)
		return slices.Clone(w.shipments.Order[before:])
	})
}

// traffic generates tracking requests, their journeys, and what staff and users do.
type traffic struct {
	w                  *world
	seed               uint64
	services           []liner
	vessels            []string // ids, by service
	customers, brokers []string // ids of parties
	begin              time.Time
	every              time.Duration // between two requests
	recent             int           // roughly how many shipments are under way
	removeMerged       bool
}

func (w *world) startTraffic(n int, removeMerged bool) {
	t := &traffic{
		w: w, seed: uint64(w.ids.Draw("traffic") * (1 << 32)), services: trafficServices(), begin: w.now().Add(-trafficSpan),
		every: trafficSpan / time.Duration(n), recent: n, removeMerged: removeMerged,
	}
	w.addTrafficPlaces()
	w.addTrafficFields()
	t.vessels = w.addTrafficVessels(len(t.services))
	t.customers, t.brokers = w.addTrafficParties()
	w.traffic = t
	for _, kind := range []string{"request", "remove", "stop", "merge"} {
		t.plan(kind, 1)
	}
	w.advance(w.now())
}

// trafficKinds are what happens at even intervals: how many requests are between two of them, and
// what the i-th one does.
var trafficKinds = map[string]struct {
	every time.Duration
	do    func(t *traffic, i int, at time.Time)
}{
	"request": {1, (*traffic).request},
	"remove":  {9, (*traffic).removeContainer},
	"stop":    {31, (*traffic).stopTracking},
	"merge":   {47, (*traffic).mergeShipments},
}

// plan plans the i-th of a kind, after i intervals.
func (t *traffic) plan(kind string, i int) {
	t.w.Plan(t.begin.Add(time.Duration(i)*trafficKinds[kind].every*t.every), generate{kind, i})
}

// generate makes the i-th of a kind and plans the next.
func (t *traffic) generate(kind string, i int, at time.Time) {
	trafficKinds[kind].do(t, i, at)
	t.plan(kind, i+1)
}

// request tracks the i-th number. Nearly all are found at once, some after two days, and a few
// never.
func (t *traffic) request(i int, at time.Time) {
	draw := t.random("request", i)
	b := t.book(i, at, draw)
	r := TrackingRequest{
		RequestNumber: b.number, SCAC: b.line, Customer: b.customer, CreatedAt: at, ReferenceNumbers: []string{fmt.Sprint("PO-", 40_000+i)},
		InitialCustomFields: []InitialCustomField{{Entity: "shipment", APISlug: "cost_center", Value: fmt.Sprint("CC-", 100+i%7)}},
	}
	if draw.IntN(5) == 0 {
		r.ShipmentTags = []string{"priority"}
		r.InitialCustomFields = append(r.InitialCustomFields, InitialCustomField{Entity: "shipment", APISlug: "priority", Value: "urgent"})
	}
	j := b.journey(draw)
	switch draw.IntN(25) {
	case 0:
		j = Journey{Outcome: OutcomeFailed}
	case 1:
		j.Outcome, j.ManifestAfter = OutcomeAwaitingManifest, 30*time.Hour
		j.Elapsed += 2 * day24 // two daily checks later
	}
	key := normalizeNumber(b.number)
	t.w.journeys[key] = j
	t.w.addRequest(r)
	t.w.Plan(at.Add(8*day24), forgetJourney{key}) // tracking has found it or failed
}

// pick returns a shipment that has not arrived; nil if there is none.
func (t *traffic) pick(draw portableRand, accept func(*Shipment) bool) *Shipment {
	recent := t.w.shipments.Order[max(len(t.w.shipments.Order)-t.recent, 0):]
	first := draw.Uint64() << 1 >> 1 // Int has fewer bits on some machines
	for i := range uint64(len(recent)) {
		s := t.w.shipments.Get(recent[(first+i)%uint64(len(recent))])
		if s.PODATA.IsZero() && s.LineTrackingStoppedAt.IsZero() && accept(s) {
			return s
		}
	}
	return nil
}

// removeContainer removes a container, as staff does when it was on the wrong bill of lading.
func (t *traffic) removeContainer(i int, _ time.Time) {
	draw := t.random("remove", i)
	if s := t.pick(draw, func(s *Shipment) bool { return len(t.w.containersOf(s.ID)) > 1 }); s != nil {
		containers := t.w.containersOf(s.ID)
		t.w.removeContainer(containers[draw.IntN(len(containers))])
	}
}

// stopTracking stops a shipment, as a user does.
func (t *traffic) stopTracking(i int, at time.Time) {
	if s := t.pick(t.random("stop", i), func(*Shipment) bool { return true }); s != nil {
		t.w.stopTracking(s, at, "cancelled_by_user", t.w.user)
	}
}

// mergeShipments merges two shipments of a line.
func (t *traffic) mergeShipments(i int, _ time.Time) {
	draw := t.random("merge", i)
	a := t.pick(draw, func(*Shipment) bool { return true })
	if a == nil {
		return
	}
	if b := t.pick(draw, func(b *Shipment) bool { return b != a && b.ShippingLine == a.ShippingLine }); b != nil {
		t.w.mergeShipments(b.ID, a.ID, t.removeMerged)
		t.w.changedAnything()
	}
}

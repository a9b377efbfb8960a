package terminal49test

import (
	"cmp"
	"slices"
	"time"
)

// Outcome is where a tracking request ends.
type Outcome string

// The outcomes of a tracking request.
const (
	OutcomeCreated          Outcome = ""                  // a shipment
	OutcomeAwaitingManifest Outcome = "awaiting_manifest" // a shipment after Journey.ManifestAfter, or none within a week
	OutcomeFailed           Outcome = "failed"
)

// Journey says what tracking a number leads to: what the carrier answers, the shipment and containers that appear, and
// what happens to them. All durations are on the world's clock.
type Journey struct {
	Infer *Inference // what infer_number answers; nil to go by the number

	RequestType   string        // the one kind of request that finds it; "" for any
	After         time.Duration // pending so long; 0 for the server's tracking delay
	FailedTries   int           // so many tries fail first, each wait twice the last from 10 s; 14 exhaust the retries
	TryReason     string        // failed_reason meanwhile; "" is shipping_line_unreachable
	Outcome       Outcome
	FailedReason  string        // of OutcomeFailed, "" is not_found; of a manifest that never comes, "" is expired
	ManifestAfter time.Duration // of OutcomeAwaitingManifest: since the request; found at the next daily look. 0 is never

	// Shipment and Containers are what appears. Ids, times and what follows from the request are filled in; places left
	// empty are Shanghai to Los Angeles. Without Containers there are one or two, numbered after the request. With
	// NoContainers the bill of lading is known and its containers are not.
	Shipment     Shipment
	Containers   []Container
	NoContainers bool

	// Steps happen after the journey's start. Underway is how long ago that was when tracking begins: steps before then
	// have already happened when the shipment appears.
	Underway time.Duration
	Steps    []Step
}

// Step is one thing that happens to a container.
type Step struct {
	After     time.Duration // since the journey's start
	Container string        // number of the one it happens to; "" for each container of the shipment
	Do        Action
}

// Action changes a container or its shipment. The functions of this package make the usual ones; a test can write its
// own. It runs under the server's lock and must not call the server.
type Action func(*Scene)

// Scene is what an Action works on.
type Scene struct {
	At        time.Time // when it happens
	Shipment  *Shipment
	Container *Container

	world      *world
	reportedAt time.Time // when the service heard of it; the created_at of events
}

// Script sets what tracking a number leads to. It counts for requests created afterwards.
func (s *Server) Script(number string, j Journey) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.world.journeys[normalizeNumber(number)] = j
}

// depart creates what a request found and plans its steps.
func (w *world) startJourney(r *TrackingRequest, j Journey, at time.Time) string {
	s := j.Shipment
	s.Number = cmp.Or(s.Number, r.RequestNumber)
	if r.RequestType == "container" && s.Number == r.RequestNumber {
		s.Number = r.SCAC + ContainerNumber("", numberHash(r.RequestNumber)) // the bill of lading behind the container
	}
	s.CreatedAt, s.ShippingLine, s.Customer = at, r.SCAC, cmp.Or(s.Customer, r.Customer)
	s.RefNumbers = append(slices.Clone(s.RefNumbers), r.RefNumbers...)
	s.Tags = append(slices.Clone(s.Tags), r.ShipmentTags...)
	s.LineTrackingLastAttemptedAt, s.LineTrackingLastSucceededAt = at, at
	s.PortOfLading = cmp.Or(s.PortOfLading, "CNSHA")
	if s.PortOfDischarge == "" {
		s.PortOfDischarge, s.PODTerminal = "USLAX", cmp.Or(s.PODTerminal, "WBCT")
	}
	id := w.addShipment(s)
	for _, c := range w.journeyContainers(r, j) {
		c.Shipment, c.CreatedAt, c.ShipmentLastRequestAt = id, at, at
		c.RefNumbers = append(slices.Clone(c.RefNumbers), r.RefNumbers...)
		w.addContainer(c)
	}
	start := at.Add(-j.Underway)
	for _, step := range j.Steps {
		w.plan(start.Add(step.After), func(due time.Time) { w.runStep(id, step, due, laterOf(due, at)) })
	}
	w.advance(at) // what has already happened is there when the shipment appears
	w.poll(w.shipments.get(id), at)
	return id
}

// boxes are the containers of a new shipment.
func (w *world) journeyContainers(r *TrackingRequest, j Journey) []Container {
	if len(j.Containers) > 0 || j.NoContainers {
		return slices.Clone(j.Containers)
	}
	owner, number := "TGHU", numberHash(normalizeNumber(r.RequestNumber)) // a lessor's box if the line has none of its own
	if l := w.line(r.SCAC); l != nil && len(l.ContainerPrefixes) > 0 {
		owner = l.ContainerPrefixes[0]
	}
	box := Container{
		Number: ContainerNumber(owner, number), EquipmentType: "dry", EquipmentLength: 40, EquipmentHeight: "high_cube",
		WeightPounds: float64(28_000 + number%14_000),
	}
	if r.RequestType == "container" {
		box.Number = normalizeNumber(r.RequestNumber)
		return []Container{box}
	}
	list := []Container{box}
	if number%2 == 1 {
		box.Number = ContainerNumber(owner, number+1)
		list = append(list, box)
	}
	return list
}

// play lets a step happen, unless nobody is watching: what falls into a time without tracking is never heard of.
func (w *world) runStep(shipment string, step Step, due, seen time.Time) {
	s := w.shipments.get(shipment)
	if s == nil || !s.LineTrackingStoppedAt.IsZero() {
		return
	}
	for _, id := range slices.Clone(w.containerOf[shipment]) {
		c := w.containers.get(id)
		if step.Container != "" && step.Container != c.Number {
			continue
		}
		w.notifyChanges(s, c, seen, func() { step.Do(&Scene{At: due, Shipment: s, Container: c, world: w, reportedAt: seen}) })
		s.LineTrackingLastAttemptedAt, s.LineTrackingLastSucceededAt = seen, seen
		c.markChecked(seen)
	}
}

func laterOf(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

package terminal49test

import (
	"cmp"
	"slices"
	"time"
)

// Outcome is the final result of a tracking request.
type Outcome string

// The outcomes of a tracking request.
const (
	// OutcomeCreated finds a shipment.
	OutcomeCreated Outcome = ""
	// OutcomeAwaitingManifest finds a shipment after Journey.ManifestAfter, or fails after a week.
	OutcomeAwaitingManifest Outcome = "awaiting_manifest"
	// OutcomeFailed fails with Journey.FailedReason.
	OutcomeFailed Outcome = "failed"
)

// Journey describes the result of tracking a number: the inference, the result at the carrier, the
// shipment and its containers, and what happens to them. All durations are simulated time.
type Journey struct {
	Inference *Inference `json:"inference,omitzero"` // result of infer_number; nil derives it from the number

	// RequestType is the only type of request that finds the number; "" means any.
	RequestType string `json:"request_type,omitzero"`
	// TrackingDelay is how long the request is pending; 0 means the server's tracking delay.
	TrackingDelay time.Duration `json:"tracking_delay,omitzero"`
	// FailedAttempts is the number of attempts that fail first. The waits between attempts begin at
	// 10 seconds and double; 14 failures exhaust the retries.
	FailedAttempts int     `json:"failed_attempts,omitzero"`
	RetryReason    string  `json:"retry_reason,omitzero"` // failed_reason between attempts; "" means shipping_line_unreachable
	Outcome        Outcome `json:"outcome,omitzero"`
	// FailedReason is the reason for OutcomeFailed (default not_found) or for a manifest that never
	// arrives (default expired).
	FailedReason string `json:"failed_reason,omitzero"`
	// ManifestAfter is the time from the request until the manifest of OutcomeAwaitingManifest
	// exists; the next daily check finds it. 0 means never.
	ManifestAfter time.Duration `json:"manifest_after,omitzero"`

	// Shipment and Containers are the resources that tracking finds. Ids, times and everything that
	// follows from the request are set; empty ports default to Shanghai and Los Angeles. Without
	// Containers there are one or two, with numbers derived from the request's. With NoContainers
	// the bill of lading has no containers yet.
	Shipment     Shipment    `json:"shipment,omitzero"`
	Containers   []Container `json:"containers,omitzero"`
	NoContainers bool        `json:"no_containers,omitzero"`

	// Elapsed is the time from the journey's start until the shipment is found. Steps within that
	// time have already happened when it is found.
	Elapsed time.Duration `json:"elapsed,omitzero"`
	Steps   []Step        `json:"steps,omitzero"`
}

// Step is one event of a container's journey.
type Step struct {
	After     time.Duration `json:"after,omitzero"`     // after the journey's start
	Container string        `json:"container,omitzero"` // number of the container; "" means every container of the shipment
	Do        Action        `json:"-"`
}

// Action changes a container or its shipment. This package has the usual ones; [Custom] makes one
// of a test's own.
type Action struct{ effect effect }

// effect is what an action does. Its type holds the action's parameters.
type effect interface{ run(*ActionContext) }

// Custom is an action of the test's own. It runs under the server's lock and must not call the
// server, which panics. It has no form in JSON.
func Custom(do func(*ActionContext)) Action { return Action{custom(do)} }

type custom func(*ActionContext)

func (do custom) run(s *ActionContext) { do(s) }

// Do runs another action at the same time.
func (s *ActionContext) Do(a Action) { a.effect.run(s) }

// ActionContext is the state that an Action changes.
type ActionContext struct {
	At        time.Time // simulated time of the step
	Shipment  *Shipment
	Container *Container

	world      *world
	reportedAt time.Time // when the service learned of it: the created_at of events
}

// Script sets what happens to a number once it is tracked. It applies to tracking requests that are
// created after the call.
func (s *Server) Script(number string, j Journey) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.world.journeys[normalizeNumber(number)] = j
}

// Step runs an action on a container now, like a step of its journey, and reports whether the
// container exists and has a shipment.
func (s *Server) Step(container string, do Action) bool {
	return withWorld(s, func(w *world) bool {
		c := w.containers.Own(container)
		if c == nil || w.shipments.Own(c.Shipment) == nil {
			return false
		}
		w.act(w.shipments.Get(c.Shipment), c, do, w.now(), w.now())
		return true
	})
}

// startJourney creates the shipment and containers of a request and plans the steps.
func (w *world) startJourney(r *TrackingRequest, j Journey, at time.Time) string {
	s := j.Shipment
	s.BillOfLadingNumber = cmp.Or(s.BillOfLadingNumber, r.RequestNumber)
	if r.RequestType == "container" && s.BillOfLadingNumber == r.RequestNumber {
		// The request has a container number, so the bill of lading number is generated.
		s.BillOfLadingNumber = r.SCAC + ContainerNumber("", numberHash(r.RequestNumber))
	}
	s.CreatedAt, s.ShippingLine, s.Customer = at, r.SCAC, cmp.Or(s.Customer, r.Customer)
	s.ReferenceNumbers = append(slices.Clone(s.ReferenceNumbers), r.ReferenceNumbers...)
	s.Tags = append(slices.Clone(s.Tags), r.ShipmentTags...)
	s.LineTrackingLastAttemptedAt, s.LineTrackingLastSucceededAt = at, at
	s.PortOfLading = cmp.Or(s.PortOfLading, "CNSHA")
	if s.PortOfDischarge == "" {
		s.PortOfDischarge, s.PODTerminal = "USLAX", cmp.Or(s.PODTerminal, "WBCT")
	}
	id := w.addShipment(s)
	for _, c := range w.journeyContainers(r, j) {
		c.Shipment, c.CreatedAt, c.LineLastRequestedAt = id, at, at
		c.ReferenceNumbers = append(slices.Clone(c.ReferenceNumbers), r.ReferenceNumbers...)
		w.addContainer(c)
	}
	start := at.Add(-j.Elapsed)
	for _, step := range j.Steps {
		w.Plan(start.Add(step.After), runStep{Shipment: id, Step: step, Found: at})
	}
	for w.runNext(at) {
	} // past steps have happened when the shipment is found; then bodies are written
	w.poll(id, at)
	return id
}

// journeyContainers returns the containers of a new shipment.
func (w *world) journeyContainers(r *TrackingRequest, j Journey) []Container {
	if len(j.Containers) > 0 || j.NoContainers {
		return slices.Clone(j.Containers)
	}
	// TGHU is a lessor's prefix, used if the line has none.
	owner, number := "TGHU", numberHash(normalizeNumber(r.RequestNumber))
	if l := w.line(r.SCAC); l != nil && len(l.ContainerPrefixes) > 0 {
		owner = l.ContainerPrefixes[0]
	}
	container := Container{
		Number: ContainerNumber(owner, number), EquipmentType: "dry", EquipmentLength: 40, EquipmentHeight: "high_cube",
		WeightPounds: float64(28_000 + number%14_000),
	}
	if r.RequestType == "container" {
		container.Number = normalizeNumber(r.RequestNumber)
		return []Container{container}
	}
	list := []Container{container}
	if number%2 == 1 {
		container.Number = ContainerNumber(owner, number+1)
		list = append(list, container)
	}
	return list
}

// runStep runs a step unless tracking is stopped: events in that time are never reported.
func (w *world) runStep(shipment string, step Step, due, seen time.Time) {
	s, containers := w.onJourney(shipment)
	if s == nil || !s.LineTrackingStoppedAt.IsZero() {
		return
	}
	for _, id := range containers {
		c := w.containers.Get(id)
		if step.Container != "" && step.Container != c.Number {
			continue
		}
		w.act(s, c, step.Do, due, seen)
	}
}

// act runs an action.
func (w *world) act(s *Shipment, c *Container, do Action, due, seen time.Time) {
	a := &ActionContext{At: due, Shipment: s, Container: c, world: w, reportedAt: seen}
	w.notifyChanges(s, c, seen, func() { w.lock.during(func() { a.Do(do) }) })
	s.LineTrackingLastAttemptedAt, s.LineTrackingLastSucceededAt = seen, seen
	c.markChecked(seen)
}

func laterOf(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

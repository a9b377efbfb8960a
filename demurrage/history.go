package demurrage

import (
	"slices"
	"time"

	"github.com/go-freight/terminal49"
)

// history reads what has happened to a container. It asks the verdict where the container is and
// which facts prove that, leaves these facts out, and asks where it was before. So a stay says what
// the verdict says about a gate-out, a train or a ramp, and decides nothing by itself.
type history struct {
	stay    *Stay
	rest    terminal49.Container         // without the facts that were read
	events  []*terminal49.TransportEvent // those of rest
	now     time.Time
	latest  terminal49.Date           // by when all that is read next has happened; zero if unknown
	present bool                      // where the full container is now, or was last, is read
	undated map[Event]terminal49.Date // happened by these days, which are zero if unknown
}

// mostReadings bounds how often a history asks.
const mostReadings = 20

// readEvents sets the events that have happened to a container, and those that may have.
func (s *Stay) readEvents(c *terminal49.Container) {
	h := history{stay: s, rest: *c, now: readAt(c), undated: map[Event]terminal49.Date{}}
	if !c.AsOf.IsZero() {
		h.latest = dayOf(terminal49.NewTime(c.AsOf, "")).last
	}
	events, _ := c.TransportEvents.Values()
	h.events = append([]*terminal49.TransportEvent{}, events...) // not nil, or the verdict takes those of c
	for range mostReadings {
		v := h.verdict()
		if !h.read(&v) || !h.leaveOut(v.Proof) {
			break
		}
	}
	h.setUndated()
}

// readAt returns when a container was read. If that is unknown, no fact is in the future.
func readAt(c *terminal49.Container) time.Time {
	if c.AsOf.IsZero() {
		return time.Date(9000, time.January, 1, 0, 0, 0, 0, time.UTC)
	}
	return c.AsOf
}

func (h *history) verdict() terminal49.Verdict {
	return terminal49.Assess(&h.rest, h.now, terminal49.VerdictOptions{Events: h.events})
}

// read reads the facts of a verdict. It reports false if no fact before them matters.
func (h *history) read(v *terminal49.Verdict) bool {
	switch {
	case v.Situation == terminal49.SituationAtSea, v.Situation == terminal49.SituationBeforeVoyage:
		return false
	case len(v.Proof) == 0: // no facts; or they contradict each other, or are in the future
		if len(v.Against) > 0 {
			h.doubt(Discharge, PortOut)
		}
		if len(v.Against) > 0 && !h.present {
			h.doubt(FullOut, EmptyReturn)
		}
		return false
	case v.Situation == terminal49.SituationReturned:
		h.happened(EmptyReturn, first(v.Proof, returns))
		return true
	case v.Situation == terminal49.SituationOut && !h.present:
		h.readPickup(v)
	default:
		h.readRoute(v)
	}
	h.present = true
	return first(v.Proof, landings).Name == "" || h.landedInland(v)
}

// landedInland reports whether a ship, such as a barge, brought the container to its inland
// destination: from the port it could still leave by train.
func (h *history) landedInland(v *terminal49.Verdict) bool {
	if first(v.Proof, landings).Name == "" {
		return false
	}
	later := *h
	later.rest.PODRailDepartedAt = terminal49.NewTime(h.now, "")
	return later.verdict().Situation != terminal49.SituationOnRail
}

// readPickup reads when the container was picked up.
func (h *history) readPickup(v *terminal49.Verdict) {
	gate := first(v.Proof, gateOuts)
	if delivered := first(v.Proof, deliveries); gate.At.IsZero() && !delivered.At.IsZero() {
		h.latest = dayOf(delivered.At).last
	}
	h.happened(FullOut, gate)
	if h.isAtPort(gate, v.Proof) {
		h.happened(PortOut, gate)
	}
}

// isAtPort reports whether the gate-out that proves a pickup is that of the port: whether one at
// the port would be the pickup without it.
func (h *history) isAtPort(gate terminal49.VerdictFact, proof []terminal49.VerdictFact) bool {
	if gate.At.IsZero() {
		return false
	}
	before := *h
	before.leaveOut(proof)
	before.rest.PODFullOutAt, before.rest.FinalDestinationFullOutAt = gate.At, terminal49.Time{}
	return before.verdict().Situation == terminal49.SituationOut
}

// readRoute reads how the container came to where it was picked up, or is.
func (h *history) readRoute(v *terminal49.Verdict) {
	gate, train, arrival := first(v.Proof, portGateOuts), first(v.Proof, departures), h.readRamp(v)
	byStatus := first(v.Proof, []string{"current_status"}).Value
	isUnknown := v.Situation == terminal49.SituationUnknown && !h.present
	hasLeft := gate.Name+train.Name+arrival.Name != "" || v.Situation == terminal49.SituationOnRail ||
		byStatus == string(terminal49.StatusPickedUp)
	switch {
	case hasLeft && train.Name != "pod_rail_departed_at" && gate.At.IsZero() && !train.At.IsZero():
		h.undated[PortOut] = dayOf(train.At).last // the train may have left another ramp
	case hasLeft && gate.At.IsZero():
		h.happened(PortOut, train)
	case hasLeft:
		h.happened(PortOut, gate)
	case isUnknown && h.isElsewhere(v):
		h.doubt(PortOut)
	}
	if isUnknown && hasLeft && arrival.Name == "" {
		h.doubt(FullOut) // at the port by truck, or not yet
	}
	if landed := first(v.Proof, discharges); landed.Name != "" && !h.landedInland(v) {
		h.happened(Discharge, landed)
	}
}

// readRamp reads the arrival at the inland destination, and returns it: no fact if the container is
// on its way there.
func (h *history) readRamp(v *terminal49.Verdict) terminal49.VerdictFact {
	if v.Situation == terminal49.SituationOnRail {
		return terminal49.VerdictFact{}
	}
	arrived, unloaded := first(v.Proof, rampArrivals), first(v.Proof, rampUnloadings)
	for event, fact := range map[Event]terminal49.VerdictFact{RailArrival: arrived, RailUnloaded: unloaded} {
		if h.stay.Events[event].IsZero() && !fact.At.IsZero() {
			h.stay.Events[event] = fact.At
		}
	}
	if h.landedInland(v) {
		return first(v.Proof, landings)
	}
	return first(v.Proof, slices.Concat(rampArrivals, rampUnloadings))
}

// isElsewhere reports whether the verdict knows that the container was discharged, and not whether
// it is still at the terminal: it may be at its inland destination, or in a yard.
func (h *history) isElsewhere(v *terminal49.Verdict) bool {
	atRamp := v.Place == terminal49.VerdictPlace{} && v.BoundFor != terminal49.VerdictPlace{}
	return atRamp || h.rest.CurrentStatus == terminal49.StatusOffDock
}

// happened sets when an event happened. Before it, all that is read next has.
func (h *history) happened(event Event, fact terminal49.VerdictFact) {
	switch {
	case !h.stay.Events[event].IsZero():
	case fact.At.IsZero():
		if h.undated[event].IsZero() || !h.latest.IsZero() {
			h.undated[event] = h.latest
		}
	default:
		h.stay.Events[event] = fact.At
		if day := dayOf(fact.At).last; h.latest.IsZero() || day.Before(h.latest) {
			h.latest = day
		}
	}
	if event == EmptyReturn {
		h.happened(FullOut, terminal49.VerdictFact{})
	}
}

// doubt notes that it is not known whether events have happened.
func (h *history) doubt(events ...Event) {
	for _, event := range events {
		if _, happened := h.undated[event]; !happened && h.stay.Events[event].IsZero() {
			h.stay.Uncertain = append(h.stay.Uncertain, event)
		}
	}
}

// setUndated sets between which days an event happened that has no day. If nothing bounds them, it
// is one that may not have happened by the last day of an estimate.
func (h *history) setUndated() {
	for _, event := range inOrder {
		last, happened := h.undated[event]
		if !happened || !h.stay.Events[event].IsZero() {
			continue
		}
		first := h.stay.span(event).first
		if event != PortOut {
			first = later(first, later(h.stay.reported(RailArrival).first, h.stay.reported(RailUnloaded).first))
		}
		if first.IsZero() || last.Before(first) {
			h.stay.Uncertain = append(h.stay.Uncertain, event)
			continue
		}
		if h.stay.Between == nil {
			h.stay.Between = map[Event]Days{}
		}
		h.stay.Between[event] = Days{first, last}
	}
}

// leaveOut leaves facts, and the status, out of what the next verdict knows. It reports false if it
// knew none of them.
func (h *history) leaveOut(facts []terminal49.VerdictFact) (found bool) {
	found, h.rest.CurrentStatus = h.rest.CurrentStatus != "", ""
	for _, fact := range facts {
		at := h.attribute(fact.Name)
		if at != nil && !at.IsZero() {
			*at, found = terminal49.Time{}, true
		}
		n := len(h.events)
		h.events = slices.DeleteFunc(slices.Clone(h.events), func(e *terminal49.TransportEvent) bool {
			return e != nil && string(e.Event) == fact.Name && e.ID == fact.EventID && (e.ID != "" || e.Timestamp.Compare(fact.At) == 0)
		})
		found = found || len(h.events) < n
	}
	return found
}

// attribute returns a time of the container or of its shipment; nil if a stay does not need it.
func (h *history) attribute(name string) *terminal49.Time {
	if shipment, ok := h.rest.Shipment.Value(); ok && shipment != nil && name == "shipment.destination_ata_at" {
		own := *shipment
		h.rest.Shipment = terminal49.Included(h.rest.Shipment.ID(), &own)
		return &own.DestinationATA
	}
	c := &h.rest
	return map[string]*terminal49.Time{
		"pod_full_out_at": &c.PODFullOutAt, "pod_rail_loaded_at": &c.PODRailLoadedAt, "pod_rail_departed_at": &c.PODRailDepartedAt,
		"ind_ata_at": &c.INDATA, "ind_rail_unloaded_at": &c.INDRailUnloadedAt, "final_destination_full_out_at": &c.FinalDestinationFullOutAt,
		"delivered_at": &c.DeliveredAt, "empty_terminated_at": &c.EmptyTerminatedAt,
	}[name]
}

// The names of facts in a verdict, by what they report.
var (
	returns        = []string{"empty_terminated_at", string(terminal49.EventEmptyIn)}
	deliveries     = []string{"delivered_at", string(terminal49.EventDelivered)}
	portGateOuts   = []string{"pod_full_out_at", string(terminal49.EventFullOut)}
	gateOuts       = append([]string{"final_destination_full_out_at"}, portGateOuts...)
	departures     = []string{"pod_rail_departed_at", string(terminal49.EventRailDeparted)}
	rampArrivals   = []string{"ind_ata_at", "shipment.destination_ata_at", string(terminal49.EventArrivedAtInlandDestination), string(terminal49.EventRailArrived)}
	rampUnloadings = []string{"ind_rail_unloaded_at", string(terminal49.EventRailUnloaded)}
	discharges     = []string{"pod_discharged_at", string(terminal49.EventVesselDischarged)}
	landings       = append([]string{
		"pod_arrived_at", "shipment.pod_ata_at", string(terminal49.EventVesselArrived), string(terminal49.EventVesselBerthed),
	}, discharges...)
)

// first returns the earliest of the facts with one of the names, or one without a time if none has
// a time.
func first(facts []terminal49.VerdictFact, names []string) (earliest terminal49.VerdictFact) {
	for _, fact := range facts {
		if slices.Contains(names, fact.Name) && (earliest.Name == "" || earliest.At.IsZero() || !fact.At.IsZero() && fact.At.Before(earliest.At)) {
			earliest = fact
		}
	}
	return earliest
}

package terminal49

import "encoding/json"

// Payload is what a notification is about, by the family of its event: a *[TrackingRequestPayload],
// *[MilestonePayload], *[EstimatePayload], *[ContainerCreatedPayload], *[ContainerUpdatedPayload],
// *[TerminalChangedPayload], *[LastFreeDayPayload], *[AppointmentPayload], *[DocumentPayload], or an *[UnknownPayload].
// Switch on the type, or let the callbacks of a [WebhookHandler] do so.
type Payload interface{ isPayload() }

// TrackingRequestPayload says what became of a tracking request: EventTrackingRequestSucceeded and the like. Its
// shipment, if there is one, is the notification's.
type TrackingRequestPayload struct {
	Request ToOne[*TrackingRequest]
}

// MilestonePayload says that something happened to a container on its way, such as EventVesselArrived.
type MilestonePayload struct {
	Milestone ToOne[*TransportEvent]
}

// EstimatePayload says that something is expected at another time than before. It is one of the two kinds of events.
type EstimatePayload struct {
	At       Time                   // when it is expected now; zero if the event was not included
	Estimate ToOne[*EstimatedEvent] // for EventShipmentEstimatedArrival; absent for others
	Event    ToOne[*TransportEvent] // for the estimates of a container; absent for EventShipmentEstimatedArrival
}

// ContainerCreatedPayload says that a container was added to a shipment.
type ContainerCreatedPayload struct {
	Created ToOne[*ContainerCreatedEvent]
}

// ContainerUpdatedPayload says what changed of a container. The container itself, as it is since, is the
// notification's.
type ContainerUpdatedPayload struct {
	Updated ToOne[*ContainerUpdatedEvent]
	// Changes is what changed: empty if the event was not included or its changeset was no object.
	Changes Changeset
}

// TerminalChangedPayload says that a container goes to another terminal at its port of discharge: the notification's
// Terminal.
type TerminalChangedPayload struct {
	Changed ToOne[*ContainerPODTerminalChangedEvent]
}

// LastFreeDayPayload says that a last free day was set, moved or taken back.
type LastFreeDayPayload struct {
	Source LFDSource // whose: "" is the service's own pick
	// LastFreeDay is the new one: the event's value or, if the event was sent without, what the included container says.
	// It is zero if neither tells. It is a midnight at the place, so use [Time.Date].
	LastFreeDay Time
	// Event carries the time when the change was noticed; do not take that for the last free day.
	Event ToOne[*TransportEvent]
}

// AppointmentPayload says that the pickup appointment was made, moved or taken back.
type AppointmentPayload struct {
	// Appointment is the new one: the event's value or, if the event was sent without, what the included container says.
	// It is zero if neither tells.
	Appointment Time
	Event       ToOne[*TransportEvent]
}

// DocumentPayload says that a document was extracted, or that this failed. What was extracted is in the document's
// Extraction, if included.
type DocumentPayload struct {
	Extracted bool // false: it failed
	Document  ToOne[*Document]
}

// UnknownPayload is what an event is about that this version does not know, or that was only announced so far.
type UnknownPayload struct {
	Reference ToOne[ReferenceObject] // what the notification refers to, in its own type if that is known
	JSON      json.RawMessage        // the whole delivery; nil for a recovered notification
}

func (*TrackingRequestPayload) isPayload()  {}
func (*MilestonePayload) isPayload()        {}
func (*EstimatePayload) isPayload()         {}
func (*ContainerCreatedPayload) isPayload() {}
func (*ContainerUpdatedPayload) isPayload() {}
func (*TerminalChangedPayload) isPayload()  {}
func (*LastFreeDayPayload) isPayload()      {}
func (*AppointmentPayload) isPayload()      {}
func (*DocumentPayload) isPayload()         {}
func (*UnknownPayload) isPayload()          {}

func newPayload(event EventName, about ToOne[ReferenceObject], raw json.RawMessage) Payload {
	switch event.Family() {
	case FamilyTrackingRequest:
		return &TrackingRequestPayload{referenceAs[TrackingRequest](about)}
	case FamilyMilestone:
		return &MilestonePayload{referenceAs[TransportEvent](about)}
	case FamilyEstimate:
		return newEstimate(event, about)
	case FamilyContainerCreated:
		return &ContainerCreatedPayload{referenceAs[ContainerCreatedEvent](about)}
	case FamilyContainerUpdated:
		p := &ContainerUpdatedPayload{Updated: referenceAs[ContainerUpdatedEvent](about)}
		if updated, ok := p.Updated.Value(); ok {
			p.Changes = updated.Changeset
		}
		return p
	case FamilyTerminalChanged:
		return &TerminalChangedPayload{referenceAs[ContainerPODTerminalChangedEvent](about)}
	case FamilyLastFreeDay:
		p := &LastFreeDayPayload{Source: lfdSourceOf(event), Event: referenceAs[TransportEvent](about)}
		p.LastFreeDay = valueOf(p.Event)
		return p
	case FamilyAppointment:
		p := &AppointmentPayload{Event: referenceAs[TransportEvent](about)}
		p.Appointment = valueOf(p.Event)
		return p
	case FamilyDocument:
		return &DocumentPayload{event == EventDocumentExtracted, referenceAs[Document](about)}
	}
	return &UnknownPayload{about, raw}
}

// referenceAs is the relationship to what a notification is about, as the type that its event promises. If something else was
// included the type and id tell, and no value pretends to be there.
func referenceAs[T any](about ToOne[ReferenceObject]) ToOne[*T] {
	r := ToOne[*T]{ref: about.ref, state: about.state}
	if r.state != RelationshipIncluded {
		return r
	}
	if v, ok := about.value.(any).(*T); ok {
		r.value = v
	} else {
		r.state = RelationshipLinked
	}
	return r
}

func newEstimate(event EventName, about ToOne[ReferenceObject]) *EstimatePayload {
	p := &EstimatePayload{}
	if event == EventShipmentEstimatedArrival {
		p.Estimate = referenceAs[EstimatedEvent](about)
	} else {
		p.Event = referenceAs[TransportEvent](about)
	}
	if estimate, ok := p.Estimate.Value(); ok {
		p.At = estimate.EstimatedTimestamp
	}
	if estimate, ok := p.Event.Value(); ok {
		p.At = estimate.Timestamp
	}
	return p
}

func valueOf(event ToOne[*TransportEvent]) Time {
	if e, ok := event.Value(); ok {
		return e.Value
	}
	return Time{}
}

func lfdSourceOf(event EventName) LFDSource {
	switch event {
	case EventPickupLFDLineChanged:
		return LFDLine
	case EventPickupLFDTerminalChanged:
		return LFDTerminal
	case EventPickupLFDRailChanged:
		return LFDRail
	default:
		return ""
	}
}

func (p *LastFreeDayPayload) fromContainer(c *Container) {
	if p.LastFreeDay.IsZero() {
		p.LastFreeDay = *deadlinesOf(c)[p.Source]
	}
}

func (p *AppointmentPayload) fromContainer(c *Container) {
	if p.Appointment.IsZero() {
		p.Appointment = c.PickupAppointmentAt
	}
}

package webhook

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/conceal"
)

// Notification is a parsed delivery to a webhook: the event, its payload, and the resources that
// the service included. What is included differs by event; see the State of each relationship. Some
// deliveries name neither a shipment nor a container; [Resolve] fetches what is missing.
type Notification struct {
	ID        string               // of the notification; the same for every delivery of it
	Event     terminal49.EventName // as sent, even if it is unknown to this version
	CreatedAt terminal49.Time      // UTC; deliveries may arrive out of order, so compare this or the payload's times
	WebhookID string               // "" if not reported, as for document events
	Recovered bool                 // made by [Recover] from current data after a failed delivery

	// AsOf is the time since which its resources may have changed: CreatedAt or, if it is recovered,
	// the time at which it was read. It is zero if CreatedAt is not reported.
	AsOf time.Time

	Payload Payload // what the event is about; never nil

	// Related resources: absent if the service did not name them, linked if it named but did not
	// include them. The reference object names them or, for a shipment, its container does; a
	// resource that is only included is not one of them. Of a document they are the shipment and the
	// container, if the document is linked to only one.
	Shipment  terminal49.ToOne[*terminal49.Shipment]
	Container terminal49.ToOne[*terminal49.Container]
	Location  terminal49.ToOne[terminal49.Place] // where it happened; a port or a metro area
	Terminal  terminal49.ToOne[*terminal49.Terminal]
	Vessel    terminal49.ToOne[*terminal49.Vessel]

	// Warnings name the values that could not be read and were left empty, up to 1,000. One more has
	// the number of the others.
	Warnings []terminal49.DecodeWarning

	raw conceal.Value[json.RawMessage] // may contain secrets
}

// Payload is the content of a notification. Its type depends on the event: a
// *[TrackingRequestPayload], *[MilestonePayload], *[EstimatePayload], *[ContainerCreatedPayload],
// *[ContainerUpdatedPayload], *[TerminalChangedPayload], *[LastFreeDayPayload],
// *[AppointmentPayload], *[DocumentPayload], *[LinkPayload], or an *[UnknownPayload]. Switch on the
// type, or register a callback such as [OnMilestone] for one.
type Payload interface{ isPayload() }

// TrackingRequestPayload is the payload of a change to a tracking request, such as
// [terminal49.EventTrackingRequestSucceeded]. If there is a shipment, it is in
// Notification.Shipment.
type TrackingRequestPayload struct {
	Request terminal49.ToOne[*terminal49.TrackingRequest]
}

// MilestonePayload is the payload of a container's milestone, such as
// [terminal49.EventVesselArrived].
type MilestonePayload struct {
	Milestone terminal49.ToOne[*terminal49.TransportEvent]
}

// EstimatePayload is the payload of a changed estimate. Either Estimate or Event is set.
type EstimatePayload struct {
	At       terminal49.Time                              // the new estimate; zero if the event was not included
	Estimate terminal49.ToOne[*terminal49.EstimatedEvent] // for EventShipmentEstimatedArrival; absent for others
	Event    terminal49.ToOne[*terminal49.TransportEvent] // for the estimates of a container; absent for EventShipmentEstimatedArrival
}

// ContainerCreatedPayload is the payload of a container that was added to a shipment.
type ContainerCreatedPayload struct {
	Event terminal49.ToOne[*terminal49.ContainerCreatedEvent]
}

// ContainerUpdatedPayload is the payload of changed attributes of a container.
// Notification.Container has the values after the change.
type ContainerUpdatedPayload struct {
	Event terminal49.ToOne[*terminal49.ContainerUpdatedEvent]
	// Changeset has the changed attributes; it is empty if the event was not included or its changeset
	// was not an object.
	Changeset terminal49.Changeset
}

// TerminalChangedPayload is the payload of a changed terminal at a container's port of discharge.
// The new terminal is in Notification.Terminal. Before the container's discharge it is advisory:
// the service may correct it again.
type TerminalChangedPayload struct {
	Event terminal49.ToOne[*terminal49.ContainerPODTerminalChangedEvent]
}

// LastFreeDayPayload is the payload of a last free day that was set, moved or removed.
type LastFreeDayPayload struct {
	Source terminal49.LFDSource // who set the day; "" for the one that the service chose
	// LastFreeDay is the new day: the event's value or, if it has none, that of the included
	// container. It is zero if neither is known. Use [terminal49.Time.Date]: it is a day at the place,
	// usually its midnight there, but a railroad's need not be, and some are only a date.
	LastFreeDay terminal49.Time
	// Event's Timestamp is the time at which the change was noticed, not the last free day.
	Event terminal49.ToOne[*terminal49.TransportEvent]
}

// AppointmentPayload is the payload of a pickup appointment that was made, moved or cancelled.
type AppointmentPayload struct {
	// Appointment is the new time: the event's value or, if it has none, that of the included
	// container. It is zero if neither is known.
	Appointment terminal49.Time
	Event       terminal49.ToOne[*terminal49.TransportEvent]
}

// DocumentPayload is the payload of a document whose extraction has succeeded or failed, under
// either name of these events. The extracted data is in the document's Extraction, if included.
type DocumentPayload struct {
	Extracted bool // whether the extraction succeeded
	Document  terminal49.ToOne[*terminal49.Document]
}

// LinkPayload is the payload of [terminal49.EventLinkCreated]: a document was linked to a shipment
// or a container. The service documents neither the type of the reference object nor its
// attributes, so they are kept as sent; see also Notification.Shipment and Notification.Container.
type LinkPayload struct {
	Reference terminal49.ToOne[terminal49.ReferenceObject] // the resource that the notification refers to, in its own type if known
	raw       conceal.Value[json.RawMessage]
}

// UnknownPayload is the payload of an event that this version does not know, or knows only as
// announced: see [terminal49.EventName.Planned]. The service adds events without notice, such as
// one for delivery appointments entered by hand.
type UnknownPayload struct {
	Reference terminal49.ToOne[terminal49.ReferenceObject] // the resource that the notification refers to, in its own type if known
	raw       conceal.Value[json.RawMessage]
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
func (*LinkPayload) isPayload()             {}
func (*UnknownPayload) isPayload()          {}

// Raw returns the body of the delivery, or nil for a recovered notification. It must not be
// modified. Store it to keep a notification: [ParseNotification] and json.Unmarshal read it.
func (n *Notification) Raw() json.RawMessage { return n.raw.Get() }

// Raw returns the whole delivery, or nil for a recovered notification.
func (p *LinkPayload) Raw() json.RawMessage { return p.raw.Get() }

// Raw returns the whole delivery, or nil for a recovered notification.
func (p *UnknownPayload) Raw() json.RawMessage { return p.raw.Get() }

// MarshalJSON returns a summary for logs, which cannot be read back: the delivery may hold secrets,
// such as the address of a document. Store what Raw returns.
func (n Notification) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		ID        string                                  `json:"id"`
		Event     terminal49.EventName                    `json:"event"`
		CreatedAt terminal49.Time                         `json:"created_at"`
		WebhookID string                                  `json:"webhook_id,omitempty"`
		Recovered bool                                    `json:"recovered,omitempty"`
		Shipment  terminal49.ToOne[*terminal49.Shipment]  `json:"shipment,omitzero"`
		Container terminal49.ToOne[*terminal49.Container] `json:"container,omitzero"`
	}{n.ID, n.Event, n.CreatedAt, n.WebhookID, n.Recovered, n.Shipment, n.Container})
}

// UnmarshalJSON parses a delivery, like [ParseNotification].
func (n *Notification) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	read, err := ParseNotification(data)
	if err == nil {
		*n = *read
	}
	return err
}

// ParseNotification parses the body of a delivery and keeps a copy of it. Verify the body first,
// for example with [Verify]; a [Handler] verifies and parses. The error matches
// [terminal49.ErrNotNotification] and never quotes the body.
func ParseNotification(body []byte) (*Notification, error) {
	body = bytes.Clone(body)
	from, warnings, err := terminal49.ParseWebhookNotification(body)
	if err != nil {
		return nil, err
	}
	n := &Notification{Warnings: warnings, raw: conceal.New(json.RawMessage(body))}
	n.fill(from)
	return n, nil
}

// fill sets the fields of n from a notification that was delivered or read.
func (n *Notification) fill(from *terminal49.WebhookNotification) {
	n.ID, n.Event, n.CreatedAt, n.WebhookID, n.AsOf = from.ID, from.Event, from.CreatedAt, from.Webhook.ID(), from.AsOf
	about := from.ReferenceObject
	n.Payload = newPayload(n.Event, about, n.Raw())
	_, ofDocument := n.Payload.(*DocumentPayload)
	if from.Document.ID() != "" && (about.ID() == "" || ofDocument && about.Type() != "document") {
		about = as[terminal49.ReferenceObject](from.Document)
		n.Payload = newPayload(n.Event, about, n.Raw())
	}
	n.fillRelated(about)
	n.fillFromContainer()
}

// fillRelated sets the resources around n from the relationships of its reference object.
func (n *Notification) fillRelated(about terminal49.ToOne[terminal49.ReferenceObject]) {
	value, _ := about.Value()
	switch v := value.(type) {
	case *terminal49.TrackingRequest:
		n.Shipment = v.Shipment
	case *terminal49.TransportEvent:
		n.Shipment, n.Container, n.Location, n.Terminal, n.Vessel = v.Shipment, v.Container, v.Location, v.Terminal, v.Vessel
	case *terminal49.EstimatedEvent:
		n.Shipment, n.Vessel, n.Location = v.Shipment, v.Vessel, as[terminal49.Place](v.Port)
	case *terminal49.ContainerCreatedEvent:
		n.Shipment, n.Container = v.Shipment, v.Container
	case *terminal49.ContainerUpdatedEvent:
		n.Shipment, n.Container, n.Terminal = v.Shipment, v.Container, v.Terminal
	case *terminal49.ContainerPODTerminalChangedEvent:
		n.Shipment, n.Container, n.Terminal = v.Shipment, v.Container, v.Terminal
	case *terminal49.Document:
		n.Shipment, n.Container = onlyOne("shipment", v.Shipments), onlyOne("container", v.Containers)
	case *terminal49.UnknownResource:
		n.Shipment, n.Container = v.Shipment(), v.Container()
	}
	switch about.Type() { // included or linked
	case "shipment":
		n.Shipment = as[*terminal49.Shipment](about)
	case "container":
		n.Container = as[*terminal49.Container](about)
	}
}

// onlyOne returns the resource of a relationship to exactly one, because any other is ambiguous.
func onlyOne[V any](typ string, many terminal49.ToMany[V]) (one terminal49.ToOne[V]) {
	values, _ := many.Values()
	switch {
	case many.Len() != 1:
		return one
	case len(values) == 1:
		return terminal49.Included(many.IDs()[0], values[0])
	}
	return terminal49.Linked[V](typ, many.IDs()[0])
}

// as returns a relationship with its value as a V. If another type was included, the result is
// linked, with the actual type and id and no value.
func as[V, From any](about terminal49.ToOne[From]) terminal49.ToOne[V] {
	value, _ := about.Value()
	switch v, ok := any(value).(V); {
	case ok && about.State() == terminal49.RelationshipIncluded:
		return terminal49.Included(about.ID(), v)
	case about.State() == terminal49.RelationshipAbsent:
		return terminal49.ToOne[V]{}
	case about.State() == terminal49.RelationshipNull:
		return terminal49.NotRelated[V]()
	}
	return terminal49.Linked[V](about.Type(), about.ID())
}

// fillFromContainer sets what the event does not contain from the container, if that is included.
func (n *Notification) fillFromContainer() {
	if container, ok := n.Container.Value(); ok {
		if n.Shipment.State() == terminal49.RelationshipAbsent {
			n.Shipment = container.Shipment // the event may name only the container
		}
		if p, ok := n.Payload.(interface{ fromContainer(*terminal49.Container) }); ok {
			p.fromContainer(container)
		}
	}
}

func newPayload(event terminal49.EventName, about terminal49.ToOne[terminal49.ReferenceObject], raw json.RawMessage) Payload {
	switch event {
	case terminal49.EventTrackingRequestSucceeded, terminal49.EventTrackingRequestFailed, terminal49.EventTrackingRequestAwaitingManifest,
		terminal49.EventTrackingRequestTrackingStopped:
		return &TrackingRequestPayload{as[*terminal49.TrackingRequest](about)}
	case terminal49.EventShipmentEstimatedArrival, terminal49.EventEstimatedVesselDeparted, terminal49.EventEstimatedVesselArrived,
		terminal49.EventEstimatedArrivedAtInlandDestination:
		return newEstimate(event, about)
	case terminal49.EventContainerCreated:
		return &ContainerCreatedPayload{as[*terminal49.ContainerCreatedEvent](about)}
	case terminal49.EventContainerUpdated:
		p := &ContainerUpdatedPayload{Event: as[*terminal49.ContainerUpdatedEvent](about)}
		if updated, ok := p.Event.Value(); ok {
			p.Changeset = updated.Changeset
		}
		return p
	case terminal49.EventContainerPODTerminalChanged:
		return &TerminalChangedPayload{as[*terminal49.ContainerPODTerminalChangedEvent](about)}
	case terminal49.EventPickupLFDChanged, terminal49.EventPickupLFDLineChanged, terminal49.EventPickupLFDTerminalChanged,
		terminal49.EventPickupLFDRailChanged, terminal49.EventSSLLFDChanged:
		p := &LastFreeDayPayload{Source: lfdSourceOf(event), Event: as[*terminal49.TransportEvent](about)}
		p.LastFreeDay = valueOf(p.Event)
		return p
	case terminal49.EventPickupAppointmentChanged:
		p := &AppointmentPayload{Event: as[*terminal49.TransportEvent](about)}
		p.Appointment = valueOf(p.Event)
		return p
	case terminal49.EventDocumentExtracted, terminal49.EventDocumentRepresentationCreated,
		terminal49.EventDocumentExtractionFailed, terminal49.EventDocumentRepresentationFailed:
		extracted := event == terminal49.EventDocumentExtracted || event == terminal49.EventDocumentRepresentationCreated
		return &DocumentPayload{extracted, as[*terminal49.Document](about)}
	case terminal49.EventLinkCreated:
		return &LinkPayload{about, conceal.New(raw)}
	}
	if event.Known() && !event.Planned() { // the other events of a journey
		return &MilestonePayload{as[*terminal49.TransportEvent](about)}
	}
	return &UnknownPayload{about, conceal.New(raw)}
}

func newEstimate(event terminal49.EventName, about terminal49.ToOne[terminal49.ReferenceObject]) *EstimatePayload {
	p := &EstimatePayload{}
	if event == terminal49.EventShipmentEstimatedArrival {
		p.Estimate = as[*terminal49.EstimatedEvent](about)
	} else {
		p.Event = as[*terminal49.TransportEvent](about)
	}
	if estimate, ok := p.Estimate.Value(); ok {
		p.At = estimate.EstimatedTimestamp
	}
	if estimate, ok := p.Event.Value(); ok {
		p.At = estimate.Timestamp
	}
	return p
}

func valueOf(event terminal49.ToOne[*terminal49.TransportEvent]) terminal49.Time {
	if e, ok := event.Value(); ok {
		return e.Value
	}
	return terminal49.Time{}
}

func lfdSourceOf(event terminal49.EventName) terminal49.LFDSource {
	switch event {
	case terminal49.EventPickupLFDLineChanged, terminal49.EventSSLLFDChanged:
		return terminal49.LFDSourceLine
	case terminal49.EventPickupLFDTerminalChanged:
		return terminal49.LFDSourceTerminal
	case terminal49.EventPickupLFDRailChanged:
		return terminal49.LFDSourceRail
	}
	return ""
}

func (p *LastFreeDayPayload) fromContainer(c *terminal49.Container) {
	if !p.LastFreeDay.IsZero() {
		return
	}
	switch p.Source {
	case terminal49.LFDSourceLine:
		p.LastFreeDay = c.ImportDeadlines.Line
	case terminal49.LFDSourceTerminal:
		p.LastFreeDay = c.ImportDeadlines.Terminal
	case terminal49.LFDSourceRail:
		p.LastFreeDay = c.ImportDeadlines.Rail
	default:
		p.LastFreeDay = c.PickupLFD
	}
}

func (p *AppointmentPayload) fromContainer(c *terminal49.Container) {
	if p.Appointment.IsZero() {
		p.Appointment = c.PickupAppointmentAt
	}
}

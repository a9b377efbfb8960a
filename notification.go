package terminal49

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/go-freight/terminal49/internal/conceal"
	"github.com/go-freight/terminal49/internal/jsonapi"
)

// Notification is a parsed delivery to a webhook: the event, its payload, and the resources that
// the service included. What is included differs by event; see the State of each relationship. Some
// deliveries name neither a shipment nor a container; [WebhooksService.Resolve] fetches what is
// missing.
type Notification struct {
	ID        string    // of the notification; the same for every delivery of it
	Event     EventName // as sent, even if it is unknown to this version
	CreatedAt Time      // UTC; deliveries may arrive out of order, so compare this or the payload's times
	WebhookID string    // "" if not reported, as for document events
	Recovered bool      // made by [WebhooksService.Recover] from current data after a failed delivery

	// AsOf is the time since which its resources may have changed: CreatedAt or, if it is recovered,
	// the time at which it was read. It is zero if CreatedAt is not reported.
	AsOf time.Time

	Payload Payload // what the event is about; never nil

	// Related resources: absent if the service did not name them, linked if it named but did not
	// include them. The reference object names them or, for a shipment, its container does; a
	// resource that is only included is not one of them. Of a document they are the shipment and the
	// container, if the document is linked to only one.
	Shipment  ToOne[*Shipment]
	Container ToOne[*Container]
	Location  ToOne[Place] // where it happened; a port or a metro area
	Terminal  ToOne[*Terminal]
	Vessel    ToOne[*Vessel]

	// Warnings name the values that could not be read and were left empty, up to 1,000. One more has
	// the number of the others.
	Warnings []DecodeWarning

	raw conceal.Value[json.RawMessage] // may contain secrets
}

// Payload is the content of a notification. Its type depends on the event: a
// *[TrackingRequestPayload], *[MilestonePayload], *[EstimatePayload], *[ContainerCreatedPayload],
// *[ContainerUpdatedPayload], *[TerminalChangedPayload], *[LastFreeDayPayload],
// *[AppointmentPayload], *[DocumentPayload], *[LinkPayload], or an *[UnknownPayload]. Switch on the
// type, or register callbacks with package webhook.
type Payload interface{ isPayload() }

// TrackingRequestPayload is the payload of a change to a tracking request, such as
// [EventTrackingRequestSucceeded]. If there is a shipment, it is in Notification.Shipment.
type TrackingRequestPayload struct {
	Request ToOne[*TrackingRequest]
}

// MilestonePayload is the payload of a container's milestone, such as [EventVesselArrived].
type MilestonePayload struct {
	Milestone ToOne[*TransportEvent]
}

// EstimatePayload is the payload of a changed estimate. Either Estimate or Event is set.
type EstimatePayload struct {
	At       Time                   // the new estimate; zero if the event was not included
	Estimate ToOne[*EstimatedEvent] // for EventShipmentEstimatedArrival; absent for others
	Event    ToOne[*TransportEvent] // for the estimates of a container; absent for EventShipmentEstimatedArrival
}

// ContainerCreatedPayload is the payload of a container that was added to a shipment.
type ContainerCreatedPayload struct {
	Created ToOne[*ContainerCreatedEvent]
}

// ContainerUpdatedPayload is the payload of changed attributes of a container.
// Notification.Container has the values after the change.
type ContainerUpdatedPayload struct {
	Updated ToOne[*ContainerUpdatedEvent]
	// Changes are the changed attributes; empty if the event was not included or its changeset was
	// not an object.
	Changes Changeset
}

// TerminalChangedPayload is the payload of a changed terminal at a container's port of discharge.
// The new terminal is in Notification.Terminal. Before the container's discharge it is advisory:
// the service may correct it again.
type TerminalChangedPayload struct {
	Changed ToOne[*ContainerPODTerminalChangedEvent]
}

// LastFreeDayPayload is the payload of a last free day that was set, moved or removed.
type LastFreeDayPayload struct {
	Source LFDSource // who set the day; "" for the one that the service chose
	// LastFreeDay is the new day: the event's value or, if it has none, that of the included
	// container. It is zero if neither is known. Use [Time.Date]: it is a day at the place, usually
	// its midnight there, but a railroad's need not be, and some are only a date.
	LastFreeDay Time
	// Event's Timestamp is the time at which the change was noticed, not the last free day.
	Event ToOne[*TransportEvent]
}

// AppointmentPayload is the payload of a pickup appointment that was made, moved or cancelled.
type AppointmentPayload struct {
	// Appointment is the new time: the event's value or, if it has none, that of the included
	// container. It is zero if neither is known.
	Appointment Time
	Event       ToOne[*TransportEvent]
}

// DocumentPayload is the payload of a document whose extraction has succeeded or failed, under
// either name of these events. The extracted data is in the document's Extraction, if included.
type DocumentPayload struct {
	Extracted bool // whether the extraction succeeded
	Document  ToOne[*Document]
}

// LinkPayload is the payload of [EventLinkCreated]: a document was linked to a shipment or a
// container. The service documents neither the type of the reference object nor its attributes, so
// they are kept as sent; see also Notification.Shipment and Notification.Container.
type LinkPayload struct {
	Reference ToOne[ReferenceObject] // the resource that the notification refers to, in its own type if known
	raw       conceal.Value[json.RawMessage]
}

// UnknownPayload is the payload of an event unknown to this version, or of a planned one. The
// service adds events without notice, such as one for delivery appointments entered by hand.
type UnknownPayload struct {
	Reference ToOne[ReferenceObject] // the resource that the notification refers to, in its own type if known
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
		ID        string            `json:"id"`
		Event     EventName         `json:"event"`
		CreatedAt Time              `json:"created_at"`
		WebhookID string            `json:"webhook_id,omitempty"`
		Recovered bool              `json:"recovered,omitempty"`
		Shipment  ToOne[*Shipment]  `json:"shipment,omitzero"`
		Container ToOne[*Container] `json:"container,omitzero"`
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

// ErrNotNotification is returned when the body is not a notification: it is not a JSON:API document
// with one resource, or the resource is not a webhook_notification or has no id or event. An event
// unknown to this version is not an error.
var ErrNotNotification = errors.New("terminal49: webhook: the body is not a notification")

// ParseNotification parses the body of a delivery and keeps a copy of it. Verify the body first,
// for example with Verify of package webhook; the Handler of that package verifies and parses. The
// error matches [ErrNotNotification] and never quotes the body.
func ParseNotification(body []byte) (*Notification, error) {
	body = bytes.Clone(body)
	n := &Notification{raw: conceal.New(json.RawMessage(body))}
	count := 0
	items, doc, err := jsonapi.Decode[WebhookNotification](body, jsonapi.Options{
		Types: registry, KeepRaw: true, Report: func(w jsonapi.Warning) {
			if count++; count <= mostWarnings {
				n.Warnings = append(n.Warnings, DecodeWarning{"webhook", w.ResourceType, w.ResourceID, w.Field, w.Problem})
			}
		},
	})
	if count > mostWarnings {
		n.Warnings = append(n.Warnings, DecodeWarning{Op: "webhook", Problem: moreThan(count)})
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrNotNotification, err)
	case !doc.HasData || len(items) != 1:
		return nil, fmt.Errorf("%w: it has %d resources and must have 1", ErrNotNotification, len(items))
	case items[0].Type != "webhook_notification":
		return nil, fmt.Errorf("%w: the type of its data must be webhook_notification", ErrNotNotification)
	case items[0].ID == "":
		return nil, fmt.Errorf("%w: it has no id", ErrNotNotification)
	case items[0].Event == "":
		return nil, fmt.Errorf("%w: it has no event", ErrNotNotification)
	}
	n.AsOf, _ = items[0].CreatedAt.Instant()
	for v := range doc.Index.All {
		resourceOf(v).AsOf = n.AsOf
	}
	n.fill(items[0])
	return n, nil
}

// fill sets the fields of n from a notification that was delivered or read.
func (n *Notification) fill(from *WebhookNotification) {
	n.ID, n.Event, n.CreatedAt, n.WebhookID = from.ID, from.Event, from.CreatedAt, from.Webhook.ID()
	about := from.ReferenceObject
	other := about.state < RelationshipLinked || n.Event.family() == familyDocument && about.ref.Type != "document"
	if other && from.Document.state >= RelationshipLinked {
		about = ToOne[ReferenceObject]{ref: from.Document.ref, state: from.Document.state}
		if document, ok := from.Document.Value(); ok {
			about.value = document
		}
	}
	n.Payload = newPayload(n.Event, about, n.Raw())
	n.fillRelated(about)
	n.fillFromContainer()
}

// fillRelated sets the resources around n from the relationships of its reference object.
func (n *Notification) fillRelated(about ToOne[ReferenceObject]) {
	value, _ := about.Value()
	switch v := value.(type) {
	case *TrackingRequest:
		n.Shipment = v.Shipment
	case *TransportEvent:
		n.Shipment, n.Container, n.Location, n.Terminal, n.Vessel = v.Shipment, v.Container, v.Location, v.Terminal, v.Vessel
	case *EstimatedEvent:
		n.Shipment, n.Vessel, n.Location = v.Shipment, v.Vessel, placeOf(v.Port)
	case *ContainerCreatedEvent:
		n.Shipment, n.Container = v.Shipment, v.Container
	case *ContainerUpdatedEvent:
		n.Shipment, n.Container, n.Terminal = v.Shipment, v.Container, v.Terminal
	case *ContainerPODTerminalChangedEvent:
		n.Shipment, n.Container, n.Terminal = v.Shipment, v.Container, v.Terminal
	case *Document:
		n.Shipment, n.Container = onlyOne(v.Shipments), onlyOne(v.Containers)
	case *UnknownResource:
		n.Shipment, n.Container = v.shipment, v.container
	}
	switch about.ref.Type { // included or linked
	case "shipment":
		n.Shipment = referenceAs[Shipment](about)
	case "container":
		n.Container = referenceAs[Container](about)
	}
}

// onlyOne returns the resource of a relationship to exactly one, because any other is ambiguous.
func onlyOne[V any](many ToMany[V]) (one ToOne[V]) {
	if many.refs.Len() == 1 {
		one.ref, one.state = many.refs.List()[0], RelationshipLinked
		if len(many.values) == 1 {
			one.value, one.state = many.values[0], RelationshipIncluded
		}
	}
	return one
}

// fillFromContainer sets what the event does not contain from the container, if that is included.
func (n *Notification) fillFromContainer() {
	if container, ok := n.Container.Value(); ok {
		if n.Shipment.state == RelationshipAbsent {
			n.Shipment = container.Shipment // the event may name only the container
		}
		if p, ok := n.Payload.(interface{ fromContainer(*Container) }); ok {
			p.fromContainer(container)
		}
	}
}

func placeOf(port ToOne[*Port]) ToOne[Place] {
	place := ToOne[Place]{ref: port.ref, state: port.state}
	if p, ok := port.Value(); ok {
		place.value = p
	}
	return place
}

func newPayload(event EventName, about ToOne[ReferenceObject], raw json.RawMessage) Payload {
	switch event.family() {
	case familyTrackingRequest:
		return &TrackingRequestPayload{referenceAs[TrackingRequest](about)}
	case familyMilestone:
		return &MilestonePayload{referenceAs[TransportEvent](about)}
	case familyEstimate:
		return newEstimate(event, about)
	case familyContainerCreated:
		return &ContainerCreatedPayload{referenceAs[ContainerCreatedEvent](about)}
	case familyContainerUpdated:
		p := &ContainerUpdatedPayload{Updated: referenceAs[ContainerUpdatedEvent](about)}
		if updated, ok := p.Updated.Value(); ok {
			p.Changes = updated.Changeset
		}
		return p
	case familyTerminalChanged:
		return &TerminalChangedPayload{referenceAs[ContainerPODTerminalChangedEvent](about)}
	case familyLastFreeDay:
		p := &LastFreeDayPayload{Source: lfdSourceOf(event), Event: referenceAs[TransportEvent](about)}
		p.LastFreeDay = valueOf(p.Event)
		return p
	case familyAppointment:
		p := &AppointmentPayload{Event: referenceAs[TransportEvent](about)}
		p.Appointment = valueOf(p.Event)
		return p
	case familyDocument:
		extracted := event == EventDocumentExtracted || event == EventDocumentRepresentationCreated
		return &DocumentPayload{extracted, referenceAs[Document](about)}
	case familyLink:
		return &LinkPayload{about, conceal.New(raw)}
	}
	return &UnknownPayload{about, conceal.New(raw)}
}

// referenceAs returns the relationship to the reference object as the type that the event implies.
// If another type was included, the result is linked, with the actual type and id and no value.
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

package schema

import "github.com/go-freight/terminal49"

type (
	transportEvent = terminal49.TransportEvent
	estimate       = terminal49.EstimatedEvent
	containerEvent = terminal49.ContainerUpdatedEvent
)

var TransportEventTable = describe("transport_events", "Milestones of containers, estimates, and changes of deadlines and appointments.",
	[]string{"transport_event"}, as[transportEvent],
	textColumn("event", "Such as container.transport.vessel_loaded.", func(e *transportEvent) terminal49.EventName { return e.Event }),
	momentColumn("timestamp", "When it happened or is expected; of a change of value, when it was noticed.", func(e *transportEvent) terminal49.Time { return e.Timestamp }),
	textColumn("timezone", "Zone of the place, an IANA name.", func(e *transportEvent) string { return e.Timezone }),
	textColumn("location_locode", "UN/LOCODE.", func(e *transportEvent) string { return e.LocationLOCODE }),
	textColumn("voyage_number", "", func(e *transportEvent) string { return e.VoyageNumber }),
	textColumn("data_source", "Who reported it.", func(e *transportEvent) terminal49.DataSource { return e.DataSource }),
	instantColumn("created_at", "When the service created it.", func(e *transportEvent) terminal49.Time { return e.CreatedAt }),
	momentColumn("value", "The new last free day or appointment.", func(e *transportEvent) terminal49.Time { return e.Value }),
	instantColumn("value_timestamp", "When value was reported.", func(e *transportEvent) terminal49.Time { return e.ValueTimestamp }),
	instantColumn("invalidated_at", "When the event was withdrawn; null if it is valid.", func(e *transportEvent) terminal49.Time { return e.InvalidatedAt }),
	idColumn("shipment_id", "In shipments.", func(e *transportEvent) terminal49.ToOne[*shipment] { return e.Shipment }),
	idColumn("container_id", "In containers.", func(e *transportEvent) terminal49.ToOne[*container] { return e.Container }),
	idColumn("vessel_id", "In vessels.", func(e *transportEvent) terminal49.ToOne[*vessel] { return e.Vessel }),
	idColumn("location_id", "In ports.", func(e *transportEvent) terminal49.ToOne[terminal49.Place] { return e.Location }),
	idColumn("terminal_id", "In terminals.", func(e *transportEvent) terminal49.ToOne[*terminal] { return e.Terminal }),
	idColumn("source_event_id", "The shipping line's own event.", func(e *transportEvent) terminal49.ToOne[*terminal49.RawEvent] { return e.SourceEvent }),
	idColumn("previous_version_id", "In transport_events.", func(e *transportEvent) terminal49.ToOne[*transportEvent] { return e.PreviousVersion }),
)

var EstimateTable = describe("estimates", "New estimates for shipments, as notifications reported them.",
	[]string{"estimated_event"}, as[estimate],
	textColumn("event", "Such as shipment.estimated.arrival.", func(e *estimate) terminal49.EventName { return e.Event }),
	momentColumn("estimated_timestamp", "When the event is expected.", func(e *estimate) terminal49.Time { return e.EstimatedTimestamp }),
	textColumn("timezone", "Zone of the place, an IANA name.", func(e *estimate) string { return e.Timezone }),
	textColumn("location_locode", "UN/LOCODE.", func(e *estimate) string { return e.LocationLOCODE }),
	textColumn("voyage_number", "", func(e *estimate) string { return e.VoyageNumber }),
	textColumn("data_source", "Who reported it.", func(e *estimate) terminal49.DataSource { return e.DataSource }),
	instantColumn("created_at", "When the estimate was made.", func(e *estimate) terminal49.Time { return e.CreatedAt }),
	idColumn("shipment_id", "In shipments.", func(e *estimate) terminal49.ToOne[*shipment] { return e.Shipment }),
	idColumn("port_id", "In ports.", func(e *estimate) terminal49.ToOne[*port] { return e.Port }),
	idColumn("vessel_id", "In vessels.", func(e *estimate) terminal49.ToOne[*vessel] { return e.Vessel }),
)

var ContainerEventTable = describe("container_events", "What notifications reported of containers: that one was created, what changed, that its terminal changed.",
	[]string{"container_updated_event", "container_created_event", "container_pod_terminal_changed_event"}, decodeContainerEvent,
	sentColumn[containerEvent]("changeset", `What changed, such as {"available_for_pickup": [false, true]}.`),
	momentColumn("timestamp", "When the service noticed it.", func(e *containerEvent) terminal49.Time { return e.Timestamp }),
	textColumn("timezone", "Zone of the place, an IANA name.", func(e *containerEvent) string { return e.Timezone }),
	textColumn("data_source", "Who reported it.", func(e *containerEvent) terminal49.DataSource { return e.DataSource }),
	idColumn("container_id", "In containers.", func(e *containerEvent) terminal49.ToOne[*container] { return e.Container }),
	idColumn("terminal_id", "In terminals: who reported it or, if the terminal changed, the new one.", func(e *containerEvent) terminal49.ToOne[*terminal] { return e.Terminal }),
	idColumn("shipment_id", "In shipments.", func(e *containerEvent) terminal49.ToOne[*shipment] { return e.Shipment }),
)

// decodeContainerEvent decodes an event of any of three types, which have nearly the same members.
func decodeContainerEvent(typ string, data []byte) (*containerEvent, error) {
	switch typ {
	case "container_created_event":
		e, err := as[terminal49.ContainerCreatedEvent](typ, data)
		return &containerEvent{Timestamp: e.Timestamp, Timezone: e.Timezone, Container: e.Container, Shipment: e.Shipment}, err
	case "container_pod_terminal_changed_event":
		e, err := as[terminal49.ContainerPODTerminalChangedEvent](typ, data)
		return &containerEvent{
			Timestamp: e.Timestamp, DataSource: e.DataSource, Container: e.Container, Shipment: e.Shipment, Terminal: e.Terminal,
		}, err
	}
	return as[containerEvent](typ, data)
}

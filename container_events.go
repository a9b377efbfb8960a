package terminal49

import (
	"slices"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// ContainerCreatedEvent reports that a container was added to a shipment. Notifications of
// EventContainerCreated refer to it.
type ContainerCreatedEvent struct {
	Resource

	Timestamp Time   // timestamp: when the service noticed the container; zone Timezone
	Timezone  string // timezone: IANA name; "Etc/UTC" in samples

	Container ToOne[*Container] // container
	Shipment  ToOne[*Shipment]  // shipment
}

// ContainerUpdatedEvent reports what changed in a container. Notifications of EventContainerUpdated
// refer to it.
type ContainerUpdatedEvent struct {
	Resource

	Changeset  Changeset  // changeset: such as {"available_for_pickup": [false, true]}; empty if not sent
	Timestamp  Time       // timestamp: when the service noticed the change; zone Timezone
	Timezone   string     // timezone: IANA name; "" if unknown
	DataSource DataSource // data_source: who reported the change

	Container ToOne[*Container] // container
	Terminal  ToOne[*Terminal]  // terminal: the source of the data; so far always the POD terminal
	Shipment  ToOne[*Shipment]  // shipment: may be absent
}

// ContainerPODTerminalChangedEvent reports that a container's terminal at the port of discharge
// changed. It is an advance notice while the container is on the vessel and an off-dock move after
// it has landed. Notifications of EventContainerPODTerminalChanged refer to it.
type ContainerPODTerminalChangedEvent struct {
	Resource

	Timestamp  Time       // timestamp, UTC: when the change was recorded
	DataSource DataSource // data_source: who reported the change, such as SourcePierPass

	Container ToOne[*Container] // container
	Shipment  ToOne[*Shipment]  // shipment
	Terminal  ToOne[*Terminal]  // terminal: the new one
}

var containerCreatedEventTable = jsonapi.NewType(jsonapi.Spec[*ContainerCreatedEvent]{
	Identify: func(e *ContainerCreatedEvent, id jsonapi.Identity) { e.identify(id) },
	Finish:   func(e *ContainerCreatedEvent) { pairZone(e.Timezone, &e.Timestamp) },
	Attributes: []jsonapi.Field[*ContainerCreatedEvent]{
		timeField("timestamp", func(e *ContainerCreatedEvent) *Time { return &e.Timestamp }),
		textField("timezone", func(e *ContainerCreatedEvent) *string { return &e.Timezone }),
	},
	Relationships: []jsonapi.Field[*ContainerCreatedEvent]{
		relationshipField("container", func(e *ContainerCreatedEvent) *ToOne[*Container] { return &e.Container }),
		relationshipField("shipment", func(e *ContainerCreatedEvent) *ToOne[*Shipment] { return &e.Shipment }),
	},
})

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (e ContainerCreatedEvent) MarshalJSON() ([]byte, error) { return marshalResource(&e) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (e *ContainerCreatedEvent) UnmarshalJSON(data []byte) error { return unmarshalResource(data, e) }

var containerUpdatedEventTable = jsonapi.NewType(jsonapi.Spec[*ContainerUpdatedEvent]{
	Identify: func(e *ContainerUpdatedEvent, id jsonapi.Identity) { e.identify(id) },
	Finish:   func(e *ContainerUpdatedEvent) { pairZone(e.Timezone, &e.Timestamp) },
	Attributes: []jsonapi.Field[*ContainerUpdatedEvent]{
		jsonapi.UntypedField[*ContainerUpdatedEvent]("changeset", func(d *jsonapi.Decoder, v any) {
			if !d.Null() {
				raw := slices.Clone(d.Raw()) // the changeset outlives the document's buffer
				d.Again(raw, func() { v.(*ContainerUpdatedEvent).Changeset.read(d) })
			}
		}, func(v any) any { return &v.(*ContainerUpdatedEvent).Changeset }),
		timeField("timestamp", func(e *ContainerUpdatedEvent) *Time { return &e.Timestamp }),
		textField("timezone", func(e *ContainerUpdatedEvent) *string { return &e.Timezone }),
		textField("data_source", func(e *ContainerUpdatedEvent) *DataSource { return &e.DataSource }),
	},
	Relationships: []jsonapi.Field[*ContainerUpdatedEvent]{
		relationshipField("container", func(e *ContainerUpdatedEvent) *ToOne[*Container] { return &e.Container }),
		relationshipField("terminal", func(e *ContainerUpdatedEvent) *ToOne[*Terminal] { return &e.Terminal }),
		relationshipField("shipment", func(e *ContainerUpdatedEvent) *ToOne[*Shipment] { return &e.Shipment }),
	},
})

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (e ContainerUpdatedEvent) MarshalJSON() ([]byte, error) { return marshalResource(&e) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (e *ContainerUpdatedEvent) UnmarshalJSON(data []byte) error { return unmarshalResource(data, e) }

var containerPODTerminalChangedEventTable = jsonapi.NewType(jsonapi.Spec[*ContainerPODTerminalChangedEvent]{
	Identify: func(e *ContainerPODTerminalChangedEvent, id jsonapi.Identity) { e.identify(id) },
	Attributes: []jsonapi.Field[*ContainerPODTerminalChangedEvent]{
		timeField("timestamp", func(e *ContainerPODTerminalChangedEvent) *Time { return &e.Timestamp }),
		textField("data_source", func(e *ContainerPODTerminalChangedEvent) *DataSource { return &e.DataSource }),
	},
	Relationships: []jsonapi.Field[*ContainerPODTerminalChangedEvent]{
		relationshipField("container", func(e *ContainerPODTerminalChangedEvent) *ToOne[*Container] { return &e.Container }),
		relationshipField("shipment", func(e *ContainerPODTerminalChangedEvent) *ToOne[*Shipment] { return &e.Shipment }),
		relationshipField("terminal", func(e *ContainerPODTerminalChangedEvent) *ToOne[*Terminal] { return &e.Terminal }),
	},
})

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (e ContainerPODTerminalChangedEvent) MarshalJSON() ([]byte, error) { return marshalResource(&e) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (e *ContainerPODTerminalChangedEvent) UnmarshalJSON(data []byte) error {
	return unmarshalResource(data, e)
}

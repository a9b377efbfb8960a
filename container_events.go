package terminal49

import (
	"slices"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// ContainerCreatedEvent says that a container was added to a shipment. It comes with notifications of
// EventContainerCreated.
type ContainerCreatedEvent struct {
	Resource

	Timestamp Time   // timestamp: when the service noticed; zone Timezone
	Timezone  string // timezone: IANA name, "Etc/UTC" in samples

	Container ToOne[*Container] // container
	Shipment  ToOne[*Shipment]  // shipment
}

// ContainerUpdatedEvent says what changed of a container. It comes with notifications of EventContainerUpdated.
type ContainerUpdatedEvent struct {
	Resource

	// Changeset is what changed, such as {"available_for_pickup": [false, true]} on the wire. It is empty if it was not
	// sent.
	Changeset  Changeset
	Timestamp  Time       // timestamp: when the change was noticed; zone Timezone
	Timezone   string     // timezone: IANA name, "" if unknown
	DataSource DataSource // data_source: who said so

	Container ToOne[*Container] // container
	Terminal  ToOne[*Terminal]  // terminal: where the data comes from, so far always the one at the port of discharge
	Shipment  ToOne[*Shipment]  // shipment: may be absent
}

// ContainerPODTerminalChangedEvent says that a container goes, or went, to another terminal at its port of discharge:
// an advisory while it is on the vessel, an off-dock move once it has landed. It comes with notifications of
// EventContainerPODTerminalChanged.
type ContainerPODTerminalChangedEvent struct {
	Resource

	Timestamp  Time       // timestamp, UTC: when the change was recorded
	DataSource DataSource // data_source: who said so, such as SourcePierPass

	Container ToOne[*Container] // container
	Shipment  ToOne[*Shipment]  // shipment
	Terminal  ToOne[*Terminal]  // terminal: the new one
}

var containerCreatedEventTable = jsonapi.NewType(jsonapi.Spec[ContainerCreatedEvent]{
	Identify: func(e *ContainerCreatedEvent, id jsonapi.Identity) { e.identify(id) },
	Finish:   func(e *ContainerCreatedEvent) { pairZone(e.Timezone, &e.Timestamp) },
	Attributes: []jsonapi.Field[ContainerCreatedEvent]{
		timeField("timestamp", func(e *ContainerCreatedEvent) *Time { return &e.Timestamp }),
		textField("timezone", func(e *ContainerCreatedEvent) *string { return &e.Timezone }),
	},
	Relationships: []jsonapi.Field[ContainerCreatedEvent]{
		relationshipField("container", func(e *ContainerCreatedEvent) *ToOne[*Container] { return &e.Container }),
		relationshipField("shipment", func(e *ContainerCreatedEvent) *ToOne[*Shipment] { return &e.Shipment }),
	},
})

var containerUpdatedEventTable = jsonapi.NewType(jsonapi.Spec[ContainerUpdatedEvent]{
	Identify: func(e *ContainerUpdatedEvent, id jsonapi.Identity) { e.identify(id) },
	Finish:   func(e *ContainerUpdatedEvent) { pairZone(e.Timezone, &e.Timestamp) },
	Attributes: []jsonapi.Field[ContainerUpdatedEvent]{
		{Name: "changeset", Read: func(d *jsonapi.Decoder, e *ContainerUpdatedEvent) {
			if !d.Null() {
				raw := slices.Clone(d.Raw()) // the document's bytes are not ours to keep
				d.Again(raw, func() { e.Changeset.read(d) })
			}
		}},
		timeField("timestamp", func(e *ContainerUpdatedEvent) *Time { return &e.Timestamp }),
		textField("timezone", func(e *ContainerUpdatedEvent) *string { return &e.Timezone }),
		textField("data_source", func(e *ContainerUpdatedEvent) *DataSource { return &e.DataSource }),
	},
	Relationships: []jsonapi.Field[ContainerUpdatedEvent]{
		relationshipField("container", func(e *ContainerUpdatedEvent) *ToOne[*Container] { return &e.Container }),
		relationshipField("terminal", func(e *ContainerUpdatedEvent) *ToOne[*Terminal] { return &e.Terminal }),
		relationshipField("shipment", func(e *ContainerUpdatedEvent) *ToOne[*Shipment] { return &e.Shipment }),
	},
})

var containerPODTerminalChangedEventTable = jsonapi.NewType(jsonapi.Spec[ContainerPODTerminalChangedEvent]{
	Identify: func(e *ContainerPODTerminalChangedEvent, id jsonapi.Identity) { e.identify(id) },
	Attributes: []jsonapi.Field[ContainerPODTerminalChangedEvent]{
		timeField("timestamp", func(e *ContainerPODTerminalChangedEvent) *Time { return &e.Timestamp }),
		textField("data_source", func(e *ContainerPODTerminalChangedEvent) *DataSource { return &e.DataSource }),
	},
	Relationships: []jsonapi.Field[ContainerPODTerminalChangedEvent]{
		relationshipField("container", func(e *ContainerPODTerminalChangedEvent) *ToOne[*Container] { return &e.Container }),
		relationshipField("shipment", func(e *ContainerPODTerminalChangedEvent) *ToOne[*Shipment] { return &e.Shipment }),
		relationshipField("terminal", func(e *ContainerPODTerminalChangedEvent) *ToOne[*Terminal] { return &e.Terminal }),
	},
})

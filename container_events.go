package terminal49

import (
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

func (e *ContainerCreatedEvent) members(m *jsonapi.Members) {
	m.Add("timestamp", &e.Timestamp)
	m.Add("timezone", &e.Timezone)
}

func (e *ContainerCreatedEvent) relationships(m *jsonapi.Members) {
	m.Add("container", &e.Container)
	m.Add("shipment", &e.Shipment)
}

func (e *ContainerCreatedEvent) finish() {
	pairZone(e.Timezone, &e.Timestamp)
}

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (e ContainerCreatedEvent) MarshalJSON() ([]byte, error) { return marshalResource(&e) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (e *ContainerCreatedEvent) UnmarshalJSON(data []byte) error { return unmarshalResource(data, e) }

func (e *ContainerUpdatedEvent) members(m *jsonapi.Members) {
	m.Add("changeset", &e.Changeset)
	m.Add("timestamp", &e.Timestamp)
	m.Add("timezone", &e.Timezone)
	m.Add("data_source", &e.DataSource)
}

func (e *ContainerUpdatedEvent) relationships(m *jsonapi.Members) {
	m.Add("container", &e.Container)
	m.Add("terminal", &e.Terminal)
	m.Add("shipment", &e.Shipment)
}

func (e *ContainerUpdatedEvent) finish() {
	pairZone(e.Timezone, &e.Timestamp)
}

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (e ContainerUpdatedEvent) MarshalJSON() ([]byte, error) { return marshalResource(&e) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (e *ContainerUpdatedEvent) UnmarshalJSON(data []byte) error { return unmarshalResource(data, e) }

func (e *ContainerPODTerminalChangedEvent) members(m *jsonapi.Members) {
	m.Add("timestamp", &e.Timestamp)
	m.Add("data_source", &e.DataSource)
}

func (e *ContainerPODTerminalChangedEvent) relationships(m *jsonapi.Members) {
	m.Add("container", &e.Container)
	m.Add("shipment", &e.Shipment)
	m.Add("terminal", &e.Terminal)
}

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (e ContainerPODTerminalChangedEvent) MarshalJSON() ([]byte, error) { return marshalResource(&e) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (e *ContainerPODTerminalChangedEvent) UnmarshalJSON(data []byte) error {
	return unmarshalResource(data, e)
}

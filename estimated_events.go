package terminal49

import "github.com/go-freight/terminal49/internal/jsonapi"

// EstimatedEvent reports a new estimate for a shipment, such as its arrival. Notifications of
// EventShipmentEstimatedArrival refer to it.
type EstimatedEvent struct {
	Resource

	Event              EventName  // event
	EstimatedTimestamp Time       // estimated_timestamp: when the event is expected; zone Timezone
	Timezone           string     // timezone: IANA name of the place; "" if unknown
	LocationLOCODE     string     // location_locode: UN/LOCODE; "" if unknown
	VoyageNumber       string     // voyage_number
	DataSource         DataSource // data_source: who reported the estimate
	CreatedAt          Time       // created_at, UTC: when the estimate was made

	Shipment ToOne[*Shipment] // shipment
	Port     ToOne[*Port]     // port
	Vessel   ToOne[*Vessel]   // vessel
}

var estimatedEventTable = jsonapi.NewType(jsonapi.Spec[*EstimatedEvent]{
	Identify: func(e *EstimatedEvent, id jsonapi.Identity) { e.identify(id) },
	Finish:   func(e *EstimatedEvent) { pairZone(e.Timezone, &e.EstimatedTimestamp) },
	Attributes: []jsonapi.Field[*EstimatedEvent]{
		timeField("created_at", func(e *EstimatedEvent) *Time { return &e.CreatedAt }),
		timeField("estimated_timestamp", func(e *EstimatedEvent) *Time { return &e.EstimatedTimestamp }),
		textField("event", func(e *EstimatedEvent) *EventName { return &e.Event }),
		textField("location_locode", func(e *EstimatedEvent) *string { return &e.LocationLOCODE }),
		textField("timezone", func(e *EstimatedEvent) *string { return &e.Timezone }),
		textField("voyage_number", func(e *EstimatedEvent) *string { return &e.VoyageNumber }),
		textField("data_source", func(e *EstimatedEvent) *DataSource { return &e.DataSource }),
	},
	Relationships: []jsonapi.Field[*EstimatedEvent]{
		relationshipField("shipment", func(e *EstimatedEvent) *ToOne[*Shipment] { return &e.Shipment }),
		relationshipField("port", func(e *EstimatedEvent) *ToOne[*Port] { return &e.Port }),
		relationshipField("vessel", func(e *EstimatedEvent) *ToOne[*Vessel] { return &e.Vessel }),
	},
})

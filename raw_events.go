package terminal49

import "github.com/go-freight/terminal49/internal/jsonapi"

// RawEvent is an event as the carrier reported it, before the service interpreted it. The service
// has deprecated raw events; prefer [TransportEvent].
type RawEvent struct {
	Resource

	Event            RawEventName // event: the service's short name; "" if it has none for the event
	OriginalEvent    string       // original_event: the carrier's wording
	Timestamp        Time         // timestamp: actual or estimated; zone Timezone
	Estimated        bool         // estimated: whether the event is still expected
	ActualOn         Time         // actual_on: calendar day, deprecated
	EstimatedOn      Time         // estimated_on: calendar day, deprecated
	ActualAt         Time         // actual_at: zone Timezone, deprecated
	EstimatedAt      Time         // estimated_at: zone Timezone, deprecated
	WillOccurAt      Time         // will_occur_at: zone Timezone
	InvalidatedAt    Time         // invalidated_at, UTC: when the event was withdrawn; zero if it is valid
	Timezone         string       // timezone: IANA name of the place; "" means that the times are its wall clock
	CreatedAt        Time         // created_at, UTC
	LocationName     string       // location_name: the carrier's wording
	LocationLOCODE   string       // location_locode: UN/LOCODE; "" if unknown
	VesselName       string       // vessel_name
	VesselIMO        string       // vessel_imo
	VoyageNumber     string       // voyage_number
	Index            Opt[int]     // index: position among the container's events
	DataSource       DataSource   // data_source
	DataProviderName string       // data_provider_name, such as "COSCO"
	DataProviderCode string       // data_provider_code, such as "COSU"

	Location  ToOne[Place]      // location: a port or a metro area
	Vessel    ToOne[*Vessel]    // vessel
	Container ToOne[*Container] // container
	Terminal  ToOne[*Terminal]  // terminal
}

// RawEventName is the service's short name for a carrier's event.
type RawEventName string

// The values of RawEventName.
const (
	RawEmptyOut                RawEventName = "empty_out"
	RawFullIn                  RawEventName = "full_in"
	RawPositionedIn            RawEventName = "positioned_in"
	RawPositionedOut           RawEventName = "positioned_out"
	RawVesselLoaded            RawEventName = "vessel_loaded"
	RawVesselDeparted          RawEventName = "vessel_departed"
	RawTransshipmentArrived    RawEventName = "transshipment_arrived"
	RawTransshipmentDischarged RawEventName = "transshipment_discharged"
	RawTransshipmentLoaded     RawEventName = "transshipment_loaded"
	RawTransshipmentDeparted   RawEventName = "transshipment_departed"
	RawFeederArrived           RawEventName = "feeder_arrived"
	RawFeederDischarged        RawEventName = "feeder_discharged"
	RawFeederLoaded            RawEventName = "feeder_loaded"
	RawFeederDeparted          RawEventName = "feeder_departed"
	RawRailLoaded              RawEventName = "rail_loaded"
	RawRailDeparted            RawEventName = "rail_departed"
	RawRailArrived             RawEventName = "rail_arrived"
	RawRailUnloaded            RawEventName = "rail_unloaded"
	RawVesselArrived           RawEventName = "vessel_arrived"
	RawVesselDischarged        RawEventName = "vessel_discharged"
	RawArrivedAtDestination    RawEventName = "arrived_at_destination"
	RawDelivered               RawEventName = "delivered"
	RawFullOut                 RawEventName = "full_out"
	RawEmptyIn                 RawEventName = "empty_in"
	RawVGMReceived             RawEventName = "vgm_received"
	RawCarrierRelease          RawEventName = "carrier_release"
	RawCustomsRelease          RawEventName = "customs_release"
	RawAvailable               RawEventName = "available"
)

var rawEventNames = []RawEventName{
	RawEmptyOut, RawFullIn, RawPositionedIn, RawPositionedOut, RawVesselLoaded, RawVesselDeparted,
	RawTransshipmentArrived, RawTransshipmentDischarged, RawTransshipmentLoaded, RawTransshipmentDeparted,
	RawFeederArrived, RawFeederDischarged, RawFeederLoaded, RawFeederDeparted, RawRailLoaded, RawRailDeparted,
	RawRailArrived, RawRailUnloaded, RawVesselArrived, RawVesselDischarged, RawArrivedAtDestination, RawDelivered,
	RawFullOut, RawEmptyIn, RawVGMReceived, RawCarrierRelease, RawCustomsRelease, RawAvailable,
}

// Known reports whether n is one of the constants of this version. Unknown values are kept
// unchanged.
func (n RawEventName) Known() bool { return isKnown(n, rawEventNames) }

func (*RawEvent) table() *jsonapi.Type[*RawEvent] { return rawEventTable }

var rawEventTable = jsonapi.NewType(jsonapi.Spec[*RawEvent]{
	Identify: func(e *RawEvent, id jsonapi.Identity) { e.identify(id) },
	Finish: func(e *RawEvent) {
		pairZone(e.Timezone, &e.Timestamp, &e.ActualAt, &e.EstimatedAt, &e.WillOccurAt)
	},
	Attributes: []jsonapi.Field[*RawEvent]{
		textField("event", func(e *RawEvent) *RawEventName { return &e.Event }),
		textField("original_event", func(e *RawEvent) *string { return &e.OriginalEvent }),
		timeField("timestamp", func(e *RawEvent) *Time { return &e.Timestamp }),
		boolField("estimated", func(e *RawEvent) *bool { return &e.Estimated }),
		timeField("actual_on", func(e *RawEvent) *Time { return &e.ActualOn }),
		timeField("estimated_on", func(e *RawEvent) *Time { return &e.EstimatedOn }),
		timeField("actual_at", func(e *RawEvent) *Time { return &e.ActualAt }),
		timeField("estimated_at", func(e *RawEvent) *Time { return &e.EstimatedAt }),
		timeField("will_occur_at", func(e *RawEvent) *Time { return &e.WillOccurAt }),
		timeField("invalidated_at", func(e *RawEvent) *Time { return &e.InvalidatedAt }),
		textField("timezone", func(e *RawEvent) *string { return &e.Timezone }),
		timeField("created_at", func(e *RawEvent) *Time { return &e.CreatedAt }),
		textField("location_name", func(e *RawEvent) *string { return &e.LocationName }),
		textField("location_locode", func(e *RawEvent) *string { return &e.LocationLOCODE }),
		textField("vessel_name", func(e *RawEvent) *string { return &e.VesselName }),
		textField("vessel_imo", func(e *RawEvent) *string { return &e.VesselIMO }),
		textField("voyage_number", func(e *RawEvent) *string { return &e.VoyageNumber }),
		optIntField("index", func(e *RawEvent) *Opt[int] { return &e.Index }),
		textField("data_source", func(e *RawEvent) *DataSource { return &e.DataSource }),
		textField("data_provider_name", func(e *RawEvent) *string { return &e.DataProviderName }),
		textField("data_provider_code", func(e *RawEvent) *string { return &e.DataProviderCode }),
	},
	Relationships: []jsonapi.Field[*RawEvent]{
		relationshipField("location", func(e *RawEvent) *ToOne[Place] { return &e.Location }),
		relationshipField("vessel", func(e *RawEvent) *ToOne[*Vessel] { return &e.Vessel }),
		relationshipField("container", func(e *RawEvent) *ToOne[*Container] { return &e.Container }),
		relationshipField("terminal", func(e *RawEvent) *ToOne[*Terminal] { return &e.Terminal }),
	},
})

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (e RawEvent) MarshalJSON() ([]byte, error) { return marshalResource(&e) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (e *RawEvent) UnmarshalJSON(data []byte) error { return unmarshalResource(data, e) }

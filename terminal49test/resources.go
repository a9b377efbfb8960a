package terminal49test

import "time"

// The structs of this file are what a test puts into the simulated world and reads back from it. They are plain: an
// empty string and a zero time are written as null; a nil slice as null where the service has null, else as []. Places and terminals
// are named by id or by the code people use: UN/LOCODE for a port or metro area, nickname for a terminal, SCAC for a
// shipping line, IMO number for a vessel. Time zones are not set here: the service takes them from the place.
//
// Attributes, present on each, overrides what is sent: a name that exists is replaced (nil for null), a new one added.
// Use it for values no struct can hold, such as a number in the wrong kind or an attribute nobody has heard of.

// ShippingLine is an ocean carrier, as GET /shipping_lines lists it.
type ShippingLine struct {
	ID               string // "" for one from the seed
	SCAC             string // four characters
	Name, ShortName  string
	AlternativeSCACs []string

	// What the carrier can be asked for: a tracking request of another kind is refused as not supported.
	TracksBillsOfLading, TracksBookings, TracksContainers bool

	// ContainerPrefixes are the owner codes (four letters, such as MSKU) of its own boxes. Inference goes by them.
	ContainerPrefixes []string

	Attributes map[string]any
}

// Port is a sea or inland port.
type Port struct {
	ID          string // "" for one from the seed
	Code        string // UN/LOCODE
	Name, City  string
	StateAbbr   string
	CountryCode string // two letters
	TimeZone    string // IANA name; "" is null
	// Latitude and Longitude go out as strings, as the live service sends them; "" is null.
	Latitude, Longitude string
	Attributes          map[string]any
}

// MetroArea is an inland destination that is no port, such as Chicago.
type MetroArea struct {
	ID                  string // "" for one from the seed
	Code                string // UN/LOCODE
	Name                string
	StateAbbr           string
	CountryCode         string
	TimeZone            string
	Latitude, Longitude string
	Attributes          map[string]any
}

// Terminal is where a container is picked up: at a port or, with Facility "rail", at an inland ramp.
type Terminal struct {
	ID         string // "" for one from the seed
	Name       string
	Nickname   string // short name; other structs may refer to the terminal by it
	FIRMSCode  string
	Port       string // id or UN/LOCODE of its port
	MetroArea  string // of a ramp without a port: id or UN/LOCODE of its metro area
	Facility   string // "ocean_terminal" or "rail"; "" is "ocean_terminal"
	AsRail     bool   // send it as type rail_terminal, the old form; live ramps come as type terminal
	Street     string
	City       string
	State      string
	StateAbbr  string
	ZIP        string
	Country    string
	Attributes map[string]any
}

// Vessel is a ship. Where it is follows from the shipment that left on it last, unless Positions says it.
type Vessel struct {
	ID         string // "" for one from the seed
	Name, IMO  string
	MMSI       string
	Positions  []VesselPosition // nil to go by its shipments; empty if it was never seen
	Attributes map[string]any
}

// Party is a customer of the account.
type Party struct {
	ID          string // "" for one from the seed
	CompanyName string
	Attributes  map[string]any
}

// Shipment is one bill of lading or booking with its containers.
type Shipment struct {
	ID               string    // "" for one from the seed
	Number           string    // bill_of_lading_number
	NormalizedNumber string    // "" for Number without a leading SCAC
	CreatedAt        time.Time // zero for now
	RefNumbers, Tags []string

	ShippingLine string // SCAC or id
	Customer     string // party id; its name becomes customer_name
	// PortOfLading, PortOfDischarge and Destination are ids or UN/LOCODEs; the last may be a metro area.
	PortOfLading, PortOfDischarge, Destination string
	PODTerminal, DestinationTerminal           string // ids or nicknames
	Vessel                                     string // into the port of discharge: id or IMO number
	VoyageNumber                               string

	POLETDAt, POLOriginalETDAt, POLATDAt                         time.Time
	PODETAAt, PODOriginalETAAt, PODATAAt                         time.Time
	DestinationETAAt, DestinationOriginalETAAt, DestinationATAAt time.Time

	LineTrackingLastAttemptedAt, LineTrackingLastSucceededAt time.Time
	LineTrackingStoppedAt                                    time.Time // zero while tracking
	LineTrackingStoppedReason                                string
	LineTrackingStoppedByUser                                string // user id

	Attributes map[string]any
}

// Container is one box on one journey.
type Container struct {
	ID         string // "" for one from the seed
	Number     string
	Shipment   string    // shipment id; "" for none
	CreatedAt  time.Time // zero for now
	RefNumbers []string
	SealNumber string

	EquipmentType   string // "dry", "reefer", "open top" ...
	EquipmentLength int    // feet; 0 is null
	EquipmentHeight string // "standard", "high_cube"
	WeightPounds    float64

	CurrentStatus      string // "" is "new"
	AvailabilityKnown  bool
	AvailableForPickup *bool // nil is null: nobody knows
	Holds              []Hold
	Fees               []Fee

	// Deadlines.LFD() is what goes out as pickup_lfd.
	Deadlines           Deadlines
	PickupAppointmentAt time.Time
	Location            string // location_at_pod_terminal
	Chassis             string // pod_full_out_chassis_number
	PODTerminal         string // id or nickname; "" for the shipment's
	PickupFacility      string // id or nickname; "" for the inland terminal, else the port's

	EmptyOutAt, POLFullInAt, POLLoadedAt, POLDepartedAt                       time.Time
	PODArrivedAt, PODDischargedAt, PODFullOutAt                               time.Time
	PODRailLoadedAt, PODRailDepartedAt, INDETAAt, INDATAAt, INDRailUnloadedAt time.Time
	FinalDestinationFullOutAt, DeliveredAt, EmptyTerminatedAt                 time.Time
	TerminalCheckedAt                                                         time.Time
	PODLastRequestAt, ShipmentLastRequestAt, RailLastRequestAt                time.Time
	PODRailCarrierSCAC, INDRailCarrierSCAC                                    string
	EmptyTerminatedTimeZone                                                   string
	Attributes                                                                map[string]any
}

// Hold is one item of holds_at_pod_terminal. A cleared hold is not in the list.
type Hold struct {
	Name        string // "freight", "customs", "USDA", "VACIS", "TMF" or "other"
	Status      string // "hold" or "pending"; "" is "hold"
	Description string // the terminal's own words; "" is null
}

// Fee is one item of fees_at_pod_terminal.
type Fee struct {
	Type     string  // "demurrage", "extended_dwell_time", "exam", "total" or "other"
	Amount   float64 // 0: the fee is known, its amount is not posted yet
	Currency string  // ISO 4217; "" is "USD"
}

// Deadlines are the last free days by who set them. Each is the start of that day at the place, as an instant.
type Deadlines struct{ Line, Terminal, Rail time.Time }

// LFD is the one the service shows as pickup_lfd: the line's, else the terminal's, else the railroad's. It is the first
// present, not the earliest.
func (d Deadlines) LFD() time.Time {
	for _, t := range []time.Time{d.Line, d.Terminal, d.Rail} {
		if !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}

// TrackingRequest asks the service to track a number.
type TrackingRequest struct {
	ID            string // "" for one from the seed
	RequestNumber string
	RequestType   string // "bill_of_lading" (also for ""), "booking_number" or "container"
	SCAC          string // "" is null, as during automatic detection

	// Status is "pending", "awaiting_manifest", "created", "failed" or "tracking_stopped". Added with "", the request
	// behaves like one that was posted: pending, then whatever the script or the default makes of it.
	Status       string
	FailedReason string
	IsRetrying   bool
	RetryCount   int // 0 is null: not tried yet

	RefNumbers, ShipmentTags []string
	CreatedAt, UpdatedAt     time.Time // zero for now
	Shipment                 string    // id of the tracked shipment
	Customer                 string    // party id
	User                     string    // user id
	AutoDetectSCAC           bool
	InitialCustomFields      []InitialCustomField
	Attributes               map[string]any
}

// InitialCustomField is a custom field value that came with a tracking request.
type InitialCustomField struct {
	Entity  string // "shipment" or "container"
	APISlug string
	Value   any    // as encoding/json decodes it, but numbers are json.Number
	Number  string // of one container; "" for every container
}

// TransportEvent is a milestone, an estimate or a change of a deadline.
type TransportEvent struct {
	ID         string // "" for one from the seed
	Event      string // such as "container.transport.vessel_loaded"
	Container  string // container id
	Shipment   string // "" for the container's
	At         time.Time
	CreatedAt  time.Time // zero for now
	Location   string    // id or UN/LOCODE of a port or metro area; "" is unknown, and so is the time zone then
	Terminal   string    // id or nickname
	Vessel     string    // id or IMO number
	Voyage     string
	DataSource string // "" is "shipping_line"
	Value      string // of a deadline or appointment: the new date and time

	ValueAt, InvalidatedAt       time.Time
	SourceEvent, PreviousVersion string // ids
	Attributes                   map[string]any
}

// RawEvent is one line of the carrier's own feed, which the service has deprecated.
type RawEvent struct {
	ID            string // "" for one from the seed
	Event         string // short name such as "vessel_loaded"; "" is null
	OriginalEvent string // the carrier's words
	Container     string // container id
	At            time.Time
	Estimated     bool
	CreatedAt     time.Time // zero for now
	Location      string    // as of TransportEvent
	LocationName  string    // "" for the location's name
	Terminal      string
	Vessel        string
	Voyage        string
	InvalidatedAt time.Time
	Attributes    map[string]any
}

// Bool gives a pointer to b, for the fields where nil means null.
func Bool(b bool) *bool { return &b }

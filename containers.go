package terminal49

import (
	"context"
	"iter"
	"slices"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/operation"
)

// Container is a piece of equipment during one journey of one shipment. The same container number on a later journey
// is another Container with another id.
//
// Each time belongs to the zone named with it. Hold and fee lists and the availability speak for the port terminal or,
// once the container went inland, for the rail ramp; ask [PickupReadiness] and [SumFees] rather than reading them raw.
type Container struct {
	Resource

	Number           string          // number: such as "MSCU1234566"
	ReferenceNumbers []string        // ref_numbers: your references; nil if not reported
	EquipmentType    EquipmentType   // equipment_type: "" if unknown
	EquipmentLength  Opt[int]        // equipment_length: feet; some carriers send 0 for unknown
	EquipmentHeight  EquipmentHeight // equipment_height: "" if unknown
	WeightPounds     Opt[float64]    // weight_in_lbs: pounds; 0 is sent for unknown
	SealNumber       string          // seal_number: "" if unknown
	CreatedAt        Time            // created_at, UTC
	CurrentStatus    ContainerStatus // current_status: a summary that may lag behind the events

	AvailabilityKnown     Opt[bool] // availability_known: whether the terminal reports availability at all
	AvailableForPickup    Opt[bool] // available_for_pickup: released by the terminal; null is "not known", never "no"
	Holds                 []Hold    // holds_at_pod_terminal: nil if not reported, empty if there are none
	Fees                  []Fee     // fees_at_pod_terminal: nil if not reported, empty if there are none
	LocationAtPODTerminal string    // location_at_pod_terminal: raw yard text, may hold "<br>"
	TerminalCheckedAt     Time      // terminal_checked_at, UTC: when the terminal was last asked
	PickupLFD             Time      // pickup_lfd: last free day the service chose; see ImportDeadlines for all of them
	PickupAppointmentAt   Time      // pickup_appointment_at: zone PODTimezone
	ImportDeadlines       Deadlines // import_deadlines: the last free day by source

	PODArrivedAt              Time   // pod_arrived_at: zone PODTimezone
	PODDischargedAt           Time   // pod_discharged_at: zone PODTimezone
	PODFullOutAt              Time   // pod_full_out_at: left the port terminal; zone PODTimezone; not set on inland moves
	PODFullOutChassisNumber   string // pod_full_out_chassis_number
	FinalDestinationFullOutAt Time   // final_destination_full_out_at: left the inland ramp; zone FinalDestinationTimezone
	EmptyTerminatedAt         Time   // empty_terminated_at: returned empty; zone EmptyTerminatedTimezone
	DeliveredAt               Time   // delivered_at: marked as delivered by hand; UTC
	EmptyOutAt                Time   // empty_out_at: empty picked up at origin; zone of the shipment's port of lading
	POLFullInAt               Time   // pol_full_in_at: full into the origin terminal; zone of the shipment's port of lading
	POLVesselLoadedAt         Time   // pol_vessel_loaded_at: zone of the shipment's port of lading
	POLVesselDepartedAt       Time   // pol_vessel_departed_at: zone of the shipment's port of lading

	PODRailCarrierSCAC string // pod_rail_carrier_scac: railroad of the port leg, such as "BNSF"
	INDRailCarrierSCAC string // ind_rail_carrier_scac: railroad of the inland leg
	PODRailLoadedAt    Time   // pod_rail_loaded_at: zone PODTimezone
	PODRailDepartedAt  Time   // pod_rail_departed_at: zone PODTimezone
	INDETA             Time   // ind_eta_at: the railroad's estimate at the inland destination; zone FinalDestinationTimezone
	INDATA             Time   // ind_ata_at: arrival there; zone FinalDestinationTimezone
	INDRailUnloadedAt  Time   // ind_rail_unloaded_at: zone FinalDestinationTimezone
	INDFacilityLFD     Time   // ind_facility_lfd_on: deprecated twin of ImportDeadlines.Rail; zone FinalDestinationTimezone

	INDFacilityHolds []Hold // ind_facility_holds: only ever null so far; Holds speaks for the ramp too
	INDFacilityFees  []Fee  // ind_facility_fees: only ever null so far; Fees speaks for the ramp too
	SSLLFD           Time   // ssl_lfd: the shipping line's last free day; only ever null so far; zone as ImportDeadlines.Line

	PODTimezone              string // pod_timezone: IANA name, "" if the place is unknown
	FinalDestinationTimezone string // final_destination_timezone
	EmptyTerminatedTimezone  string // empty_terminated_timezone

	TerminalLastRequestedAt Time // pod_last_tracking_request_at, UTC: last question to the terminal
	LineLastRequestedAt     Time // shipment_last_tracking_request_at, UTC: last question to the shipping line
	RailLastRequestedAt     Time // rail_last_tracking_request_at, UTC: last question to the railroad

	Shipment        ToOne[*Shipment]        // shipment
	PODTerminal     ToOne[*Terminal]        // pod_terminal
	PickupFacility  ToOne[*Terminal]        // pickup_facility: where the container is picked up; a ramp on inland moves
	TransportEvents ToMany[*TransportEvent] // transport_events
	RawEvents       ToMany[*RawEvent]       // raw_events
}

// ContainerInclude names a relation that comes along with containers. Dot paths such as "shipment.port_of_lading"
// work too.
type ContainerInclude string

const (
	ContainerIncludeShipment        ContainerInclude = "shipment"
	ContainerIncludePODTerminal     ContainerInclude = "pod_terminal"
	ContainerIncludePickupFacility  ContainerInclude = "pickup_facility"
	ContainerIncludeTransportEvents ContainerInclude = "transport_events"
	ContainerIncludeRawEvents       ContainerInclude = "raw_events"

	ContainerIncludeShipmentPortOfLading    ContainerInclude = "shipment.port_of_lading"
	ContainerIncludeShipmentPortOfDischarge ContainerInclude = "shipment.port_of_discharge"
)

// ContainerListParams narrows a list of containers. The zero value, like nil, asks for all of them.
type ContainerListParams struct {
	PageParams
	Include []ContainerInclude

	// Number is a container number. The service names this filter in passing only, so check what comes back.
	Number string
	// CustomerID and CustomerName name the party the containers are for. From the service's changelog.
	CustomerID   string
	CustomerName string
}

// ContainerGetParams says what comes along with one container.
type ContainerGetParams struct {
	Include []ContainerInclude
}

// ContainerUpdate is a change to a container. What is not mentioned stays as it is.
type ContainerUpdate struct {
	ReferenceNumbers Opt[[]string] `json:"ref_numbers,omitzero"` // replaces the list; Some of an empty list clears it

}

func (u ContainerUpdate) validate() error { return notNull("ReferenceNumbers", u.ReferenceNumbers) }

// TransportEventListParams says what comes along with transport events.
type TransportEventListParams struct {
	Include []TransportEventInclude
}

// ContainersService reads and changes containers.
type ContainersService service

// List returns one page of containers. The service documents no dependable order.
//
// API: GET /containers
func (s *ContainersService) List(ctx context.Context, params *ContainerListParams, opts ...CallOption) (*Page[Container], error) {
	return fetchPage[Container](ctx, s.client, newEndpoint(operation.ContainersList).with(params), opts)
}

// Pages walks the pages of containers.
//
// API: GET /containers. Errors: ErrPagination.
func (s *ContainersService) Pages(ctx context.Context, params *ContainerListParams, opts ...CallOption) iter.Seq2[*Page[Container], error] {
	return pagesOf[Container](ctx, s.client, newEndpoint(operation.ContainersList).with(params), opts)
}

// All walks all containers, fetching pages as they are needed.
//
// API: GET /containers. Errors: ErrPagination.
func (s *ContainersService) All(ctx context.Context, params *ContainerListParams, opts ...CallOption) iter.Seq2[*Container, error] {
	return allOf[Container](ctx, s.client, newEndpoint(operation.ContainersList).with(params), opts)
}

// Get returns one container by its id, which is not the container number. A container may answer ErrNotFound for a
// short while after its tracking request was created.
//
// API: GET /containers/{id}. Errors: ErrNotFound.
func (s *ContainersService) Get(ctx context.Context, id string, params *ContainerGetParams, opts ...CallOption) (*Container, error) {
	return fetchOne[Container](ctx, s.client, newEndpoint(operation.ContainersGet, containerArg(id)).with(params), opts)
}

// FindByNumber returns the containers with this number, in the order of the service. There can be several, one for each
// journey of the equipment that was tracked; none is an empty list and no error. Spaces, dashes and case do not count.
//
// API: GET /containers. Errors: ErrPagination.
func (s *ContainersService) FindByNumber(ctx context.Context, number string, params *ContainerGetParams, opts ...CallOption) ([]*Container, error) {
	number = NormalizeContainerNumber(number)
	wanted := ContainerListParams{Number: number}
	if params != nil {
		wanted.Include = params.Include
	}
	e := newEndpoint(operation.ContainersList).with(&wanted)
	if number == "" {
		e = e.reject(&ArgumentError{Field: "number", Problem: "must not be empty"})
	}
	found, err := collectAll(allOf[Container](ctx, s.client, e, opts))
	others := func(c *Container) bool { return NormalizeContainerNumber(c.Number) != number } // a filter may be ignored
	return slices.DeleteFunc(found, others), err
}

// Update changes a container's reference numbers and returns the changed container. See [WithIDInPath]
// if the service answers ErrNotFound.
//
// API: PATCH /containers. Errors: ErrNotFound, ErrInvalid.
func (s *ContainersService) Update(ctx context.Context, id string, update ContainerUpdate, opts ...CallOption) (*Container, error) {
	e := newEndpoint(operation.ContainersUpdate).check(containerArg(id)).resource("container", id, update)
	return fetchOne[Container](ctx, s.client, e, opts)
}

// Refresh asks the service to check the container's sources now. It returns the service's message, such as "Started
// refresh for Shipping line, Terminal, Rail"; the news arrives later. Ten calls a minute are allowed, to accounts that
// have the feature.
//
// API: PATCH /containers/{id}/refresh. Rate bucket: refresh. Errors: ErrFeatureNotEnabled,
// ErrNotFound, ErrRateLimited.
func (s *ContainersService) Refresh(ctx context.Context, id string, opts ...CallOption) (message string, err error) {
	e := newEndpoint(operation.ContainersRefresh, containerArg(id))
	reply, err := fetchPlain[refreshReply](ctx, s.client, e, opts)
	return reply.Message, err
}

type refreshReply struct {
	Message string `json:"message"`
}

// TransportEvents returns the container's milestones, estimates and deadline changes. They come in no order; each has
// its own time. The service may answer ErrNotFound although the container exists: include
// ContainerIncludeTransportEvents in Get then.
//
// API: GET /containers/{id}/transport_events. Errors: ErrNotFound.
func (s *ContainersService) TransportEvents(ctx context.Context, id string, params *TransportEventListParams, opts ...CallOption) ([]*TransportEvent, error) {
	e := newEndpoint(operation.ContainersTransportEvents, containerArg(id)).with(params)
	return collectAll(allOf[TransportEvent](ctx, s.client, e, opts))
}

// RawEvents returns what the carrier reported, before the service made sense of it. The service calls this feed
// deprecated: prefer TransportEvents.
//
// API: GET /containers/{id}/raw_events. Errors: ErrNotFound.
func (s *ContainersService) RawEvents(ctx context.Context, id string, opts ...CallOption) ([]*RawEvent, error) {
	return collectAll(allOf[RawEvent](ctx, s.client, newEndpoint(operation.ContainersRawEvents, containerArg(id)).unpaged(), opts))
}

func containerArg(id string) argument {
	return uuidArg(id).hint("a container number is not an id: find the container with Containers.FindByNumber")
}

func (p *ContainerListParams) query(q *query) {
	p.PageParams.query(q)
	q.setList("include", toStrings(p.Include))
	number := NormalizeContainerNumber(p.Number)
	if number == "" && p.Number != "" { // no filter would be every container
		q.reject("Number", "holds no letter and no digit")
	}
	q.setText("filter[number]", number)
	q.setText("filter[customer_id]", p.CustomerID)
	q.setText("filter[customer_name]", p.CustomerName)
}

func (p *ContainerGetParams) query(q *query) { q.setList("include", toStrings(p.Include)) }

func (p *TransportEventListParams) query(q *query) { q.setList("include", toStrings(p.Include)) }

func (*Container) table() *jsonapi.Type[Container] { return containerTable }

// ContainerStatus summarises where a container is. It is no linear sequence, and may lag behind the events.
type ContainerStatus string

const (
	StatusNew                    ContainerStatus = "new"                      // tracked, no milestone yet
	StatusOnShip                 ContainerStatus = "on_ship"                  // loaded, sailing or transshipping
	StatusGrounded               ContainerStatus = "grounded"                 // discharged or unloaded, availability not known
	StatusAvailable              ContainerStatus = "available"                // released for pickup
	StatusNotAvailable           ContainerStatus = "not_available"            // landed, held or not released
	StatusAwaitingInlandTransfer ContainerStatus = "awaiting_inland_transfer" // at the port, rail leg to come
	StatusOnRail                 ContainerStatus = "on_rail"
	StatusOffDock                ContainerStatus = "off_dock" // moved to a yard outside the terminal
	StatusPickedUp               ContainerStatus = "picked_up"
	StatusDelivered              ContainerStatus = "delivered" // marked by hand only
	StatusEmptyReturned          ContainerStatus = "empty_returned"
	StatusDropped                ContainerStatus = "dropped" // listed by the service without a meaning
	StatusLoaded                 ContainerStatus = "loaded"  // listed by the service without a meaning
)

var containerStatuses = []ContainerStatus{
	StatusNew, StatusOnShip, StatusGrounded, StatusAvailable, StatusNotAvailable, StatusAwaitingInlandTransfer,
	StatusOnRail, StatusOffDock, StatusPickedUp, StatusDelivered, StatusEmptyReturned, StatusDropped, StatusLoaded,
}

// Known reports whether s is one of the constants of this version. Unknown values are kept as they came.
func (s ContainerStatus) Known() bool { return isKnown(s, containerStatuses) }

// EquipmentType is the kind of container. Two of the values hold a space.
type EquipmentType string

const (
	EquipmentDry      EquipmentType = "dry"
	EquipmentReefer   EquipmentType = "reefer"
	EquipmentOpenTop  EquipmentType = "open top"
	EquipmentFlatRack EquipmentType = "flat rack"
	EquipmentBulk     EquipmentType = "bulk"
	EquipmentTank     EquipmentType = "tank"
	EquipmentHardTop  EquipmentType = "hard top" // in the service's coverage pages only
)

var equipmentTypes = []EquipmentType{
	EquipmentDry, EquipmentReefer, EquipmentOpenTop, EquipmentFlatRack, EquipmentBulk, EquipmentTank,
	EquipmentHardTop,
}

// Known reports whether t is one of the constants of this version. Unknown values are kept as they came.
func (t EquipmentType) Known() bool { return isKnown(t, equipmentTypes) }

// EquipmentHeight is the height class of a container.
type EquipmentHeight string

const (
	HeightStandard EquipmentHeight = "standard"
	HeightHighCube EquipmentHeight = "high_cube"
)

var equipmentHeights = []EquipmentHeight{HeightStandard, HeightHighCube}

// Known reports whether h is one of the constants of this version. Unknown values are kept as they came.
func (h EquipmentHeight) Known() bool { return isKnown(h, equipmentHeights) }

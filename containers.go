package terminal49

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/operation"
)

// Container is a piece of equipment during one journey of one shipment. Another journey of the same
// container number is another Container with another id.
//
// Each time is in the zone that its tag or comment names. The zone of a shipment or of a transport
// event is known only if the response included it. Holds, fees and availability come from the port
// terminal or, after the container moved inland, from the rail ramp. [Assess] interprets them all,
// and answers where the container is and what to do.
//
//t49:resource container
type Container struct {
	Resource

	Number           string          `t49:"number"`                                  // such as "MSCU1234566"
	ReferenceNumbers []string        `t49:"ref_numbers"`                             // your references; nil if not reported
	EquipmentType    EquipmentType   `t49:"equipment_type"`                          // "" if unknown
	EquipmentLength  Opt[int]        `t49:"equipment_length,read=readMeasure[int]"`  // feet; 0, sent for unknown, is read as missing
	EquipmentHeight  EquipmentHeight `t49:"equipment_height"`                        // "" if unknown
	WeightPounds     Opt[float64]    `t49:"weight_in_lbs,read=readMeasure[float64]"` // pounds; 0, sent for unknown, is read as missing
	SealNumber       string          `t49:"seal_number"`                             // "" if unknown
	CreatedAt        Time            `t49:"created_at"`                              // UTC
	CurrentStatus    ContainerStatus `t49:"current_status"`                          // a summary that may lag behind the events, and go back

	AvailabilityKnown     Opt[bool]       `t49:"availability_known"`       // see Availability
	AvailableForPickup    Opt[bool]       `t49:"available_for_pickup"`     // means nothing if AvailabilityKnown is false; see Availability
	Holds                 []Hold          `t49:"holds_at_pod_terminal"`    // nil if not reported, empty if there are none
	Fees                  []Fee           `t49:"fees_at_pod_terminal"`     // nil if not reported, empty if there are none
	LocationAtPODTerminal string          `t49:"location_at_pod_terminal"` // free-form yard location; may contain "<br>"
	TerminalCheckedAt     Time            `t49:"terminal_checked_at"`      // UTC: when the service last checked the terminal
	PickupLFD             Time            `t49:"pickup_lfd"`               // last free day chosen by the service, in the zone of its source; see LastFreeDays
	PickupAppointmentAt   Time            `t49:"pickup_appointment_at,zone=pod_timezone"`
	ImportDeadlines       ImportDeadlines `t49:"import_deadlines"` // last free days by source

	PODArrivedAt              Time   `t49:"pod_arrived_at,zone=pod_timezone"`
	PODDischargedAt           Time   `t49:"pod_discharged_at,zone=pod_timezone"`
	PODFullOutAt              Time   `t49:"pod_full_out_at,zone=pod_timezone"` // left the port, on inland moves too, which it does not end
	PODFullOutChassisNumber   string `t49:"pod_full_out_chassis_number"`
	FinalDestinationFullOutAt Time   `t49:"final_destination_full_out_at,zone=final_destination_timezone"` // left the ramp
	EmptyTerminatedAt         Time   `t49:"empty_terminated_at,zone=empty_terminated_timezone"`            // returned empty
	DeliveredAt               Time   `t49:"delivered_at"`                                                  // UTC: when a user marked it as delivered
	EmptyOutAt                Time   `t49:"empty_out_at"`                                                  // picked up empty at origin; zone of the included EventEmptyOut
	POLFullInAt               Time   `t49:"pol_full_in_at"`                                                // delivered full at origin; zone of the included EventFullIn
	POLVesselLoadedAt         Time   `t49:"pol_vessel_loaded_at"`                                          // zone Shipment.POLTimezone
	POLVesselDepartedAt       Time   `t49:"pol_vessel_departed_at"`                                        // zone Shipment.POLTimezone

	PODRailCarrierSCAC string `t49:"pod_rail_carrier_scac"` // railroad of the port leg, such as "BNSF"
	INDRailCarrierSCAC string `t49:"ind_rail_carrier_scac"` // railroad of the inland leg
	PODRailLoadedAt    Time   `t49:"pod_rail_loaded_at,zone=pod_timezone"`
	PODRailDepartedAt  Time   `t49:"pod_rail_departed_at,zone=pod_timezone"`
	INDETA             Time   `t49:"ind_eta_at,zone=final_destination_timezone"` // the railroad's ETA at the inland destination
	INDATA             Time   `t49:"ind_ata_at,zone=final_destination_timezone"` // arrival there
	INDRailUnloadedAt  Time   `t49:"ind_rail_unloaded_at,zone=final_destination_timezone"`
	INDFacilityLFD     Time   `t49:"ind_facility_lfd_on"` // deprecated copy of ImportDeadlines.Rail, in the same zone

	INDFacilityHolds []Hold `t49:"ind_facility_holds"` // always null so far; Holds covers the ramp
	INDFacilityFees  []Fee  `t49:"ind_facility_fees"`  // always null so far; Fees covers the ramp
	SSLLFD           Time   `t49:"ssl_lfd"`            // the shipping line's LFD; always null so far; zone as ImportDeadlines.Line

	PODTimezone              string `t49:"pod_timezone"`               // IANA name; "" if the place is unknown
	FinalDestinationTimezone string `t49:"final_destination_timezone"` // IANA name; "" if the place is unknown
	EmptyTerminatedTimezone  string `t49:"empty_terminated_timezone"`  // IANA name; "" if the place is unknown

	TerminalLastRequestedAt Time `t49:"pod_last_tracking_request_at"`      // UTC: last request to the terminal
	LineLastRequestedAt     Time `t49:"shipment_last_tracking_request_at"` // UTC: last request to the shipping line
	RailLastRequestedAt     Time `t49:"rail_last_tracking_request_at"`     // UTC: last request to the railroad

	ReleaseStatuses RawJSON `t49:"release_statuses"`                      // releases by kind, such as customs; its form is undocumented
	INDETASources   RawJSON `t49:"inland_destination_eta_source_summary"` // who reported INDETA; its form is undocumented

	Shipment        ToOne[*Shipment]        `t49:"shipment"`
	PODTerminal     ToOne[*Terminal]        `t49:"pod_terminal"`
	PickupFacility  ToOne[*Terminal]        `t49:"pickup_facility"` // where to pick up the container; a ramp on inland moves
	TransportEvents ToMany[*TransportEvent] `t49:"transport_events"`
	RawEvents       ToMany[*RawEvent]       `t49:"raw_events"`
}

// ContainerStatus is a summary of where a container is. The values are not a linear sequence, and
// the status may lag behind the events.
//
//t49:enum
type ContainerStatus string

// The values of ContainerStatus.
const (
	StatusNew                    ContainerStatus = "new"                      // tracked, no milestone yet
	StatusOnShip                 ContainerStatus = "on_ship"                  // loaded, sailing or transshipping
	StatusGrounded               ContainerStatus = "grounded"                 // discharged or unloaded, availability unknown
	StatusAvailable              ContainerStatus = "available"                // released for pickup
	StatusNotAvailable           ContainerStatus = "not_available"            // landed, held or not released
	StatusAwaitingInlandTransfer ContainerStatus = "awaiting_inland_transfer" // at the port, before its rail leg
	StatusOnRail                 ContainerStatus = "on_rail"
	StatusOffDock                ContainerStatus = "off_dock" // moved to a yard outside the terminal
	StatusPickedUp               ContainerStatus = "picked_up"
	StatusDelivered              ContainerStatus = "delivered" // marked by a user only
	StatusEmptyReturned          ContainerStatus = "empty_returned"
	StatusDropped                ContainerStatus = "dropped" // not explained by the service
	StatusLoaded                 ContainerStatus = "loaded"  // not explained by the service
)

// EquipmentType is the type of a container. Some values contain a space.
//
//t49:enum
type EquipmentType string

// The values of EquipmentType.
const (
	EquipmentDry      EquipmentType = "dry"
	EquipmentReefer   EquipmentType = "reefer"
	EquipmentOpenTop  EquipmentType = "open top"
	EquipmentFlatRack EquipmentType = "flat rack"
	EquipmentBulk     EquipmentType = "bulk"
	EquipmentTank     EquipmentType = "tank"
	EquipmentHardTop  EquipmentType = "hard top" // documented in the service's coverage pages only
)

// EquipmentHeight is the height class of a container.
//
//t49:enum
type EquipmentHeight string

// The values of EquipmentHeight.
const (
	HeightStandard EquipmentHeight = "standard"
	HeightHighCube EquipmentHeight = "high_cube"
)

// ContainerInclude is a relationship that a response can include. A dot path such as
// "shipment.port_of_lading" works too.
type ContainerInclude string

// The values of ContainerInclude.
const (
	ContainerIncludeShipment        ContainerInclude = "shipment"
	ContainerIncludePODTerminal     ContainerInclude = "pod_terminal"
	ContainerIncludePickupFacility  ContainerInclude = "pickup_facility"
	ContainerIncludeTransportEvents ContainerInclude = "transport_events"
	ContainerIncludeRawEvents       ContainerInclude = "raw_events"
)

// ContainerListParams selects containers and what the response includes. The zero value and nil
// select all containers.
type ContainerListParams struct {
	PageParams
	Include []ContainerInclude
	Filter  ContainerFilter
	// Sort is up to three orders. It is in documents later than the published OpenAPI file, several
	// of which agree; an older service ignores it. Without it, List has the service's order, by the
	// latest refresh according to those documents, and All and Pages request the newest first.
	Sort []ContainerSort
	// RawFilters are filters without a field in Filter, by query parameter, such as "filter[NAME]".
	// They are not checked, and the service ignores those that it does not have.
	RawFilters map[string][]string

	// Number is a container number, as Filter.Number is, but not checked: the service barely documents
	// this filter and may ignore it, so check the number of each result.
	Number string
	// CustomerID and CustomerName identify the party the containers are for, as the fields of Filter
	// do. Their values are sent as they are.
	CustomerID   string
	CustomerName string
}

// ContainerGetParams selects what the response includes.
type ContainerGetParams struct {
	Include []ContainerInclude
}

// ContainerUpdate is a change to a container. Fields that are not set stay unchanged.
type ContainerUpdate struct {
	ReferenceNumbers Opt[[]string] `json:"ref_numbers,omitzero"` // replaces the list; an empty list clears it
}

func (u ContainerUpdate) validate() error { return notNull("ReferenceNumbers", u.ReferenceNumbers) }

// TransportEventListParams selects what the response includes.
type TransportEventListParams struct {
	Include []TransportEventInclude
}

// ContainersService reads and changes containers.
type ContainersService service

// List returns one page of containers. Without params.Sort they are in the service's order, in
// which containers change places at any time; see [ContainerListParams].
//
// API: GET /containers
func (s *ContainersService) List(ctx context.Context, params *ContainerListParams, opts ...CallOption) (*Page[Container], error) {
	return fetchPage[Container](ctx, s.client, newEndpoint(operation.ContainersList).with(params), opts)
}

// Pages iterates over the pages of containers, in the order of All. A container that moves to a
// later page meanwhile is on both; Page.ListChanged is then true.
//
// API: GET /containers. Errors: ErrPagination.
func (s *ContainersService) Pages(ctx context.Context, params *ContainerListParams, opts ...CallOption) iter.Seq2[*Page[Container], error] {
	return pagesOf[Container](ctx, s.client, newEndpoint(operation.ContainersList).with(params.walked()), opts)
}

// All iterates over all containers, fetches pages as needed and yields each once. Without
// params.Sort it requests the newest first, an order that refreshes do not change. A container that
// is added meanwhile is not yielded, and one may be missing for each that leaves the list. In
// another order, or if the service has no Sort, one may be missing for each that moves.
// Response.ListChanged is then true; see [WithResponse].
//
// API: GET /containers. Errors: ErrPagination.
func (s *ContainersService) All(ctx context.Context, params *ContainerListParams, opts ...CallOption) iter.Seq2[*Container, error] {
	return allOf[Container](ctx, s.client, newEndpoint(operation.ContainersList).with(params.walked()), opts)
}

// Get returns one container by its id, which is not the container number. It may return ErrNotFound
// shortly after the tracking request was created.
//
// API: GET /containers/{id}. Errors: ErrNotFound.
func (s *ContainersService) Get(ctx context.Context, id string, params *ContainerGetParams, opts ...CallOption) (*Container, error) {
	return fetchOne[Container](ctx, s.client, newEndpoint(operation.ContainersGet, containerArg(id)).with(params), opts)
}

// FindByNumber returns the containers with a container number, one for each tracked journey of the
// equipment, in the service's order. It returns an empty list and no error if there are none.
// Spaces, dashes and case are ignored. The number must have four letters and seven digits; a wrong
// check digit is accepted.
//
// API: GET /containers. Errors: *FilterIgnoredError, ErrPagination.
func (s *ContainersService) FindByNumber(ctx context.Context, number string, params *ContainerGetParams, opts ...CallOption) ([]*Container, error) {
	number = NormalizeContainerNumber(number)
	if err := checkContainerForm(number); err != nil {
		return nil, err
	}
	found := s.findNumbers(ctx, []string{number}, params, opts)[number]
	if found.Containers == nil && found.Err == nil {
		return []*Container{}, nil
	}
	return found.Containers, found.Err
}

// FindOutcome is the outcome of one number of [ContainersService.FindByNumbers]: what FindByNumber
// returns for it.
type FindOutcome struct {
	Number     string       // as passed
	Containers []*Container // one for each tracked journey; none if the number is not tracked
	Err        error        // an *ArgumentError if it is not a container number
}

// FindByNumbers finds the containers with many numbers, such as those of a sheet, and yields one
// outcome for each, in their order. A number that is invalid or not tracked does not affect the
// others, and one that occurs again, in any spelling, has the same containers.
//
// One request finds 100 numbers, when the loop reaches the first of them, and each further page
// takes another one: 200 tracked containers take 4 requests if a page has 50. If the request fails,
// or the service compares the 100 as one text, which older ones may do, it is asked for each number
// until three in a row fail. Nothing more is read if the service ignores the filter.
//
// API: GET /containers. Errors: as FindByNumber, in the outcomes.
func (s *ContainersService) FindByNumbers(ctx context.Context, numbers []string, params *ContainerGetParams, opts ...CallOption) iter.Seq[FindOutcome] {
	return func(yield func(FindOutcome) bool) {
		read, ignored := map[string]FindOutcome{}, error(nil)
		for i, typed := range numbers {
			number := NormalizeContainerNumber(typed)
			if _, done := read[number]; !done && ignored == nil && isContainerForm(number) {
				maps.Copy(read, s.findNumbers(ctx, unread(numbers[i:], read), params, opts))
				if err := read[number].Err; errors.As(err, new(*FilterIgnoredError)) {
					ignored = err
				}
			}
			outcome, done := read[number]
			if !done {
				outcome.Err = cmp.Or(checkContainerForm(number), ignored)
			}
			outcome.Number = typed
			if !yield(outcome) {
				return
			}
		}
	}
}

// mostLookedUp is how many numbers one request finds. More would make its URL long.
const mostLookedUp = 100

// unread returns the next numbers that were not read.
func unread(numbers []string, read map[string]FindOutcome) (next []string) {
	for _, typed := range numbers {
		number := NormalizeContainerNumber(typed)
		if _, done := read[number]; done || !isContainerForm(number) || slices.Contains(next, number) {
			continue
		}
		if next = append(next, number); len(next) == mostLookedUp {
			break
		}
	}
	return next
}

// findNumbers returns the outcomes of normalised numbers, by number: with one list if the service
// reads lists and the request does not fail, and otherwise one by one.
func (s *ContainersService) findNumbers(ctx context.Context, numbers []string, params *ContainerGetParams, opts []CallOption) map[string]FindOutcome {
	outcomes := map[string]FindOutcome{}
	found, err := s.readNumbers(ctx, numbers, params, opts)
	alone := len(numbers) == 1 || errors.As(err, new(*FilterIgnoredError)) || errors.Is(err, ErrRateLimited)
	all, failures := alone || err == nil && s.isComplete(ctx, found, numbers, opts), 0
	for _, number := range numbers {
		if !all && failures < mostFailures {
			found, err = s.readNumbers(ctx, []string{number}, params, opts)
			failures++
			if err == nil {
				failures = 0
			}
		}
		outcomes[number] = FindOutcome{Containers: found[number], Err: err}
	}
	return outcomes
}

// mostFailures is how many numbers in a row may fail before the others are not asked for.
const mostFailures = 3

// isComplete reports whether the containers of a list of numbers are all that the service has. An
// empty list may mean that it compared the numbers as one text.
func (s *ContainersService) isComplete(ctx context.Context, found map[string][]*Container, numbers []string, opts []CallOption) bool {
	if len(found) > 0 {
		s.client.numberLists.Store(true)
	}
	return s.client.numberLists.Load() || s.readsLists(ctx, numbers[0], opts)
}

// readsLists reports whether the service finds a container of the account in a list of two numbers,
// or there is no container to find.
func (s *ContainersService) readsLists(ctx context.Context, other string, opts []CallOption) bool {
	page, err := s.List(ctx, &ContainerListParams{PageParams: PageParams{PageSize: 1}}, opts...)
	if err != nil || len(page.Items) == 0 {
		return err == nil
	}
	number := NormalizeContainerNumber(page.Items[0].Number)
	if !isContainerForm(number) {
		return false
	}
	found, err := s.readNumbers(ctx, []string{number, other}, nil, opts)
	if err == nil && len(found) > 0 {
		s.client.numberLists.Store(true)
	}
	return err == nil && len(found) > 0
}

// readNumbers returns the containers of a list of numbers. A container with another number shows
// that the service ignored the filter, so no further page is read.
func (s *ContainersService) readNumbers(ctx context.Context, numbers []string, params *ContainerGetParams, opts []CallOption) (map[string][]*Container, error) {
	wanted := ContainerListParams{Filter: ContainerFilter{Number: numbers}}
	if params != nil {
		wanted.Include = params.Include
	}
	found := map[string][]*Container{}
	for c, err := range allOf[Container](ctx, s.client, newEndpoint(operation.ContainersList).with(&wanted), opts) {
		if errors.Is(err, ErrPagination) {
			return found, err
		}
		if err != nil {
			return nil, err
		}
		number := NormalizeContainerNumber(c.Number)
		if !slices.Contains(numbers, number) {
			return nil, &FilterIgnoredError{Op: "containers.list", Filter: filterName("number"), ResourceID: c.ID}
		}
		found[number] = append(found[number], c)
	}
	return found, nil
}

func checkContainerForm(number string) error {
	if isContainerForm(number) {
		return nil
	}
	return &ArgumentError{Op: "containers.list", Field: "number", Problem: "must be a container number: four letters and seven digits, " +
		"such as MSKU7182047; find other numbers with Shipments.List and its Number, or with Search.Query"}
}

// Update changes a container's reference numbers and returns the changed container. The service
// documents two routes: after a 404 Update tries the other one, with the same options, and the
// client remembers which one worked. [WithResponse] describes the last request.
//
// API: PATCH /containers. Errors: ErrNotFound, ErrInvalid.
func (s *ContainersService) Update(ctx context.Context, id string, update ContainerUpdate, opts ...CallOption) (*Container, error) {
	e := newEndpoint(operation.ContainersUpdate).check(containerArg(id)).resource("container", id, update)
	return readEither[Container](ctx, s.client.call(e, opts), s.client.updateRoute)
}

// Refresh requests an immediate check of the container's sources and returns the service's message,
// such as "Started refresh for Shipping line, Terminal, Rail". New data arrives later. The account
// needs the feature; the limit is ten calls a minute.
//
// API: PATCH /containers/{id}/refresh. Rate bucket: refresh. Errors: ErrFeatureNotEnabled,
// ErrNotFound, ErrRateLimited.
func (s *ContainersService) Refresh(ctx context.Context, id string, opts ...CallOption) (message string, err error) {
	e := newEndpoint(operation.ContainersRefresh, containerArg(id))
	reply, err := fetchPlain[refreshReply](ctx, s.client, e, opts)
	return reply.Message, err
}

// AllByPickupLFD iterates over the containers whose PickupLFD is on a day, by the calendar of its
// place. The service compares days in UTC, so this requests every UTC day that overlaps with the
// day somewhere on earth, and leaves out containers whose day is certainly another one. A container
// whose day is unknown but may be this one is kept; PickupLFD.Date returns false for it. params
// selects further, without Filter.PickupLFD.
//
// API: GET /containers. Errors: ErrPagination.
func (s *ContainersService) AllByPickupLFD(ctx context.Context, day Date, params *ContainerListParams, opts ...CallOption) iter.Seq2[*Container, error] {
	wanted := params.walked()
	e := newEndpoint(operation.ContainersList)
	if wanted.Filter.PickupLFD != (DateRange{}) {
		e = e.reject(&ArgumentError{Field: "Filter.PickupLFD", Problem: "must not be set: day selects"})
	}
	if !day.exists() {
		e = e.reject(&ArgumentError{Field: "day", Problem: "must be a valid calendar day, such as 2026-02-28"})
	}
	wanted.Filter.PickupLFD = DateRange{From: day.addDays(-1), To: day.addDays(1)}
	all := allOf[Container](ctx, s.client, e.with(wanted), opts)
	return func(yield func(*Container, error) bool) {
		for c, err := range all {
			if (err != nil || c.PickupLFD.mayBeOn(day)) && !yield(c, err) {
				return
			}
		}
	}
}

type refreshReply struct {
	Message string `json:"message"`
}

// TransportEvents returns the container's milestones, estimates and deadline changes, in no
// particular order. The service may respond with ErrNotFound although the container exists; then
// call Get with ContainerIncludeTransportEvents.
//
// API: GET /containers/{id}/transport_events. Errors: ErrNotFound.
func (s *ContainersService) TransportEvents(ctx context.Context, id string, params *TransportEventListParams, opts ...CallOption) ([]*TransportEvent, error) {
	e := newEndpoint(operation.ContainersTransportEvents, containerArg(id)).with(params)
	return Collect(allOf[TransportEvent](ctx, s.client, e, opts))
}

// RawEvents returns the container's events as the carrier reported them. The service has deprecated
// them; prefer TransportEvents.
//
// API: GET /containers/{id}/raw_events. Errors: ErrNotFound.
func (s *ContainersService) RawEvents(ctx context.Context, id string, opts ...CallOption) ([]*RawEvent, error) {
	return Collect(allOf[RawEvent](ctx, s.client, newEndpoint(operation.ContainersRawEvents, containerArg(id)).unpaged(), opts))
}

func containerArg(id string) argument {
	return uuidArg(id).hint("a container number is not an id: find the container with Containers.FindByNumber")
}

// walked returns a copy in a stable order. The newest are first, so that a container that is added
// moves the others to later pages, where they are recognised. Only a removal moves them to earlier
// ones, and the total that it reduces shows it. With the oldest first, an addition would hide it.
func (p *ContainerListParams) walked() *ContainerListParams {
	var walked ContainerListParams
	if p != nil {
		walked = *p
	}
	if len(walked.Sort) == 0 {
		walked.Sort = []ContainerSort{ContainerSortCreated.Descending()}
	}
	return &walked
}

func (p *ContainerListParams) query(q *query) {
	p.PageParams.query(q)
	q.setList("include", toStrings(p.Include))
	number := NormalizeContainerNumber(p.Number)
	if number == "" && p.Number != "" { // an empty filter would select every container
		q.reject("Number", "must contain a letter or a digit")
	}
	q.setText("filter[number]", number)
	q.setText("filter[customer_id]", p.CustomerID)
	q.setText("filter[customer_name]", p.CustomerName)
	q.setContainerFilter(p.Filter)
	q.setContainerSort(p.Sort)
	q.setOtherFilters(p.RawFilters)
	for name := range p.RawFilters {
		if strings.HasPrefix(name, "filter[pod_eta_at]") || strings.HasPrefix(name, "filter[pod_ata_at]") {
			q.reject("RawFilters", "must not have pod_eta_at or pod_ata_at, on which the service fails")
		}
	}
}

func (p *ContainerGetParams) query(q *query) { q.setList("include", toStrings(p.Include)) }

func (p *TransportEventListParams) query(q *query) { q.setList("include", toStrings(p.Include)) }

// The route of updates that has worked for a client.
const (
	routeUnknown int32 = iota
	routeInBody
	routeInPath
)

// readEither makes an update that the service documents with the id in the body and with the id in
// the path. After a 404, which changed nothing, it tries the other route once, unless the service
// explains the 404 on the route that worked last. Each try is a call of its own to observers,
// retries and WithResponse.
func readEither[T any, P resourceType[T]](ctx context.Context, inBody apiCall, worked *atomic.Int32) (*T, error) {
	known := worked.Load()
	first, second, route, other := inBody, inBody.withIDInPath(), routeInBody, routeInPath
	if known == routeInPath {
		first, second, route, other = second, first, other, route
	}
	item, missing := readOne[T, P](ctx, &first)
	switch {
	case missing == nil:
		worked.Store(route)
		return item, nil
	case !errors.Is(missing, ErrNotFound), IsOutcomeUnknown(missing), known != routeUnknown && isExplained(missing):
		return nil, missing
	}
	item, err := readOne[T, P](ctx, &second)
	switch {
	case err == nil:
		worked.Store(other)
	case isRouteRefused(err) && (isExplained(missing) || !isExplained(err)):
		return nil, missing
	}
	return item, err
}

// isRouteRefused reports whether err may be about the route rather than about the content.
func isRouteRefused(err error) bool {
	var refused *APIError
	statuses := []int{http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed}
	return errors.As(err, &refused) && slices.Contains(statuses, refused.StatusCode)
}

// isExplained reports whether the service described the problem, unlike the web page of a route
// that does not exist.
func isExplained(err error) bool {
	var explained *APIError
	return errors.As(err, &explained) && len(explained.Errors) > 0
}

func (c *Container) finish() { c.pairZones() }

func (c *Container) resolved(*jsonapi.Index) {
	c.pairOriginZone()
	c.pairGateZones()
}

// String returns the number and the id, such as "container MSCU1234566
// (55a700e4-1005-44a3-b1b8-e8b1bd1bea8a)", because several containers can have one number. See
// [Resource.String].
func (c Container) String() string {
	if c.Number == "" || c.ID == "" {
		c.ID = cmp.Or(c.Number, c.ID)
	} else {
		c.ID = c.Number + " (" + c.ID + ")"
	}
	c.Type = cmp.Or(c.Type, "container")
	return c.Resource.String()
}

func (c *Container) pairZones() {
	c.pairSiblings()
	markZoneUnreported(&c.EmptyOutAt, &c.POLFullInAt, &c.POLVesselLoadedAt, &c.POLVesselDepartedAt)
	d := &c.ImportDeadlines
	c.pairDeadlines(LFDSourceLine, &d.Line, &c.SSLLFD)
	c.pairDeadlines(LFDSourceTerminal, &d.Terminal)
	c.pairDeadlines(LFDSourceRail, &d.Rail, &c.INDFacilityLFD)
	d.POD.pairZone(c.PODTimezone)
	c.pairPickupLFD()
}

// pairOriginZone sets the zone of the times at the port of lading, which only the shipment has.
func (c *Container) pairOriginZone() {
	if shipment, ok := c.Shipment.Value(); ok {
		pairZone(shipment.POLTimezone, &c.POLVesselLoadedAt, &c.POLVesselDepartedAt)
	}
}

// pairGateZones sets the zones of the two times that are stamped wherever the container passes a
// gate, inland depots included. Only the transport events of the same names have the zones.
func (c *Container) pairGateZones() {
	events, _ := c.TransportEvents.Values()
	pairEventZone(&c.EmptyOutAt, EventEmptyOut, events)
	pairEventZone(&c.POLFullInAt, EventFullIn, events)
}

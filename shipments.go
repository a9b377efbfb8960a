package terminal49

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/go-freight/terminal49/internal/operation"
)

// Shipment is a bill of lading or booking that is tracked at its shipping line, with one or more
// containers.
//
// POL times are in POLTimezone, POD times in PODTimezone and destination times in
// DestinationTimezone. A shipment has no status of its own; a [Container] has its CurrentStatus.
//
//t49:resource shipment
type Shipment struct {
	Resource

	BillOfLadingNumber    string   `t49:"bill_of_lading_number"` // the number as submitted
	NormalizedNumber      string   `t49:"normalized_number"`     // the form used at the carrier
	ReferenceNumbers      []string `t49:"ref_numbers"`           // your references; nil if not reported
	Tags                  []string `t49:"tags"`                  // your tags
	CreatedAt             Time     `t49:"created_at"`            // UTC
	PortOfLadingLOCODE    string   `t49:"port_of_lading_locode"` // UN/LOCODE; "" if unknown
	PortOfLadingName      string   `t49:"port_of_lading_name"`
	PortOfDischargeLOCODE string   `t49:"port_of_discharge_locode"` // UN/LOCODE; "" if unknown
	PortOfDischargeName   string   `t49:"port_of_discharge_name"`
	DestinationLOCODE     string   `t49:"destination_locode"` // UN/LOCODE of the inland destination; "" if there is none
	DestinationName       string   `t49:"destination_name"`
	ShippingLineSCAC      string   `t49:"shipping_line_scac"`
	ShippingLineName      string   `t49:"shipping_line_name"`
	ShippingLineShortName string   `t49:"shipping_line_short_name"`
	CustomerName          string   `t49:"customer_name"`   // the party the shipment is for; "" if there is none
	PODVesselName         string   `t49:"pod_vessel_name"` // the vessel that calls at the port of discharge
	PODVesselIMO          string   `t49:"pod_vessel_imo"`
	PODVoyageNumber       string   `t49:"pod_voyage_number"`

	POLETD                 Time `t49:"pol_etd_at,zone=pol_timezone"`                          // estimated departure from the port of lading
	POLOriginalETD         Time `t49:"pol_original_etd_at,zone=pol_timezone"`                 // the first estimate
	POLATD                 Time `t49:"pol_atd_at,zone=pol_timezone"`                          // actual departure
	PODETA                 Time `t49:"pod_eta_at,zone=pod_timezone"`                          // estimated arrival at the port of discharge; may be zero after arrival
	PODOriginalETA         Time `t49:"pod_original_eta_at,zone=pod_timezone"`                 // the first estimate
	PODATA                 Time `t49:"pod_ata_at,zone=pod_timezone"`                          // actual arrival
	DestinationETA         Time `t49:"destination_eta_at,zone=destination_timezone"`          // the ocean carrier's estimate for the final destination
	DestinationOriginalETA Time `t49:"destination_original_eta_at,zone=destination_timezone"` // the first estimate
	DestinationATA         Time `t49:"destination_ata_at,zone=destination_timezone"`          // actual arrival

	POLTimezone         string `t49:"pol_timezone"`         // IANA name; "" if the place is unknown
	PODTimezone         string `t49:"pod_timezone"`         // IANA name; "" if the place is unknown
	DestinationTimezone string `t49:"destination_timezone"` // IANA name; "" if the place is unknown

	LineTrackingLastAttemptedAt Time                      `t49:"line_tracking_last_attempted_at"` // UTC: last request to the line
	LineTrackingLastSucceededAt Time                      `t49:"line_tracking_last_succeeded_at"` // UTC
	LineTrackingStoppedAt       Time                      `t49:"line_tracking_stopped_at"`        // UTC: zero while tracking continues
	LineTrackingStoppedReason   LineTrackingStoppedReason `t49:"line_tracking_stopped_reason"`    // "" while tracking continues

	PortOfLading              ToOne[*Port]       `t49:"port_of_lading"`
	PortOfDischarge           ToOne[*Port]       `t49:"port_of_discharge"`
	Destination               ToOne[Place]       `t49:"destination,types=port|metro_area"` // a port or a metro area
	PODTerminal               ToOne[*Terminal]   `t49:"pod_terminal"`
	DestinationTerminal       ToOne[*Terminal]   `t49:"destination_terminal,types=terminal|rail_terminal"` // may be a rail terminal
	LineTrackingStoppedByUser ToOne[*User]       `t49:"line_tracking_stopped_by_user"`
	Containers                ToMany[*Container] `t49:"containers"`  // one that was discarded disappears without an event
	PartyRoles                ToMany[*PartyRole] `t49:"party_roles"` // absent unless the params ask for them
}

// LineTrackingStoppedReason is the reason why a shipment is no longer tracked at its shipping line.
//
//t49:enum
type LineTrackingStoppedReason string

// The values of LineTrackingStoppedReason.
const (
	StoppedAllContainersTerminated LineTrackingStoppedReason = "all_containers_terminated" // all were returned empty
	StoppedPastArrivalWindow       LineTrackingStoppedReason = "past_arrival_window"       // over 56 days since arrival
	StoppedPastFullOutWindow       LineTrackingStoppedReason = "past_full_out_window"
	StoppedNoUpdatesAtLine         LineTrackingStoppedReason = "no_updates_at_line" // no updates for over 56 days
	StoppedCancelledByUser         LineTrackingStoppedReason = "cancelled_by_user"
	StoppedBookingCancelled        LineTrackingStoppedReason = "booking_cancelled"
	StoppedAccountClosed           LineTrackingStoppedReason = "account_closed" // undocumented; seen in samples
)

// ShipmentInclude is a relationship that a response can include. A dot path such as
// "containers.pod_terminal" works too. "shipping_line" is rejected with an *[ArgumentError],
// because the service fails on it.
type ShipmentInclude string

// The values of ShipmentInclude.
const (
	ShipmentIncludeContainers          ShipmentInclude = "containers"
	ShipmentIncludePODTerminal         ShipmentInclude = "pod_terminal"
	ShipmentIncludePortOfLading        ShipmentInclude = "port_of_lading"
	ShipmentIncludePortOfDischarge     ShipmentInclude = "port_of_discharge"
	ShipmentIncludeDestination         ShipmentInclude = "destination"
	ShipmentIncludeDestinationTerminal ShipmentInclude = "destination_terminal"

	// ShipmentIncludePartyRoles includes the party roles with their parties, and implies PartyRoles of
	// the params. An older service rejects it with ErrInvalid.
	ShipmentIncludePartyRoles ShipmentInclude = "party_roles.party"
)

// ShipmentListParams selects shipments and what the response includes. The zero value and nil
// select all shipments.
type ShipmentListParams struct {
	PageParams
	Include []ShipmentInclude
	Filter  ShipmentFilter
	// Sort is in several documents later than the published OpenAPI file, which agree. An older
	// service ignores it, and sends the newest first.
	Sort ShipmentSort
	// RawFilters are filters without a field, by query parameter, such as "filter[number][]". They are
	// not checked, and the service ignores those that it does not have.
	RawFilters map[string][]string

	// Number is the bill of lading or booking number that was tracked. A container number does not
	// match.
	Number string
	// TrackingStopped selects shipments whose tracking has stopped (true) or continues (false).
	TrackingStopped Opt[bool]
	// CustomerID is the id of the party the shipments are for, as Filter.CustomerID is.
	CustomerID string
	// Query searches bill of lading, reference and container numbers as free text. The service has
	// deprecated it.
	Query string
	// PartyRoles reports the ids of the party roles of each shipment; see
	// ShipmentIncludePartyRoles. It is in several documents later than the published OpenAPI file,
	// and most likely released. An older service ignores it, so that Shipment.PartyRoles is absent.
	PartyRoles bool
}

// ShipmentGetParams selects what the response includes.
type ShipmentGetParams struct {
	Include    []ShipmentInclude
	PartyRoles bool // reports the ids of the party roles, as in ShipmentListParams
}

// ShipmentUpdate is a change to a shipment. Fields that are not set stay unchanged. The service's
// changelog of 2026-08-10 mentions a customer in an update too, but its form is undocumented;
// send such a change with [Client.Do].
type ShipmentUpdate struct {
	ReferenceNumbers Opt[[]string] `json:"ref_numbers,omitzero"` // replaces the list; an empty list clears it
	Tags             Opt[[]string] `json:"tags,omitzero"`        // replaces the list; an empty list clears it; no duplicates
}

func (u ShipmentUpdate) validate() error {
	tags, _ := u.Tags.Get()
	for i, tag := range tags {
		if slices.Contains(tags[:i], tag) {
			return &ArgumentError{Field: "Tags", Problem: fmt.Sprintf("must not contain duplicates; %q is repeated", tag)}
		}
	}
	return cmp.Or(notNull("ReferenceNumbers", u.ReferenceNumbers), notNull("Tags", u.Tags))
}

// notNull rejects null for a field that the service accepts only as a list.
func notNull(field string, list Opt[[]string]) error {
	if list.IsNull() {
		return &ArgumentError{Field: field, Problem: "must not be null; set an empty list to clear it"}
	}
	return nil
}

// ShipmentsService reads and changes shipments.
type ShipmentsService service

// List returns one page of shipments, newest first unless params.Sort is set.
//
// API: GET /shipments
func (s *ShipmentsService) List(ctx context.Context, params *ShipmentListParams, opts ...CallOption) (*Page[Shipment], error) {
	return fetchPage[Shipment](ctx, s.client, newEndpoint(operation.ShipmentsList).with(params), opts)
}

// Pages iterates over the pages of shipments, newest first unless params.Sort is set. A shipment
// that moves to a later page meanwhile is on both; Page.ListChanged is then true.
//
// API: GET /shipments. Errors: ErrPagination.
func (s *ShipmentsService) Pages(ctx context.Context, params *ShipmentListParams, opts ...CallOption) iter.Seq2[*Page[Shipment], error] {
	return pagesOf[Shipment](ctx, s.client, newEndpoint(operation.ShipmentsList).with(params), opts)
}

// All iterates over all shipments, newest first unless params.Sort is set, fetches pages as needed
// and yields each once. A shipment that is added meanwhile is not yielded, and one may be missing
// for each that leaves the list, or that moves in another order. Response.ListChanged is then true;
// see [WithResponse].
//
// API: GET /shipments. Errors: ErrPagination.
func (s *ShipmentsService) All(ctx context.Context, params *ShipmentListParams, opts ...CallOption) iter.Seq2[*Shipment, error] {
	return allOf[Shipment](ctx, s.client, newEndpoint(operation.ShipmentsList).with(params), opts)
}

// Get returns one shipment by its id.
//
// API: GET /shipments/{id}. Errors: ErrNotFound.
func (s *ShipmentsService) Get(ctx context.Context, id string, params *ShipmentGetParams, opts ...CallOption) (*Shipment, error) {
	return fetchOne[Shipment](ctx, s.client, newEndpoint(operation.ShipmentsGet, shipmentArg(id)).with(params), opts)
}

// Update changes a shipment's reference numbers or tags and returns the changed shipment.
//
// API: PATCH /shipments/{id}. Errors: ErrNotFound, ErrInvalid.
func (s *ShipmentsService) Update(ctx context.Context, id string, update ShipmentUpdate, opts ...CallOption) (*Shipment, error) {
	return fetchOne[Shipment](ctx, s.client, newEndpoint(operation.ShipmentsUpdate, shipmentArg(id)).resource("shipment", id, update), opts)
}

// StopTracking stops the tracking of a shipment and all its containers, and returns the shipment
// with LineTrackingStoppedAt set. It succeeds if tracking has already stopped.
// [ShipmentsService.ResumeTracking] reverses it.
//
// API: PATCH /shipments/{id}/stop_tracking. Errors: ErrNotFound.
func (s *ShipmentsService) StopTracking(ctx context.Context, id string, opts ...CallOption) (*Shipment, error) {
	return fetchOne[Shipment](ctx, s.client, newEndpoint(operation.ShipmentsStopTracking, shipmentArg(id)), opts)
}

// ResumeTracking resumes the tracking of a shipment and returns the shipment. Events that were
// missed in between are not added later.
//
// API: PATCH /shipments/{id}/resume_tracking. Errors: ErrNotFound.
func (s *ShipmentsService) ResumeTracking(ctx context.Context, id string, opts ...CallOption) (*Shipment, error) {
	return fetchOne[Shipment](ctx, s.client, newEndpoint(operation.ShipmentsResumeTracking, shipmentArg(id)), opts)
}

func shipmentArg(id string) argument {
	return uuidArg(id).hint("a bill of lading or booking number is not an id: find the shipment with Shipments.List and its Number")
}

func (p *ShipmentListParams) query(q *query) {
	p.PageParams.query(q)
	q.setShipmentInclude(p.Include)
	q.setText("number", p.Number)
	q.setBool("filter[tracking_stopped]", p.TrackingStopped)
	q.setText("filter[customer_id]", p.CustomerID)
	q.setText("q", p.Query)
	q.setPartyRoles(p.PartyRoles, p.Include)
	q.setShipmentFilter(p.Filter)
	q.setShipmentSort(p.Sort)
	q.setOtherFilters(p.RawFilters)
}

func (p *ShipmentGetParams) query(q *query) {
	q.setShipmentInclude(p.Include)
	q.setPartyRoles(p.PartyRoles, p.Include)
}

// setPartyRoles requests the relationship that an include value of party roles needs.
func (q *query) setPartyRoles(asked bool, include []ShipmentInclude) {
	ofRoles := func(i ShipmentInclude) bool {
		return i == "party_roles" || strings.HasPrefix(string(i), "party_roles.")
	}
	if asked || slices.ContainsFunc(include, ofRoles) {
		q.setText("flag[parties]", "true")
	}
}

func (q *query) setShipmentInclude(include []ShipmentInclude) {
	if slices.Contains(include, "shipping_line") {
		q.reject("Include", "must not contain shipping_line, on which the service fails; read ShippingLineSCAC")
	}
	q.setList("include", toStrings(include))
}

// ShipmentFilter selects shipments. A shipment must match every field that is set; a field with
// several values matches any of them. The service has no filter by status, carrier or time of
// update. These filters are in documents of September and October 2026, later than the published
// OpenAPI file. Several copies agree on them all, so they are most likely released; a service
// without one ignores it. Those marked "checked" are compared with each shipment; see
// [WithoutFilterCheck].
type ShipmentFilter struct {
	Search string // q: the beginning of a number or reference of the shipment or a container

	CreatedAt TimeRange // created_at: checked; can be Reported or NotReported
	// PODETAChangedAt is pod_eta_changed_at. From is required. It also selects only shipments that are
	// tracked and have not arrived; only these two conditions are checked.
	PODETAChangedAt TimeRange
	PODATA          DateRange // pod_ata_at: checked; can be Reported or NotReported
	PODArrival      DateRange // pod_arrival: actual or else estimated; checked; can be Reported or NotReported
	ArrivingToday   bool      // arriving_today: at the port of discharge or the destination, on the service's day

	ActivelyTracked Opt[bool]    // actively_tracked: the reverse of TrackingStopped; true is checked
	VoyageStatus    VoyageStatus // voyage_status: VoyageOnShip is checked

	POLCode       []string // pol_code: UN/LOCODE; checked
	PODCode       []string // pod_code: UN/LOCODE; checked
	PODTerminalID []string // pod_terminal_id: checked; can be Reported or NotReported
	OwnerID       []string // owner_id: ids of users
	CreatorID     []string // creator_id: ids of the accounts that created them; can be Reported or NotReported
	// CustomerID is customer_id: ids of parties or accounts. A shipment without a customer belongs to
	// its creator, except for Reported and NotReported.
	CustomerID []string
	Product    string   // product: the beginning of the name or SKU of a product
	PartyID    []string // party_id: parties with any role
	AllParties bool     // a shipment must have all PartyID, not one of them

	Tags    []string // tags: checked
	AllTags bool     // tags_and: a shipment must have all Tags, not one of them
}

// VoyageStatus is the part of its voyage that a shipment has reached.
type VoyageStatus string

// The values of VoyageStatus.
const (
	VoyageArrived VoyageStatus = "arrived" // has an actual arrival at the port of discharge
	VoyageOnShip  VoyageStatus = "on_ship" // has a voyage but no such arrival
)

var voyageStatuses = []VoyageStatus{VoyageArrived, VoyageOnShip}

// visit is the table of the filters: the key, the field and its form, and what s shows.
func (f *ShipmentFilter) visit(v *filtering, s *Shipment) {
	arrived, stopped := !s.PODATA.IsZero(), !s.LineTrackingStoppedAt.IsZero()
	v.search("q", f.Search)
	v.time("created_at", f.CreatedAt, s.CreatedAt)
	v.time("pod_eta_changed_at", f.PODETAChangedAt, Time{})
	v.contradict("pod_eta_changed_at", !f.PODETAChangedAt.From.IsZero() && (arrived || stopped))
	v.date("pod_ata_at", &f.PODATA, &s.PODATA)
	if arrived {
		v.date("pod_arrival", &f.PODArrival, &s.PODATA)
	} else {
		v.date("pod_arrival", &f.PODArrival, &s.PODETA)
	}
	v.flag("arriving_today", only(f.ArrivingToday), Opt[bool]{})
	v.flag("actively_tracked", f.ActivelyTracked, falseIf(stopped))
	if f.VoyageStatus != "" {
		v.text("voyage_status", []string{string(f.VoyageStatus)}, formExact, "")
		v.contradict("voyage_status", f.VoyageStatus == VoyageOnShip && arrived)
	}
	v.text("pol_code", f.POLCode, formLOCODE|formExact, s.PortOfLadingLOCODE)
	v.text("pod_code", f.PODCode, formLOCODE|formExact, s.PortOfDischargeLOCODE)
	v.text("pod_terminal_id", f.PODTerminalID, formID, s.PODTerminal.ID())
	v.text("owner_id", f.OwnerID, formID|formExact, "")
	v.text("creator_id", f.CreatorID, formID, "")
	v.text("customer_id", f.CustomerID, formID, "")
	v.search("product", f.Product)
	party := "party_id"
	if f.AllParties && len(f.PartyID) > 0 {
		v.text("party_id][operator", []string{"all"}, formExact, "")
		party = "party_id][value"
	}
	v.text(party, f.PartyID, formID|formExact, "")
	v.tags(f.Tags, f.AllTags, s.Tags)
}

func (q *query) setShipmentFilter(f ShipmentFilter) {
	if f.VoyageStatus != "" && !isKnown(f.VoyageStatus, voyageStatuses) {
		q.reject(filterName("voyage_status"), "must be VoyageArrived or VoyageOnShip")
	}
	if r := f.PODETAChangedAt; r.Presence != "" || r.From.IsZero() && !r.To.IsZero() || !r.To.IsZero() && !r.To.After(r.From) {
		q.reject(filterName("pod_eta_changed_at"), "must have a From, no Presence, and a To only after it")
	}
	addFilters(q, f.visit)
}

// ShipmentSort is an order of shipments.
type ShipmentSort string

// The values of ShipmentSort. The service cannot put the oldest shipments first: it reads
// "created_at" as its reverse.
const (
	ShipmentSortNewest          ShipmentSort = "-created_at" // the newest first, the service's default
	ShipmentSortPODArrival      ShipmentSort = "pod_arrival" // actual or else estimated
	ShipmentSortTrackingStopped ShipmentSort = "tracking_stopped_at"
)

var shipmentSorts = []ShipmentSort{
	ShipmentSortNewest, ShipmentSortPODArrival, ShipmentSortTrackingStopped,
	ShipmentSortPODArrival.Descending(), ShipmentSortTrackingStopped.Descending(),
}

// Descending returns the reverse order. An order that is empty or already descending is returned
// unchanged.
func (s ShipmentSort) Descending() ShipmentSort { return descending(s) }

// known reports whether s is one of the constants, or the Descending of one.
func (s ShipmentSort) known() bool { return isKnown(s, shipmentSorts) }

// setShipmentSort refuses what the service would replace by its default without an error.
func (q *query) setShipmentSort(sort ShipmentSort) {
	if sort != "" && !sort.known() {
		q.reject("Sort", "must be a constant of ShipmentSort, or the Descending of one")
	}
	q.setText("sort", string(sort))
}

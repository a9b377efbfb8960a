package terminal49

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/operation"
)

// ContainerFilter selects containers. A container must match every field that is set; a field with
// several values matches any of them. These filters are in documents of September and October 2026,
// later than the published OpenAPI file. Several copies agree on them, unless stated otherwise, so
// they are most likely released; a service without one ignores it. Those marked "checked" are
// compared with each container, some only if its shipment is included; see [WithoutFilterCheck].
// Unless stated otherwise, a list or a range can also be [Reported] or [NotReported].
type ContainerFilter struct {
	Number        []string          // number: checked
	CurrentStatus []ContainerStatus // current_status: checked; must be Known
	PODTerminalID []string          // pod_terminal_id: checked

	POLCode          []string // pol_code: UN/LOCODE; checked with the shipment
	PODCode          []string // pod_code: UN/LOCODE; checked with the shipment
	DestinationCode  []string // destination_code: UN/LOCODE; checked with the shipment
	ShippingLineSCAC []string // shipping_line_scac: in any case; checked with the shipment
	POL              []string // pol: the name of a place, or the carrier's text for it
	POD              []string // pod: as POL
	Destination      []string // destination: as POL
	VesselName       []string // vessel_name: the whole name

	// CustomerID is customer_id: ids of parties or accounts. A container without a customer belongs to
	// the creator of its shipment, except for Reported and NotReported.
	CustomerID   []string
	CustomerName []string // customer_name: company names, in the same case

	// HasHolds and HasFees are has_holds and has_fees: true selects a reported list with items, and
	// false a reported empty list. A container without a report matches neither. Checked.
	HasHolds, HasFees Opt[bool]
	// HoldNames is hold_names: containers with an active hold of one of these names, in any case;
	// pending holds do not count. Only one copy has it. Checked; not Reported or NotReported.
	HoldNames []HoldName
	// HasDemurrageFees is has_demurrage_fees: true selects a demurrage fee, and false a report of the
	// terminal without one. Checked.
	HasDemurrageFees Opt[bool]
	// HasFeesOrHolds is has_fees_or_holds: true selects containers with a fee or a hold, and false
	// those whose two lists are reported and empty. Checked.
	HasFeesOrHolds Opt[bool]
	// RequiresAttention is requires_attention: true selects containers that are marked, or whose last
	// free day is near or over. False selects those that are not marked, so it is not the complement:
	// it includes containers whose last free day is near.
	RequiresAttention Opt[bool]
	ActivelyTracked   Opt[bool] // actively_tracked: the shipment is tracked; true is checked with the shipment

	ETAChangedInLast24Hours bool // eta_changed_in_last_24h
	ETAChangedInPast3Days   bool // eta_changed_in_past_3_days

	SearchIDs                 string    // search_by_ids: the beginning of any identifier
	SearchNumber              string    // search_by_number: the beginning of the number
	SearchShipmentNumber      string    // search_by_shipment_number: the beginning of the shipment's number
	SearchShipmentRefs        string    // search_by_shipment_ref_numbers: the beginning of a reference of the shipment
	SearchReferences          string    // search_by_ref_numbers: the beginning of a reference number
	OwnerID                   []string  // search_by_owner_id: ids of users; not Reported or NotReported
	CreatedAt                 DateRange // created_at: checked
	UpdatedAt                 DateRange // updated_at
	EmptyOutAt                DateRange // empty_out_at: checked
	POLFullInAt               DateRange // pol_full_in_at: checked
	POLVesselLoadedAt         DateRange // pol_vessel_loaded_at: checked
	POLVesselDepartedAt       DateRange // pol_vessel_departed_at: checked
	POLETD                    DateRange // pol_etd_at: checked with the shipment
	POLATD                    DateRange // pol_atd_at: checked with the shipment
	Arrival                   DateRange // arrival: at the port of discharge, actual or else estimated
	PODArrivedAt              DateRange // pod_arrived_at: checked
	PODDischargedAt           DateRange // pod_discharged_at: checked
	PickedUpAt                DateRange // picked_up_at
	DeliveredAt               DateRange // delivered_at: checked
	EmptyReturnedAt           DateRange // empty_returned_at
	PODRailDepartedAt         DateRange // pod_rail_departed_at: checked
	INDETA                    DateRange // inland_destination_eta_at
	INDATA                    DateRange // inland_destination_ata_at: checked
	INDRailUnloadedAt         DateRange // inland_destination_rail_unloaded_at: checked
	FinalDestinationFullOutAt DateRange // final_destination_full_out_at: checked

	PickupLFD DateRange // pickup_lfd: the service's choice; checked
	// The last free days as a source reported them: pickup_lfd_line_on, pickup_lfd_terminal_on and
	// pickup_lfd_rail_on.
	LineLFD, TerminalLFD, RailLFD DateRange
	// The calculated last free days if the account may see them, otherwise the reported ones:
	// pickup_lfd_line_effective_on and pickup_lfd_terminal_effective_on.
	EffectiveLineLFD, EffectiveTerminalLFD DateRange
	// LastFreeDayOn is last_free_day_on. Both bounds are required. It also selects only tracked
	// containers with the status available, not_available or off_dock and no destination other than
	// the port of discharge. The status is checked.
	LastFreeDayOn DateRange

	Tags    []string // tags: of the shipment; not Reported or NotReported; checked with the shipment
	AllTags bool     // tags_and: a shipment must have all Tags, not one of them
	// Parties is parties: ids of parties by role, which must all match. PartyRolePickupDrayCarrier is
	// a role of the container, the others are of it or its shipment. A role must be Known.
	Parties map[PartyRoleKind][]string
	// CustomFields is custom_fields: by slug, texts that the value of the container or its shipment
	// contains, in the same case, or options of an enumeration, in any case. All slugs must match; the
	// texts of one have at most 200 characters. Only one copy has it, for texts and enumerations. It
	// cannot be checked, because a container in a list does not have the values.
	CustomFields map[string][]string
}

// DashboardReady returns the filter of the worklist "ready for pickup" in Terminal49's dashboard:
// containers with the status available. That is a status, not our verdict: [PickupReadiness] judges
// the terminal's release and the holds. Like the dashboard's lists by default, it selects tracked
// containers only; unset ActivelyTracked for all.
func DashboardReady() ContainerFilter { return trackedWith(StatusAvailable) }

// DashboardAtRisk returns the filter of the dashboard's worklist "at risk": tracked containers that
// require attention. The dashboard sorts it by [ContainerSortAttention].
func DashboardAtRisk() ContainerFilter {
	return ContainerFilter{RequiresAttention: Some(true), ActivelyTracked: Some(true)}
}

// DashboardDischarged returns the filter of the dashboard's worklist "discharged, not picked up":
// tracked containers with the status available, not_available, grounded or
// awaiting_inland_transfer.
func DashboardDischarged() ContainerFilter {
	return trackedWith(StatusAvailable, StatusNotAvailable, StatusGrounded, StatusAwaitingInlandTransfer)
}

func trackedWith(statuses ...ContainerStatus) ContainerFilter {
	return ContainerFilter{CurrentStatus: statuses, ActivelyTracked: Some(true)}
}

// visit is the table of the filters: the key, the field and its form, and what c and its shipment
// show. The query and the check of what comes back are made from it.
func (f *ContainerFilter) visit(v *filtering, c *Container) {
	s, _ := c.Shipment.Value()
	if s == nil {
		s = &Shipment{}
	}
	v.text("number", normalized(f.Number, NormalizeContainerNumber), formWords, NormalizeContainerNumber(c.Number))
	v.text("current_status", toStrings(f.CurrentStatus), formWords, string(c.CurrentStatus))
	v.text("pod_terminal_id", f.PODTerminalID, formID, c.PODTerminal.ID())
	v.text("pol_code", f.POLCode, formLOCODE, s.PortOfLadingLOCODE)
	v.text("pod_code", f.PODCode, formLOCODE, s.PortOfDischargeLOCODE)
	v.text("destination_code", f.DestinationCode, formLOCODE, s.DestinationLOCODE)
	v.text("shipping_line_scac", normalized(f.ShippingLineSCAC, normalSCAC), formSCAC, s.ShippingLineSCAC)
	v.text("pol", f.POL, formWords, "")
	v.text("pod", f.POD, formWords, "")
	v.text("destination", f.Destination, formWords, "")
	v.text("vessel_name", f.VesselName, formWords, "")
	v.text("customer_id", f.CustomerID, formID, "")
	v.text("customer_name", f.CustomerName, formWords, "")
	f.visitFlags(v, c, s)
	v.search("search_by_ids", f.SearchIDs)
	v.search("search_by_number", f.SearchNumber)
	v.search("search_by_shipment_number", f.SearchShipmentNumber)
	v.search("search_by_shipment_ref_numbers", f.SearchShipmentRefs)
	v.search("search_by_ref_numbers", f.SearchReferences)
	v.text("search_by_owner_id", f.OwnerID, formID|formExact, "")
	f.visitDates(v, c, s)
	v.tags(f.Tags, f.AllTags, s.Tags)
	for role, ids := range f.Parties {
		v.text("parties]["+string(role), ids, formID, "")
	}
	for slug, texts := range f.CustomFields {
		v.text("custom_fields]["+slug, texts, formField, "")
	}
}

// normalized returns the values of a filter in the service's form.
func normalized(values []string, normal func(string) string) []string {
	values = slices.Clone(values)
	for i, v := range values {
		if !isPresence(v) {
			values[i] = normal(v)
		}
	}
	return values
}

func (f *ContainerFilter) visitFlags(v *filtering, c *Container, s *Shipment) {
	demurrage := slices.ContainsFunc(c.Fees, func(fee Fee) bool { return fee.Type == FeeDemurrage })
	some, both := len(c.Holds)+len(c.Fees) > 0, c.Holds != nil && c.Fees != nil
	v.flag("has_holds", f.HasHolds, knownIf(c.Holds != nil, len(c.Holds) > 0))
	v.text("hold_names", toStrings(f.HoldNames), formWords|formExact, "")
	v.contradict("hold_names", len(f.HoldNames) > 0 && c.Holds != nil && !slices.ContainsFunc(c.Holds, f.mayNameHold))
	v.flag("has_fees", f.HasFees, knownIf(c.Fees != nil, len(c.Fees) > 0))
	v.flag("has_fees_or_holds", f.HasFeesOrHolds, knownIf(some || both, some))
	v.flag("has_demurrage_fees", f.HasDemurrageFees, knownIf(c.Fees != nil, demurrage))
	v.flag("requires_attention", f.RequiresAttention, Opt[bool]{})
	v.flag("actively_tracked", f.ActivelyTracked, falseIf(!s.LineTrackingStoppedAt.IsZero()))
	v.flag("eta_changed_in_last_24h", only(f.ETAChangedInLast24Hours), Opt[bool]{})
	v.flag("eta_changed_in_past_3_days", only(f.ETAChangedInPast3Days), Opt[bool]{})
}

// mayNameHold reports whether a hold may be one of HoldNames and in force: its name or status may
// be missing or unknown to this version.
func (f *ContainerFilter) mayNameHold(h Hold) bool {
	return h.Status != HoldStatusPending && (h.Name == "" || slices.ContainsFunc(f.HoldNames, func(name HoldName) bool {
		return strings.EqualFold(strings.TrimSpace(string(name)), string(h.Name))
	}))
}

func (f *ContainerFilter) visitDates(v *filtering, c *Container, s *Shipment) {
	v.date("created_at", &f.CreatedAt, &c.CreatedAt)
	v.date("updated_at", &f.UpdatedAt, nil)
	v.date("empty_out_at", &f.EmptyOutAt, &c.EmptyOutAt)
	v.date("pol_full_in_at", &f.POLFullInAt, &c.POLFullInAt)
	v.date("pol_vessel_loaded_at", &f.POLVesselLoadedAt, &c.POLVesselLoadedAt)
	v.date("pol_vessel_departed_at", &f.POLVesselDepartedAt, &c.POLVesselDepartedAt)
	v.date("pol_etd_at", &f.POLETD, &s.POLETD)
	v.date("pol_atd_at", &f.POLATD, &s.POLATD)
	v.date("arrival", &f.Arrival, nil)
	v.date("pod_arrived_at", &f.PODArrivedAt, &c.PODArrivedAt)
	v.date("pod_discharged_at", &f.PODDischargedAt, &c.PODDischargedAt)
	v.date("picked_up_at", &f.PickedUpAt, nil)
	v.date("delivered_at", &f.DeliveredAt, &c.DeliveredAt)
	v.date("empty_returned_at", &f.EmptyReturnedAt, nil)
	v.date("pod_rail_departed_at", &f.PODRailDepartedAt, &c.PODRailDepartedAt)
	v.date("inland_destination_eta_at", &f.INDETA, nil)
	v.date("inland_destination_ata_at", &f.INDATA, &c.INDATA)
	v.date("inland_destination_rail_unloaded_at", &f.INDRailUnloadedAt, &c.INDRailUnloadedAt)
	v.date("final_destination_full_out_at", &f.FinalDestinationFullOutAt, &c.FinalDestinationFullOutAt)
	v.date("pickup_lfd", &f.PickupLFD, &c.PickupLFD)
	v.date("pickup_lfd_line_on", &f.LineLFD, nil)
	v.date("pickup_lfd_terminal_on", &f.TerminalLFD, nil)
	v.date("pickup_lfd_rail_on", &f.RailLFD, nil)
	v.date("pickup_lfd_line_effective_on", &f.EffectiveLineLFD, nil)
	v.date("pickup_lfd_terminal_effective_on", &f.EffectiveTerminalLFD, nil)
	if f.LastFreeDayOn == (DateRange{}) {
		return
	}
	if v.q != nil {
		f.visitLastFreeDay(v)
	}
	pickup := []ContainerStatus{StatusAvailable, StatusNotAvailable, StatusOffDock}
	v.contradict("last_free_day_on", c.CurrentStatus != "" && !slices.Contains(pickup, c.CurrentStatus))
}

// visitLastFreeDay sets the only filter whose range has no operators.
func (f *ContainerFilter) visitLastFreeDay(v *filtering) {
	r := f.LastFreeDayOn
	if r.From.IsZero() || r.To.IsZero() || r.Presence != "" {
		v.q.reject(filterName("last_free_day_on"), "must have both bounds, and no Presence")
	}
	v.date("last_free_day_on", &r, nil) // checks the bounds
	v.q.set(filterName("last_free_day_on")+"[]", r.From.Format(time.DateOnly), r.To.Format(time.DateOnly))
}

// knownIf returns whether a condition holds, or no value if that is unknown.
func knownIf(known, holds bool) Opt[bool] {
	if !known {
		return Opt[bool]{}
	}
	return Some(holds)
}

// falseIf returns false if an attribute shows that a condition does not hold. Its absence shows
// nothing.
func falseIf(shown bool) Opt[bool] { return knownIf(shown, false) }

// maxFieldText is the maximum length of what is searched for in one custom field.
const maxFieldText = 200

func isForeignToSlugs(r rune) bool { return !unicode.IsPrint(r) || strings.ContainsRune(".[]", r) }

func (q *query) setContainerFilter(f ContainerFilter) {
	for _, status := range f.CurrentStatus {
		if !status.Known() && !isPresence(string(status)) {
			q.reject(filterName("current_status"), "must have constants of ContainerStatus: others match nothing")
		}
	}
	for role := range f.Parties {
		if !role.Known() {
			q.reject(filterName("parties"), "must have constants of PartyRoleKind: the service ignores others")
		}
	}
	for slug, texts := range f.CustomFields {
		if strings.TrimSpace(slug) == "" || strings.ContainsFunc(slug, isForeignToSlugs) {
			q.reject(filterName("custom_fields"), "must have slugs such as buyer_name: printable, without a dot or a bracket")
		}
		if utf8.RuneCountInString(strings.Join(texts, ",")) > maxFieldText {
			q.reject(filterName("custom_fields"), "must have at most 200 characters for each slug")
		}
	}
	addFilters(q, f.visit)
}

// ContainerSort is an order of containers: ascending, unless it is Descending.
type ContainerSort string

// The values of ContainerSort. An order by a last free day is by the day in the field of
// [ContainerFilter] of the same name; an effective one is by the calculated day where the account
// may see it.
const (
	ContainerSortArrival                 ContainerSort = "arrival" // actual or else estimated, at the port of discharge
	ContainerSortCreated                 ContainerSort = "created_at"
	ContainerSortUpdated                 ContainerSort = "updated_at"
	ContainerSortShipmentNumber          ContainerSort = "shipment_number"
	ContainerSortDestinationATA          ContainerSort = "destination_ata_at"
	ContainerSortDestinationETA          ContainerSort = "destination_eta_at"
	ContainerSortEmptyTerminated         ContainerSort = "empty_terminated_at"
	ContainerSortFinalDestinationFullOut ContainerSort = "final_destination_full_out_at"
	ContainerSortLastRefreshed           ContainerSort = "last_status_refresh_at" // the service's default, descending
	ContainerSortPickedUp                ContainerSort = "picked_up_at"
	ContainerSortDelivered               ContainerSort = "delivered_at"
	ContainerSortAppointment             ContainerSort = "delivery_appointment_at"
	ContainerSortPickupLFD               ContainerSort = "pickup_lfd"
	ContainerSortLineLFD                 ContainerSort = "pickup_lfd_line_on"
	ContainerSortEffectiveLineLFD        ContainerSort = "pickup_lfd_line_effective_on"
	ContainerSortEffectiveLineINDLFD     ContainerSort = "pickup_lfd_line_ind_effective_on"
	ContainerSortLineINDLFD              ContainerSort = "pickup_lfd_line_ind_on"
	ContainerSortINDLFD                  ContainerSort = "ind_lfd"
	ContainerSortRailLFD                 ContainerSort = "pickup_lfd_rail_on"
	ContainerSortEffectiveRailLFD        ContainerSort = "pickup_lfd_rail_effective_on"
	ContainerSortTerminalLFD             ContainerSort = "pickup_lfd_terminal_on"
	ContainerSortEffectiveTerminalLFD    ContainerSort = "pickup_lfd_terminal_effective_on"
	ContainerSortPODArrived              ContainerSort = "pod_arrived_at"
	ContainerSortPODDischarged           ContainerSort = "pod_discharged_at"
	ContainerSortPODETA                  ContainerSort = "pod_eta_at"
	ContainerSortINDRailUnloaded         ContainerSort = "inland_destination_rail_unloaded_at"
	ContainerSortINDETA                  ContainerSort = "inland_destination_eta_at"
	ContainerSortINDATA                  ContainerSort = "inland_destination_ata_at"
	ContainerSortPODRailLoaded           ContainerSort = "pod_rail_loaded_at"
	ContainerSortPOLFullIn               ContainerSort = "pol_full_in_at"
	ContainerSortEmptyOut                ContainerSort = "empty_out_at"
	ContainerSortPOLVesselLoaded         ContainerSort = "pol_vessel_loaded_at"
	ContainerSortPOLVesselDeparted       ContainerSort = "pol_vessel_departed_at"

	// ContainerSortAttention puts first what needs attention. It must be the only order, and cannot be
	// Descending.
	ContainerSortAttention ContainerSort = "attention_priority"
)

var containerSorts = []ContainerSort{
	ContainerSortArrival, ContainerSortCreated, ContainerSortUpdated, ContainerSortShipmentNumber,
	ContainerSortDestinationATA, ContainerSortDestinationETA, ContainerSortEmptyTerminated, ContainerSortFinalDestinationFullOut,
	ContainerSortLastRefreshed, ContainerSortPickedUp, ContainerSortDelivered, ContainerSortAppointment,
	ContainerSortPickupLFD, ContainerSortLineLFD, ContainerSortEffectiveLineLFD, ContainerSortEffectiveLineINDLFD,
	ContainerSortLineINDLFD, ContainerSortINDLFD, ContainerSortRailLFD, ContainerSortEffectiveRailLFD,
	ContainerSortTerminalLFD, ContainerSortEffectiveTerminalLFD, ContainerSortPODArrived, ContainerSortPODDischarged,
	ContainerSortPODETA, ContainerSortINDRailUnloaded, ContainerSortINDETA, ContainerSortINDATA,
	ContainerSortPODRailLoaded, ContainerSortPOLFullIn, ContainerSortEmptyOut, ContainerSortPOLVesselLoaded,
	ContainerSortPOLVesselDeparted,
}

// Descending returns the reverse order. An order that is empty or already descending is returned
// unchanged.
func (s ContainerSort) Descending() ContainerSort { return descending(s) }

// known reports whether s is one of the constants, or the Descending of one.
func (s ContainerSort) known() bool {
	return s == ContainerSortAttention || slices.Contains(containerSorts, ContainerSort(strings.TrimPrefix(string(s), "-")))
}

// setContainerSort refuses what the service would drop without an error.
func (q *query) setContainerSort(sort []ContainerSort) {
	if len(sort) > 3 {
		q.reject("Sort", "must have at most 3 orders")
	}
	for _, s := range sort {
		if !s.known() || s == ContainerSortAttention && len(sort) > 1 {
			q.reject("Sort", "must have constants of ContainerSort or their Descending; ContainerSortAttention must be alone")
		}
	}
	q.setList("sort", toStrings(sort))
}

// ContainerSummary counts containers in groups. Its JSON is the service's own and can be read back.
type ContainerSummary struct {
	Groups    []ContainerGroup // data: the largest first, at most 200
	Total     int              // meta.total: containers in all groups, also in those that are left out
	GroupBy   ContainerGroupBy // meta.group_by
	Truncated bool             // meta.truncated: whether groups are left out
}

// ContainerGroup is one group of a [ContainerSummary]. A key or label without a value (null) means
// that the service does not know it, such as the terminal of a container at sea; "" is a value.
type ContainerGroup struct {
	Key   Opt[string] `json:"key"`   // such as a status or the id of a terminal; no other group has it
	Label Opt[string] `json:"label"` // human-readable
	Count int         `json:"count"` // of containers
}

// ContainerGroupBy is what [ContainersService.Summary] groups containers by.
type ContainerGroupBy string

// The values of ContainerGroupBy.
const (
	GroupByStatus          ContainerGroupBy = "current_status"
	GroupByPODTerminal     ContainerGroupBy = "pod_terminal"
	GroupByShippingLine    ContainerGroupBy = "shipping_line"
	GroupByPortOfDischarge ContainerGroupBy = "port_of_discharge"
)

var containerGroupBys = []ContainerGroupBy{GroupByStatus, GroupByPODTerminal, GroupByShippingLine, GroupByPortOfDischarge}

// Summary counts the containers that List returns for a filter, in groups, with one request. It is
// newer than the service's published OpenAPI file: ErrNotFound means that the service does not have
// it, or has not enabled it for the account. A filter that the service ignores cannot be noticed
// here, unlike in a list. Counts that do not add up to Total are a decode warning.
//
// API: GET /containers/summary. Errors: ErrNotFound, ErrInvalid.
func (s *ContainersService) Summary(ctx context.Context, by ContainerGroupBy, filter ContainerFilter, opts ...CallOption) (*ContainerSummary, error) {
	e := newEndpoint(operation.ContainersSummary).with(&summaryParams{by, filter})
	reply := summaryReply{asked: by}
	if err := readPlain(ctx, s.client, e, opts, &reply); err != nil {
		return nil, err
	}
	return reply.summary(), nil
}

type summaryParams struct {
	by     ContainerGroupBy
	filter ContainerFilter
}

func (p *summaryParams) query(q *query) {
	if !isKnown(p.by, containerGroupBys) {
		q.reject("by", "must be a constant of ContainerGroupBy, such as GroupByStatus")
	}
	q.setText("group_by", string(p.by))
	q.setContainerFilter(p.filter)
}

// summaryReply is the service's form of a summary. Only a key and a label may be missing.
type summaryReply struct {
	Data []summaryGroup `json:"data"`
	Meta struct {
		Total     Opt[int]         `json:"total"`
		GroupBy   ContainerGroupBy `json:"group_by"`
		Truncated Opt[bool]        `json:"truncated"`
	} `json:"meta"`
	asked ContainerGroupBy // "" if it is not known what was asked for
}

type summaryGroup struct {
	Key   Opt[string] `json:"key"`
	Label Opt[string] `json:"label"`
	Count Opt[int]    `json:"count"`
}

// incomplete returns an error if the counts cannot be trusted.
func (r *summaryReply) incomplete() error {
	_, complete := r.Meta.Truncated.Get()
	switch {
	case r.Data == nil:
		return errors.New("it has no data")
	case r.Meta.Total.Or(-1) < 0 || !complete:
		return errors.New("it has no meta.total or no meta.truncated")
	case r.asked != "" && r.Meta.GroupBy != r.asked:
		return errors.New("its groups are not those that were asked for")
	}
	type key struct {
		text  string
		known bool
	}
	seen := map[key]bool{}
	for _, g := range r.Data {
		text, known := g.Key.Get()
		if g.Count.Or(-1) < 0 {
			return errors.New("a group has no count")
		}
		if seen[key{text, known}] {
			return errors.New("two groups have the same key, so no count can be trusted")
		}
		seen[key{text, known}] = true
	}
	return nil
}

// doubts reports counts that contradict the total.
func (r *summaryReply) doubts(report func(jsonapi.Warning)) {
	left := r.Meta.Total.Or(0)
	for _, g := range r.Data {
		if left -= g.Count.Or(0); left < 0 {
			break
		}
	}
	if left < 0 || left > 0 && !r.Meta.Truncated.Or(false) {
		report(jsonapi.Warning{Field: "meta.total", Problem: "the counts of the groups do not add up to it"})
	}
}

func (r *summaryReply) summary() *ContainerSummary {
	s := &ContainerSummary{
		Groups: make([]ContainerGroup, len(r.Data)), Total: r.Meta.Total.Or(0), GroupBy: r.Meta.GroupBy,
		Truncated: r.Meta.Truncated.Or(false),
	}
	for i, g := range r.Data {
		s.Groups[i] = ContainerGroup{g.Key, g.Label, g.Count.Or(0)}
	}
	return s
}

// MarshalJSON returns the service's own form.
func (s ContainerSummary) MarshalJSON() ([]byte, error) {
	reply := summaryReply{Data: make([]summaryGroup, len(s.Groups))}
	for i, g := range s.Groups {
		reply.Data[i] = summaryGroup{g.Key, g.Label, Some(g.Count)}
	}
	reply.Meta.Total, reply.Meta.GroupBy, reply.Meta.Truncated = Some(s.Total), s.GroupBy, Some(s.Truncated)
	return json.Marshal(reply)
}

// UnmarshalJSON parses what MarshalJSON returns.
func (s *ContainerSummary) UnmarshalJSON(data []byte) error {
	var reply summaryReply
	if string(data) == "null" {
		return nil
	}
	if err := json.Unmarshal(data, &reply); err != nil {
		return &storedError{s, unquoted(err)}
	}
	if err := reply.incomplete(); err != nil {
		return &storedError{s, err}
	}
	*s = *reply.summary()
	return nil
}

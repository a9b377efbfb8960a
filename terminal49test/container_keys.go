package terminal49test

import (
	"cmp"
	"slices"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// containerKeys are the filters and orders of containers. The table is independent of the client's.
var containerKeys = map[string]listKey{
	"number":             textFilter(func(r listed) string { return r.c.Number }),
	"current_status":     textFilter(func(r listed) string { return r.c.CurrentStatus }),
	"pol":                textFilter(func(r listed) string { return r.x.w.place(r.s.PortOfLading).name }),
	"pod":                textFilter(func(r listed) string { return r.x.w.place(r.s.PortOfDischarge).name }),
	"destination":        textFilter(func(r listed) string { return r.x.w.place(r.s.Destination).name }),
	"pol_code":           textFilter(func(r listed) string { return r.x.w.place(r.s.PortOfLading).code }),
	"pod_code":           textFilter(func(r listed) string { return r.x.w.place(r.s.PortOfDischarge).code }),
	"destination_code":   textFilter(func(r listed) string { return r.x.w.place(r.s.Destination).code }),
	"shipping_line_scac": textFilter(listed.line),
	"customer_name": textFilter(func(r listed) string {
		return cmp.Or(r.x.w.parties.Get(r.s.Customer), noParty).CompanyName
	}),
	"vessel_name":        textFilter(func(r listed) string { return cmp.Or(r.x.w.vessel(r.s.PODVessel), &Vessel{}).Name }),
	"pod_terminal_id":    textFilter(func(r listed) string { return r.x.w.terminalRef(r.x.w.podTerminal(r.c)).ID }),
	"customer_id":        {kind: service.FilterText, match: listed.matchCustomer},
	"search_by_owner_id": textKey(service.FilterOwner, owner),

	"search_by_number":               prefixFilter(func(r listed) []string { return []string{r.c.Number} }),
	"search_by_shipment_number":      prefixFilter(func(r listed) []string { return []string{r.s.BillOfLadingNumber} }),
	"search_by_shipment_ref_numbers": prefixFilter(func(r listed) []string { return r.s.ReferenceNumbers }),
	"search_by_ref_numbers":          prefixFilter(func(r listed) []string { return r.c.ReferenceNumbers }),
	"search_by_ids": prefixFilter(func(r listed) []string {
		return slices.Concat([]string{r.c.Number, r.s.BillOfLadingNumber}, r.c.ReferenceNumbers, r.s.ReferenceNumbers)
	}),

	"has_holds": flagFilter(func(r listed) (yes, no bool) {
		known, holds := r.reports("holds_at_pod_terminal"), len(r.c.Holds) > 0
		return known && holds, known && !holds
	}),
	"has_fees": flagFilter(func(r listed) (yes, no bool) {
		known, fees := r.reports("fees_at_pod_terminal"), len(r.c.Fees) > 0
		return known && fees, known && !fees
	}),
	"has_demurrage_fees": flagFilter(func(r listed) (yes, no bool) {
		known := r.reports("fees_at_pod_terminal")
		demurrage := slices.ContainsFunc(r.c.Fees, func(fee Fee) bool { return fee.Type == "demurrage" })
		return known && demurrage, known && !demurrage
	}),
	"has_fees_or_holds": flagFilter(func(r listed) (yes, no bool) {
		knownHolds, knownFees := r.reports("holds_at_pod_terminal"), r.reports("fees_at_pod_terminal")
		holds, fees := len(r.c.Holds) > 0, len(r.c.Fees) > 0
		return knownHolds && holds || knownFees && fees, knownHolds && knownFees && !holds && !fees
	}),
	"requires_attention": flagFilter(func(r listed) (yes, no bool) {
		lfd := r.c.ImportDeadlines.PickupLFD()
		return !lfd.IsZero() && lfd.Before(r.x.Now.Add(2*day24)), true // nothing is marked here
	}),
	"actively_tracked": flagFilter(listed.tracked),
	"tags_and":         ignoredFilter(service.FilterBool), // changes how tags match

	"eta_changed_in_last_24h":    etaChangedWithin(24 * time.Hour),
	"eta_changed_in_past_3_days": etaChangedWithin(72 * time.Hour),
	"last_free_day_on":           {kind: service.FilterRange, match: listed.matchLastFreeDay},
	"tags":                       {kind: service.FilterTags, match: listed.matchTags},
	"parties":                    {kind: service.FilterParties, match: listed.matchParties},
	"hold_names":                 {kind: service.FilterNames, match: listed.matchHoldNames},
	"custom_fields": {kind: service.FilterFields, match: func(r listed, f service.Filter) bool {
		return r.matchField(f, wire.Ref{Kind: "container", ID: r.c.ID}, wire.Ref{Kind: "shipment", ID: r.s.ID})
	}},

	"created_at":                          dayKey(func(r listed) time.Time { return r.c.CreatedAt }),
	"updated_at":                          dayKey(listed.updated),
	"last_status_refresh_at":              timeOrder(listed.refreshed),
	"arrival":                             dayKey(func(r listed) time.Time { return firstTime(r.c.PODArrivedAt, r.s.PODATA, r.s.PODETA) }),
	"pol_etd_at":                          dayFilter(func(r listed) time.Time { return r.s.POLETD }),
	"pol_atd_at":                          dayFilter(func(r listed) time.Time { return r.s.POLATD }),
	"pod_eta_at":                          timeOrder(func(r listed) time.Time { return r.s.PODETA }),
	"destination_eta_at":                  timeOrder(func(r listed) time.Time { return r.s.DestinationETA }),
	"destination_ata_at":                  timeOrder(func(r listed) time.Time { return r.s.DestinationATA }),
	"empty_out_at":                        dayKey(func(r listed) time.Time { return r.c.EmptyOutAt }),
	"pol_full_in_at":                      dayKey(func(r listed) time.Time { return r.c.POLFullInAt }),
	"pol_vessel_loaded_at":                dayKey(func(r listed) time.Time { return r.c.POLVesselLoadedAt }),
	"pol_vessel_departed_at":              dayKey(func(r listed) time.Time { return r.c.POLVesselDepartedAt }),
	"pod_arrived_at":                      dayKey(func(r listed) time.Time { return r.c.PODArrivedAt }),
	"pod_discharged_at":                   dayKey(func(r listed) time.Time { return r.c.PODDischargedAt }),
	"pod_rail_loaded_at":                  timeOrder(func(r listed) time.Time { return r.c.PODRailLoadedAt }),
	"pod_rail_departed_at":                dayFilter(func(r listed) time.Time { return r.c.PODRailDepartedAt }),
	"inland_destination_eta_at":           dayKey(func(r listed) time.Time { return r.c.INDETA }),
	"inland_destination_ata_at":           dayKey(func(r listed) time.Time { return r.c.INDATA }),
	"inland_destination_rail_unloaded_at": dayKey(func(r listed) time.Time { return r.c.INDRailUnloadedAt }),
	"picked_up_at":                        dayKey(func(r listed) time.Time { return firstTime(r.c.PODFullOutAt, r.c.FinalDestinationFullOutAt) }),
	"final_destination_full_out_at":       dayKey(func(r listed) time.Time { return r.c.FinalDestinationFullOutAt }),
	"delivered_at":                        dayKey(func(r listed) time.Time { return r.c.DeliveredAt }),
	"delivery_appointment_at":             timeOrder(func(r listed) time.Time { return r.c.PickupAppointmentAt }),
	"empty_returned_at":                   dayFilter(func(r listed) time.Time { return r.c.EmptyTerminatedAt }),
	"empty_terminated_at":                 timeOrder(func(r listed) time.Time { return r.c.EmptyTerminatedAt }),

	"pickup_lfd":                       dayKey(func(r listed) time.Time { return r.c.ImportDeadlines.PickupLFD() }),
	"pickup_lfd_rail_on":               dayKey(railLFD),
	"pickup_lfd_rail_effective_on":     timeOrder(railLFD),
	"ind_lfd":                          timeOrder(railLFD),
	"pickup_lfd_terminal_on":           dayKey(terminalLFD),
	"pickup_lfd_terminal_effective_on": dayKey(terminalLFD),
	"pickup_lfd_line_on":               dayKey(lineLFD),
	"pickup_lfd_line_effective_on":     dayKey(lineLFD),
	"pickup_lfd_line_ind_on":           timeOrder(lineLFD),
	"pickup_lfd_line_ind_effective_on": timeOrder(lineLFD),

	"shipment_number": {order: func(r listed) string { return r.s.BillOfLadingNumber }},
}

func railLFD(r listed) time.Time     { return r.c.ImportDeadlines.Rail }
func terminalLFD(r listed) time.Time { return r.c.ImportDeadlines.Terminal }
func lineLFD(r listed) time.Time     { return r.c.ImportDeadlines.Line }

// owner is the simulated account's only user.
func owner(r listed) []string { return []string{r.x.w.user} }

func etaChangedWithin(d time.Duration) listKey {
	return listKey{kind: service.FilterSelector, match: func(r listed, _ service.Filter) bool {
		return r.matchETAChange(r.c.ID, func(at time.Time) bool { return r.x.Now.Sub(at) <= d })
	}}
}

// reports reports whether an attribute is sent from the container's field: always, unless
// Attributes replace it.
func (r listed) reports(attribute string) bool {
	_, replaced := r.c.Attributes[attribute]
	return !replaced
}

func (r listed) refreshed() time.Time {
	return laterOf(laterOf(r.c.CreatedAt, r.c.TerminalCheckedAt), laterOf(r.c.LineLastRequestedAt, r.c.RailLastRequestedAt))
}

func (r listed) updated() time.Time { return laterOf(r.c.updatedAt, r.refreshed()) }

func (r listed) matchLastFreeDay(f service.Filter) bool {
	lfd := service.SortTime(r.c.ImportDeadlines.PickupLFD())
	return lfd != "" && lfd[:10] >= f.Values[0] && lfd[:10] <= f.Values[1] && r.s.LineTrackingStoppedAt.IsZero() &&
		!r.x.w.isInland(r.s) && slices.Contains([]string{"available", "not_available", "off_dock"}, r.c.CurrentStatus)
}

func (r listed) matchParties(f service.Filter) bool {
	ids := r.x.w.partiesWithRole(PartyRole{Container: r.c.ID}, f.Sub)
	if f.Sub != containerRole {
		ids = append(ids, r.x.w.partiesWithRole(PartyRole{Shipment: r.s.ID}, f.Sub)...)
	}
	return f.MatchParties(ids, false) || !slices.Contains(shipmentRoles, f.Sub)
}

func (r listed) matchHoldNames(f service.Filter) bool {
	named := func(h Hold) bool { return cmp.Or(h.Status, "hold") == "hold" && f.MatchName(h.Name) }
	return slices.ContainsFunc(r.c.Holds, named) && r.reports("holds_at_pod_terminal")
}

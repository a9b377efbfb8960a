package testkit

import (
	"context"
	"time"

	"github.com/go-freight/terminal49"
)

// The forms are those of docs/service.md#filters.

// AccountID is the id of an account or a user.
const AccountID = "dddddddd-dddd-4ddd-8ddd-dddddddddddd"

const containerFilterQuery = "filter[actively_tracked]=true&filter[arrival][]=>=2024-07-01&filter[arrival][]=<=2024-07-05" +
	"&filter[created_at][]=>=2024-07-01&filter[created_at][]=<=2024-07-05" +
	"&filter[current_status]=available,grounded&filter[custom_fields][buyer_name]=Acme & Co.,Ümlaut" +
	"&filter[customer_id]=" + PartyID +
	"&filter[customer_name]=Ümlaut & Sons&filter[delivered_at][]=>=2024-07-01" +
	"&filter[delivered_at][]=<=2024-07-05&filter[destination]=@exists" +
	"&filter[destination_code]=@not_exists&filter[empty_out_at]=<=2024-07-05" +
	"&filter[empty_returned_at]=>=2024-07-01&filter[eta_changed_in_last_24h]=true" +
	"&filter[eta_changed_in_past_3_days]=true&filter[final_destination_full_out_at]=<=2024-07-05" +
	"&filter[has_demurrage_fees]=true&filter[has_fees]=false&filter[has_fees_or_holds]=false" +
	"&filter[has_holds]=true&filter[hold_names]=customs,USDA&filter[inland_destination_ata_at][]=>=2024-07-01" +
	"&filter[inland_destination_ata_at][]=<=2024-07-05&filter[inland_destination_eta_at]=@not_exists" +
	"&filter[inland_destination_rail_unloaded_at]=>=2024-07-01&filter[last_free_day_on][]=2024-07-01" +
	"&filter[last_free_day_on][]=2024-07-05&filter[number]=MSCU1234566,MSKU7182047" +
	"&filter[parties][consignee]=" + PartyID + "&filter[picked_up_at]=@not_exists&filter[pickup_lfd]=@not_exists" +
	"&filter[pickup_lfd_line_effective_on]=@not_exists&filter[pickup_lfd_line_on][]=>=2024-07-01" +
	"&filter[pickup_lfd_line_on][]=<=2024-07-05&filter[pickup_lfd_rail_on]=<=2024-07-05" +
	"&filter[pickup_lfd_terminal_effective_on][]=>=2024-07-01" +
	"&filter[pickup_lfd_terminal_effective_on][]=<=2024-07-05" +
	"&filter[pickup_lfd_terminal_on]=>=2024-07-01&filter[pod]=Los Angeles" +
	"&filter[pod_arrived_at]=>=2024-07-01&filter[pod_code]=USLAX,USLGB" +
	"&filter[pod_discharged_at]=<=2024-07-05&filter[pod_rail_departed_at]=<=2024-07-05" +
	"&filter[pod_terminal_id]=" + TerminalID + "&filter[pol]=Shanghai&filter[pol_atd_at]=@not_exists" +
	"&filter[pol_code]=CNSHA&filter[pol_etd_at]=<=2024-07-05&filter[pol_full_in_at]=@not_exists" +
	"&filter[pol_vessel_departed_at]=>=2024-07-01&filter[pol_vessel_loaded_at][]=>=2024-07-01" +
	"&filter[pol_vessel_loaded_at][]=<=2024-07-05&filter[requires_attention]=true" +
	"&filter[search_by_ids]=PO 7&filter[search_by_number]=PO 7&filter[search_by_owner_id]=" + AccountID +
	"&filter[search_by_ref_numbers]=PO 7&filter[search_by_shipment_number]=PO 7" +
	"&filter[search_by_shipment_ref_numbers]=PO 7&filter[shipping_line_scac]=MAEU" +
	"&filter[tags]=hot,late&filter[tags_and]=true&filter[updated_at]=>=2024-07-01" +
	"&filter[vessel_name]=MSC Gülsün"

const shipmentFilterQuery = "filter[actively_tracked]=true&filter[arriving_today]=true" +
	"&filter[created_at][]=>=2024-07-01T12:00:00Z&filter[created_at][]=<=2024-07-01T13:00:00Z" +
	"&filter[creator_id]=@exists&filter[customer_id]=" + PartyID + "&filter[owner_id]=" + AccountID +
	"&filter[party_id][operator]=all&filter[party_id][value]=" + PartyID + "," + AccountID +
	"&filter[pod_arrival]=<=2024-07-05&filter[pod_ata_at][]=>=2024-07-01" +
	"&filter[pod_ata_at][]=<=2024-07-05&filter[pod_code]=USLAX,USLGB" +
	"&filter[pod_eta_changed_at]=>=2024-07-01T12:00:00Z&filter[pod_terminal_id]=" + TerminalID +
	"&filter[pol_code]=CNSHA&filter[product]=SKU-1&filter[q]=PO 7&filter[tags]=hot" +
	"&filter[tags_and]=true&filter[voyage_status]=on_ship&sort=-pod_arrival"

var (
	noon   = time.Date(2024, time.July, 1, 12, 0, 0, 0, time.UTC)
	monday = terminal49.DateOf(noon)
	friday = terminal49.DateOf(noon.AddDate(0, 0, 4))
)

// AllContainerFilters returns a filter with every field set.
func AllContainerFilters() terminal49.ContainerFilter {
	return terminal49.ContainerFilter{
		CreatedAt: terminal49.DateRange{From: monday, To: friday},
		UpdatedAt: terminal49.DateRange{From: monday}, EmptyOutAt: terminal49.DateRange{To: friday},
		POLFullInAt:         terminal49.DateRange{Presence: terminal49.NotReported},
		POLVesselLoadedAt:   terminal49.DateRange{From: monday, To: friday},
		POLVesselDepartedAt: terminal49.DateRange{From: monday}, POLETD: terminal49.DateRange{To: friday},
		POLATD:       terminal49.DateRange{Presence: terminal49.NotReported},
		Arrival:      terminal49.DateRange{From: monday, To: friday},
		PODArrivedAt: terminal49.DateRange{From: monday}, PODDischargedAt: terminal49.DateRange{To: friday},
		PickedUpAt:                terminal49.DateRange{Presence: terminal49.NotReported},
		DeliveredAt:               terminal49.DateRange{From: monday, To: friday},
		EmptyReturnedAt:           terminal49.DateRange{From: monday},
		PODRailDepartedAt:         terminal49.DateRange{To: friday},
		INDETA:                    terminal49.DateRange{Presence: terminal49.NotReported},
		INDATA:                    terminal49.DateRange{From: monday, To: friday},
		INDRailUnloadedAt:         terminal49.DateRange{From: monday},
		FinalDestinationFullOutAt: terminal49.DateRange{To: friday},
		PickupLFD:                 terminal49.DateRange{Presence: terminal49.NotReported},
		LineLFD:                   terminal49.DateRange{From: monday, To: friday},
		TerminalLFD:               terminal49.DateRange{From: monday}, RailLFD: terminal49.DateRange{To: friday},
		EffectiveLineLFD:     terminal49.DateRange{Presence: terminal49.NotReported},
		EffectiveTerminalLFD: terminal49.DateRange{From: monday, To: friday},
		Number:               []string{"mscu 123456-6", "MSKU7182047"},
		CurrentStatus:        []terminal49.ContainerStatus{terminal49.StatusAvailable, terminal49.StatusGrounded},
		PODTerminalID:        []string{TerminalID}, POLCode: []string{"CNSHA"}, PODCode: []string{"USLAX", "USLGB"},
		DestinationCode: []string{terminal49.NotReported}, ShippingLineSCAC: []string{"MAEU"},
		POL: []string{"Shanghai"}, POD: []string{"Los Angeles"}, Destination: []string{terminal49.Reported},
		VesselName: []string{"MSC Gülsün"}, CustomerID: []string{PartyID},
		CustomerName: []string{"Ümlaut & Sons"}, OwnerID: []string{AccountID}, Tags: []string{"hot", "late"},
		HoldNames:    []terminal49.HoldName{terminal49.HoldCustoms, terminal49.HoldUSDA},
		CustomFields: map[string][]string{"buyer_name": {"Acme & Co.", "Ümlaut"}},
		HasHolds:     terminal49.Some(true), HasFees: terminal49.Some(false),
		HasDemurrageFees: terminal49.Some(true), HasFeesOrHolds: terminal49.Some(false),
		RequiresAttention: terminal49.Some(true), ActivelyTracked: terminal49.Some(true),
		ETAChangedInLast24Hours: true, ETAChangedInPast3Days: true, AllTags: true, SearchIDs: "PO 7",
		SearchNumber: "PO 7", SearchShipmentNumber: "PO 7", SearchShipmentRefs: "PO 7",
		SearchReferences: "PO 7", LastFreeDayOn: terminal49.DateRange{From: monday, To: friday},
		Parties: map[terminal49.PartyRoleKind][]string{terminal49.PartyRoleConsignee: {PartyID}},
	}
}

// AllShipmentFilters returns a filter with every field set.
func AllShipmentFilters() terminal49.ShipmentFilter {
	return terminal49.ShipmentFilter{
		Search: "PO 7", CreatedAt: terminal49.TimeRange{From: noon, To: noon.Add(time.Hour)},
		PODETAChangedAt: terminal49.TimeRange{From: noon},
		PODATA:          terminal49.DateRange{From: monday, To: friday}, PODArrival: terminal49.DateRange{To: friday},
		ArrivingToday: true, ActivelyTracked: terminal49.Some(true), VoyageStatus: terminal49.VoyageOnShip,
		POLCode: []string{"CNSHA"}, PODCode: []string{"USLAX", "USLGB"}, PODTerminalID: []string{TerminalID},
		OwnerID: []string{AccountID}, CreatorID: []string{terminal49.Reported}, CustomerID: []string{PartyID},
		Product: "SKU-1", PartyID: []string{PartyID, AccountID}, AllParties: true, Tags: []string{"hot"},
		AllTags: true,
	}
}

// FilterCalls returns calls of List and Summary with every filter, and of List with an order.
func FilterCalls() []Call {
	return []Call{
		{
			Op: "containers.list", Method: "GET", Path: "/containers", Query: containerFilterQuery + "&sort=pickup_lfd,-created_at", Reply: SomeContainer,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Containers.List(ctx, &terminal49.ContainerListParams{Filter: AllContainerFilters(), Sort: []terminal49.ContainerSort{
					terminal49.ContainerSortPickupLFD, terminal49.ContainerSortCreated.Descending(),
				}}))
			},
		},
		{
			Op: "containers.summary", Method: "GET", Path: "/containers/summary", Query: containerFilterQuery + "&group_by=pod_terminal",
			Reply: `{"data":[],"meta":{"total":0,"group_by":"pod_terminal","truncated":false}}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Containers.Summary(ctx, terminal49.GroupByPODTerminal, AllContainerFilters()))
			},
		},
		{
			Op: "shipments.list", Method: "GET", Path: "/shipments", Query: shipmentFilterQuery, Reply: SomeShipment,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Shipments.List(ctx, &terminal49.ShipmentListParams{Filter: AllShipmentFilters(),
					Sort: terminal49.ShipmentSortPODArrival.Descending()}))
			},
		},
		{ // a filter without a field
			Op: "shipments.list", Method: "GET", Path: "/shipments", Query: "filter[number][]=A,B&filter[number][]=C", Reply: SomeShipment,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Shipments.List(ctx, &terminal49.ShipmentListParams{
					RawFilters: map[string][]string{"filter[number][]": {"A,B", "C"}}}))
			},
		},
	}
}

package testkit

import (
	"reflect"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/catalogue"
)

// The forms are those of docs/service.md#filters.

// AccountID is the id of an account or a user.
const AccountID = "dddddddd-dddd-4ddd-8ddd-dddddddddddd"

var (
	noon   = time.Date(2024, time.July, 1, 12, 0, 0, 0, time.UTC)
	monday = terminal49.DateOf(noon)
	friday = terminal49.DateOf(noon.AddDate(0, 0, 4))
)

// AllContainerFilters returns a filter with every field set.
func AllContainerFilters() terminal49.ContainerFilter {
	return filled(terminal49.ContainerFilter{
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
	})
}

// AllShipmentFilters returns a filter with every field set.
func AllShipmentFilters() terminal49.ShipmentFilter {
	return filled(terminal49.ShipmentFilter{
		Search: "PO 7", CreatedAt: terminal49.TimeRange{From: noon, To: noon.Add(time.Hour)},
		PODETAChangedAt: terminal49.TimeRange{From: noon},
		PODATA:          terminal49.DateRange{From: monday, To: friday}, PODArrival: terminal49.DateRange{To: friday},
		ArrivingToday: true, ActivelyTracked: terminal49.Some(true), VoyageStatus: terminal49.VoyageOnShip,
		POLCode: []string{"CNSHA"}, PODCode: []string{"USLAX", "USLGB"}, PODTerminalID: []string{TerminalID},
		OwnerID: []string{AccountID}, CreatorID: []string{terminal49.Reported}, CustomerID: []string{PartyID},
		Product: "SKU-1", PartyID: []string{PartyID, AccountID}, AllParties: true, Tags: []string{"hot"},
		AllTags: true,
	})
}

// filterCalls returns calls of List and Summary with every filter, and of List with an order.
func filterCalls() []func(on) error {
	return []func(on) error{
		func(c on) error {
			return First(c.Containers.List(c.ctx, &terminal49.ContainerListParams{Filter: AllContainerFilters(), Sort: []terminal49.ContainerSort{
				terminal49.ContainerSortPickupLFD, terminal49.ContainerSortCreated.Descending(),
			}}))
		},
		func(c on) error {
			return First(c.Containers.Summary(c.ctx, terminal49.GroupByPODTerminal, AllContainerFilters()))
		},
		func(c on) error {
			return First(c.Shipments.List(c.ctx, &terminal49.ShipmentListParams{Filter: AllShipmentFilters(),
				Sort: terminal49.ShipmentSortPODArrival.Descending()}))
		},
		// a filter without a field
		func(c on) error {
			return First(c.Shipments.List(c.ctx, &terminal49.ShipmentListParams{
				RawFilters: map[string][]string{"filter[number][]": {"A,B", "C"}}}))
		},
	}
}

// filled sets every field of a filter that is not set, as a call of its own would, so that a new
// field needs no value here.
func filled[F any](filter F) F {
	v := reflect.ValueOf(&filter).Elem()
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			v.Field(i).Set(valueFor(v.Type().Field(i)))
		}
	}
	return filter
}

// valueFor returns a value that a filter's field accepts, by its type and the end of its name.
func valueFor(f reflect.StructField) reflect.Value {
	for _, v := range []any{true, "PO 7", terminal49.Some(true), terminal49.DateRange{From: monday, To: friday},
		terminal49.TimeRange{From: noon, To: noon.Add(time.Hour)}} {
		if reflect.TypeOf(v) == f.Type {
			return reflect.ValueOf(v)
		}
	}
	list := reflect.MakeSlice(f.Type, 1, 1) // of texts, or of the values of an enumeration
	text := "PO 7"
	for end, value := range map[string]string{"Code": "USLAX", "SCAC": "MAEU", "ID": PartyID} {
		if strings.HasSuffix(f.Name, end) {
			text = value
		}
	}
	for _, enum := range catalogue.Enums() {
		if enum.Type == f.Type.Elem().Name() {
			text = enum.Values[0]
		}
	}
	list.Index(0).SetString(text)
	return list
}

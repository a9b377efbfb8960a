package testkit

import (
	"time"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49"
)

// shippingLineCalls returns the calls of ShippingLines.
func shippingLineCalls() []func(on) error {
	return []func(on) error{
		func(c on) error { return First(c.ShippingLines.List(c.ctx)) },
		func(c on) error { return First(Drain(c.ShippingLines.All(c.ctx))) },
		func(c on) error { return First(c.ShippingLines.Get(c.ctx, LineID)) },
	}
}

// SureRequest returns a request to track SureNumber.
func SureRequest() terminal49.TrackingRequestCreate {
	return terminal49.TrackingRequestCreate{RequestType: terminal49.RequestTypeBillOfLading, RequestNumber: SureNumber,
		SCAC: "MAEU"}
}

// The responses to a call that returns one, and to one that returns a list.
const (
	OneRequest  = `{"data":{"id":"` + RequestID + `","type":"tracking_request"}}`
	SomeRequest = `{"data":[{"id":"` + RequestID + `","type":"tracking_request"}]}`
)

// AllRequestParams returns params with every field set.
func AllRequestParams() *terminal49.TrackingRequestListParams {
	east := time.FixedZone("", 8*3600)
	return &terminal49.TrackingRequestListParams{
		PageParams: terminal49.PageParams{PageNumber: 2, PageSize: 100},
		Include: []terminal49.TrackingRequestInclude{terminal49.TrackingRequestIncludeShipment,
			terminal49.TrackingRequestIncludeCustomer},
		RequestNumber: "MEDU0000001", RequestType: terminal49.RequestTypeBookingNumber,
		Status: terminal49.TrackingAwaitingManifest, SCAC: "MSCU",
		CreatedFrom: time.Date(2026, 3, 2, 0, 0, 0, 0, east), CreatedTo: time.Date(2026, 3, 3, 1, 2, 3, 999, time.UTC),
		UpdatedFrom: time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC), UpdatedTo: time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC),
		Query: "po",
	}
}

// FullCreate returns a request to track a number with every field set.
func FullCreate() terminal49.TrackingRequestCreate {
	return terminal49.TrackingRequestCreate{
		RequestType: terminal49.RequestTypeBillOfLading, RequestNumber: "MEDU0000001", SCAC: "MSCU",
		ReferenceNumbers: []string{"PO 1"}, ShipmentTags: []string{"urgent"},
		InitialCustomFields: terminal49.InitialCustomFields{
			Shipment: []terminal49.InitialCustomField{{APISlug: "owner", Value: terminal49.CustomText("Ann")}},
			Containers: []terminal49.InitialCustomField{
				{APISlug: "hot", Value: terminal49.CustomBoolean(true)},
				{APISlug: "dock", Value: terminal49.CustomNumber(decimal.NewFromInt(7)), Number: "MSCU1234566"},
			},
		},
		CustomerID: PartyID,
	}
}

// trackingRequestCalls returns the calls of TrackingRequests.
func trackingRequestCalls() []func(on) error {
	return []func(on) error{
		func(c on) error { return First(c.TrackingRequests.List(c.ctx, AllRequestParams())) },
		func(c on) error { return First(Drain(c.TrackingRequests.Pages(c.ctx, AllRequestParams()))) },
		func(c on) error { return First(Drain(c.TrackingRequests.All(c.ctx, AllRequestParams()))) },
		func(c on) error {
			return First(c.TrackingRequests.Get(c.ctx, RequestID, &terminal49.TrackingRequestGetParams{
				Include: []terminal49.TrackingRequestInclude{terminal49.TrackingRequestIncludeShipment},
			}))
		},
		func(c on) error { return First(c.TrackingRequests.Create(c.ctx, FullCreate())) },
		// no empty scac, no empty members
		func(c on) error {
			return First(c.TrackingRequests.Create(c.ctx, terminal49.TrackingRequestCreate{
				RequestType: terminal49.RequestTypeContainer, RequestNumber: "MSCU1234566", AutoDetectSCAC: true,
			}))
		},
		func(c on) error { return First(c.TrackingRequests.Infer(c.ctx, "MSCU1234566")) },
		func(c on) error {
			return First(c.TrackingRequests.Update(c.ctx, RequestID,
				terminal49.TrackingRequestUpdate{ReferenceNumber: terminal49.Some("PO 9")}))
		},
	}
}

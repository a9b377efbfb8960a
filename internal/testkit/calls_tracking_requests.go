package testkit

import (
	"context"
	"time"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49"
)

// ShippingLineCalls returns the calls of ShippingLines.
func ShippingLineCalls() []Call {
	const list = `{"data":[{"id":"` + LineID + `","type":"shipping_line"}]}`
	return []Call{
		{
			Op: "shipping_lines.list", Method: "GET", Path: "/shipping_lines", Reply: list,
			Do: func(ctx context.Context, c *terminal49.Client) error { return First(c.ShippingLines.List(ctx)) },
		},
		{
			Op: "shipping_lines.list", Method: "GET", Path: "/shipping_lines", Reply: list,
			Do: func(ctx context.Context, c *terminal49.Client) error { return First(Drain(c.ShippingLines.All(ctx))) },
		},
		{
			Op: "shipping_lines.get", Method: "GET", Path: "/shipping_lines/" + LineID,
			Reply: `{"data":{"id":"` + LineID + `","type":"shipping_line"}}`,
			Do:    func(ctx context.Context, c *terminal49.Client) error { return First(c.ShippingLines.Get(ctx, LineID)) },
		},
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

// TrackingRequestCalls returns the calls of TrackingRequests.
func TrackingRequestCalls() []Call {
	const everything = "filter[created_at][end]=2026-03-03T01:02:03Z&filter[created_at][start]=2026-03-01T16:00:00Z" +
		"&filter[request_number]=MEDU0000001&filter[request_type]=booking_number&filter[scac]=MSCU" +
		"&filter[status]=awaiting_manifest&filter[updated_at][end]=2026-03-05T00:00:00Z" +
		"&filter[updated_at][start]=2026-03-04T00:00:00Z&include=tracked_object,customer&page[number]=2&page[size]=100&q=po"
	return []Call{
		{
			Op: "tracking_requests.list", Method: "GET", Path: "/tracking_requests", Query: everything, Reply: SomeRequest,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.TrackingRequests.List(ctx, AllRequestParams()))
			},
		},
		{
			Op: "tracking_requests.list", Method: "GET", Path: "/tracking_requests", Query: everything, Reply: SomeRequest,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(Drain(c.TrackingRequests.Pages(ctx, AllRequestParams())))
			},
		},
		{
			Op: "tracking_requests.list", Method: "GET", Path: "/tracking_requests", Query: everything, Reply: SomeRequest,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(Drain(c.TrackingRequests.All(ctx, AllRequestParams())))
			},
		},
		{
			Op: "tracking_requests.get", Method: "GET", Path: "/tracking_requests/" + RequestID, Reply: OneRequest,
			Query: "include=tracked_object",
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.TrackingRequests.Get(ctx, RequestID, &terminal49.TrackingRequestGetParams{
					Include: []terminal49.TrackingRequestInclude{terminal49.TrackingRequestIncludeShipment},
				}))
			},
		},
		{
			Op: "tracking_requests.create", Method: "POST", Path: "/tracking_requests", Reply: OneRequest,
			Body: `{"data":{"type":"tracking_request","attributes":{"request_type":"bill_of_lading",` +
				`"request_number":"MEDU0000001","scac":"MSCU","ref_numbers":["PO 1"],` +
				`"shipment_tags":["urgent"],"initial_custom_fields":{"shipment":[{"api_slug":"owner","value":"Ann"}],` +
				`"containers":[{"api_slug":"hot","value":true},{"api_slug":"dock","value":7,"number":"MSCU1234566"}]}},` +
				`"relationships":{"customer":{"data":{"type":"party","id":"` + PartyID + `"}}}}}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.TrackingRequests.Create(ctx, FullCreate()))
			},
		},
		{ // no empty scac, no empty members
			Op: "tracking_requests.create", Method: "POST", Path: "/tracking_requests", Reply: OneRequest,
			Body: `{"data":{"type":"tracking_request","attributes":{"request_type":"container","request_number":"MSCU1234566",` +
				`"auto_detect_vocc_scac":true}}}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.TrackingRequests.Create(ctx, terminal49.TrackingRequestCreate{
					RequestType: terminal49.RequestTypeContainer, RequestNumber: "MSCU1234566", AutoDetectSCAC: true,
				}))
			},
		},
		{
			Op: "tracking_requests.infer", Method: "POST", Path: "/tracking_requests/infer_number",
			Body:  `{"number":"MSCU1234566"}`,
			Reply: `{"data":{"attributes":{"number_type":"container"}}}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.TrackingRequests.Infer(ctx, "MSCU1234566"))
			},
		},
		{
			Op: "tracking_requests.update", Method: "PATCH", Path: "/tracking_requests/" + RequestID, Reply: OneRequest,
			Body: `{"data":{"type":"tracking_request","id":"` + RequestID + `","attributes":{"ref_number":"PO 9"}}}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.TrackingRequests.Update(ctx, RequestID,
					terminal49.TrackingRequestUpdate{ReferenceNumber: terminal49.Some("PO 9")}))
			},
		},
	}
}

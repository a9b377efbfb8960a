package terminal49

import (
	"context"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"
)

const (
	oneRequest  = `{"data":{"id":"` + requestID + `","type":"tracking_request"}}`
	someRequest = `{"data":[{"id":"` + requestID + `","type":"tracking_request"}]}`
)

func allRequestParams() *TrackingRequestListParams {
	east := time.FixedZone("", 8*3600)
	return &TrackingRequestListParams{
		PageParams:    PageParams{PageNumber: 2, PageSize: 100},
		Include:       []TrackingRequestInclude{TrackingRequestIncludeShipment, TrackingRequestIncludeCustomer},
		RequestNumber: "MEDU0000001", RequestType: RequestBookingNumber, Status: TrackingAwaitingManifest, SCAC: "MSCU",
		CreatedFrom: time.Date(2026, 3, 2, 0, 0, 0, 0, east), CreatedTo: time.Date(2026, 3, 3, 1, 2, 3, 999, time.UTC),
		UpdatedFrom: time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC), UpdatedTo: time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC),
		Query: "po",
	}
}

func fullCreate() TrackingRequestCreate {
	return TrackingRequestCreate{
		RequestType: RequestBillOfLading, RequestNumber: "MEDU0000001", SCAC: "MSCU",
		ReferenceNumbers: []string{"PO 1"}, ShipmentTags: []string{"urgent"},
		InitialCustomFields: InitialCustomFields{
			Shipment: []InitialCustomField{{APISlug: "owner", Value: CustomText("Ann")}},
			Containers: []InitialContainerCustomField{
				{APISlug: "hot", Value: CustomBoolean(true)}, {APISlug: "dock", Value: CustomNumber(decimal.NewFromInt(7)), Number: "MSCU1234566"},
			},
		},
		CustomerID: partyID,
	}
}

func trackingRequestCalls() []call {
	const everything = "filter[created_at][end]=2026-03-03T01:02:03Z&filter[created_at][start]=2026-03-01T16:00:00Z" +
		"&filter[request_number]=MEDU0000001&filter[request_type]=booking_number&filter[scac]=MSCU" +
		"&filter[status]=awaiting_manifest&filter[updated_at][end]=2026-03-05T00:00:00Z" +
		"&filter[updated_at][start]=2026-03-04T00:00:00Z&include=tracked_object,customer&page[number]=2&page[size]=100&q=po"
	return []call{
		{
			op: "tracking_requests.list", method: "GET", path: "/tracking_requests", query: everything, reply: someRequest,
			do: func(ctx context.Context, c *Client) error {
				return first(c.TrackingRequests.List(ctx, allRequestParams()))
			},
		},
		{
			op: "tracking_requests.list", method: "GET", path: "/tracking_requests", query: everything, reply: someRequest,
			do: func(ctx context.Context, c *Client) error {
				return first(drain(c.TrackingRequests.Pages(ctx, allRequestParams())))
			},
		},
		{
			op: "tracking_requests.list", method: "GET", path: "/tracking_requests", query: everything, reply: someRequest,
			do: func(ctx context.Context, c *Client) error {
				return first(drain(c.TrackingRequests.All(ctx, allRequestParams())))
			},
		},
		{
			op: "tracking_requests.get", method: "GET", path: "/tracking_requests/" + requestID, reply: oneRequest,
			query: "include=tracked_object",
			do: func(ctx context.Context, c *Client) error {
				return first(c.TrackingRequests.Get(ctx, requestID, &TrackingRequestGetParams{
					Include: []TrackingRequestInclude{TrackingRequestIncludeShipment},
				}))
			},
		},
		{
			op: "tracking_requests.create", method: "POST", path: "/tracking_requests", reply: oneRequest,
			body: `{"data":{"type":"tracking_request","attributes":{"request_type":"bill_of_lading",` +
				`"request_number":"MEDU0000001","scac":"MSCU","ref_numbers":["PO 1"],` +
				`"shipment_tags":["urgent"],"initial_custom_fields":{"shipment":[{"api_slug":"owner","value":"Ann"}],` +
				`"containers":[{"api_slug":"hot","value":true},{"api_slug":"dock","value":7,"number":"MSCU1234566"}]}},` +
				`"relationships":{"customer":{"data":{"type":"party","id":"` + partyID + `"}}}}}`,
			do: func(ctx context.Context, c *Client) error { return first(c.TrackingRequests.Create(ctx, fullCreate())) },
		},
		{ // no empty scac, no empty members
			op: "tracking_requests.create", method: "POST", path: "/tracking_requests", reply: oneRequest,
			body: `{"data":{"type":"tracking_request","attributes":{"request_type":"container","request_number":"MSCU1234566",` +
				`"auto_detect_vocc_scac":true}}}`,
			do: func(ctx context.Context, c *Client) error {
				return first(c.TrackingRequests.Create(ctx, TrackingRequestCreate{
					RequestType: RequestContainer, RequestNumber: "MSCU1234566", AutoDetectSCAC: true,
				}))
			},
		},
		{
			op: "tracking_requests.infer", method: "POST", path: "/tracking_requests/infer_number", body: `{"number":"MSCU1234566"}`,
			reply: `{"data":{"id":"req_1","type":"infer_number_results"}}`,
			do: func(ctx context.Context, c *Client) error {
				return first(c.TrackingRequests.Infer(ctx, "MSCU1234566"))
			},
		},
		{
			op: "tracking_requests.update", method: "PATCH", path: "/tracking_requests/" + requestID, reply: oneRequest,
			body: `{"data":{"type":"tracking_request","id":"` + requestID + `","attributes":{"ref_number":"PO 9"}}}`,
			do: func(ctx context.Context, c *Client) error {
				return first(c.TrackingRequests.Update(ctx, requestID, TrackingRequestUpdate{ReferenceNumber: Some("PO 9")}))
			},
		},
	}
}

func TestTrackingRequests_Requests(t *testing.T) { testCalls(t, trackingRequestCalls()) }

func TestTrackingRequests_ParamsAreNotChanged(t *testing.T) {
	params, create := allRequestParams(), fullCreate()
	client := newClient(t, answer(200, someRequest))
	_, err := drain(client.TrackingRequests.All(t.Context(), params))
	require.NoError(t, err)
	_, err = client.TrackingRequests.Create(t.Context(), create)
	require.NoError(t, err)
	require.Equal(t, allRequestParams(), params)
	require.Equal(t, fullCreate(), create)
}

func TestTrackingRequests_CreateIsCheckedBeforeSending(t *testing.T) {
	for _, test := range []struct {
		name, field, tells string
		change             func(*TrackingRequestCreate)
	}{
		{"no number", "RequestNumber", "must not be empty", func(r *TrackingRequestCreate) { r.RequestNumber = " \t" }},
		{"no type", "RequestType", "RequestBillOfLading", func(r *TrackingRequestCreate) { r.RequestType = "" }},
		{"unknown type", "RequestType", "RequestBillOfLading", func(r *TrackingRequestCreate) { r.RequestType = "house_bill" }},
		{"booking", "RequestType", `"booking_number"`, func(r *TrackingRequestCreate) { r.RequestType = "booking" }},
		{"a carrier and none", "SCAC", "AutoDetectSCAC", func(r *TrackingRequestCreate) { r.SCAC, r.AutoDetectSCAC = "MSCU", true }},
		{"no carrier", "SCAC", "AutoDetectSCAC", func(r *TrackingRequestCreate) { r.SCAC, r.AutoDetectSCAC = "", false }},
		{"short SCAC", "SCAC", "four", func(r *TrackingRequestCreate) { r.SCAC = "ONE" }},
		{"lower case SCAC", "SCAC", "four", func(r *TrackingRequestCreate) { r.SCAC = "maeu" }},
		{"four bytes, not four letters", "SCAC", "four", func(r *TrackingRequestCreate) { r.SCAC = "ÄÖ" }},
		{"shipment field without slug", "InitialCustomFields.Shipment", "APISlug", func(r *TrackingRequestCreate) {
			r.InitialCustomFields.Shipment[0].APISlug = ""
		}},
		{"container field without slug", "InitialCustomFields.Containers", "APISlug", func(r *TrackingRequestCreate) {
			r.InitialCustomFields.Containers[1].APISlug = ""
		}},
		{"value that JSON cannot hold", "InitialCustomFields.Shipment", "JSON", func(r *TrackingRequestCreate) {
			r.InitialCustomFields.Shipment[0].Value = CustomJSON([]byte("{"))
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			request, api := fullCreate(), newFakeAPI()
			test.change(&request)
			_, err := newClient(t, api).TrackingRequests.Create(t.Context(), request)
			var argument *ArgumentError
			require.ErrorAs(t, err, &argument)
			require.Equal(t, "tracking_requests.create", argument.Op)
			require.Equal(t, test.field, argument.Field)
			require.Contains(t, argument.Problem, test.tells)
			require.Empty(t, api.requests())
		})
	}
}

func TestFailedReason_Temporary(t *testing.T) {
	temporary := map[FailedReason]bool{
		FailedUnrecognizedResponse: true, FailedShippingLineUnreachable: true,
		FailedInternalProcessingError: true, FailedAwaitingManifest: true,
	}
	for _, reason := range append(FailedReasons(), "something_new", "") {
		require.Equal(t, temporary[reason], reason.Temporary(), reason)
	}
}

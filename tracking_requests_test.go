package terminal49_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

func TestTrackingRequests_Requests(t *testing.T) {
	testkit.TestCalls(t, testkit.TrackingRequestCalls())
}

func TestTrackingRequests_ParamsAreNotChanged(t *testing.T) {
	params, create := testkit.AllRequestParams(), testkit.FullCreate()
	client := testkit.NewClient(t, testkit.Answer(200, testkit.SomeRequest))
	_, err := testkit.Drain(client.TrackingRequests.All(t.Context(), params))
	require.NoError(t, err)
	_, err = client.TrackingRequests.Create(t.Context(), create)
	require.NoError(t, err)
	require.Equal(t, testkit.AllRequestParams(), params)
	require.Equal(t, testkit.FullCreate(), create)
}

func TestTrackingRequests_CreateIsCheckedBeforeSending(t *testing.T) {
	for _, test := range []struct {
		name, field, want string
		change            func(*terminal49.TrackingRequestCreate)
	}{
		{"no number", "RequestNumber", "must not be empty",
			func(r *terminal49.TrackingRequestCreate) { r.RequestNumber = " \t" }},
		{"no type", "RequestType", "RequestBillOfLading", func(r *terminal49.TrackingRequestCreate) { r.RequestType = "" }},
		{"unknown type", "RequestType", "RequestBillOfLading",
			func(r *terminal49.TrackingRequestCreate) { r.RequestType = "house_bill" }},
		{"booking", "RequestType", `"booking_number"`,
			func(r *terminal49.TrackingRequestCreate) { r.RequestType = "booking" }},
		{"a carrier and none", "SCAC", "AutoDetectSCAC",
			func(r *terminal49.TrackingRequestCreate) { r.SCAC, r.AutoDetectSCAC = "MSCU", true }},
		{"no carrier", "SCAC", "AutoDetectSCAC",
			func(r *terminal49.TrackingRequestCreate) { r.SCAC, r.AutoDetectSCAC = "", false }},
		{"short SCAC", "SCAC", "four", func(r *terminal49.TrackingRequestCreate) { r.SCAC = "ONE" }},
		{"lower case SCAC", "SCAC", "four", func(r *terminal49.TrackingRequestCreate) { r.SCAC = "maeu" }},
		{"four bytes, not four letters", "SCAC", "four", func(r *terminal49.TrackingRequestCreate) { r.SCAC = "ÄÖ" }},
		{"shipment field without slug", "InitialCustomFields.Shipment", "APISlug",
			func(r *terminal49.TrackingRequestCreate) {
				r.InitialCustomFields.Shipment[0].APISlug = ""
			}},
		{"container field without slug", "InitialCustomFields.Containers", "APISlug",
			func(r *terminal49.TrackingRequestCreate) {
				r.InitialCustomFields.Containers[1].APISlug = ""
			}},
		{"value that JSON cannot hold", "InitialCustomFields.Shipment", "JSON", func(r *terminal49.TrackingRequestCreate) {
			r.InitialCustomFields.Shipment[0].Value = terminal49.CustomJSON([]byte("{"))
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			request, api := testkit.FullCreate(), testkit.NewFakeAPI()
			test.change(&request)
			_, err := testkit.NewClient(t, api).TrackingRequests.Create(t.Context(), request)
			var argument *terminal49.ArgumentError
			require.ErrorAs(t, err, &argument)
			require.Equal(t, "tracking_requests.create", argument.Op)
			require.Equal(t, test.field, argument.Field)
			require.Contains(t, argument.Problem, test.want)
			require.Empty(t, api.Requests())
		})
	}
}

func TestFailedReason_Temporary(t *testing.T) {
	temporary := map[terminal49.FailedReason]bool{
		terminal49.FailedUnrecognizedResponse: true, terminal49.FailedShippingLineUnreachable: true,
		terminal49.FailedInternalProcessingError: true, terminal49.FailedAwaitingManifest: true,
	}
	for _, reason := range append(terminal49.FailedReasons(), "something_new", "") {
		require.Equal(t, temporary[reason], reason.Temporary(), reason)
	}
}

package terminal49_test

import (
	"strings"
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
		{"blank SCAC", "SCAC", "must be set", func(r *terminal49.TrackingRequestCreate) { r.SCAC, r.AutoDetectSCAC = " \t", false }},
		{"SCAC with a space", "SCAC", "four", func(r *terminal49.TrackingRequestCreate) { r.SCAC = "MA U" }},
		{"small letter of another alphabet", "SCAC", "four", func(r *terminal49.TrackingRequestCreate) { r.SCAC = "mſcu" }},
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

// An empty or unknown reason is neither permanent nor temporary.
func TestTrackingFailedError_ClaimsOnlyWhatIsDocumented(t *testing.T) {
	const never, later = "will fail again", "may succeed later"
	for _, reason := range append([]terminal49.FailedReason{"", "volcano"}, terminal49.FailedReasons()...) {
		err := &terminal49.TrackingFailedError{Request: &terminal49.TrackingRequest{RequestNumber: "MAEU1",
			FailedReason: reason}}
		require.Equal(t, reason.Permanent(), err.Permanent(), reason)
		require.Equal(t, reason.Known(), reason.Permanent() != reason.Temporary(),
			"%q: every known reason is one of the two, no other is", reason)
		require.Equal(t, reason.Permanent(), strings.Contains(err.Error(), never), err)
		require.Equal(t, reason.Temporary(), strings.Contains(err.Error(), later), err)
	}
	require.EqualError(t, &terminal49.TrackingFailedError{Request: &terminal49.TrackingRequest{RequestNumber: "MAEU1"}},
		`terminal49: tracking "MAEU1" failed: the service gave no reason`)
}

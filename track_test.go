package terminal49_test

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

const (
	unsureNumber  = "SHA7781234" // the service prefers Evergreen without certainty
	unknownNumber = "99887766"   // a booking of an unknown carrier
)

// withDoubts scripts the numbers above.
func withDoubts(srv *terminal49test.Server) {
	srv.Script(unsureNumber, terminal49test.Journey{Inference: &terminal49test.Inference{
		SCAC: "EGLV", Confidence: 0.81, NumberType: "bill_of_lading",
		OtherCandidates: []terminal49test.CarrierCandidate{{SCAC: "ONEY", Confidence: 0.6}},
	}})
	srv.Script(unknownNumber, terminal49test.Journey{Inference: &terminal49test.Inference{
		SCAC: "YMLU", Confidence: 0.3, NumberType: "booking",
	}})
}

func confirm(scac string, err error) func(context.Context, *terminal49.Inference) (string, error) {
	return func(context.Context, *terminal49.Inference) (string, error) { return scac, err }
}

func TestTrack_Decisions(t *testing.T) {
	for name, c := range map[string]struct {
		number    string
		params    *terminal49.TrackParams
		wantSCAC  string
		wantType  terminal49.RequestType
		wantInfer int
	}{
		"the service is sure": {testkit.SureNumber, nil, "MAEU", terminal49.RequestTypeBillOfLading, 1},
		"spaces around the number": {"  " + testkit.SureNumber + "\n", nil, "MAEU",
			terminal49.RequestTypeBillOfLading, 1},
		"nobody is asked when it is sure": {testkit.SureNumber,
			&terminal49.TrackParams{Confirm: confirm("", errors.New("asked"))}, "MAEU", terminal49.RequestTypeBillOfLading, 1},
		"confirmed": {unsureNumber,
			&terminal49.TrackParams{Confirm: confirm("EGLV", nil)}, "EGLV", terminal49.RequestTypeBillOfLading, 1},
		"corrected": {unsureNumber,
			&terminal49.TrackParams{Confirm: confirm("ONEY", nil)}, "ONEY", terminal49.RequestTypeBillOfLading, 1},
		"chosen without a prediction": {unknownNumber,
			&terminal49.TrackParams{Confirm: confirm("YMLU", nil)}, "YMLU", terminal49.RequestTypeBookingNumber, 1},
		"the line is known": {unknownNumber, &terminal49.TrackParams{SCAC: "YMLU"}, "YMLU",
			terminal49.RequestTypeBookingNumber, 1},
		"the kind is known": {testkit.SureNumber,
			&terminal49.TrackParams{RequestType: terminal49.RequestTypeBookingNumber}, "MAEU",
			terminal49.RequestTypeBookingNumber, 1},
		"line and kind are known": {unknownNumber,
			&terminal49.TrackParams{SCAC: "HDMU", RequestType: terminal49.RequestTypeBillOfLading}, "HDMU",
			terminal49.RequestTypeBillOfLading, 0},
		"the service detects the line": {unknownNumber,
			&terminal49.TrackParams{AutoDetectSCAC: true, RequestType: terminal49.RequestTypeBillOfLading}, "",
			terminal49.RequestTypeBillOfLading, 0},
		"a container": {terminal49test.ContainerNumber("MSKU", 1), nil, "MAEU",
			terminal49.RequestTypeContainer, 1},
		"an invalid number, on the caller's own": {"MSKU0000010", &terminal49.TrackParams{AcceptInvalid: true},
			"MAEU", terminal49.RequestTypeContainer, 1},
	} {
		decide := func(t *testing.T, srv *terminal49test.Server) {
			withDoubts(srv)
			made, err := testkit.SimulatedClient(t, srv).TrackingRequests.Track(t.Context(), c.number, c.params)
			require.NoError(t, err)
			require.Equal(t, terminal49.TrackResultCreated, made.Result)
			require.Equal(t, terminal49.TrackingPending, made.Request.Status)
			require.Equal(t, c.wantSCAC, made.Request.SCAC)
			require.Equal(t, c.wantType, made.Request.RequestType)
			require.Len(t, testkit.Received(srv, "tracking_requests.infer"), c.wantInfer)
			require.Len(t, testkit.Received(srv, "tracking_requests.create"), 1)
		}
		t.Run(name, func(t *testing.T) { testkit.Simulated(t, decide) })
		t.Run(name+", without ids", func(t *testing.T) { testkit.Simulated(t, decide, terminal49test.WithoutInferenceIDs()) })
	}
}

func TestTrack_SendsItsParams(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		customer := srv.AddParty(terminal49test.Party{CompanyName: "Quay Hardware"})
		made, err := testkit.SimulatedClient(t, srv).TrackingRequests.Track(t.Context(), testkit.SureNumber,
			&terminal49.TrackParams{
				ReferenceNumbers: []string{"PO-1"}, ShipmentTags: []string{"hot"}, CustomerID: customer,
				InitialCustomFields: terminal49.InitialCustomFields{Shipment: []terminal49.InitialCustomField{{APISlug: "owner", Value: terminal49.CustomText("Ann")}}},
			})
		require.NoError(t, err)
		require.Equal(t, []string{"PO-1"}, made.Request.ReferenceNumbers)
		require.Equal(t, []string{"hot"}, made.Request.ShipmentTags)
		require.Equal(t, customer, made.Request.Customer.ID())
		inside, _ := srv.TrackingRequest(made.Request.ID)
		require.Equal(t, []terminal49test.InitialCustomField{{Entity: "shipment", APISlug: "owner", Value: "Ann"}},
			inside.InitialCustomFields)
	})
}

// Nothing is created for an undecided line, and the error has the candidates.
func TestTrack_Undecided(t *testing.T) {
	for name, c := range map[string]struct {
		number string
		params *terminal49.TrackParams
		want   []string
	}{
		"to be confirmed, nobody to ask": {unsureNumber, nil, []string{"EGLV", "ONEY"}},
		"none of them": {unsureNumber, &terminal49.TrackParams{Confirm: confirm("", nil)},
			[]string{"EGLV", "ONEY"}},
		"no prediction":        {unknownNumber, &terminal49.TrackParams{}, []string{"YMLU"}},
		"no candidates at all": {"55443322", nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				withDoubts(srv)
				_, err := testkit.SimulatedClient(t, srv).TrackingRequests.Track(t.Context(), c.number, c.params)
				var undecided *terminal49.CarrierUndecidedError
				require.ErrorAs(t, err, &undecided)
				var scacs []string
				for _, candidate := range undecided.Candidates() {
					scacs = append(scacs, candidate.SCAC)
					require.ErrorContains(t, err, candidate.SCAC)
					require.ErrorContains(t, err, candidate.Name)
				}
				require.Equal(t, c.want, scacs)
				require.Equal(t, c.number, undecided.Number)
				require.ErrorContains(t, err, "TrackParams.SCAC", "it says what to do")
				require.Empty(t, testkit.Received(srv, "tracking_requests.create"))
			})
		})
	}
}

func TestTrack_Refuses(t *testing.T) {
	nobody := errors.New("the desk is not staffed")
	for name, c := range map[string]struct {
		number string
		params *terminal49.TrackParams
		check  func(*testing.T, error)
	}{
		"an invalid number": {"MSKU0000010", nil, func(t *testing.T, err error) {
			var invalid *terminal49.InvalidNumberError
			require.ErrorAs(t, err, &invalid)
			require.Equal(t, "MSKU0000010", invalid.Number)
			require.Contains(t, invalid.Reason, "check digit")
			require.Equal(t, terminal49.CarrierAutoSelect, invalid.Inference.Carrier.Decision)
			require.ErrorIs(t, err, terminal49.ErrInvalid)
		}},
		"garbage": {"?", nil, func(t *testing.T, err error) {
			var answer *terminal49.APIError
			require.ErrorAs(t, err, &answer)
			require.Equal(t, http.StatusUnprocessableEntity, answer.StatusCode)
			require.ErrorIs(t, err, terminal49.ErrInvalid)
		}},
		"garbage that the caller insists on": {"?", &terminal49.TrackParams{AcceptInvalid: true},
			func(t *testing.T, err error) {
				require.ErrorIs(t, err, terminal49.ErrInvalid, "the service refused to infer at all")
			}},
		"a test number without a type": {"TEST-TR-SUCCEEDED", &terminal49.TrackParams{SCAC: "TEST"}, func(t *testing.T, err error) {
			require.ErrorIs(t, err, terminal49.ErrInvalid)
			require.ErrorContains(t, err, "set both its SCAC and its type")
		}},
		"a kind that is new": {"house77", nil, func(t *testing.T, err error) {
			var invalid *terminal49.InvalidNumberError
			require.ErrorAs(t, err, &invalid)
			require.ErrorContains(t, err, `"house_bill"`)
			require.ErrorContains(t, err, "TrackParams.RequestType")
		}},
		"Confirm returns an error": {unsureNumber, &terminal49.TrackParams{Confirm: confirm("EGLV", nobody)}, func(t *testing.T, err error) {
			require.ErrorIs(t, err, nobody)
		}},
		"Confirm returns an invalid SCAC": {unsureNumber, &terminal49.TrackParams{Confirm: confirm("evergreen", nil)}, func(t *testing.T, err error) {
			var argument *terminal49.ArgumentError
			require.ErrorAs(t, err, &argument)
			require.Equal(t, "Confirm", argument.Field)
			require.ErrorContains(t, err, `"evergreen"`)
		}},
		"the inferred name of a kind": {unknownNumber, &terminal49.TrackParams{SCAC: "YMLU", RequestType: "booking"}, func(t *testing.T, err error) {
			var argument *terminal49.ArgumentError
			require.ErrorAs(t, err, &argument)
			require.ErrorContains(t, err, `"booking_number"`)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				withDoubts(srv)
				srv.Script("house77", terminal49test.Journey{Inference: &terminal49test.Inference{SCAC: "MAEU",
					Confidence: 1, NumberType: "house_bill"}})
				made, err := testkit.SimulatedClient(t, srv).TrackingRequests.Track(t.Context(), c.number, c.params)
				require.Nil(t, made.Request)
				c.check(t, err)
				require.Empty(t, testkit.Received(srv, "tracking_requests.create"))
			})
		})
	}
}

// Confirm receives the service's inference and the caller's context.
func TestTrack_ConfirmReceivesTheInference(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		withDoubts(srv)
		type desk struct{}
		ctx := context.WithValue(t.Context(), desk{}, "import desk")
		_, err := testkit.SimulatedClient(t, srv).TrackingRequests.Track(ctx, unsureNumber, &terminal49.TrackParams{
			Confirm: func(ctx context.Context, i *terminal49.Inference) (string, error) {
				require.Equal(t, "import desk", ctx.Value(desk{}))
				require.Equal(t, terminal49.CarrierNeedsConfirmation, i.Carrier.Decision)
				return i.Carrier.Candidates[1].SCAC, nil
			},
		})
		require.NoError(t, err)
	})
}

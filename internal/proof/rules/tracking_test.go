package rules_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

const inferPath, requestsPath = "/tracking_requests/infer_number", "/tracking_requests"

// bareInference is the response of interface.md to infer_number: attributes without id and type.
const bareInference = `{"data":{"attributes":{"number_type":"container",
	"validation":{"is_valid":true,"type":"container","check_digit_passed":true},
	"shipping_line":{"decision":"auto_select","selected":{"scac":"MSCU","name":"MSC","confidence":0.98},
		"candidates":[{"scac":"MSCU","name":"MSC","confidence":0.98}]}}}}`

// inferring returns a fake service that infers with this response, lists no requests and accepts
// every new one.
func inferring(response string) *testkit.FakeAPI {
	api := testkit.NewFakeAPI()
	api.On("POST", inferPath, 200, response)
	api.On("GET", requestsPath, 200, `{"data":[]}`)
	api.On("POST", requestsPath, 201, testkit.OneRequest)
	return api
}

// created returns the bodies of the requests that created something.
func created(api *testkit.FakeAPI) (bodies []string) {
	for _, s := range api.Requests() {
		if s.Info.Op == "tracking_requests.create" {
			bodies = append(bodies, s.Body)
		}
	}
	return bodies
}

func asContainer(number, scac string) string {
	return fmt.Sprintf(`{"data":{"type":"tracking_request","attributes":{"request_type":"container","request_number":%q,"scac":%q}}}`,
		number, scac)
}

// trackers returns the methods that infer, by name.
func trackers() map[string]func(context.Context, *terminal49.TrackingRequestsService, string, *terminal49.TrackParams) error {
	type service = *terminal49.TrackingRequestsService
	return map[string]func(context.Context, service, string, *terminal49.TrackParams) error{
		"Track": func(ctx context.Context, s service, number string, p *terminal49.TrackParams) error {
			return testkit.First(s.Track(ctx, number, p))
		},
		"FindOrTrack": func(ctx context.Context, s service, number string, p *terminal49.TrackParams) error {
			_, _, err := s.FindOrTrack(ctx, number, p)
			return err
		},
		"TrackAll": func(ctx context.Context, s service, number string, p *terminal49.TrackParams) (err error) {
			params := &terminal49.TrackAllParams{}
			if p != nil {
				params.TrackParams = *p
			}
			for outcome := range s.TrackAll(ctx, slices.Values([]string{number}), params) {
				err = outcome.Err
			}
			return err
		},
	}
}

// interface.md, "POST /tracking_requests/infer_number": {data: {attributes: {...}}}.
func TestInfer_WithoutIDAndType(t *testing.T) {
	client := testkit.NewClient(t, inferring(bareInference), terminal49.WithStrictDecoding())
	inference, err := client.TrackingRequests.Infer(t.Context(), "MSCU6639870")
	require.NoError(t, err)
	require.Empty(t, inference.ID)
	require.Equal(t, terminal49.NumberContainer, inference.NumberType)
	require.Equal(t, terminal49.CarrierAutoSelect, inference.Carrier.Decision)
	for name, track := range trackers() {
		api := inferring(bareInference)
		require.NoError(t, track(t.Context(), testkit.NewClient(t, api).TrackingRequests, "mscu 663987-0", nil), name)
		require.Equal(t, []string{asContainer("MSCU6639870", "MSCU")}, created(api), name)
	}
}

// A response that infers nothing is not an answer, with or without an id. Other resources need one.
func TestInfer_WithoutAttributesIsADecodeError(t *testing.T) {
	var unread *terminal49.DecodeError
	for _, body := range []string{`{"data":{}}`, `{"data":{"attributes":null}}`, `{"data":{"attributes":{}}}`,
		`{"data":{"id":"req_1","type":"infer_number_results"}}`, `{"data":null}`, `{"data":[]}`} {
		_, err := testkit.NewClient(t, inferring(body)).TrackingRequests.Infer(t.Context(), "MSCU6639870")
		require.ErrorAs(t, err, &unread, body)
	}
	api := testkit.NewFakeAPI()
	api.On("POST", requestsPath, 201, `{"data":{"type":"tracking_request","attributes":{"status":"pending"}}}`)
	request := terminal49.TrackingRequestCreate{RequestNumber: "1", RequestType: terminal49.RequestContainer, SCAC: "MSCU"}
	_, err := testkit.NewClient(t, api).TrackingRequests.Create(t.Context(), request)
	require.ErrorAs(t, err, &unread)
	require.ErrorContains(t, err, "without an id")
}

// The simulator answers in both forms.
func TestInfer_SimulatedInBothForms(t *testing.T) {
	for want, opts := range map[bool][]terminal49test.Option{true: nil, false: {terminal49test.WithoutInferenceIDs()}} {
		testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
			client := testkit.SimulatedClient(t, srv)
			inference, err := client.TrackingRequests.Infer(t.Context(), testkit.SureNumber)
			require.NoError(t, err)
			require.Equal(t, want, inference.ID != "")
			require.NoError(t, testkit.First(client.TrackingRequests.Track(t.Context(), testkit.SureNumber, nil)))
		}, opts...)
	}
}

var _ = errors.New
var _ = http.StatusOK
var _ sync.Mutex

package otelterminal49_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/instrumentation"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/otelterminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// A call that needs two attempts is a span with two spans in it. Names, kinds, resend_count and
// error.type are those of https://opentelemetry.io/docs/specs/semconv/http/http-spans/.
func TestHooks_Spans(t *testing.T) {
	r := record()
	service, client := simulation(terminal49.WithHooks(r.Hooks()),
		terminal49.WithRetryPolicy(terminal49.RetryPolicy{MinBackoff: time.Millisecond}))
	service.AddFault(terminal49test.Fault{Operation: "shipments.list", Status: http.StatusServiceUnavailable})
	_, err := client.Shipments.List(t.Context(), nil)
	require.NoError(t, err)
	_, err = client.Shipments.Get(t.Context(), "5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d", nil)
	require.ErrorIs(t, err, terminal49.ErrNotFound)
	require.Equal(t, []string{
		"GET /shipments | in terminal49.shipments.list | error.type=503,http.request.method=GET,http.response.status_code=503," +
			"terminal49.bucket=default,terminal49.operation=shipments.list,url.template=/shipments | client Error",
		"GET /shipments | in terminal49.shipments.list | http.request.method=GET,http.request.resend_count=1,http.response.status_code=200," +
			"terminal49.bucket=default,terminal49.operation=shipments.list,url.template=/shipments | client Unset",
		"terminal49.shipments.list | in  | terminal49.bucket=default,terminal49.operation=shipments.list | internal Unset",
		"GET /shipments/{id} | in terminal49.shipments.get | error.type=404,http.request.method=GET,http.response.status_code=404," +
			"terminal49.bucket=default,terminal49.operation=shipments.get,url.template=/shipments/{id} | client Error",
		"terminal49.shipments.get | in  | error.type=404,terminal49.bucket=default,terminal49.operation=shipments.get | internal Error",
	}, r.lines())
	for _, span := range r.spans.Ended() {
		require.Equal(t, instrumentation.Scope{
			Name: "github.com/go-freight/terminal49/otelterminal49", Version: terminal49.Version,
			SchemaURL: "https://opentelemetry.io/schemas/1.43.0",
		}, span.InstrumentationScope())
	}
}

// The span of a request begins and ends with the request, although it is reported afterwards.
func TestHooks_TimesOfASpan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, began := record(), time.Now()
		time.Sleep(5 * time.Second)
		r.Hooks().OnAttempt(t.Context(), terminal49.Attempt{
			CallInfo: terminal49.CallInfo{Op: "shipments.list", Route: "/shipments", Bucket: terminal49.BucketDefault, Attempt: 1},
			Method:   http.MethodGet, StatusCode: http.StatusOK, Duration: 2 * time.Second, LimiterWait: 3 * time.Second,
		})
		span := r.spans.Ended()[0]
		require.Equal(t, began.Add(3*time.Second), span.StartTime())
		require.Equal(t, began.Add(5*time.Second), span.EndTime())
		require.Contains(t, span.Attributes(), attribute.Float64("terminal49.limiter.wait", 3))
	})
}

func TestHooks_Metrics(t *testing.T) {
	r := record()
	service, client := simulation(terminal49.WithHooks(r.Hooks()),
		terminal49.WithRetryPolicy(terminal49.RetryPolicy{MinBackoff: time.Millisecond}))
	service.AddFault(terminal49test.Fault{Operation: "shipments.list", Status: http.StatusServiceUnavailable})
	for shipment, err := range client.Shipments.All(t.Context(), nil) {
		require.NoError(t, err)
		service.UpdateShipment(shipment.ID, func(s *terminal49test.Shipment) { s.Attributes = map[string]any{"pod_eta_at": "soon"} })
	}
	_, err := client.Shipments.List(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, map[string]float64{
		"http.client.request.duration error.type=503,http.request.method=GET,http.response.status_code=503,terminal49.bucket=default,terminal49.operation=shipments.list,url.template=/shipments": 1,
		"http.client.request.duration http.request.method=GET,http.response.status_code=200,terminal49.bucket=default,terminal49.operation=shipments.list,url.template=/shipments":                2,
		"terminal49.call.duration terminal49.bucket=default,terminal49.operation=shipments.list":                                                                                                  2,
		"terminal49.call.retries error.type=503,http.response.status_code=503,terminal49.bucket=default,terminal49.operation=shipments.list":                                                      1,
		"terminal49.decode.warnings terminal49.resource.field=pod_eta_at,terminal49.resource.type=shipment":                                                                                       6,
	}, r.metrics())
}

// The type of an error is a class: its text may contain an address. "timeout", a status and the
// name of a type are the forms of error.type in
// https://opentelemetry.io/docs/specs/semconv/registry/attributes/error/.
func TestHooks_ErrorTypes(t *testing.T) {
	for want, err := range map[string]error{
		"timeout":                    fmt.Errorf("get https://10.0.0.1: %w", context.DeadlineExceeded),
		"canceled":                   &terminal49.TransportError{Err: context.Canceled},
		"422":                        fmt.Errorf("shipment: %w", &terminal49.APIError{StatusCode: http.StatusUnprocessableEntity}),
		"*terminal49.TransportError": &terminal49.TransportError{Err: &net.OpError{Op: "dial", Err: errors.New("10.0.0.1:443 refused")}},
		"*terminal49.ArgumentError":  &terminal49.ArgumentError{Field: "id"},
	} {
		r := record()
		_, end := r.Hooks().OnCall(t.Context(), terminal49.CallInfo{Op: "shipments.get", Bucket: terminal49.BucketDefault})
		end(terminal49.CallResult{Err: err})
		require.Equal(t, map[string]float64{
			"terminal49.call.duration error.type=" + want + ",terminal49.bucket=default,terminal49.operation=shipments.get": 1,
		}, r.metrics())
	}
}

// The global providers report nothing until the program sets them.
func TestNew_GlobalProviders(t *testing.T) {
	telemetry, err := otelterminal49.New(nil, nil)
	require.NoError(t, err)
	_, client := simulation(terminal49.WithHooks(telemetry.Hooks()))
	_, err = client.Shipments.List(t.Context(), nil)
	require.NoError(t, err)
}

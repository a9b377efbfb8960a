package main

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/go-freight/terminal49"
)

// A service repeats the token in redirects, next links, headers, reason phrases and errors, in
// several forms. No span and no metric shows it: their names, attributes, events and status.
// Source: SECURITY.md.
func TestTelemetry_ShowsNoSecret(t *testing.T) {
	const token = "k3y-that-nobody-may-see"
	var percent string
	for _, c := range []byte(token) {
		percent += fmt.Sprintf("%%%02x", c)
	}
	echoes := []string{token, percent, strings.ReplaceAll(percent, "%", "%25"), base64.RawURLEncoding.EncodeToString([]byte("u:" + token))}
	for _, echo := range echoes {
		service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Request-Id", echo)
			w.Header().Set("Trailer", "X-Sum")
			switch page := r.URL.Query().Get("page[number]"); {
			case strings.HasSuffix(r.URL.Path, "/containers"):
				w.Header().Set("Location", "/v2/elsewhere/"+echo+"?key="+echo)
				w.WriteHeader(http.StatusFound)
			case strings.Contains(r.URL.Path, "/elsewhere/"):
				w.WriteHeader(http.StatusTeapot)
				_, _ = fmt.Fprintf(w, `{"errors":[{"title":"bad key %s"}]}`, echo)
			case page == "":
				_, _ = fmt.Fprintf(w, `{"data":[{"id":"1","type":"shipment","attributes":{"pod_eta_at":"%[1]s","%[1]s":1}}],`+
					`"links":{"next":"/v2/shipments?page[number]=2&page[x]=%[1]s&page[%[1]s]=1"}}`, echo)
			default:
				_, _ = fmt.Fprintf(w, `{"data":[],"links":{"next":"/v2/shipments?page[number]=%s"}}`, echo)
			}
			w.Header().Set("X-Sum", echo)
		}))
		recorder, reader := tracetest.NewSpanRecorder(), metric.NewManualReader()
		tracer := trace.NewTracerProvider(trace.WithSpanProcessor(recorder)).Tracer("test")
		client, err := newClient(token, service.URL+"/v2", tracer, metric.NewMeterProvider(metric.WithReader(reader)).Meter("test"))
		require.NoError(t, err)
		_, err = client.Containers.List(t.Context(), nil)
		require.Error(t, err)
		for _, err := range client.Shipments.All(t.Context(), nil) {
			if err != nil {
				require.ErrorIs(t, err, terminal49.ErrPagination)
			}
		}
		service.Close()

		var shown strings.Builder
		spans := recorder.Ended()
		require.Greater(t, len(spans), 4)
		for _, span := range spans {
			fmt.Fprintln(&shown, span.Name(), span.Attributes(), span.Events(), span.Status(), span.Links())
		}
		var all metricdata.ResourceMetrics
		require.NoError(t, reader.Collect(t.Context(), &all))
		fmt.Fprintf(&shown, "%+v", all)
		for _, secret := range echoes {
			require.NotContains(t, strings.ToLower(shown.String()), strings.ToLower(secret))
		}
		require.Regexp(t, `key=[^"]*\[secret\]`, shown.String(), "the span of the redirect")
	}
}

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/go-freight/terminal49"
)

// A backend rejects a whole batch for one text that is not UTF-8, and shows the others in terminals
// and pages. Whatever a service or a caller writes, names and attributes of spans are printable
// texts of bounded length.
func TestTelemetry_HostileTexts(t *testing.T) {
	const hostile = "a\xff\x1b[2J\x00\u009b\u202e"
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/containers"):
			w.Header().Set("Location", "/v2/elsewhere?x=%ff%1b"+strings.Repeat("y", 20_000))
			w.WriteHeader(http.StatusFound)
		case strings.HasSuffix(r.URL.Path, "/elsewhere"):
			w.WriteHeader(http.StatusTeapot)
			fmt.Fprintf(w, `{"errors":[{"title":"%s\u001b[2J\u0000%s","detail":"%s"}]}`, hostile, strings.Repeat("z", 100_000), hostile)
		default:
			fmt.Fprintf(w, `{"data":[{"id":"\u001b%s","type":"shipment","attributes":{"pod_eta_at":"\u001b\u009b"}}],"links":{"next":"\u001b%s"}}`,
				strings.Repeat("i", 50_000), strings.Repeat("l", 50_000))
		}
	}))
	defer service.Close()
	recorder, reader := tracetest.NewSpanRecorder(), metric.NewManualReader()
	tracer := trace.NewTracerProvider(trace.WithSpanProcessor(recorder)).Tracer("test")
	client, err := newClient("key", service.URL+"/v2", tracer, metric.NewMeterProvider(metric.WithReader(reader)).Meter("test"))
	require.NoError(t, err)
	_, err = client.Containers.List(t.Context(), nil)
	require.Error(t, err)
	for range client.Shipments.All(t.Context(), nil) {
	}
	_, _ = client.Search.Query(t.Context(), hostile+strings.Repeat("q", 10_000))
	_, _ = client.Shipments.Get(t.Context(), hostile, nil)
	_ = client.Do(t.Context(), terminal49.Request{Method: "GET" + hostile, Path: "/x" + hostile}, nil)
	_ = client.Do(t.Context(), terminal49.Request{Method: "GET", Path: "/x/" + hostile}, nil)
	shown := func(where, text string) {
		if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) || len(text) > 30_000 {
			t.Errorf("%s: %d bytes %.300q", where, len(text), text)
		}
	}
	attributes := func(where string, list []attribute.KeyValue) {
		for _, a := range list {
			shown(where+" "+string(a.Key), string(a.Key)+a.Value.String())
		}
	}
	require.NotEmpty(t, recorder.Ended())
	for _, span := range recorder.Ended() {
		shown("name", span.Name())
		shown("status", span.Status().Description)
		attributes(span.Name(), span.Attributes())
		for _, event := range span.Events() {
			shown("event", event.Name)
			attributes(span.Name()+" "+event.Name, event.Attributes)
		}
	}
}

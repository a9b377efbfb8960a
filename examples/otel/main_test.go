package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.uber.org/goleak"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A call that needs two attempts is a span with two spans in it, and one repetition.
func TestNewClient_SpansAndMetrics(t *testing.T) {
	recorder := tracetest.NewSpanRecorder()
	reader := metric.NewManualReader()
	tracer := trace.NewTracerProvider(trace.WithSpanProcessor(recorder)).Tracer("test")
	service := terminal49test.NewServer()
	t.Cleanup(service.Close)
	service.SeedDemo()
	client, err := newClient(service.Token, service.URL, tracer, metric.NewMeterProvider(metric.WithReader(reader)).Meter("test"))
	require.NoError(t, err)
	service.Fault(terminal49test.Fault{
		Operation: "shipments.list", Status: http.StatusServiceUnavailable, RetryAfter: terminal49test.RetryAfterSeconds(0),
	})
	_, err = client.Shipments.List(t.Context(), nil)
	require.NoError(t, err)
	_, err = client.Shipments.Get(t.Context(), "5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d", nil)
	require.ErrorIs(t, err, terminal49.ErrNotFound)

	calls := map[string]trace.ReadOnlySpan{}
	attempts := map[string]int{}
	for _, span := range recorder.Ended() {
		if regexp.MustCompile(`^terminal49\.`).MatchString(span.Name()) {
			calls[span.Name()] = span
		}
	}
	require.Len(t, calls, 2)
	for _, span := range recorder.Ended() {
		for name, call := range calls {
			if span.Parent().SpanID() == call.SpanContext().SpanID() {
				attempts[name]++
			}
		}
	}
	require.Equal(t, map[string]int{"terminal49.shipments.list": 2, "terminal49.shipments.get": 1}, attempts)

	sums := collect(t, reader)
	require.Equal(t, int64(3), sums["terminal49.requests"])
	require.Equal(t, int64(1), sums["terminal49.retries"])
	require.Equal(t, int64(100-3+100+200+10), sums["terminal49.limiter.available"])
}

// collect returns the sums of all counters and gauges.
func collect(t *testing.T, reader *metric.ManualReader) map[string]int64 {
	t.Helper()
	var all metricdata.ResourceMetrics
	require.NoError(t, reader.Collect(t.Context(), &all))
	sums := map[string]int64{}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			switch data := m.Data.(type) {
			case metricdata.Sum[int64]:
				for _, point := range data.DataPoints {
					sums[m.Name] += point.Value
				}
			case metricdata.Gauge[int64]:
				for _, point := range data.DataPoints {
					sums[m.Name] += point.Value
				}
			}
		}
	}
	return sums
}

// The dashboard asks only for metrics that the program exports.
func TestDashboard_NamesExist(t *testing.T) {
	text, err := os.ReadFile("dashboard.json")
	require.NoError(t, err)
	require.True(t, json.Valid(text))
	names := regexp.MustCompile(`terminal49_[a-z_]+`).FindAllString(string(text), -1)
	require.NotEmpty(t, names)

	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var out lines
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, []string{"-addr", "127.0.0.1:0", "-traces"}, &out) }()
	require.Eventually(t, func() bool { return address(out.String()) != "" }, time.Minute, 10*time.Millisecond)
	require.EventuallyWithT(t, func(c *assert.CollectT) {
		exported := get(c, address(out.String()))
		for _, name := range names {
			assert.Contains(c, exported, "\n"+name)
		}
	}, 15*time.Second, 200*time.Millisecond)
	cancel()
	require.NoError(t, <-ended)
	require.Contains(t, out.String(), `"terminal49.shipments.list"`)
}

// lines is a buffer for several goroutines.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// address returns the URL of the metrics; "" if it was not printed yet.
func address(out string) string {
	first, _, ok := strings.Cut(out, "\n")
	if !ok {
		return ""
	}
	return strings.TrimPrefix(first, "metrics on ")
}

func get(t require.TestingT, url string) string {
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 5 * time.Second}
	resp, err := client.Get(url)
	require.NoError(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return string(body)
}

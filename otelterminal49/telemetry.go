package otelterminal49

import (
	"errors"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/semconv/v1.43.0/httpconv"
	"go.opentelemetry.io/otel/trace"

	"github.com/go-freight/terminal49"
)

// scope is the instrumentation scope of all spans and metrics.
const scope = "github.com/go-freight/terminal49/otelterminal49"

// Telemetry has the instruments of a program. One serves all clients, limiters and handlers. Create
// it with [New]; it is safe for concurrent use.
type Telemetry struct {
	tracer     trace.Tracer
	meter      metric.Meter
	requests   httpconv.ClientRequestDuration
	calls      metric.Float64Histogram
	retries    metric.Int64Counter
	warnings   metric.Int64Counter
	waits      metric.Float64Histogram
	deliveries metric.Float64Histogram
}

// New returns a Telemetry that reports to the providers given; nil means OpenTelemetry's global
// one. It returns an error if the meter cannot create an instrument.
func New(tracers trace.TracerProvider, meters metric.MeterProvider) (*Telemetry, error) {
	if tracers == nil {
		tracers = otel.GetTracerProvider()
	}
	if meters == nil {
		meters = otel.GetMeterProvider()
	}
	t := &Telemetry{
		tracer: tracers.Tracer(scope, trace.WithInstrumentationVersion(terminal49.Version), trace.WithSchemaURL(semconv.SchemaURL)),
		meter:  meters.Meter(scope, metric.WithInstrumentationVersion(terminal49.Version), metric.WithSchemaURL(semconv.SchemaURL)),
	}
	return t, t.create()
}

// create creates the instruments.
func (t *Telemetry) create() error {
	var errs [6]error
	m := t.meter
	t.requests, errs[0] = httpconv.NewClientRequestDuration(m)
	t.calls, errs[1] = duration(m, "terminal49.call.duration", "Duration of calls with their retries and waits.")
	t.waits, errs[2] = duration(m, "terminal49.limiter.wait.duration", "Duration of waits for a rate limit.")
	t.deliveries, errs[3] = duration(m, "terminal49.webhook.delivery.duration", "Duration of webhook deliveries.")
	t.retries, errs[4] = m.Int64Counter("terminal49.call.retries",
		metric.WithUnit("{retry}"), metric.WithDescription("Requests that are repeated."))
	t.warnings, errs[5] = m.Int64Counter("terminal49.decode.warnings",
		metric.WithUnit("{value}"), metric.WithDescription("Values that could not be decoded."))
	return errors.Join(errs[:]...)
}

// duration returns a histogram in seconds. A wait for a rate limit takes up to minutes.
func duration(m metric.Meter, name, description string) (metric.Float64Histogram, error) {
	return m.Float64Histogram(name, metric.WithUnit("s"), metric.WithDescription(description),
		metric.WithExplicitBucketBoundaries(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300))
}

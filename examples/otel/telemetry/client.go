// Package telemetry reports what the client and a webhook handler do to OpenTelemetry: a span for
// each call, and metrics. Copy it into your program.
package telemetry

import (
	"context"
	"errors"
	"regexp"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/go-freight/terminal49"
)

// client has the instruments of a client.
type client struct {
	tracer   trace.Tracer
	calls    metric.Float64Histogram
	requests metric.Int64Counter
	retries  metric.Int64Counter
	waits    metric.Float64Histogram
	warnings metric.Int64Counter
}

// Hooks returns hooks for [terminal49.WithHooks]. The span of a call is the parent of what
// middleware such as otelhttp.NewTransport starts for each attempt.
func Hooks(t trace.Tracer, m metric.Meter) (terminal49.Hooks, error) {
	c := client{tracer: t}
	var errs [5]error
	c.calls, errs[0] = m.Float64Histogram("terminal49.call.duration", metric.WithUnit("s"),
		metric.WithDescription("calls with their retries and waits"))
	c.requests, errs[1] = m.Int64Counter("terminal49.requests", metric.WithDescription("requests sent"))
	c.retries, errs[2] = m.Int64Counter("terminal49.retries", metric.WithDescription("requests repeated, by the status before"))
	c.waits, errs[3] = m.Float64Histogram("terminal49.limiter.wait", metric.WithUnit("s"),
		metric.WithDescription("waits for the rate limit, also those of nothing"))
	c.warnings, errs[4] = m.Int64Counter("terminal49.decode.warnings",
		metric.WithDescription("values that could not be decoded"))
	return terminal49.Hooks{
		OnCall: c.call, OnAttempt: c.attempt, OnRetry: c.retry, OnDecodeWarning: c.warning,
	}, errors.Join(errs[:]...)
}

func (c client) call(ctx context.Context, call terminal49.CallInfo) (context.Context, func(terminal49.CallResult)) {
	ctx, span := c.tracer.Start(ctx, "terminal49."+call.Op, trace.WithAttributes(labels(call)...))
	return ctx, func(r terminal49.CallResult) {
		span.SetAttributes(attribute.Int("http.response.status_code", r.Status), attribute.Int("terminal49.attempts", r.Attempts))
		if r.Err != nil {
			span.RecordError(r.Err) // errors contain no secrets
			span.SetStatus(codes.Error, "")
		}
		span.End()
		c.calls.Record(ctx, r.Duration.Seconds(), metric.WithAttributes(
			append(labels(call), attribute.Bool("error", r.Err != nil))...))
	}
}

func (c client) attempt(ctx context.Context, a terminal49.Attempt) {
	c.requests.Add(ctx, 1, metric.WithAttributes(append(labels(a.CallInfo), attribute.Int("status", a.Status))...))
	c.waits.Record(ctx, a.LimiterWait.Seconds(), metric.WithAttributes(attribute.String("bucket", string(a.Bucket))))
}

func (c client) retry(ctx context.Context, r terminal49.Retry) {
	c.retries.Add(ctx, 1, metric.WithAttributes(append(labels(r.CallInfo), attribute.Int("status", r.Status))...))
	trace.SpanFromContext(ctx).AddEvent("retry", trace.WithAttributes(
		attribute.Int("status", r.Status), attribute.String("wait", r.Wait.Round(time.Millisecond).String())))
}

func (c client) warning(ctx context.Context, w terminal49.DecodeWarning) {
	c.warnings.Add(ctx, 1, metric.WithAttributes(
		attribute.String("type", name(w.ResourceType)), attribute.String("field", name(w.Field))))
}

// labels are few: operations and rate limits.
func labels(call terminal49.CallInfo) []attribute.KeyValue {
	return []attribute.KeyValue{attribute.String("op", call.Op), attribute.String("bucket", string(call.Bucket))}
}

var isName = regexp.MustCompile(`^[a-z][a-z0-9_.]{0,63}$`).MatchString

// name returns the name of a type or a field, or "other" for what the service would not name one.
func name(text string) string {
	if isName(text) {
		return text
	}
	return "other"
}

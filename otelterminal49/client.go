package otelterminal49

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/go-freight/terminal49"
)

// Hooks returns the hooks for [terminal49.WithHooks]. They report each call and its requests,
// retries and decode warnings. To add hooks of your own, call the functions of these in yours.
func (t *Telemetry) Hooks() terminal49.Hooks {
	return terminal49.Hooks{OnCall: t.call, OnAttempt: t.attempt, OnRetry: t.retry, OnDecodeWarning: t.warning}
}

func (t *Telemetry) call(ctx context.Context, call terminal49.CallInfo) (context.Context, func(terminal49.CallResult)) {
	of := callAttributes(call)
	ctx, span := t.tracer.Start(ctx, "terminal49."+call.Op, trace.WithAttributes(of...))
	return ctx, func(r terminal49.CallResult) {
		if r.Err != nil {
			of = append(of, errorType(r.Err))
		}
		endSpan(span, of)
		t.calls.Record(ctx, r.Duration.Seconds(), metric.WithAttributes(of...))
	}
}

// attempt reports a request that has ended: its span starts in the past.
func (t *Telemetry) attempt(ctx context.Context, a terminal49.Attempt) {
	method := methodName(a.Method)
	of := append(callAttributes(a.CallInfo), semconv.HTTPRequestMethodKey.String(method), semconv.URLTemplate(a.Route))
	of = append(of, result(a.StatusCode, a.Err)...)
	t.requests.RecordSet(ctx, a.Duration.Seconds(), attribute.NewSet(of...))
	_, span := t.tracer.Start(ctx, method+" "+a.Route, trace.WithSpanKind(trace.SpanKindClient),
		trace.WithTimestamp(time.Now().Add(-a.Duration)))
	span.SetAttributes(waitKey.Float64(a.LimiterWait.Seconds()))
	if a.Attempt > 1 {
		span.SetAttributes(semconv.HTTPRequestResendCount(a.Attempt - 1))
	}
	endSpan(span, of)
}

func (t *Telemetry) retry(ctx context.Context, r terminal49.Retry) {
	t.retries.Add(ctx, 1, metric.WithAttributes(append(callAttributes(r.CallInfo), result(r.StatusCode, r.Err)...)...))
}

func (t *Telemetry) warning(ctx context.Context, w terminal49.DecodeWarning) {
	t.warnings.Add(ctx, 1, metric.WithAttributes(typeKey.String(name(w.ResourceType)), fieldKey.String(name(w.Field))))
}

// endSpan ends a span, which has failed if one of its attributes is the type of an error.
func endSpan(span trace.Span, of []attribute.KeyValue) {
	span.SetAttributes(of...)
	for _, a := range of {
		if a.Key == semconv.ErrorTypeKey {
			span.SetStatus(codes.Error, "")
		}
	}
	span.End()
}

package otelterminal49

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/go-freight/terminal49"
)

// Limiter wraps a limiter for [terminal49.WithLimiter] and reports how long each request waits in
// it. A wait that ended without a slot has error.type.
func (t *Telemetry) Limiter(inner terminal49.Limiter) terminal49.Limiter {
	if inner == nil {
		return nil // WithLimiter returns the error
	}
	return limiter{inner, t.waits}
}

type limiter struct {
	terminal49.Limiter
	waits metric.Float64Histogram
}

// Acquire implements [terminal49.Limiter].
func (l limiter) Acquire(ctx context.Context, bucket terminal49.Bucket) (release func(), err error) {
	start := time.Now()
	release, err = l.Limiter.Acquire(ctx, bucket)
	of := []attribute.KeyValue{bucketKey.String(string(bucket))}
	if err != nil {
		of = append(of, errorType(err))
	}
	l.waits.Record(ctx, time.Since(start).Seconds(), metric.WithAttributes(of...))
	return release, err
}

package telemetry

import (
	"context"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/go-freight/terminal49"
)

// window is the rolling period in which the service counts requests.
const window = time.Minute

// limiter counts what is left of the budgets of the limiter that it wraps.
type limiter struct {
	terminal49.Limiter
	mu       sync.Mutex
	inFlight map[terminal49.Bucket]int
	freed    map[terminal49.Bucket][]time.Time // when requests of the last minute ended
}

// Limiter wraps a limiter and reports the gauge terminal49.limiter.available: how many requests
// this process could send at once in each bucket.
func Limiter(inner terminal49.Limiter, limits terminal49.Limits, m metric.Meter) (terminal49.Limiter, error) {
	l := &limiter{
		Limiter: inner, inFlight: map[terminal49.Bucket]int{}, freed: map[terminal49.Bucket][]time.Time{},
	}
	budgets := map[terminal49.Bucket]int{
		terminal49.BucketDefault: limits.Default, terminal49.BucketCreate: limits.Create,
		terminal49.BucketInfer: limits.Infer, terminal49.BucketRefresh: limits.Refresh,
	}
	_, err := m.Int64ObservableGauge("terminal49.limiter.available",
		metric.WithDescription("requests that this process has left in the minute"),
		metric.WithInt64Callback(func(_ context.Context, o metric.Int64Observer) error {
			for bucket, budget := range budgets {
				o.Observe(int64(budget-l.used(bucket)), metric.WithAttributes(attribute.String("bucket", string(bucket))))
			}
			return nil
		}))
	return l, err
}

// Acquire implements terminal49.Limiter.
func (l *limiter) Acquire(ctx context.Context, bucket terminal49.Bucket) (release func(), err error) {
	done, err := l.Limiter.Acquire(ctx, bucket)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	l.inFlight[bucket]++
	l.mu.Unlock()
	return func() {
		done()
		l.mu.Lock()
		defer l.mu.Unlock()
		l.inFlight[bucket]--
		l.freed[bucket] = append(l.freed[bucket], time.Now())
	}, nil
}

// used returns how many requests count in a bucket.
func (l *limiter) used(bucket terminal49.Bucket) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	kept := l.freed[bucket]
	for len(kept) > 0 && time.Since(kept[0]) >= window {
		kept = kept[1:]
	}
	l.freed[bucket] = kept
	return l.inFlight[bucket] + len(kept)
}

package otelterminal49_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/go-freight/terminal49"
)

// A wait is measured from the request for a slot until there is one, or the context ends.
func TestLimiter_Waits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := record()
		inner, err := terminal49.NewLimiter(terminal49.RateLimits{Refresh: 1})
		require.NoError(t, err)
		limiter := r.Limiter(inner)
		release, err := limiter.Acquire(t.Context(), terminal49.BucketRefresh)
		require.NoError(t, err)
		release()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err = limiter.Acquire(ctx, terminal49.BucketRefresh)
		require.ErrorIs(t, err, context.DeadlineExceeded, "the slot is free after a minute")
		limiter.Pause(terminal49.BucketRefresh, 90*time.Second)
		release, err = limiter.Acquire(t.Context(), terminal49.BucketRefresh)
		require.NoError(t, err)
		release()
		require.Equal(t, map[string]float64{
			"terminal49.limiter.wait.duration terminal49.bucket=refresh":                    2,
			"terminal49.limiter.wait.duration error.type=timeout,terminal49.bucket=refresh": 1,
		}, r.metrics())
		require.InDelta(t, 90, waited(t, r), 0.001)
	})
}

// waited returns the seconds of all waits.
func waited(t *testing.T, r recording) (seconds float64) {
	var all metricdata.ResourceMetrics
	require.NoError(t, r.reader.Collect(t.Context(), &all))
	for _, point := range all.ScopeMetrics[0].Metrics[0].Data.(metricdata.Histogram[float64]).DataPoints {
		seconds += point.Sum
	}
	return seconds
}

// The client reports that a limiter is missing, as it does without this package.
func TestLimiter_None(t *testing.T) {
	_, err := terminal49.New("key", terminal49.WithLimiter(record().Limiter(nil)))
	var invalid *terminal49.ArgumentError
	require.ErrorAs(t, err, &invalid)
	require.Equal(t, "WithLimiter", invalid.Field)
}

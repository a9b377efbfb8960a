package terminal49_test

// What the options of the limits do. Whether the limits hold is in simulator_limits_test.go, what another Limiter may rely
// on in limits_limiter_test.go.

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

func limitedClient(t *testing.T, rt http.RoundTripper, opts ...terminal49.Option) *terminal49.Client {
	t.Helper()
	client, err := terminal49.New(testkit.Token, append([]terminal49.Option{terminal49.WithBaseURL(testkit.Base), terminal49.WithHTTPClient(&http.Client{Transport: rt})}, opts...)...)
	require.NoError(t, err)
	return client
}

// sendingTimes has n refreshes sent one after another and returns when each was.
func sendingTimes(t *testing.T, n int, opts ...terminal49.Option) (times []time.Duration) {
	t.Helper()
	start := time.Now()
	rt := testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
		times = append(times, time.Since(start))
		return testkit.Answer(200, `{"message":"m"}`)(nil)
	})
	client := limitedClient(t, rt, opts...)
	for range n {
		_, err := client.Containers.Refresh(t.Context(), testkit.ContainerID)
		require.NoError(t, err)
	}
	return times
}

func TestLimitsOption_TakesEffect(t *testing.T) {
	for name, test := range map[string]struct {
		opts []terminal49.Option
		at   []time.Duration // when requests 10, 11 and 12 are sent, not sooner
	}{
		"documented": {nil, []time.Duration{0, time.Minute, time.Minute}},
		"raised":     {[]terminal49.Option{terminal49.WithLimits(terminal49.Limits{Refresh: 11})}, []time.Duration{0, 0, time.Minute}},
		"paced":      {[]terminal49.Option{terminal49.WithLimits(terminal49.Limits{Refresh: 100, PerSecond: 1, Burst: 10})}, []time.Duration{0, time.Second, 2 * time.Second}},
		"none":       {[]terminal49.Option{terminal49.WithoutLimits()}, []time.Duration{0, 0, 0}},
		"shared":     {[]terminal49.Option{terminal49.WithLimiter(newLimiter(t, terminal49.Limits{Refresh: 11}))}, []time.Duration{0, 0, time.Minute}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				times := sendingTimes(t, 12, test.opts...)
				for i, want := range test.at {
					got := times[9+i]
					require.GreaterOrEqual(t, got, want)
					require.Less(t, got, want+time.Second)
				}
			})
		})
	}
}

func TestLimitsOption_OneLimiterForTwoClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := terminal49.WithLimiter(newLimiter(t, terminal49.Limits{}))
		start := time.Now()
		require.Less(t, sendingTimes(t, 10, shared)[9], time.Second)
		sendingTimes(t, 1, shared)
		require.GreaterOrEqual(t, time.Since(start), time.Minute, "the second client found the budget spent")
	})
}

func TestLimitsOption_AWaitBeyondTheDeadlineIsNotBegun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := limitedClient(t, testkit.Answer(200, `{"message":"m"}`))
		for range 10 {
			_, err := client.Containers.Refresh(t.Context(), testkit.ContainerID)
			require.NoError(t, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		_, err := client.Containers.Refresh(ctx, testkit.ContainerID)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorContains(t, err, "refresh")
		require.False(t, terminal49.IsOutcomeUnknown(err), "nothing was sent")
		require.Zero(t, time.Since(start))
		_, err = client.ShippingLines.List(t.Context())
		require.Error(t, err, "another bucket is open, and answers")
		require.NotErrorIs(t, err, context.DeadlineExceeded)
	})
}

func newLimiter(t *testing.T, l terminal49.Limits) terminal49.Limiter {
	t.Helper()
	limiter, err := terminal49.NewLimiter(l)
	require.NoError(t, err)
	return limiter
}

func TestNewLimiter_RefusesInvalidLimits(t *testing.T) {
	_, err := terminal49.NewLimiter(terminal49.Limits{Refresh: -1})
	var bad *terminal49.ArgumentError
	require.ErrorAs(t, err, &bad)
	require.Equal(t, "WithLimits", bad.Field)
}

package webhook_test

import (
	"context"
	"math"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/webhook"
)

// What is natural works, and the rest is an *ArgumentError. A handler that works handles a
// delivery, and knows it when it comes again.
func TestNumericOptions_AtTheirEnds(t *testing.T) {
	const year = 365 * 24 * time.Hour
	for name, row := range map[string]struct {
		option  func(n int64) webhook.Option
		refused []int64
		works   []int64
	}{
		"WithBodyLimit": {webhook.WithBodyLimit, []int64{0, -1, math.MinInt64}, []int64{1 << 20, math.MaxInt64}},
		"WithTimeout": {func(n int64) webhook.Option { return webhook.WithTimeout(time.Duration(n)) },
			[]int64{0, -1, math.MinInt64}, []int64{int64(time.Second), int64(year), math.MaxInt64}},
		"WithClaimLease": {func(n int64) webhook.Option { return webhook.WithClaimLease(time.Duration(n)) },
			[]int64{0, -1, math.MinInt64, int64(time.Second) - 1, int64(time.Hour) + 1, math.MaxInt64},
			[]int64{int64(time.Second), int64(time.Minute), int64(time.Hour)}},
		"WithDedupe": {func(n int64) webhook.Option {
			return webhook.WithDedupe(webhook.NewMemoryDedupe(0), time.Duration(n))
		}, []int64{0, -1, math.MinInt64}, []int64{int64(time.Second), int64(year), math.MaxInt64}},
		"NewMemoryDedupe": {func(n int64) webhook.Option {
			return webhook.WithDedupe(webhook.NewMemoryDedupe(int(n)), time.Hour)
		}, nil, []int64{0, 1, -1, math.MaxInt, math.MinInt}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				whatever := webhook.OnAny(func(context.Context, *webhook.Notification) error { return nil })
				for _, n := range row.refused {
					_, err := webhook.NewHandler(webhook.WithSecrets(terminal49.NewSecret("k")), whatever, row.option(n))
					var argument *terminal49.ArgumentError
					require.ErrorAs(t, err, &argument, n)
					require.Equal(t, name, argument.Field)
				}
				for _, n := range row.works {
					var seen webhook.Delivery
					h := testkit.NewHandler(t, whatever, row.option(n), webhook.OnDelivery(func(_ context.Context, d webhook.Delivery) { seen = d }))
					require.Equal(t, 200, testkit.Serve(h, testkit.SignedRequest(testkit.Numbered(1))).Code, n)
					require.Equal(t, webhook.OutcomeHandled, seen.Outcome, n)
					require.Equal(t, 200, testkit.Serve(h, testkit.SignedRequest(testkit.Numbered(1))).Code, n)
					require.Equal(t, webhook.OutcomeDuplicate, seen.Outcome, n)
				}
			})
		})
	}
}

func TestNumericOptions_OfOnlyFrom(t *testing.T) {
	client := testkit.NewClient(t, testkit.Answer(http.StatusOK, `{"webhook_notification_ips":["192.0.2.1"]}`))
	for name, c := range map[string]struct {
		params webhook.SourceParams
		ok     bool
	}{
		"defaults":                 {webhook.SourceParams{}, true},
		"the longest":              {webhook.SourceParams{RefreshAfter: math.MaxInt64, MaxStale: math.MaxInt64}, true},
		"the shortest":             {webhook.SourceParams{RefreshAfter: 1, MaxStale: time.Minute}, true},
		"below the wait":           {webhook.SourceParams{RefreshAfter: 1, MaxStale: time.Minute - 1}, false},
		"negative RefreshAfter":    {webhook.SourceParams{RefreshAfter: math.MinInt64}, false},
		"negative MaxStale":        {webhook.SourceParams{MaxStale: -1}, false},
		"MaxStale is too short":    {webhook.SourceParams{MaxStale: 1}, false},
		"RefreshAfter is too long": {webhook.SourceParams{RefreshAfter: math.MaxInt64}, false},
	} {
		_, err := webhook.OnlyFrom(client.Webhooks, &c.params)
		if c.ok {
			require.NoError(t, err, name)
			continue
		}
		testkit.RequireArgument(t, err, "MaxStale")
		require.ErrorContains(t, err, "at least 1 minute", name)
	}
}

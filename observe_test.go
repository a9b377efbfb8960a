package terminal49

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestHooks_AttemptsAndRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type key struct{}
		var attempts []Attempt
		var retries []Retry
		rt, _ := failing(1)
		slow := roundTripper(func(req *http.Request) (*http.Response, error) {
			time.Sleep(time.Second)
			return rt(req)
		})
		client := newClient(t, slow, WithMaxAttempts(3), WithHooks(Hooks{
			OnAttempt: func(ctx context.Context, a Attempt) {
				require.Equal(t, "mine", ctx.Value(key{}))
				attempts = append(attempts, a)
			},
			OnRetry: func(_ context.Context, r Retry) { retries = append(retries, r) },
		}))
		_, err := client.Shipments.Get(context.WithValue(t.Context(), key{}, "mine"), shipmentID, nil)
		require.NoError(t, err)

		info := CallInfo{Op: "shipments.get", Route: "/shipments/{id}", Bucket: BucketDefault, Attempt: 1}
		second := info
		second.Attempt = 2
		require.Equal(t, []Attempt{
			{CallInfo: info, Method: "GET", Status: 503, Duration: time.Second},
			{CallInfo: second, Method: "GET", Status: 200, Duration: time.Second, Bytes: len(oneShipment)},
		}, attempts)
		require.Len(t, retries, 1)
		require.Equal(t, info, retries[0].CallInfo)
		require.Equal(t, 503, retries[0].Status)
		require.NoError(t, retries[0].Err)
		require.LessOrEqual(t, retries[0].Wait, 500*time.Millisecond)
	})
}

func TestHooks_Failures(t *testing.T) {
	broken := errors.New("broken pipe")
	var got []Attempt
	rt := roundTripper(func(*http.Request) (*http.Response, error) { return nil, broken })
	client := newClient(t, rt, WithHooks(Hooks{OnAttempt: func(_ context.Context, a Attempt) { got = append(got, a) }}))
	_, err := client.TrackingRequests.Create(t.Context(), fullCreate())
	require.ErrorIs(t, err, broken)
	require.Len(t, got, 1)
	require.ErrorIs(t, got[0].Err, broken)
	require.Zero(t, got[0].Status)
	require.Equal(t, BucketCreate, got[0].Bucket)
}

func TestCallFromContext_InMiddleware(t *testing.T) {
	var got []CallInfo
	note := func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(req *http.Request) (*http.Response, error) {
			info, ok := CallFromContext(req.Context())
			require.True(t, ok)
			got = append(got, info)
			return next.RoundTrip(req)
		})
	}
	_, err := newClient(t, answer(200, `{"message":"m"}`), WithMiddleware(note)).Containers.Refresh(t.Context(), containerID)
	require.NoError(t, err)
	require.Equal(t, []CallInfo{{"containers.refresh", "/containers/{id}/refresh", BucketRefresh, 1}}, got)
	_, ok := CallFromContext(t.Context())
	require.False(t, ok)
}

func TestLogger_WritesAFixedListOfFields(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		log := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))
		rt, _ := failing(1)
		client := newClient(t, rt, WithLogger(log), WithMaxAttempts(2))
		_, err := client.Shipments.Get(t.Context(), shipmentID, &ShipmentGetParams{Include: []ShipmentInclude{"private"}})
		require.NoError(t, err)
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		require.Len(t, lines, 3)
		require.Contains(t, lines[0], `level=DEBUG msg="terminal49 request" op=shipments.get method=GET route=/shipments/{id} attempt=1 status=503 `)
		require.Contains(t, lines[1], `level=WARN msg="terminal49 retry" op=shipments.get method=GET route=/shipments/{id} attempt=1 status=503 wait=`)
		require.Contains(t, lines[2], "attempt=2 status=200 ")
		require.NotContains(t, out.String(), "private")
		require.NotContains(t, out.String(), shipmentID)
	})
}

// The doc comment of WithLogger promises it.
func TestLogger_WritesDecodeWarnings(t *testing.T) {
	var out bytes.Buffer
	client := newClient(t, answer(200, oddShipment), WithLogger(slog.New(slog.NewTextHandler(&out, nil))))
	_, err := client.Shipments.Get(t.Context(), shipmentID, nil)
	require.NoError(t, err)
	require.Contains(t, out.String(), "level=WARN")
	require.Contains(t, out.String(), "pod_eta_at")
	require.NotContains(t, out.String(), "soon-ish")
}

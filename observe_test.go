package terminal49_test

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

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

func TestHooks_AttemptsAndRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type key struct{}
		var attempts []terminal49.Attempt
		var retries []terminal49.Retry
		rt, _ := testkit.Failing(1)
		slow := testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			time.Sleep(time.Second)
			return rt(req)
		})
		client := testkit.NewClient(t, slow, terminal49.WithMaxAttempts(3), terminal49.WithHooks(terminal49.Hooks{
			OnAttempt: func(ctx context.Context, a terminal49.Attempt) {
				require.Equal(t, "mine", ctx.Value(key{}))
				attempts = append(attempts, a)
			},
			OnRetry: func(_ context.Context, r terminal49.Retry) { retries = append(retries, r) },
		}))
		_, err := client.Shipments.Get(context.WithValue(t.Context(), key{}, "mine"), testkit.ShipmentID, nil)
		require.NoError(t, err)

		info := terminal49.CallInfo{Op: "shipments.get", Route: "/shipments/{id}", Bucket: terminal49.BucketDefault,
			Attempt: 1}
		second := info
		second.Attempt = 2
		require.Equal(t, []terminal49.Attempt{
			{CallInfo: info, Method: "GET", Status: 503, Duration: time.Second},
			{CallInfo: second, Method: "GET", Status: 200, Duration: time.Second, Bytes: len(testkit.OneShipment)},
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
	var got []terminal49.Attempt
	rt := testkit.RoundTripper(func(*http.Request) (*http.Response, error) { return nil, broken })
	client := testkit.NewClient(t, rt,
		terminal49.WithHooks(terminal49.Hooks{OnAttempt: func(_ context.Context, a terminal49.Attempt) {
			got = append(got, a)
		}}))
	_, err := client.TrackingRequests.Create(t.Context(), testkit.FullCreate())
	require.ErrorIs(t, err, broken)
	require.Len(t, got, 1)
	require.ErrorIs(t, got[0].Err, broken)
	require.Zero(t, got[0].Status)
	require.Equal(t, terminal49.BucketCreate, got[0].Bucket)
}

func TestCallFromContext_InMiddleware(t *testing.T) {
	var got []terminal49.CallInfo
	note := func(next http.RoundTripper) http.RoundTripper {
		return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			info, ok := terminal49.CallFromContext(req.Context())
			require.True(t, ok)
			got = append(got, info)
			return next.RoundTrip(req)
		})
	}
	_, err := testkit.NewClient(t, testkit.Answer(200, `{"message":"m"}`),
		terminal49.WithMiddleware(note)).Containers.Refresh(t.Context(), testkit.ContainerID)
	require.NoError(t, err)
	require.Equal(t, []terminal49.CallInfo{{Op: "containers.refresh", Route: "/containers/{id}/refresh",
		Bucket: terminal49.BucketRefresh, Attempt: 1}}, got)
	_, ok := terminal49.CallFromContext(t.Context())
	require.False(t, ok)
}

func TestLogger_WritesAFixedListOfFields(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		log := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))
		rt, _ := testkit.Failing(1)
		client := testkit.NewClient(t, rt, terminal49.WithLogger(log), terminal49.WithMaxAttempts(2))
		_, err := client.Shipments.Get(t.Context(), testkit.ShipmentID,
			&terminal49.ShipmentGetParams{Include: []terminal49.ShipmentInclude{"private"}})
		require.NoError(t, err)
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		require.Len(t, lines, 3)
		require.Contains(t, lines[0],
			`level=DEBUG msg="terminal49 request" op=shipments.get method=GET route=/shipments/{id} attempt=1 status=503 `)
		require.Contains(t, lines[1],
			`level=WARN msg="terminal49 retry" op=shipments.get method=GET route=/shipments/{id} attempt=1 status=503 wait=`)
		require.Contains(t, lines[2], "attempt=2 status=200 ")
		require.NotContains(t, out.String(), "private")
		require.NotContains(t, out.String(), testkit.ShipmentID)
	})
}

// The doc comment of WithLogger promises it.
func TestLogger_WritesDecodeWarnings(t *testing.T) {
	var out bytes.Buffer
	client := testkit.NewClient(t, testkit.Answer(200, oddShipment),
		terminal49.WithLogger(slog.New(slog.NewTextHandler(&out, nil))))
	_, err := client.Shipments.Get(t.Context(), testkit.ShipmentID, nil)
	require.NoError(t, err)
	require.Contains(t, out.String(), "level=WARN")
	require.Contains(t, out.String(), "pod_eta_at")
	require.NotContains(t, out.String(), "soon-ish")
}

// offHandler fails the test if it is used although no level is enabled.
type offHandler struct{ t *testing.T }

func (h offHandler) Enabled(context.Context, slog.Level) bool { return false }

func (h offHandler) Handle(_ context.Context, r slog.Record) error {
	h.t.Error("a logger that is off received", r.Message)
	return nil
}

func (h offHandler) WithAttrs([]slog.Attr) slog.Handler { return h }

func (h offHandler) WithGroup(string) slog.Handler { return h }

// The doc comment of WithLogger promises it: a logger that is off costs nothing, for responses with
// warnings and for retries.
func TestLogger_ThatIsOffCostsNothing(t *testing.T) {
	allocs := func(body string, statuses int, opts ...terminal49.Option) float64 {
		n := 0
		rt := testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			if n++; n%statuses != 0 {
				return testkit.Answer(http.StatusServiceUnavailable, "{}")(req)
			}
			return testkit.Answer(http.StatusOK, body)(req)
		})
		opts = append([]terminal49.Option{terminal49.WithoutLimits(), terminal49.WithMaxAttempts(2)}, opts...)
		client := testkit.NewClient(t, rt, opts...)
		return testing.AllocsPerRun(50, func() {
			_, err := client.Shipments.Get(context.Background(), testkit.ShipmentID, nil)
			require.NoError(t, err)
		})
	}
	off := terminal49.WithLogger(slog.New(offHandler{t}))
	require.Equal(t, allocs(oddShipment, 1), allocs(oddShipment, 1, off), "warnings")
	synctest.Test(t, func(t *testing.T) {
		require.Equal(t, allocs(testkit.OneShipment, 2), allocs(testkit.OneShipment, 2, off), "retries")
	})
}

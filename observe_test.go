package terminal49_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math"
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
			Attempt: 1, Share: 1}
		second := info
		second.Attempt = 2
		require.Equal(t, []terminal49.Attempt{
			{CallInfo: info, Method: "GET", StatusCode: 503, Duration: time.Second},
			{CallInfo: second, Method: "GET", StatusCode: 200, Duration: time.Second, Bytes: len(testkit.OneShipment)},
		}, attempts)
		require.Len(t, retries, 1)
		require.Equal(t, info, retries[0].CallInfo)
		require.Equal(t, 503, retries[0].StatusCode)
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
	require.Zero(t, got[0].StatusCode)
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
		Bucket: terminal49.BucketRefresh, Attempt: 1, Share: 1}}, got)
	_, ok := terminal49.CallFromContext(t.Context())
	require.False(t, ok)
}

// limiterFunc is a Limiter that reads the call of each request.
type limiterFunc func(terminal49.CallInfo)

func (f limiterFunc) Acquire(ctx context.Context, _ terminal49.Bucket) (func(), error) {
	call, _ := terminal49.CallFromContext(ctx)
	f(call)
	return func() {}, nil
}
func (limiterFunc) Pause(terminal49.Bucket, time.Duration) {}

// The documentation of WithRateLimitShare and of CallInfo: any limiter can read the share, which is
// 1 without the option; an option of the call replaces that of the client.
func TestCallFromContext_ShareInLimiter(t *testing.T) {
	var got []float64
	client, err := terminal49.New(testkit.Token, terminal49.WithRateLimitShare(0.6),
		terminal49.WithHTTPClient(&http.Client{Transport: testkit.Answer(200, testkit.OneShipment)}),
		terminal49.WithLimiter(limiterFunc(func(c terminal49.CallInfo) { got = append(got, c.Share) })))
	require.NoError(t, err)
	for _, opts := range [][]terminal49.CallOption{nil, {terminal49.WithRateLimitShare(0.25)}, {terminal49.WithRateLimitShare(1)}} {
		_, err := client.Shipments.Get(t.Context(), testkit.ShipmentID, nil, opts...)
		require.NoError(t, err)
	}
	require.Equal(t, []float64{0.6, 0.25, 1}, got)
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
		opts = append([]terminal49.Option{terminal49.WithoutRateLimits(), terminal49.WithMaxAttempts(2)}, opts...)
		client := testkit.NewClient(t, rt, opts...)
		least := math.Inf(1) // the race detector empties pools at random
		for range 5 {
			least = min(least, testing.AllocsPerRun(200, func() {
				_, err := client.Shipments.Get(context.Background(), testkit.ShipmentID, nil)
				require.NoError(t, err)
			}))
		}
		return least
	}
	off := terminal49.WithLogger(slog.New(offHandler{t}))
	// Pools make the count vary by one; a record that is dropped costs at least two.
	require.InDelta(t, allocs(oddShipment, 1), allocs(oddShipment, 1, off), 1, "warnings")
	synctest.Test(t, func(t *testing.T) {
		require.InDelta(t, allocs(testkit.OneShipment, 2), allocs(testkit.OneShipment, 2, off), 1, "retries")
	})
}

// The doc comment of Hooks.OnCall promises it: one call of the hook for each call of the API, whose
// context is that of the attempts, and whose outcome is what the method returns.
func TestHooks_OnCall(t *testing.T) {
	type key struct{}
	const route = "/shipments/{id}"
	info := terminal49.CallInfo{Op: "shipments.get", Route: route, Bucket: terminal49.BucketDefault, Share: 1}
	for name, c := range map[string]struct {
		rt       func() http.RoundTripper
		id       string
		attempts int
		status   int
		want     error // nil for success
	}{
		"success":           {func() http.RoundTripper { rt, _ := testkit.Failing(1); return rt }, testkit.ShipmentID, 2, 200, nil},
		"the last response": {func() http.RoundTripper { return testkit.Answer(404, `{"errors":[]}`) }, testkit.ShipmentID, 1, 404, terminal49.ErrNotFound},
		"unreadable":        {func() http.RoundTripper { return testkit.Answer(200, `<html>`) }, testkit.ShipmentID, 1, 200, &terminal49.DecodeError{}},
		"another resource":  {func() http.RoundTripper { return testkit.Answer(200, testkit.OneShipment) }, testkit.ContainerID, 1, 200, &terminal49.DecodeError{}},
		"two resources":     {func() http.RoundTripper { return testkit.Answer(200, `{"data":[]}`) }, testkit.ShipmentID, 1, 200, &terminal49.DecodeError{}},
		"argument":          {func() http.RoundTripper { return testkit.Answer(200, `{}`) }, "7", 0, 0, &terminal49.ArgumentError{}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var started []terminal49.CallInfo
				var ended []terminal49.CallResult
				client := testkit.NewClient(t, c.rt(), terminal49.WithMaxAttempts(3), terminal49.WithHooks(terminal49.Hooks{
					OnCall: func(ctx context.Context, info terminal49.CallInfo) (context.Context, func(terminal49.CallResult)) {
						started = append(started, info)
						return context.WithValue(ctx, key{}, "span"), func(r terminal49.CallResult) { ended = append(ended, r) }
					},
					OnAttempt: func(ctx context.Context, _ terminal49.Attempt) { require.Equal(t, "span", ctx.Value(key{})) },
				}))
				start := time.Now()
				var response terminal49.Response
				_, err := client.Shipments.Get(t.Context(), c.id, nil, terminal49.WithResponse(&response))
				require.Equal(t, []terminal49.CallInfo{info}, started)
				require.Equal(t, []terminal49.CallResult{{StatusCode: c.status, Attempts: c.attempts, Duration: time.Since(start), Err: err}}, ended)
				switch c.want.(type) {
				case nil:
					require.NoError(t, err)
				case *terminal49.DecodeError:
					require.ErrorAs(t, err, new(*terminal49.DecodeError))
				case *terminal49.ArgumentError:
					require.ErrorAs(t, err, new(*terminal49.ArgumentError))
				default:
					require.ErrorIs(t, err, c.want)
				}
				require.Equal(t, c.status, response.StatusCode, "WithResponse works as before")
				require.Equal(t, c.attempts, response.Attempts)
			})
		})
	}
}

// Every form of response is a call: a page, a plain object, a map, nothing, and Do.
func TestHooks_OnCallOfEveryOperation(t *testing.T) {
	for _, c := range testkit.EveryCall() {
		t.Run(c.Op+"?"+c.Query, func(t *testing.T) {
			api := testkit.NewFakeAPI()
			api.On(c.Method, c.Path, http.StatusOK, c.Reply)
			var ended []terminal49.CallResult
			client := testkit.NewClient(t, api, terminal49.WithHooks(terminal49.Hooks{
				OnCall: func(context.Context, terminal49.CallInfo) (context.Context, func(terminal49.CallResult)) {
					return nil, func(r terminal49.CallResult) { ended = append(ended, r) }
				},
			}))
			require.NoError(t, c.Do(t.Context(), client))
			require.Len(t, ended, 1)
			require.Equal(t, 1, ended[0].Attempts)
			require.Equal(t, http.StatusOK, ended[0].StatusCode)
		})
	}
}

// The doc comments of Hooks.OnLimiterWait and WithLogger: waits of more than a second are reported,
// for the built-in limiter and any other.
func TestHooks_OnLimiterWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		type limiterWait struct {
			terminal49.CallInfo
			Wait time.Duration
		}
		var waits []limiterWait
		client, err := terminal49.New("key", terminal49.WithHTTPClient(&http.Client{Transport: testkit.Answer(200, testkit.OneShipment)}),
			terminal49.WithRateLimits(terminal49.RateLimits{PerSecond: 0.5, Burst: 1}),
			terminal49.WithLogger(slog.New(slog.NewTextHandler(&out, nil))),
			terminal49.WithHooks(terminal49.Hooks{OnLimiterWait: func(_ context.Context, call terminal49.CallInfo, wait time.Duration) {
				waits = append(waits, limiterWait{call, wait})
			}}))
		require.NoError(t, err)
		get := func(ctx context.Context) error {
			_, err := client.Shipments.Get(ctx, testkit.ShipmentID, nil)
			return err
		}
		require.NoError(t, get(t.Context()))
		require.Empty(t, waits)
		require.NoError(t, get(t.Context()))
		info := terminal49.CallInfo{Op: "shipments.get", Route: "/shipments/{id}", Bucket: terminal49.BucketDefault, Attempt: 1, Share: 1}
		require.Equal(t, []limiterWait{{info, 2 * time.Second}}, waits)
		require.Contains(t, out.String(), `level=INFO msg="terminal49 rate limit" op=shipments.get bucket=default attempt=1 wait=2s`)

		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(1500*time.Millisecond, cancel)
		require.ErrorIs(t, get(ctx), context.Canceled)
		require.Equal(t, 1500*time.Millisecond, waits[1].Wait)
		time.Sleep(1200 * time.Millisecond)
		require.NoError(t, get(t.Context())) // after 0.8 s
		require.Len(t, waits, 2)
	})
}

package terminal49_test

// These tests are about the functions that a caller passes to the client: hooks, callbacks,
// iterators, readers, writers, middleware and limiters.

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

// userFunction is a place at which the client calls a function of its caller.
type userFunction struct {
	opts func(f func()) []terminal49.Option
	// call makes the client call f; nil means Shipments.Get.
	call func(ctx context.Context, c *terminal49.Client, f func()) error
	// isError means that a panic is returned as an error, because f is not called on the goroutine of
	// the call. Otherwise the panic reaches the caller.
	isError bool
	// alone means that f is called by a limiter or logger, which must not use the client.
	alone bool
}

func withHook(h func(f func()) terminal49.Hooks) func(func()) []terminal49.Option {
	return func(f func()) []terminal49.Option { return []terminal49.Option{terminal49.WithHooks(h(f))} }
}

// Each is called at some time during a call.
type failingLimiter struct{ acquire, release, pause func() }

func (l failingLimiter) Acquire(context.Context, terminal49.Bucket) (func(), error) {
	l.acquire()
	return l.release, nil
}
func (l failingLimiter) Pause(terminal49.Bucket, time.Duration) { l.pause() }

func withFailingLimiter(set func(l *failingLimiter, f func())) func(func()) []terminal49.Option {
	return func(f func()) []terminal49.Option {
		none := func() {}
		l := failingLimiter{none, none, none}
		set(&l, f)
		return []terminal49.Option{terminal49.WithLimiter(l)}
	}
}

type callingHandler struct {
	slog.Handler
	f func()
}

func (h callingHandler) Handle(context.Context, slog.Record) error { h.f(); return nil }

type callingReader struct {
	*strings.Reader
	read, seek func()
}

func (r callingReader) Read(p []byte) (int, error) { r.read(); return r.Reader.Read(p) }
func (r callingReader) Seek(offset int64, whence int) (int64, error) {
	r.seek()
	return r.Reader.Seek(offset, whence)
}

type callingWriter struct{ f func() }

func (w callingWriter) Write(p []byte) (int, error) { w.f(); return len(p), nil }

func upload(file func(f func()) terminal49.DocumentFile) func(context.Context, *terminal49.Client, func()) error {
	return func(ctx context.Context, c *terminal49.Client, f func()) error {
		return testkit.First(c.Documents.Upload(ctx, file(f)))
	}
}

func trackAll(params func(f func()) terminal49.TrackAllParams) func(context.Context, *terminal49.Client, func()) error {
	return func(ctx context.Context, c *terminal49.Client, f func()) error {
		p := params(f)
		for o := range c.TrackingRequests.TrackAll(ctx, terminal49.NumbersToTrack(append(bulkNumbers(50), unsureNumber)...), &p) {
			if o.Err != nil {
				return o.Err
			}
		}
		return nil
	}
}

func userFunctions() map[string]userFunction {
	type hooks = terminal49.Hooks
	middleware := func(f func()) []terminal49.Option {
		return []terminal49.Option{testkit.Around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
			f()
			return next.RoundTrip(req)
		})}
	}
	return map[string]userFunction{
		"Hooks.OnCall": {opts: withHook(func(f func()) hooks {
			return hooks{OnCall: func(context.Context, terminal49.CallInfo) (context.Context, func(terminal49.CallResult)) {
				f()
				return nil, nil
			}}
		})},
		"the end of Hooks.OnCall": {opts: withHook(func(f func()) hooks {
			return hooks{OnCall: func(context.Context, terminal49.CallInfo) (context.Context, func(terminal49.CallResult)) {
				return nil, func(terminal49.CallResult) { f() }
			}}
		})},
		"Hooks.OnAttempt": {opts: withHook(func(f func()) hooks { return hooks{OnAttempt: func(context.Context, terminal49.Attempt) { f() }} })},
		"Hooks.OnRetry":   {opts: withHook(func(f func()) hooks { return hooks{OnRetry: func(context.Context, terminal49.Retry) { f() }} })},
		"Hooks.OnLimiterWait": {opts: withHook(func(f func()) hooks {
			return hooks{OnLimiterWait: func(context.Context, terminal49.CallInfo, time.Duration) { f() }}
		})},
		"Hooks.OnDecodeWarning": {opts: withHook(func(f func()) hooks {
			return hooks{OnDecodeWarning: func(context.Context, terminal49.DecodeWarning) { f() }}
		})},
		"the logger": {alone: true, opts: func(f func()) []terminal49.Option {
			return []terminal49.Option{terminal49.WithLogger(slog.New(callingHandler{slog.NewTextHandler(io.Discard, nil), f}))}
		}},
		"middleware":       {opts: middleware},
		"Limiter.Acquire":  {alone: true, opts: withFailingLimiter(func(l *failingLimiter, f func()) { l.acquire = f })},
		"Limiter: release": {alone: true, opts: withFailingLimiter(func(l *failingLimiter, f func()) { l.release = f })},
		"Limiter.Pause":    {alone: true, opts: withFailingLimiter(func(l *failingLimiter, f func()) { l.pause = f })},
		"middleware, with WithPrefetch": {opts: middleware, call: func(ctx context.Context, c *terminal49.Client, _ func()) error {
			return testkit.First(testkit.Drain(c.Shipments.All(ctx, nil, terminal49.WithPrefetch(4))))
		}},
		"the body of a loop, with WithPrefetch": {call: func(ctx context.Context, c *terminal49.Client, f func()) error {
			for _, err := range c.Shipments.All(ctx, nil, terminal49.WithPrefetch(4)) {
				if err != nil {
					return err
				}
				f()
			}
			return nil
		}},
		"middleware, in TrackAll": {opts: middleware, call: trackAll(func(func()) terminal49.TrackAllParams { return terminal49.TrackAllParams{} })},
		"TrackAllParams.Skip": {call: trackAll(func(f func()) terminal49.TrackAllParams {
			return terminal49.TrackAllParams{Skip: func(int, string) bool { f(); return false }}
		})},
		"TrackAllParams.OnProgress": {call: trackAll(func(f func()) terminal49.TrackAllParams {
			return terminal49.TrackAllParams{OnProgress: func(terminal49.TrackProgress) { f() }}
		})},
		"TrackParams.Confirm, in TrackAll": {call: trackAll(func(f func()) terminal49.TrackAllParams {
			return terminal49.TrackAllParams{TrackParams: terminal49.TrackParams{Confirm: func(_ context.Context, i *terminal49.Inference) (string, error) {
				f()
				return "ONEY", nil
			}}}
		})},
		"the numbers of TrackAll": {call: func(ctx context.Context, c *terminal49.Client, f func()) error {
			for range c.TrackingRequests.TrackAll(ctx, func(yield func(trackingRow) bool) {
				for i, row := range bareRows(50) {
					if i == 20 {
						f()
					}
					if !yield(row) {
						return
					}
				}
			}, nil) {
			}
			return nil
		}},
		"the end of the numbers of TrackAll": {call: func(ctx context.Context, c *terminal49.Client, f func()) error {
			for range c.TrackingRequests.TrackAll(ctx, func(yield func(trackingRow) bool) {
				defer f()
				for _, row := range bareRows(50) {
					if !yield(row) {
						return
					}
				}
			}, nil) {
				break
			}
			return nil
		}},
		"WaitParams.OnPoll": {call: func(ctx context.Context, c *terminal49.Client, f func()) error {
			return testkit.First(c.TrackingRequests.Wait(ctx, testkit.RequestID, &terminal49.WaitParams{
				OnPoll: func(*terminal49.TrackingRequest) { f() }}))
		}},
		"ContainerWatchParams.OnPoll": {call: func(ctx context.Context, c *terminal49.Client, f func()) error {
			ctx, cancel := context.WithTimeout(ctx, time.Hour)
			defer cancel()
			for range c.Containers.Watch(ctx, testkit.ContainerID, &terminal49.ContainerWatchParams{OnPoll: func(*terminal49.Container) { f() }}) {
			}
			return nil
		}},
		"DocumentFile.Content: Read": {isError: true, call: upload(func(f func()) terminal49.DocumentFile {
			return terminal49.DocumentFile{FileName: "a.txt", Content: callingReader{strings.NewReader("abc"), f, func() {}}}
		})},
		"DocumentFile.Content: Seek": {call: upload(func(f func()) terminal49.DocumentFile {
			return terminal49.DocumentFile{FileName: "a.txt", Content: callingReader{strings.NewReader("abc"), func() {}, f}}
		})},
		"DocumentFile.OnProgress": {isError: true, call: upload(func(f func()) terminal49.DocumentFile {
			return terminal49.DocumentFile{FileName: "a.txt", Content: strings.NewReader("abc"), OnProgress: func(int64, int64) { f() }}
		})},
		"the writer of a download": {call: func(ctx context.Context, c *terminal49.Client, f func()) error {
			return testkit.First(c.Documents.Download(ctx, testkit.DocumentID, callingWriter{f}))
		}},
	}
}

// withCallbackService runs test with a simulator whose responses make the client call every
// function: one value cannot be decoded.
func withCallbackService(t *testing.T, test func(t *testing.T, srv *terminal49test.Server, connect func(...terminal49.Option) *terminal49.Client)) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		testkit.AddNamedResources(srv)
		withDoubts(srv)
		test(t, srv, func(opts ...terminal49.Option) *terminal49.Client {
			odd := func(resp *http.Response, err error) (*http.Response, error) {
				if err != nil || resp.StatusCode != http.StatusOK {
					return resp, err
				}
				body, err := io.ReadAll(resp.Body)
				body = bytes.ReplaceAll(body, []byte(`"bill_of_lading_number":"`), []byte(`"pod_eta_at":7,"bill_of_lading_number":"`))
				resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
				resp.Header.Del("Content-Length")
				return resp, err
			}
			base := srv.Transport()
			client, err := terminal49.New(srv.Token, append([]terminal49.Option{
				terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(&http.Client{
					Transport: testkit.RoundTripper(func(req *http.Request) (*http.Response, error) { return odd(base.RoundTrip(req)) }),
				}), terminal49.WithStorageHTTPClient(srv.HTTPClient()),
			}, opts...)...)
			require.NoError(t, err)
			return client
		})
	})
}

func (u userFunction) run(ctx context.Context, c *terminal49.Client, f func()) error {
	if u.call != nil {
		return u.call(ctx, c, f)
	}
	return testkit.First(c.Shipments.Get(ctx, testkit.ShipmentID, nil))
}

// Issue 28, callbacks of the user. A panic reaches the caller or becomes an error, and never ends
// the process: the functions of TrackAll's workers, of an upload and of a released slot did that.
// Afterwards the client works, and no goroutine is left, or the bubble would not end.
func TestCallbacks_Panics(t *testing.T) {
	for name, u := range userFunctions() {
		t.Run(name, func(t *testing.T) {
			withCallbackService(t, func(t *testing.T, srv *terminal49test.Server, connect func(...terminal49.Option) *terminal49.Client) {
				var on atomic.Bool
				calls := atomic.Int64{}
				f := func() {
					if on.Load() {
						calls.Add(1)
						panic("ours")
					}
				}
				opts := []terminal49.Option{terminal49.WithRateLimits(terminal49.RateLimits{Default: 1})}
				if u.opts != nil {
					opts = append(opts, u.opts(f)...)
				}
				client := connect(opts...)
				for range 2 { // the second waits for a slot
					srv.AddFault(terminal49test.Fault{Operation: "shipments.get", Status: 429, RetryAfter: terminal49test.RetryAfterSeconds(time.Second), Times: 1})
					on.Store(true)
					ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
					var err error
					func() {
						defer cancel()
						defer func() {
							if v := recover(); v != nil {
								require.Equal(t, "ours", v)
								require.False(t, u.isError, "the panic should be an error")
							}
						}()
						err = u.run(ctx, client, f)
					}()
					on.Store(false)
					if u.isError {
						require.ErrorContains(t, err, "panicked: ours")
					}
				}
				require.NotZero(t, calls.Load(), "the function was called")
				srv.ClearFaults()
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				_, err := client.Shipments.Get(ctx, testkit.ShipmentID, nil)
				require.NoError(t, err, "the client works afterwards")
				time.Sleep(time.Minute)
			})
		})
	}
}

// A function of the caller may use the client, also while no slot is free.
func TestCallbacks_CallTheClient(t *testing.T) {
	for name, u := range userFunctions() {
		if u.alone {
			continue
		}
		t.Run(name, func(t *testing.T) {
			withCallbackService(t, func(t *testing.T, srv *terminal49test.Server, connect func(...terminal49.Option) *terminal49.Client) {
				var client *terminal49.Client
				var busy atomic.Bool
				var calls, failed atomic.Int64
				f := func() {
					if !busy.CompareAndSwap(false, true) { // the inner call has the same hooks
						return
					}
					defer busy.Store(false)
					ctx, cancel := context.WithTimeout(context.Background(), 30*time.Minute)
					defer cancel()
					calls.Add(1)
					if _, err := client.Ports.Get(ctx, testkit.PortID); err != nil {
						failed.Add(1)
					}
				}
				least := 1
				switch { // the attempt that it belongs to holds a slot
				case strings.HasPrefix(name, "middleware"):
					least = 8
				case name == "Hooks.OnLimiterWait":
					least = 2
				}
				opts := []terminal49.Option{terminal49.WithRateLimits(terminal49.RateLimits{Default: least})}
				if u.opts != nil {
					opts = append(opts, u.opts(f)...)
				}
				client = connect(opts...)
				srv.AddFault(terminal49test.Fault{Operation: "shipments.get", Status: 429, RetryAfter: terminal49test.RetryAfterSeconds(time.Second), Times: 1})
				for range 2 { // the second waits for a slot
					_ = u.run(t.Context(), client, f)
				}
				require.NotZero(t, calls.Load())
				require.Zero(t, failed.Load())
			})
		})
	}
}

// A function that ends its goroutine, as t.FailNow does, fails the numbers that it was called for.
func TestTrackAll_FunctionsThatEndTheirGoroutine(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := testkit.SimulatedClient(t, srv, testkit.Around(func(*http.Request, http.RoundTripper) (*http.Response, error) {
			runtime.Goexit()
			return nil, nil
		}))
		count := 0
		for outcome := range client.TrackingRequests.TrackAll(t.Context(), terminal49.NumbersToTrack(bulkNumbers(50)...), nil) {
			require.Equal(t, terminal49.TrackResultFailed, outcome.Result)
			require.ErrorContains(t, outcome.Err, "ended the goroutine")
			count++
		}
		require.Equal(t, 50, count)
	})
}

// A limiter whose release panics two seconds after a request was cancelled did end the process.
func TestLimiter_ALateReleaseThatPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var released atomic.Bool
		client := limitedClient(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			<-req.Context().Done()
			return nil, req.Context().Err()
		}), terminal49.WithLimiter(failingLimiter{func() {}, func() { released.Store(true); panic("ours") }, func() {}}))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := client.Containers.Refresh(ctx, testkit.ContainerID)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		time.Sleep(time.Minute)
		require.True(t, released.Load())
	})
}

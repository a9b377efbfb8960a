package transport

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptrace"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fakeLimiter admits every request after wait, unless err is set.
type fakeLimiter struct {
	mu                 sync.Mutex
	wait               time.Duration
	err                error
	acquired, released int
	asked              int
	pauses             []time.Duration
}

func (f *fakeLimiter) Acquire(context.Context, string) (func(), error) {
	time.Sleep(f.wait)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked++
	if f.err != nil {
		return nil, f.err
	}
	f.acquired++
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.released++
	}, nil
}

func (f *fakeLimiter) Pause(_ string, d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pauses = append(f.pauses, d)
}

func TestLimiter_Pauses(t *testing.T) {
	tests := []struct {
		name   string
		status int
		header http.Header
		want   []time.Duration
	}{
		{"429 with Retry-After", 429, retryAfter("20"), []time.Duration{20 * time.Second}},
		{"never longer than an hour", 429, retryAfter("86400"), []time.Duration{time.Hour}},
		{"429 without", 429, nil, nil},
		{"503 is not a rate limit", 503, retryAfter("20"), nil},
		{"200", 200, retryAfter("20"), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := &fakeLimiter{}
			send := limited(l, capture(&script{steps: []step{{status: tt.status, header: tt.header}}}))
			out := send(firstAttempt(request(t, t.Context(), "GET", apiURL, "")))
			require.NoError(t, out.err)
			assert.Equal(t, 1, out.sent)
			assert.Equal(t, tt.want, l.pauses)
			assert.Equal(t, 1, l.released)
		})
	}
}

// Two calls under way can be told to wait differently long. The longer wait counts.
func TestPauses_AreNotShortened(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p pauses
		p.add("default", 10*time.Minute)
		p.add("default", 5*time.Second)
		p.add("infer", time.Second)
		assert.Equal(t, 10*time.Minute, p.left("default"))
		assert.Equal(t, time.Second, p.left("infer"))
	})
}

func TestLimiter_Releases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &fakeLimiter{}
		a := firstAttempt(request(t, t.Context(), "GET", apiURL, ""))
		done := make(chan error)
		go func() {
			done <- limited(l, capture(&script{steps: []step{{status: 200, body: stalling("x")}}}))(a).err
		}()
		synctest.Wait()
		assert.Equal(t, 1, l.released, "the header has arrived, though the body has not")
		require.Error(t, <-done)
		assert.Equal(t, 1, l.released, "once")
	})
	l := &fakeLimiter{}
	fails := func(attempt) outcome { return outcome{err: errDropped} }
	out := limited(l, fails)(firstAttempt(request(t, t.Context(), "GET", apiURL, "")))
	require.ErrorIs(t, out.err, errDropped)
	assert.Equal(t, 1, l.released, "also when a later stage never sent it")
}

// An abandoned request may still arrive, and counts when it does. Its slot is kept until then,
// unless nothing was sent.
func TestLimiter_WaitsForAbandonedRequests(t *testing.T) {
	asks := roundTrip(func(req *http.Request) (*http.Response, error) {
		httptrace.ContextClientTrace(req.Context()).GetConn("host")
		<-req.Context().Done()
		return nil, req.Context().Err()
	})
	for name, tt := range map[string]struct {
		base http.RoundTripper
		late time.Duration
	}{
		"on its way":    {&script{steps: []step{{hang: true}}}, arrivalDelay},
		"no connection": {asks, 0},
		"reading":       {&script{steps: []step{{status: 200, body: stalling("x")}}}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := &fakeLimiter{}
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				start := time.Now()
				released := func() int {
					l.mu.Lock()
					defer l.mu.Unlock()
					return l.released
				}
				out := limited(l, capture(tt.base))(firstAttempt(request(t, ctx, "GET", apiURL, "")))
				require.ErrorIs(t, out.err, context.DeadlineExceeded)
				assert.Equal(t, time.Second, time.Since(start), "the caller does not wait for the slot")
				if tt.late > 0 {
					time.Sleep(tt.late - time.Nanosecond)
					assert.Zero(t, released())
					time.Sleep(time.Nanosecond)
					synctest.Wait()
				}
				assert.Equal(t, 1, released())
				time.Sleep(time.Minute)
				assert.Equal(t, 1, released(), "once")
			})
		})
	}
}

func TestLimiter_RefusalEndsTheCall(t *testing.T) {
	full := errors.New("fleet budget is spent")
	base := &script{steps: []step{{status: 200}}}
	l := &fakeLimiter{err: full}
	_, err := newChain(base, func(cfg *Config) { cfg.Limiter = l }).Do(request(t, t.Context(), "GET", apiURL, ""), call(Read))
	var te *Error
	require.ErrorAs(t, err, &te)
	assert.ErrorIs(t, err, full)
	assert.False(t, te.MayHaveBeenSent)
	assert.Zero(t, te.Attempts)
	assert.Equal(t, 1, l.asked, "a refusal is not retried")
	assert.Zero(t, base.count())
}

// While the service keeps a bucket closed for longer than a call would wait, calls fail at once;
// then they wait.
func TestLimiter_FailsWhileTheServiceIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newWindow(10)
		send := limited(l, capture(&script{steps: []step{{status: 429, header: retryAfter("600")}, {status: 200}}}))
		a := firstAttempt(request(t, t.Context(), "GET", apiURL, ""))
		require.NoError(t, send(a).err)

		start := time.Now()
		out := send(a)
		require.ErrorIs(t, out.err, ErrLimited)
		require.True(t, out.final)
		require.Zero(t, out.sent)
		require.Zero(t, time.Since(start))

		time.Sleep(600*time.Second - a.policy.MaxRetryAfter)
		out = send(a)
		require.NoError(t, out.err)
		require.Equal(t, 200, out.result.Status)
		require.Equal(t, 600*time.Second, time.Since(start))
	})
}

// net/http repeats a GET by itself when a kept-alive connection was dead. The repetition takes a
// slot like any other request.
func TestLimiter_CountsWhatNetHTTPRepeats(t *testing.T) {
	l := &fakeLimiter{}
	twice := roundTrip(func(req *http.Request) (*http.Response, error) {
		trace := httptrace.ContextClientTrace(req.Context())
		trace.GotConn(httptrace.GotConnInfo{Reused: true})
		trace.GotConn(httptrace.GotConnInfo{})
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: http.NoBody}, nil
	})
	out := limited(l, capture(twice))(firstAttempt(request(t, t.Context(), "GET", apiURL, "")))
	require.NoError(t, out.err)
	assert.Equal(t, 2, l.acquired)
	assert.Equal(t, 2, l.released)
}

// Over HTTP/2, and with an idempotency key, net/http repeats what a server may have acted on. A
// request that may be sent only once is stopped then, unless nothing of it was written yet. The
// fields are those that net/http reports first: a pseudo-header (RFC 9113, section 8.3) and the key
// (net/http, doc of Transport).
func TestTrace_StopsWhatNetHTTPMayNotRepeat(t *testing.T) {
	for _, class := range []Class{Read, Idempotent, Write} {
		for field, exposed := range map[string]bool{
			":authority": true, "Idempotency-Key": true, "X-Idempotency-Key": true, "Host": false,
		} {
			for _, wrote := range []bool{true, false} {
				l := &fakeLimiter{}
				a := firstAttempt(request(t, t.Context(), "POST", apiURL, ""))
				a.info.Class = class
				twice := roundTrip(func(req *http.Request) (*http.Response, error) {
					trace := httptrace.ContextClientTrace(req.Context())
					trace.GotConn(httptrace.GotConnInfo{})
					if wrote {
						wroteHeader(trace, field)
					}
					trace.GotConn(httptrace.GotConnInfo{}) // and the base ignores that its context ends
					return &http.Response{StatusCode: 200, Header: http.Header{}, Body: http.NoBody}, nil
				})
				out := limited(l, capture(twice))(a)
				if class == Write && exposed && wrote {
					require.ErrorIs(t, out.err, errNotRepeated)
					assert.True(t, out.mayHaveBeenSent)
					assert.Equal(t, 1, l.acquired)
					assert.Equal(t, 1, out.sent)
				} else {
					repeated := wrote && (exposed || class == Read)
					require.NoError(t, out.err)
					assert.Equal(t, 2, l.acquired)
					assert.Equal(t, repeated, out.mayHaveBeenSent)
					assert.Equal(t, repeated, out.sent == 2)
				}
				assert.Equal(t, l.acquired, l.released)
			}
		}
	}
}

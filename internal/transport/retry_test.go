package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRetry_Conformance tries every class with every fault. A 200 follows the fault.
func TestRetry_Conformance(t *testing.T) {
	always, repeatable, never := []Class{Read, Idempotent, Write, 0, 9}, []Class{Read, Idempotent}, []Class{}
	tests := []struct {
		name  string
		fault func() step // a func, because a body can be read once
		who   []Class
	}{
		{"refused", func() step { return step{err: errRefused} }, always},
		{"429", func() step { return step{status: 429} }, always},
		{"429 with Retry-After", func() step { return step{status: 429, header: retryAfter("3")} }, always},
		{"429 with half a body", func() step { return step{status: 429, body: cut("{")} }, always},
		{"dropped", func() step { return step{err: errDropped} }, repeatable},
		{"body cut short", func() step { return step{status: 200, body: cut("{")} }, repeatable},
		{"attempt timeout", func() step { return step{hang: true} }, repeatable},
		{"500", func() step { return step{status: 500} }, repeatable},
		{"502", func() step { return step{status: 502} }, repeatable},
		{"503", func() step { return step{status: 503} }, repeatable},
		{"504", func() step { return step{status: 504} }, repeatable},
		{"501", func() step { return step{status: 501} }, never},
		{"400", func() step { return step{status: 400} }, never},
		{"404", func() step { return step{status: 404} }, never},
		{"408", func() step { return step{status: 408} }, never},
		{"409", func() step { return step{status: 409} }, never},
		{"422", func() step { return step{status: 422} }, never},
		{"too large", func() step { return step{status: 200, body: bodyOf(strings.Repeat("x", 1<<20+1))} }, never},
	}
	for _, tt := range tests {
		for _, class := range always {
			t.Run(fmt.Sprintf("%s/%d", tt.name, class), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					fault := tt.fault()
					base := &script{steps: []step{fault, {status: 200, body: bodyOf("ok")}}}
					_, err := newChain(base).Do(request(t, t.Context(), "POST", apiURL, "payload"), call(class))
					want := 1
					if slices.Contains(tt.who, class) {
						want = 2
					}
					assert.Equal(t, want, base.count())
					for _, sent := range base.sent {
						assert.Equal(t, "payload", sent, "the whole body is sent each time")
					}
					answered := want == 2 || fault.status >= 300
					assert.Equal(t, answered, err == nil, "%v", err)
				})
			})
		}
	}
}

// reads are the two ways to read. Both follow the same rule of retrying.
var reads = map[string]func(t *testing.T, ctx context.Context, base http.RoundTripper, p Policy) (*Result, error){
	"call": func(t *testing.T, ctx context.Context, base http.RoundTripper, p Policy) (*Result, error) {
		c := call(Read)
		c.Policy = p
		return newChain(base).Do(request(t, ctx, "GET", apiURL, ""), c)
	},
	"download": func(_ *testing.T, ctx context.Context, base http.RoundTripper, p Policy) (*Result, error) {
		d := Download{Base: base, Policy: p.withDefaults(testPolicy()), random: longest}
		res, _, err := d.Run(ctx, apiURL, io.Discard, call(Read))
		return res, err
	},
}

func TestRetry_Waits(t *testing.T) {
	tests := []struct {
		name   string
		first  step
		policy Policy
		want   time.Duration
	}{
		{"backoff", step{status: 500}, Policy{}, time.Second},
		{"Retry-After on 429", step{status: 429, header: retryAfter("17")}, Policy{}, 17 * time.Second},
		{"Retry-After on 503", step{status: 503, header: retryAfter("17")}, Policy{}, 17 * time.Second},
		{"Retry-After is ignored on 500", step{status: 500, header: retryAfter("17")}, Policy{}, time.Second},
		{"Retry-After of zero", step{status: 429, header: retryAfter("0")}, Policy{}, 0},
		{"unreadable Retry-After", step{status: 429, header: retryAfter("soon")}, Policy{}, time.Second},
		{"as long as allowed", step{status: 429, header: retryAfter("60")}, Policy{}, time.Minute},
		{"policy of the call", step{status: 500}, Policy{MinBackoff: 3 * time.Second}, 3 * time.Second},
		{"attempt timeout, then backoff", step{hang: true}, Policy{AttemptTimeout: 5 * time.Second}, 6 * time.Second},
	}
	for _, tt := range tests {
		for kind, read := range reads {
			t.Run(tt.name+"/"+kind, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					base := &script{steps: []step{tt.first, {status: 200, body: http.NoBody}}}
					start := time.Now()
					res, err := read(t, t.Context(), base, tt.policy)
					require.NoError(t, err)
					assert.Equal(t, 200, res.Status)
					assert.Equal(t, 2, res.Attempts)
					assert.Equal(t, tt.want, time.Since(start))
				})
			})
		}
	}
}

// A Retry-After that is a date is a moment of the service's clock, which its Date reports (RFC
// 9110, sections 6.6.1 and 10.2.3). A local clock that is wrong changes neither the wait nor the
// time for which the rate limit is closed. Without a Date, only the local clock is left.
func TestRetry_CountsDatesFromTheResponse(t *testing.T) {
	const wait = 20 * time.Second
	for _, wrong := range []time.Duration{0, time.Hour, -time.Hour, 10 * time.Second, -365 * 24 * time.Hour} {
		for date, want := range map[string]time.Duration{"known": wait, "": max(wait+wrong, 0), "unreadable": max(wait+wrong, 0)} {
			synctest.Test(t, func(t *testing.T) {
				now := time.Now().Add(wrong).UTC() // of the service
				header := retryAfter(now.Add(wait).Format(http.TimeFormat))
				if date == "known" {
					date = now.Format(http.TimeFormat)
				}
				header.Set("Date", date)
				l := &fakeLimiter{}
				base := &script{steps: []step{{status: 429, header: header}, {status: 200}}}
				c := newChain(base, func(cfg *Config) { cfg.Limiter, cfg.Policy.MaxRetryAfter = l, 24*time.Hour })
				start := time.Now()
				_, err := c.Do(request(t, t.Context(), "POST", apiURL, "x"), call(Write))
				require.NoError(t, err)
				assert.Equal(t, want, time.Since(start), "%v, Date %q", wrong, date)
				assert.Equal(t, []time.Duration{min(want, maxPause)}, l.pauses)
			})
		}
	}
}

func TestRetry_ReadsAllDateForms(t *testing.T) {
	for _, layout := range []string{http.TimeFormat, "Monday, 02-Jan-06 15:04:05 GMT", time.ANSIC} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			at := start.Add(20 * time.Second).UTC().Format(layout)
			base := &script{steps: []step{{status: 429, header: retryAfter(at)}, {status: 200}}}
			_, err := newChain(base).Do(request(t, t.Context(), "GET", apiURL, ""), call(Write))
			require.NoError(t, err)
			assert.Equal(t, 20*time.Second, time.Since(start))
		})
	}
}

func TestRetry_RunsOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := &script{steps: []step{{status: 503, body: bodyOf("one")}, {status: 502, body: bodyOf("two")}, {status: 500, body: bodyOf("three")}}}
		window := &fakeLimiter{}
		start := time.Now()
		res, err := newChain(base, func(c *Config) { c.Limiter = window }).Do(request(t, t.Context(), "GET", apiURL, ""), call(Read))
		require.NoError(t, err)
		assert.Equal(t, 500, res.Status)
		assert.Equal(t, "three", string(res.Body))
		assert.Equal(t, 3, res.Attempts)
		assert.Equal(t, 3*time.Second, time.Since(start))
		assert.Equal(t, 3, window.acquired, "every attempt takes a slot")
		assert.Equal(t, 3, window.released)
	})
	synctest.Test(t, func(t *testing.T) {
		base := &script{steps: []step{{status: 503}, {err: errRefused}}}
		_, err := newChain(base).Do(request(t, t.Context(), "GET", apiURL, ""), call(Read))
		var te *Error
		require.ErrorAs(t, err, &te)
		assert.ErrorIs(t, err, errRefused)
		assert.Equal(t, 3, te.Attempts)
		require.NotNil(t, te.Last)
		assert.Equal(t, 503, te.Last.Status)
	})
}

func TestRetry_WaitsNotWorthStarting(t *testing.T) {
	tests := []struct {
		name     string
		fault    step
		deadline time.Duration
		status   int
	}{
		{"Retry-After past the deadline", step{status: 429, header: retryAfter("3600")}, time.Second, 429},
		{"Retry-After just at the deadline", step{status: 429, header: retryAfter("30")}, 30 * time.Second, 429},
		{"Retry-After past the maximum", step{status: 429, header: retryAfter("61")}, 0, 429},
		{"503 past the maximum", step{status: 503, header: retryAfter("61")}, 0, 503},
		{"backoff past the deadline", step{status: 500}, 900 * time.Millisecond, 500},
		{"backoff past the deadline, no response", step{err: errRefused}, 900 * time.Millisecond, 0},
	}
	for _, tt := range tests {
		for kind, read := range reads {
			t.Run(tt.name+"/"+kind, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					ctx := t.Context()
					if tt.deadline > 0 {
						var cancel context.CancelFunc
						ctx, cancel = context.WithTimeout(ctx, tt.deadline)
						defer cancel()
					}
					fault := tt.fault
					fault.body = http.NoBody
					base := &script{steps: []step{fault}}
					start := time.Now()
					res, err := read(t, ctx, base, Policy{})
					assert.Zero(t, time.Since(start), "at once")
					assert.Equal(t, 1, base.count())
					if tt.status == 0 {
						require.ErrorIs(t, err, tt.fault.err)
						return
					}
					require.NoError(t, err)
					assert.Equal(t, tt.status, res.Status)
					want, has := ParseRetryAfter(tt.fault.header.Get("Retry-After"), time.Now())
					assert.Equal(t, has, res.HasRetryAfter)
					assert.Equal(t, want, res.RetryAfter)
				})
			})
		}
	}
}

// TestChain_Cancellation cancels a call in each of its phases.
func TestChain_Cancellation(t *testing.T) {
	full := newWindow(1)
	tests := []struct {
		name            string
		base            *script
		limiter         bool
		last            int
		mayHaveBeenSent bool
		sent            int
	}{
		{"limiter", &script{steps: []step{{status: 200}}}, true, 0, false, 0},
		{"headers", &script{steps: []step{{hang: true}}}, false, 0, true, 1},
		{"body", &script{steps: []step{{status: 200, body: stalling("x")}}}, false, 0, true, 1},
		{"backoff after 429", &script{steps: []step{{status: 429, header: retryAfter("60")}}}, false, 429, false, 1},
		{"backoff after refused", &script{steps: []step{{err: errRefused}}}, false, 0, false, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newChain(tt.base, func(cfg *Config) {
					cfg.Policy.MinBackoff, cfg.Policy.MaxBackoff = time.Minute, time.Minute
					if tt.limiter {
						cfg.Limiter = full
						full.Pause("default", time.Minute)
					}
				})
				ctx, cancel := context.WithCancel(t.Context())
				defer time.AfterFunc(5*time.Second, cancel).Stop()
				start := time.Now()
				_, err := c.Do(request(t, ctx, "POST", apiURL, "x"), call(Write))
				assert.InDelta(t, 5*time.Second, time.Since(start), float64(50*time.Millisecond))
				var te *Error
				require.ErrorAs(t, err, &te)
				assert.ErrorIs(t, err, context.Canceled)
				assert.Equal(t, tt.mayHaveBeenSent, te.MayHaveBeenSent)
				assert.Equal(t, tt.sent, te.Attempts)
				assert.Equal(t, tt.mayHaveBeenSent, strings.Contains(err.Error(), "may have acted"))
				if tt.last == 0 {
					assert.Nil(t, te.Last)
				} else if assert.NotNil(t, te.Last) {
					assert.Equal(t, tt.last, te.Last.Status)
				}
			})
		})
	}
}

func TestChain_CompleteResponseOutlivesItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	base := &script{steps: []step{{status: 201, body: &cancelAtEOF{strings.NewReader("made"), cancel}}}}
	res, err := newChain(base).Do(request(t, ctx, "POST", apiURL, "x"), call(Write))
	require.NoError(t, err)
	require.ErrorIs(t, ctx.Err(), context.Canceled)
	assert.Equal(t, "made", string(res.Body))
}

type cancelAtEOF struct {
	*strings.Reader
	cancel func()
}

func (c *cancelAtEOF) Close() error { c.cancel(); return nil }

// A later refusal does not make the outcome of an earlier drop known.
func TestRetry_RemembersAnUnknownOutcome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := &script{steps: []step{{err: errDropped}, {err: errRefused}}}
		_, err := newChain(base).Do(request(t, t.Context(), "PATCH", apiURL, "x"), call(Idempotent))
		var te *Error
		require.ErrorAs(t, err, &te)
		assert.True(t, te.MayHaveBeenSent)
		assert.NotContains(t, err.Error(), "may have acted", "it is safe to repeat")
	})
}

func TestRetry_GatewayErrorLeavesTheOutcomeUnknown(t *testing.T) {
	for status, want := range map[int]bool{429: false, 502: true} {
		synctest.Test(t, func(t *testing.T) {
			base := &script{steps: []step{{status: status}, {err: errRefused}}}
			_, err := newChain(base).Do(request(t, t.Context(), "PATCH", apiURL, "x"), call(Idempotent))
			var te *Error
			require.ErrorAs(t, err, &te)
			assert.Equal(t, want, te.MayHaveBeenSent)
			assert.Equal(t, status, te.Last.Status)
		})
	}
}

func TestChain_SendsABodyWithoutGetBodyOnce(t *testing.T) {
	base := &script{steps: []step{{status: 429, header: retryAfter("0")}}}
	body := &closed{Reader: strings.NewReader("stream")}
	req, err := http.NewRequestWithContext(t.Context(), "POST", apiURL, body)
	require.NoError(t, err)
	res, err := newChain(base).Do(req, call(Write))
	require.NoError(t, err)
	assert.Equal(t, 429, res.Status)
	assert.Equal(t, []string{"stream"}, base.sent)
	assert.NotZero(t, body.n)
}

type closed struct {
	io.Reader
	n int
}

func (c *closed) Close() error { c.n++; return nil }

func TestChain_UnreadableRequestBodyIsFinal(t *testing.T) {
	base := &script{steps: []step{{status: 200}}}
	req := request(t, t.Context(), "POST", apiURL, "x")
	gone := errors.New("file is gone")
	req.GetBody = func() (io.ReadCloser, error) { return nil, gone }
	_, err := newChain(base).Do(req, call(Read))
	var te *Error
	require.ErrorAs(t, err, &te)
	assert.ErrorIs(t, err, gone)
	assert.False(t, te.MayHaveBeenSent)
	assert.Zero(t, base.count())
}

func TestChain_RequestWithoutURL(t *testing.T) {
	_, err := newChain(&script{steps: []step{{status: 200}}}).Do(&http.Request{}, Call{})
	assert.ErrorContains(t, err, "no URL")
}

func TestError_ShowsNoSecret(t *testing.T) {
	base := &script{steps: []step{{err: fmt.Errorf("GET %s: Token k3y-s3cr3t refused: %w", apiURL, errDropped)}}}
	c := newChain(base, func(cfg *Config) { cfg.Origin, cfg.Header = mustURL(t, apiURL), addToken })
	_, err := c.Do(request(t, t.Context(), "POST", apiURL, "x"), call(Write))
	require.ErrorIs(t, err, errDropped)
	for _, verb := range []string{"%v", "%+v", "%#v", "%q"} {
		out := fmt.Sprintf(verb, err)
		for _, secret := range []string{"s3cr3t", "hidden", "example.test"} {
			assert.NotContains(t, out, secret)
		}
		assert.Contains(t, out, "shipments.list (POST /shipments)")
	}
}

package transport

import (
	"context"
	"io"
	"math"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCapture(t *testing.T) {
	big := strings.Repeat("x", maxErrorBody+10)
	tests := []struct {
		name            string
		step            step
		maxBody         int64
		body            string
		err             error
		mayHaveBeenSent bool
		final           bool
	}{
		{name: "ok", step: step{status: 200, body: bodyOf("hello")}, maxBody: 100, body: "hello"},
		{name: "as long as allowed", step: step{status: 200, body: bodyOf("hello")}, maxBody: 5, body: "hello"},
		{name: "one byte more", step: step{status: 201, body: bodyOf("hello!")}, maxBody: 5, err: ErrBodyTooLarge, mayHaveBeenSent: true, final: true},
		{name: "the largest limit", step: step{status: 200, body: bodyOf("hello")}, maxBody: math.MaxInt64, body: "hello"},
		{name: "no body", step: step{status: 204}, maxBody: 5},
		{name: "cut short", step: step{status: 200, body: cut("hel")}, maxBody: 100, err: io.ErrUnexpectedEOF, mayHaveBeenSent: true},
		{name: "error body", step: step{status: 422, body: bodyOf("why")}, maxBody: 100, body: "why"},
		{name: "long error body", step: step{status: 502, body: bodyOf(big)}, maxBody: 1 << 20, body: big[:maxErrorBody], mayHaveBeenSent: true},
		{name: "error body above a small limit", step: step{status: 404, body: bodyOf("hello!")}, maxBody: 5, body: "hello"},
		{name: "error body cut short", step: step{status: 404, body: cut("hel")}, maxBody: 100, body: "hel"},
		{name: "redirect body", step: step{status: 302, body: bodyOf("moved")}, maxBody: 100, body: "moved", mayHaveBeenSent: true},
		{name: "refused", step: step{err: errRefused}, maxBody: 5, err: errRefused},
		{name: "dropped", step: step{err: errDropped}, maxBody: 5, err: errDropped, mayHaveBeenSent: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			base := &script{steps: []step{tt.step}}
			a := firstAttempt(request(t, t.Context(), "GET", apiURL, ""))
			a.policy.MaxBody = tt.maxBody
			released := 0
			a.slot = &slot{held: []func(){func() { released++ }}}
			out := capture(base)(a)
			assert.Equal(t, 1, released)
			assert.Equal(t, tt.mayHaveBeenSent, out.mayHaveBeenSent)
			assert.Equal(t, tt.final, out.final)
			assert.Equal(t, tt.step.status, out.status)
			if tt.err != nil {
				require.ErrorIs(t, out.err, tt.err)
				assert.Nil(t, out.result)
				return
			}
			require.NoError(t, out.err)
			assert.Equal(t, tt.body, string(out.result.Body))
			assert.Equal(t, tt.step.status, out.result.Status)
		})
	}
}

func TestCapture_TimeLimit(t *testing.T) {
	for name, s := range map[string]step{
		"headers": {hang: true},
		"body":    {status: 200, body: stalling("half")},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				out := capture(&script{steps: []step{s}})(firstAttempt(request(t, t.Context(), "GET", apiURL, "")))
				require.ErrorIs(t, out.err, ErrAttemptTimeout)
				assert.ErrorIs(t, out.err, context.DeadlineExceeded)
				assert.Equal(t, 30*time.Second, time.Since(start))
			})
		})
	}
}

func TestCapture_KeepsTheStatusOfAStalledErrorBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := &script{steps: []step{{status: 503, body: stalling("ha")}}}
		out := capture(base)(firstAttempt(request(t, t.Context(), "GET", apiURL, "")))
		require.NoError(t, out.err)
		assert.Equal(t, 503, out.result.Status)
		assert.Equal(t, "ha", string(out.result.Body))
	})
}

func TestCapture_SendsNothingUnderAnEndedContext(t *testing.T) {
	base := &script{steps: []step{{status: 200}}}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(io.ErrClosedPipe)
	out := capture(base)(firstAttempt(request(t, ctx, "GET", apiURL, "")))
	require.ErrorIs(t, out.err, context.Canceled)
	assert.ErrorIs(t, out.err, io.ErrClosedPipe, "the cause is not lost")
	assert.Zero(t, base.count())
	assert.False(t, out.mayHaveBeenSent)
}

func TestCapture_NeitherResponseNorError(t *testing.T) {
	nothing := roundTrip(func(*http.Request) (*http.Response, error) { return nil, nil })
	out := capture(nothing)(firstAttempt(request(t, t.Context(), "GET", apiURL, "")))
	assert.ErrorContains(t, out.err, "neither a response nor an error")
}

// TestTrace_SentNothing states which errors prove that nothing was sent.
func TestTrace_SentNothing(t *testing.T) {
	tests := []struct {
		name       string
		asked, got bool
		err        error
		want       bool
	}{
		{"asked for a connection, got none", true, false, errDropped, true},
		{"had a connection", true, true, errDropped, false},
		{"had one, then a second dial failed", true, true, errRefused, false},
		{"no trace, unknown error", false, false, errDropped, false},
		{"no trace, dial error", false, false, errRefused, true},
		{"no trace, cancelled", false, false, context.Canceled, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rt := roundTrip(func(req *http.Request) (*http.Response, error) {
				trace := httptrace.ContextClientTrace(req.Context())
				if tt.asked {
					trace.GetConn("h:443")
				}
				if tt.got {
					trace.GotConn(httptrace.GotConnInfo{})
				}
				return nil, tt.err
			})
			out := capture(rt)(firstAttempt(request(t, t.Context(), "GET", apiURL, "")))
			require.ErrorIs(t, out.err, tt.err)
			assert.Equal(t, tt.want, !out.mayHaveBeenSent)
		})
	}
}

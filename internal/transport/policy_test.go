package transport

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestPolicy_BackoffRange(t *testing.T) {
	tests := []struct {
		name     string
		min, max time.Duration
		n        int
		top      time.Duration
	}{
		{"first", time.Second, 8 * time.Second, 0, time.Second},
		{"doubled", time.Second, 8 * time.Second, 2, 4 * time.Second},
		{"reaches the cap", time.Second, 8 * time.Second, 3, 8 * time.Second},
		{"stays at the cap", time.Second, 8 * time.Second, 60, 8 * time.Second},
		{"cap is not a power of two", time.Second, 5 * time.Second, 3, 5 * time.Second},
		{"cap below min", 10 * time.Second, time.Second, 0, time.Second},
		{"no overflow", time.Hour, math.MaxInt64 - 1, 1000, math.MaxInt64 - 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := Policy{MinBackoff: tt.min, MaxBackoff: tt.max}
			assert.Equal(t, tt.top, p.backoff(tt.n, func(n int64) int64 { return n - 1 }))
			assert.Zero(t, p.backoff(tt.n, func(int64) int64 { return 0 }), "full jitter starts at zero")
		})
	}
}

func TestPolicy_WithDefaults(t *testing.T) {
	chain := testPolicy()
	assert.Equal(t, chain, Policy{}.withDefaults(chain))
	got := Policy{MaxAttempts: 9, AttemptTimeout: time.Hour}.withDefaults(chain)
	want := chain
	want.MaxAttempts, want.AttemptTimeout = 9, time.Hour
	assert.Equal(t, want, got)
	full := Policy{1, 2, 3, 4, 5, 6}
	assert.Equal(t, full, full.withDefaults(chain))
}

// Without a limit of its own, a wait is limited by the largest time.Duration.
func TestPolicy_BackoffDoesNotOverflow(t *testing.T) {
	forever := Policy{MinBackoff: math.MaxInt64, MaxBackoff: math.MaxInt64}
	soon := Policy{MinBackoff: time.Millisecond, MaxBackoff: math.MaxInt64}
	for n := range 100 {
		for _, p := range []Policy{forever, soon} {
			if wait := p.backoff(n, rand.Int64N); wait < 0 {
				t.Fatalf("retry %d waits %v", n, wait)
			}
		}
	}
}

// internal/proof/reliability.md: only a 2xx and a 4xx report what a write did; after any other
// status, and after 408 and 425, the outcome is unknown.
func TestIsConclusive_ByStatus(t *testing.T) {
	for status, want := range map[int]bool{
		200: true, 201: true, 204: true, 301: false, 400: true, 404: true, 409: true, 422: true, 429: true,
		408: false, 425: false, 500: false, 502: false, 503: false, 504: false,
	} {
		assert.Equal(t, want, isConclusive(status), status)
	}
}

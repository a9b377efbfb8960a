package terminal49

import (
	"context"
	"math"
	"strconv"
	"time"

	"github.com/go-freight/terminal49/internal/ratelimit"
	"github.com/go-freight/terminal49/internal/transport"
)

// Bucket names one of the service's rate limits.
type Bucket string

// The buckets. Each has its own budget per API key.
const (
	BucketDefault Bucket = "default" // everything without a limit of its own
	BucketCreate  Bucket = "create"  // creating tracking requests
	BucketInfer   Bucket = "infer"   // inferring numbers
	BucketRefresh Bucket = "refresh" // refreshing containers
)

// Limiter keeps calls within the service's rate limits. Every attempt, including retries, acquires
// a slot. The built-in Limiter counts per client; [WithLimiter] sets another one, for example one
// that several processes with the same API key share, from package redisstore or sqlstore.
type Limiter interface {
	// Acquire waits until a request may be sent in bucket, or ctx ends. If the wait would exceed ctx's
	// deadline, it returns an error at once. release is called exactly once, when the response has
	// arrived or the attempt has failed: the service counted the request before that. A request that
	// was cancelled after it was sent may still arrive, so its release is called two seconds later, on
	// another goroutine, where a panic is discarded.
	Acquire(ctx context.Context, bucket Bucket) (release func(), err error)
	// Pause is called when the service answered 429 with a Retry-After of d, for example because
	// another process uses the same key. No request should be sent in bucket for d, which is at most
	// one hour.
	Pause(bucket Bucket, d time.Duration)
}

// RateLimits are the requests per rolling 60 seconds in each bucket, at most 1,000, and the pace
// at which they are sent. A zero field keeps its default; [WithoutRateLimits] is for no limits.
//
// Each bucket serves calls with a larger share first (see [WithRateLimitShare]), and calls with
// equal shares first come, first served. A slot is freed one minute after its response, the
// earliest time at which the service has certainly freed it: if responses take one second, 60/61 of
// a budget can be used.
type RateLimits struct {
	Default int // 100
	Create  int // 100
	Infer   int // 200
	Refresh int // 10

	// PerSecond is the pace after the first Burst requests, in requests per second. A bucket's whole
	// budget is usable if the pace is at least the bucket's limit / 60.
	PerSecond float64 // 10; at least 1.0/3600, one request per hour; math.MaxFloat64 for no pace
	Burst     int     // 20
}

// limitWindow is the rolling period in which the service counts requests.
const limitWindow = time.Minute

// slowestPace is in requests per second. Below it, the wait at the end of a long queue would
// overflow a time.Duration.
const slowestPace = 1.0 / 3600

// DefaultRateLimits returns the service's documented limits, with a pace of 10 requests per second.
func DefaultRateLimits() RateLimits {
	return RateLimits{Default: 100, Create: 100, Infer: 200, Refresh: 10, PerSecond: 10, Burst: 20}
}

// WithRateLimits changes the client-side limits, for accounts whose limits differ. A call that
// could only be sent after its context's deadline fails at once; pause before you repeat it in a
// loop.
func WithRateLimits(l RateLimits) Option {
	return clientOption(func(c *config) error {
		if problem := l.problem(); problem != "" {
			return optionError("WithRateLimits", problem)
		}
		setNonZero(&c.limits.Default, l.Default)
		setNonZero(&c.limits.Create, l.Create)
		setNonZero(&c.limits.Infer, l.Infer)
		setNonZero(&c.limits.Refresh, l.Refresh)
		setNonZero(&c.limits.PerSecond, l.PerSecond)
		setNonZero(&c.limits.Burst, l.Burst)
		return nil
	})
}

var limitNames = [...]string{"Default", "Create", "Infer", "Refresh"}

// problem returns what is required of the first invalid field, or "".
func (l RateLimits) problem() string {
	for i, n := range [...]int{l.Default, l.Create, l.Infer, l.Refresh} {
		if n < 0 || n > ratelimit.MaxLimit {
			return limitNames[i] + " must be from 0 to " + strconv.Itoa(ratelimit.MaxLimit) +
				"; zero keeps the default, WithoutRateLimits turns limits off"
		}
	}
	if l.Burst < 0 {
		return "Burst must not be negative; zero keeps the default"
	}
	if l.PerSecond != 0 && !(l.PerSecond >= slowestPace && l.PerSecond <= math.MaxFloat64) { // true for NaN too
		return "PerSecond must be from 1.0/3600 (one request per hour) to math.MaxFloat64 (no pace)"
	}
	return ""
}

// WithLimiter replaces the built-in limiter, for example by one that several processes share. It
// overrides WithRateLimits.
func WithLimiter(l Limiter) Option {
	return clientOption(func(c *config) error {
		if l == nil {
			return optionError("WithLimiter", "must not be nil; WithoutRateLimits turns limits off")
		}
		c.limiter = l
		return nil
	})
}

// WithoutRateLimits turns client-side limits off. The service then answers 429 above its own
// limits.
func WithoutRateLimits() Option {
	return clientOption(func(c *config) error {
		c.unlimited = true
		return nil
	})
}

// NewLimiter returns a built-in limiter that several clients of one process can share, such as the
// client with an old API key and the one with the key that replaces it. A zero field of l takes its
// default. It returns an [*ArgumentError] if a field of l is out of its range.
func NewLimiter(l RateLimits) (Limiter, error) {
	c := defaults()
	if err := WithRateLimits(l).applyClient(&c); err != nil {
		return nil, withOp(err, "NewLimiter")
	}
	return c.window(), nil
}

func (cfg config) window() windowLimiter {
	l := cfg.limits
	return windowLimiter{ratelimit.NewWindow(map[string]int{
		string(BucketDefault): l.Default, string(BucketCreate): l.Create,
		string(BucketInfer): l.Infer, string(BucketRefresh): l.Refresh,
	}, limitWindow, l.PerSecond, l.Burst)}
}

// transportLimiter returns the limiter in the transport's terms, or nil for none.
func (cfg config) transportLimiter() transport.Limiter {
	var limiter transport.Limiter
	switch {
	case cfg.unlimited:
		return nil
	case cfg.limiter != nil:
		limiter = namedLimiter{cfg.limiter}
	default:
		limiter = namedLimiter{cfg.window()}
	}
	if cfg.logger == nil && cfg.hooks.OnLimiterWait == nil {
		return limiter
	}
	return &reportingLimiter{limiter, cfg.logger, cfg.hooks.OnLimiterWait}
}

// windowLimiter is the built-in Limiter.
type windowLimiter struct{ window *ratelimit.Window }

func (l windowLimiter) Acquire(ctx context.Context, b Bucket) (func(), error) {
	share := 1.0
	if info, ok := transport.InfoFromContext(ctx); ok && info.Share > 0 {
		share = info.Share
	}
	release, err := l.window.Acquire(ctx, string(b), share)
	if ctx.Err() != nil && err != nil {
		err = transport.ContextError(ctx)
	}
	return release, err
}
func (l windowLimiter) Pause(b Bucket, d time.Duration) { l.window.Pause(string(b), d) }

// namedLimiter converts bucket names, which are plain strings in the transport.
type namedLimiter struct{ Limiter }

func (l namedLimiter) Acquire(ctx context.Context, b string) (func(), error) {
	return l.Limiter.Acquire(ctx, Bucket(b))
}
func (l namedLimiter) Pause(b string, d time.Duration) { l.Limiter.Pause(Bucket(b), d) }

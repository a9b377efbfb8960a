package terminal49

import (
	"context"
	"math"
	"time"

	"github.com/go-freight/terminal49/internal/transport"
)

// Bucket names one of the service's rate limits.
type Bucket string

const (
	BucketDefault Bucket = "default" // everything without a limit of its own
	BucketCreate  Bucket = "create"  // creating tracking requests
	BucketInfer   Bucket = "infer"   // inferring numbers
	BucketRefresh Bucket = "refresh" // refreshing containers
)

// Limiter keeps calls within the service's rate limits. Every attempt asks it, retries too. The built-in one counts
// per client; a fleet of processes that share an API key can share a Limiter of its own making (see [WithLimiter]).
type Limiter interface {
	// Acquire waits until a request may be sent in bucket, or ctx ends. If the wait would outlast ctx's deadline it
	// returns an error at once. release is called exactly once, when the answer has arrived or the attempt has
	// failed: the service counted the request some time before that. A request that is given up on its way may still
	// arrive: its release comes two seconds later, on a goroutine of its own.
	Acquire(ctx context.Context, bucket Bucket) (release func(), err error)
	// Pause is called when the service answered 429 with a Retry-After of d all the same, for example because another
	// process shares the key: no request should be sent in bucket for that long, which is never more than an hour.
	Pause(bucket Bucket, d time.Duration)
}

// Limits are requests per rolling 60 seconds, by bucket, and the pace at which a bucket's budget is spent. A zero field
// keeps its default.
//
// In each bucket, calls get their turn in the order in which they came. What a request took of the budget is back a
// minute after its answer, because only then the service is sure to have it back: with answers that take a second,
// 60/61 of a budget can be used.
type Limits struct {
	Default int // 100
	Create  int // 100
	Infer   int // 200
	Refresh int // 10

	// PerSecond is the pace that keeps a loop from hammering the service: after Burst requests at once, so many a
	// second. The whole budget of a bucket stays usable if the pace is no slower than the bucket's limit / 60.
	PerSecond float64 // 10; one an hour at least
	Burst     int     // 20
}

// limitWindow is the span that the service counts over.
const limitWindow = time.Minute

// slowestPace is in requests per second. Below it, the time of a turn far back in the queue would be no time.Duration.
const slowestPace = 1.0 / 3600

// DefaultLimits are the service's documented limits, with a moderate pace.
func DefaultLimits() Limits {
	return Limits{Default: 100, Create: 100, Infer: 200, Refresh: 10, PerSecond: 10, Burst: 20}
}

// WithLimits changes the client-side limits, for accounts that have others. A call whose turn is sure to come after
// its context's deadline fails at once rather than waiting in vain: do not call again in a loop without a pause.
func WithLimits(l Limits) Option {
	return clientOption(func(c *config) error {
		if l.Default < 0 || l.Create < 0 || l.Infer < 0 || l.Refresh < 0 || l.PerSecond < 0 || l.Burst < 0 {
			return optionError("WithLimits", "must not hold negative values; zero keeps a default, WithoutLimits turns limits off")
		}
		if l.PerSecond != 0 && !(l.PerSecond >= slowestPace && l.PerSecond <= math.MaxFloat64) { // true for NaN too
			return optionError("WithLimits", "has a PerSecond that is no pace; it must be a number from 1.0/3600, one an hour, on")
		}
		set(&c.limits.Default, l.Default)
		set(&c.limits.Create, l.Create)
		set(&c.limits.Infer, l.Infer)
		set(&c.limits.Refresh, l.Refresh)
		set(&c.limits.PerSecond, l.PerSecond)
		set(&c.limits.Burst, l.Burst)
		return nil
	})
}

// WithLimiter replaces the built-in limiter, for example by one that a fleet shares. It overrides WithLimits.
func WithLimiter(l Limiter) Option {
	return clientOption(func(c *config) error {
		if l == nil {
			return optionError("WithLimiter", "must not be nil; WithoutLimits turns limits off")
		}
		c.limiter = l
		return nil
	})
}

// WithoutLimits sends without any client-side limit. The service answers 429 to what is too much.
func WithoutLimits() Option {
	return clientOption(func(c *config) error {
		c.unlimited = true
		return nil
	})
}

// NewLimiter returns the built-in limiter, to be shared by several clients of one API key in one process. A zero field
// of l takes its default; a negative one is an [*ArgumentError].
func NewLimiter(l Limits) (Limiter, error) {
	c := defaults()
	if err := WithLimits(l).applyClient(&c); err != nil {
		return nil, withOp(err, "NewLimiter")
	}
	return windowLimiter{c.window()}, nil
}

func (cfg config) window() *transport.Window {
	l := cfg.limits
	return transport.NewWindow(map[string]int{
		string(BucketDefault): l.Default, string(BucketCreate): l.Create,
		string(BucketInfer): l.Infer, string(BucketRefresh): l.Refresh,
	}, limitWindow, l.PerSecond, l.Burst)
}

// transportLimiter returns the limiter in the transport's terms, or nil for none.
func (cfg config) transportLimiter() transport.Limiter {
	switch {
	case cfg.unlimited:
		return nil
	case cfg.limiter != nil:
		return namedLimiter{cfg.limiter}
	default:
		return cfg.window()
	}
}

// windowLimiter and namedLimiter translate bucket names: the transport knows them as plain strings.
type windowLimiter struct{ window *transport.Window }

func (l windowLimiter) Acquire(ctx context.Context, b Bucket) (func(), error) {
	return l.window.Acquire(ctx, string(b))
}
func (l windowLimiter) Pause(b Bucket, d time.Duration) { l.window.Pause(string(b), d) }

type namedLimiter struct{ Limiter }

func (l namedLimiter) Acquire(ctx context.Context, b string) (func(), error) {
	return l.Limiter.Acquire(ctx, Bucket(b))
}
func (l namedLimiter) Pause(b string, d time.Duration) { l.Limiter.Pause(Bucket(b), d) }

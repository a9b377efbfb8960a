package fleet

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"golang.org/x/time/rate"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/transport"
)

// ErrEngineAway is returned by Acquire while the engine is away, if the context ends or the
// fallback is [Fail]. It is joined with the engine's error, without addresses and passwords.
var ErrEngineAway = errors.New("fleet: engine is away")

// ErrNotSetUp is returned by Acquire if the engine cannot work without a change, for example
// because a table is missing, access is denied, or what it stores has another [Format]. Requests
// then fail at once, with any fallback, also those that wait. It is joined with the engine's error,
// which says what to do. An engine returns errors that match it.
var ErrNotSetUp = errors.New("not set up")

// Limiter is a [terminal49.Limiter] whose slots are shared by all processes with the same engine
// and the same namespace. Create one for each API key and pass it to all clients of that key with
// [terminal49.WithLimiter]. It need not be closed: it has goroutines and timers only while it holds
// slots or calls are waiting.
type Limiter struct {
	engine  engine
	buckets map[terminal49.Bucket]*bucket
}

var _ terminal49.Limiter = (*Limiter)(nil)

// New returns a limiter for the API key token. The engine receives a hash of the token, never the
// token itself. New does no I/O. It returns a [*terminal49.ArgumentError] if engine is nil, if an
// option is invalid, or if token is not an API key and [WithNamespace] is not set.
func New(engine Engine, token string, opts ...Option) (*Limiter, error) {
	if engine == nil {
		return nil, invalid("engine", "must not be nil")
	}
	c := config{limits: terminal49.DefaultRateLimits(), window: time.Minute, fallback: Wait()}
	for _, opt := range opts {
		if opt == nil {
			continue
		}
		if err := opt.apply(&c); err != nil {
			return nil, err
		}
	}
	if c.namespace == "" {
		if c.namespace = hash(token); c.namespace == "" {
			return nil, invalid("token", "must be an API key; make one in the service's developer portal, or set WithNamespace")
		}
	}
	return c.limiter(engine), nil
}

func (c config) limiter(e Engine) *Limiter {
	l := &Limiter{buckets: map[terminal49.Bucket]*bucket{}}
	l.engine = engine{Engine: e, longest: c.window / 3, events: events{call: c.events}, returned: l.step}
	process := rand.Text()
	for name, limit := range map[terminal49.Bucket]int{
		terminal49.BucketDefault: c.limits.Default, terminal49.BucketCreate: c.limits.Create,
		terminal49.BucketInfer: c.limits.Infer, terminal49.BucketRefresh: c.limits.Refresh,
	} {
		l.buckets[name] = &bucket{
			config: c, engine: &l.engine, id: Bucket{c.namespace, string(name)}, process: process, limit: limit,
			pace: rate.NewLimiter(rate.Limit(c.limits.PerSecond), max(c.limits.Burst, 1)),
		}
	}
	return l
}

// step serves the waiters of all buckets when the engine works again.
func (l *Limiter) step() {
	for _, b := range l.buckets {
		b.mu.Lock()
		b.step()
		b.mu.Unlock()
	}
}

// hash returns 128 bits of the SHA-256 of a token without its scheme, such as "Bearer", which is
// not part of the key. It returns "" if the text is not a token.
func hash(token string) string {
	token = strings.TrimSpace(token)
	if scheme, rest, _ := strings.Cut(token, " "); strings.EqualFold(scheme, "Token") || strings.EqualFold(scheme, "Bearer") {
		token = strings.TrimSpace(rest)
	}
	if token == "" || strings.Contains(token, " ") {
		return ""
	}
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:16])
}

// Acquire waits until a request may be sent in bucket, or ctx ends. If the wait would exceed ctx's
// deadline, it fails at once with an error that is [context.DeadlineExceeded]. If ctx ends while
// the engine is away, the error also matches [ErrEngineAway]. An unknown bucket uses the budget of
// [terminal49.BucketDefault]. release frees the slot one minute later; calling it again does
// nothing.
func (l *Limiter) Acquire(ctx context.Context, bucket terminal49.Bucket) (release func(), err error) {
	if ctx.Err() != nil {
		return nil, transport.ContextError(ctx)
	}
	share := 1.0
	if call, ok := terminal49.CallFromContext(ctx); ok {
		share = call.Share
	}
	return l.bucket(bucket).acquire(ctx, share)
}

// Pause closes the bucket for d: at once in this process, in the others within a second. It never
// shortens an earlier pause.
func (l *Limiter) Pause(bucket terminal49.Bucket, d time.Duration) {
	l.bucket(bucket).pause(time.Now().Add(d))
}

func (l *Limiter) bucket(name terminal49.Bucket) *bucket {
	if b := l.buckets[name]; b != nil {
		return b
	}
	return l.buckets[terminal49.BucketDefault]
}

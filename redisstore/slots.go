package redisstore

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/go-freight/terminal49/fleet"
)

// engine is the [fleet.Engine] of Redis. scripts.go describes what it stores.
type engine struct {
	rdb redis.UniversalClient

	mu   sync.Mutex
	seen map[string]int64 // the latest write of each bucket that this process has seen
}

func newEngine(rdb redis.UniversalClient) *engine {
	return &engine{rdb: rdb, seen: map[string]int64{}}
}

func (e *engine) Take(ctx context.Context, r fleet.Request) (fleet.Grant, error) {
	v, err := e.run(ctx, takeScript, r.Bucket, 3,
		r.Owner, r.Limit, r.Top, micros(r.Hold), r.Born, micros(r.Settle))
	if err != nil {
		return fleet.Grant{}, fmt.Errorf("redisstore: take a slot: %w", err)
	}
	return fleet.Grant{Taken: v[0] == 1, Wait: time.Duration(v[1]) * time.Microsecond, Born: v[2]}, nil
}

func (e *engine) Keep(ctx context.Context, b fleet.Bucket, slots []fleet.Slot) (forgotten int, err error) {
	var args []any
	for _, s := range slots {
		args = append(args, s.Owner, micros(s.For))
	}
	v, err := e.run(ctx, keepScript, b, 1, args...)
	if err != nil {
		return 0, fmt.Errorf("redisstore: keep slots: %w", err)
	}
	return int(v[0]), nil
}

func (e *engine) Pause(ctx context.Context, b fleet.Bucket, d time.Duration) error {
	if _, err := e.run(ctx, pauseScript, b, 0, micros(d)); err != nil {
		return fmt.Errorf("redisstore: pause: %w", err)
	}
	return nil
}

// run runs a script on a bucket. Every script returns so many results, and then the time of the
// latest write.
func (e *engine) run(ctx context.Context, script *redis.Script, b fleet.Bucket, results int, args ...any) ([]int64, error) {
	key := bucketKey(b)
	e.mu.Lock()
	seen := e.seen[key]
	e.mu.Unlock()
	v, err := promptly(ctx, func() ([]int64, error) {
		return script.Run(ctx, e.rdb, []string{key}, append([]any{seen, forgetAfter.Milliseconds()}, args...)...).Int64Slice()
	})
	if err == nil && len(v) != results+1 {
		err = errors.New("the server returned an unexpected reply")
	}
	if err != nil {
		return nil, explain(err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.seen[key] = max(e.seen[key], v[results])
	return v, nil
}

// explain marks the errors of a server that refuses this user, password or right.
func explain(err error) error {
	for _, code := range []string{"NOAUTH ", "NOPERM ", "WRONGPASS "} {
		if strings.HasPrefix(err.Error(), code) {
			return fmt.Errorf("%w: access is denied: %w", fleet.ErrNotSetUp, err)
		}
	}
	return err
}

// bucketKey returns the one key of a bucket. A name that contains a colon is escaped, so that two
// buckets never share a key.
func bucketKey(b fleet.Bucket) string {
	return "t49:slots:" + url.QueryEscape(b.Namespace) + ":" + url.QueryEscape(b.Name)
}

// micros returns d in microseconds, rounded up.
func micros(d time.Duration) int64 { return roundUp(d, time.Microsecond) }

func roundUp(d, unit time.Duration) int64 {
	n := int64(d / unit)
	if d%unit > 0 {
		n++
	}
	return n
}

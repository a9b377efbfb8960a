package redisstore

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/go-freight/terminal49/webhook"
)

// Dedupe is a [webhook.DedupeStore] in Redis, for several receivers behind one URL. Create it with
// [NewDedupe].
type Dedupe struct {
	rdb    redis.UniversalClient
	prefix string
}

var _ webhook.DedupeStore = (*Dedupe)(nil)

// NewDedupe returns a store of handled notifications. Receivers share them if they use the same
// Redis and the same namespace, such as "orders"; receivers that do different work with the same
// notification need a namespace each. NewDedupe does no I/O. It returns a
// [*terminal49.ArgumentError] if rdb is nil or namespace is empty.
func NewDedupe(rdb redis.UniversalClient, namespace string) (*Dedupe, error) {
	if isNil(rdb) {
		return nil, required("NewDedupe", "rdb")
	}
	if namespace == "" {
		return nil, required("NewDedupe", "namespace")
	}
	return &Dedupe{rdb, "t49:dedupe:" + namespace + ":"}, nil
}

// Each notification has one key. Its value is "done", or "claimed " and the owner.

// claimScript returns a [webhook.DedupeState]. If the owner has the claim already, it succeeds: the
// client repeats a command whose reply was lost.
var claimScript = redis.NewScript(`
local mine, state = 'claimed ' .. ARGV[1], redis.call('GET', KEYS[1])
if state == 'done' then return 2 end
if state and state ~= mine then return 0 end
if tonumber(ARGV[2]) > 0 then redis.call('SET', KEYS[1], mine, 'PX', ARGV[2]) end
return 1
`)

var releaseScript = redis.NewScript(`
if redis.call('GET', KEYS[1]) ~= 'claimed ' .. ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
`)

// Claim implements [webhook.DedupeStore].
func (d *Dedupe) Claim(ctx context.Context, id, owner string, lease time.Duration) (webhook.DedupeState, error) {
	state, err := promptly(ctx, func() (int, error) {
		return claimScript.Run(ctx, d.rdb, []string{d.key(id)}, owner, millis(lease)).Int()
	})
	if err != nil {
		return webhook.DedupeBusy, fmt.Errorf("redisstore: claim a notification: %w", err)
	}
	return webhook.DedupeState(state), nil
}

// Complete implements [webhook.DedupeStore].
func (d *Dedupe) Complete(ctx context.Context, id, _ string, retention time.Duration) error {
	_, err := promptly(ctx, func() (any, error) {
		if retention <= 0 {
			return nil, d.rdb.Del(ctx, d.key(id)).Err()
		}
		return d.rdb.Do(ctx, "SET", d.key(id), "done", "PX", millis(retention)).Result()
	})
	if err != nil {
		return fmt.Errorf("redisstore: complete a notification: %w", err)
	}
	return nil
}

// Release implements [webhook.DedupeStore].
func (d *Dedupe) Release(ctx context.Context, id, owner string) error {
	_, err := promptly(ctx, func() (any, error) {
		return releaseScript.Run(ctx, d.rdb, []string{d.key(id)}, owner).Result()
	})
	if err != nil {
		return fmt.Errorf("redisstore: release a notification: %w", err)
	}
	return nil
}

// key returns the key of a notification. An id may be as long as a delivery, so it is hashed.
func (d *Dedupe) key(id string) string {
	sum := sha256.Sum256([]byte(id))
	return d.prefix + base64.RawURLEncoding.EncodeToString(sum[:])
}

// millis returns d in milliseconds, rounded up: the unit of Redis must not shorten a lease.
func millis(d time.Duration) int64 { return roundUp(d, time.Millisecond) }

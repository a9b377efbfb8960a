package redisstore

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/go-freight/terminal49/fleet"
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
	return &Dedupe{rdb, keyPrefix(rdb) + "t49:dedupe:" + namespace + ":"}, nil
}

// Each notification has one key. Its value is "1 claimed <owner>" or "1 done <owner>", without the
// owner if another one had the claim. 1 is the version of this format. If the owner that asks has
// done the same before, a script succeeds: the client repeats a command whose reply was lost.

// dedupeStart begins every script. ARGV[1] is the owner, ARGV[2] a time in milliseconds. If the key
// has another format, the script returns -1 less that format.
const dedupeStart = `
local key, owner, period, state = KEYS[1], ARGV[1], ARGV[2], redis.call('GET', KEYS[1])
if state and string.sub(state, 1, 2) ~= '1 ' then return -1 - (tonumber(string.match(state, '^%d+')) or 0) end
local claimed, done = state == '1 claimed ' .. owner, state and string.sub(state, 1, 6) == '1 done'
local function put(value)
  if tonumber(period) > 0 then redis.call('SET', key, value, 'PX', period) else redis.call('DEL', key) end
end
`

// claimScript returns a [webhook.DedupeState].
var claimScript = redis.NewScript(dedupeStart + `
if done then return 2 end
if state and not claimed then return 0 end
put('1 claimed ' .. owner)
return 1
`)

// completeScript returns whether the owner had the claim.
var completeScript = redis.NewScript(dedupeStart + `
local own = claimed or state == '1 done ' .. owner
put('1 done ' .. (own and owner or ''))
return own and 1 or 0
`)

var releaseScript = redis.NewScript(dedupeStart + `
if claimed then redis.call('DEL', key) end
return 1
`)

// run runs a script on a notification; tried describes it in errors.
func (d *Dedupe) run(ctx context.Context, tried string, script *redis.Script, id, owner string, period time.Duration) (int, error) {
	n, err := promptly(ctx, func() (int, error) {
		return script.Run(ctx, d.rdb, []string{d.key(id)}, owner, millis(period)).Int()
	})
	switch {
	case err != nil:
		return 0, fmt.Errorf("redisstore: %s a notification: %w", tried, explain(err))
	case n < 0:
		return 0, fmt.Errorf("redisstore: %s a notification: %w: its key has format %d, and this program uses 1: run one "+
			"version of this package, or stop all programs and delete the keys %s*", tried, fleet.ErrNotSetUp, -1-n, d.prefix)
	}
	return n, nil
}

// Claim implements [webhook.DedupeStore].
func (d *Dedupe) Claim(ctx context.Context, id, owner string, lease time.Duration) (webhook.DedupeState, error) {
	state, err := d.run(ctx, "claim", claimScript, id, owner, lease)
	return webhook.DedupeState(state), err // 0 is DedupeBusy
}

// Complete implements [webhook.DedupeStore].
func (d *Dedupe) Complete(ctx context.Context, id, owner string, retention time.Duration) error {
	own, err := d.run(ctx, "complete", completeScript, id, owner, retention)
	if err == nil && own == 0 {
		err = fmt.Errorf("redisstore: complete a notification: %w", webhook.ErrClaimLost)
	}
	return err
}

// Release implements [webhook.DedupeStore].
func (d *Dedupe) Release(ctx context.Context, id, owner string) error {
	_, err := d.run(ctx, "release", releaseScript, id, owner, 0)
	return err
}

// key returns the key of a notification. An id may be as long as a delivery, so it is hashed.
func (d *Dedupe) key(id string) string {
	sum := sha256.Sum256([]byte(id))
	return d.prefix + base64.RawURLEncoding.EncodeToString(sum[:])
}

// millis returns d in milliseconds, rounded up: the unit of Redis must not shorten a lease.
func millis(d time.Duration) int64 { return roundUp(d, time.Millisecond) }

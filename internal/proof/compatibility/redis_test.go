package compatibility_test

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/redisstore"
	"github.com/go-freight/terminal49/redisstore/redisstoretest"
)

// redisOf returns the keys that the stores write into Redis with the form of their content, and
// what they read of what v0.1.0 wrote: processes of both versions share one Redis during an update.
func redisOf(t *testing.T) []string {
	server := redisstoretest.StartRedis(t)
	rdb := redis.NewClient(&redis.Options{Addr: server.Addr()})
	defer rdb.Close()
	take(t, rdb, fleet.WithNamespace("compatibility"))
	take(t, rdb)
	take(t, rdb, fleet.WithNamespace("acme:eu"))
	must(must(redisstore.NewDedupe(rdb, "acme:eu é&%/"))(t).Claim(t.Context(), "claimed", "owner", time.Hour))(t)
	prefixed := redisstore.WithKeyPrefix(rdb, "prefix:")
	dedupe, err := redisstore.NewDedupe(prefixed, "namespace")
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"claimed", "done"} {
		if _, err := dedupe.Claim(t.Context(), id, "owner", time.Hour); err != nil {
			t.Fatal(err)
		}
	}
	if err := dedupe.Complete(t.Context(), "done", "owner", time.Hour); err != nil {
		t.Fatal(err)
	}
	lines := redisContent(t, rdb)
	return append(lines, readOldRedis(t, rdb)...)
}

// take takes one slot and returns how many are in use then, or the error.
func take(t *testing.T, rdb redis.UniversalClient, opts ...fleet.Option) string {
	t.Helper()
	limiter, err := redisstore.NewLimiter(rdb, "an-api-key", append(opts, fleet.WithFallback(fleet.Fail()))...)
	if err != nil {
		t.Fatal(err)
	}
	done, err := limiter.Acquire(t.Context(), terminal49.BucketDefault)
	if err != nil {
		return err.Error()
	}
	done()
	return fmt.Sprint(limiter.Stats()[terminal49.BucketDefault].InUse)
}

var (
	digits = regexp.MustCompile(`\d{5,}`)
	owner  = regexp.MustCompile(`^slot:.*`)
)

func redisContent(t *testing.T, rdb *redis.Client) (lines []string) {
	ctx := t.Context()
	for _, key := range must(rdb.Keys(ctx, "*").Result())(t) {
		kind := must(rdb.Type(ctx, key).Result())(t)
		if must(rdb.TTL(ctx, key).Result())(t) > 0 {
			lines = append(lines, key+": expires")
		}
		switch kind {
		case "hash":
			for field, value := range must(rdb.HGetAll(ctx, key).Result())(t) {
				lines = append(lines, fmt.Sprintf("%s: field %s %s", key, owner.ReplaceAllString(field, "slot:OWNER"), digits.ReplaceAllString(value, "N")))
			}
		default:
			lines = append(lines, fmt.Sprintf("%s: %s %s", key, kind, must(rdb.Get(ctx, key).Result())(t)))
		}
	}
	return lines
}

func must[V any](v V, err error) func(*testing.T) V {
	return func(t *testing.T) V {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// readOldRedis writes keys as v0.1.0 did, and has today's stores read them. Do not change what it
// writes; add what later versions wrote.
func readOldRedis(t *testing.T, rdb *redis.Client) []string {
	ctx := t.Context()
	now := must(rdb.Time(ctx).Result())(t).UnixMicro()
	slot := fmt.Sprintf("%d 100 0", now+50_000_000)
	must(rdb.HSet(ctx, "t49:slots:old:default", "format", 1, "born", now-200_000_000, "last", now-1, "offset", 0, "paused", 0, "line", 2,
		"slot:a", slot, "slot:b", slot).Result())(t)
	lines := []string{fmt.Sprintf("slots of v0.1.0: with two in use, a third makes %s", take(t, rdb, fleet.WithNamespace("old")))}
	dedupe := must(redisstore.NewDedupe(rdb, "old"))(t)
	for _, content := range []string{"1 done an-owner", "1 done ", "1 claimed an-owner"} {
		sum := sha256.Sum256([]byte("an id"))
		must(rdb.Set(ctx, "t49:dedupe:old:"+base64.RawURLEncoding.EncodeToString(sum[:]), content, time.Hour).Result())(t)
		state, err := dedupe.Claim(ctx, "an id", "another owner", time.Hour)
		lines = append(lines, fmt.Sprintf("notification of v0.1.0: %q is in state %d, error %v", content, state, err))
	}
	return lines
}

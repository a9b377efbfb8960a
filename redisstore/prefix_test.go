package redisstore

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/go-freight/terminal49/internal/testkit/engines"
	"github.com/go-freight/terminal49/webhook"
)

// WithKeyPrefix: "orders:" makes "orders:t49:...", and processes share notifications only if they
// use the same prefix.
func TestWithKeyPrefix_IsBeforeAllKeys(t *testing.T) {
	server := engines.StartRedis(t)
	rdb := connect(t, server)
	for i, client := range []redis.UniversalClient{
		rdb, WithKeyPrefix(rdb, "orders:"), WithKeyPrefix(WithKeyPrefix(rdb, "a:"), "{b}:"), WithKeyPrefix(rdb, ""),
	} {
		d, err := NewDedupe(client, "ns")
		if err != nil {
			t.Fatal(err)
		}
		want := webhook.DedupeClaimed
		if i == 3 {
			want = webhook.DedupeBusy // it has the key of the first one
		}
		if state, err := d.Claim(t.Context(), "id", strconv.Itoa(i), time.Hour); state != want || err != nil {
			t.Errorf("%q: got %v, %v, want %v", keyPrefix(client), state, err, want)
		}
	}
	keys, err := rdb.Keys(t.Context(), "*").Result()
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(keys)
	for i, prefix := range []string{"a:{b}:t49:dedupe:ns:", "orders:t49:dedupe:ns:", "t49:dedupe:ns:"} {
		if len(keys) != 3 || !strings.HasPrefix(keys[i], prefix) {
			t.Fatalf("got %q, want one key that begins with %q", keys, prefix)
		}
	}
}

func TestWithKeyPrefix_OfNothingIsNothing(t *testing.T) {
	var none *redis.Client
	for _, rdb := range []redis.UniversalClient{nil, none} {
		if _, err := NewDedupe(WithKeyPrefix(rdb, "orders:"), "ns"); err == nil || !strings.Contains(err.Error(), "rdb") {
			t.Errorf("got %v, want an error that names rdb", err)
		}
	}
}

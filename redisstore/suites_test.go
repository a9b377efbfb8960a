package redisstore

import (
	"context"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/internal/engines"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

func TestLimiter_Suite(t *testing.T) {
	server := engines.StartRedis(t)
	terminal49test.TestLimiter(t, func(t *testing.T, s terminal49test.LimiterSetup) terminal49.Limiter {
		rdb := redis.NewClient(&redis.Options{Addr: server.Addr()})
		t.Cleanup(func() { _ = rdb.Close() })
		context.AfterFunc(s.Context, func() { _ = rdb.Close() })
		limiter, err := NewLimiter(rdb, "", fleet.WithNamespace(s.Namespace), fleet.WithLimits(s.Limits),
			fleet.WithWindow(s.Window), fleet.WithFallback(fleet.Wait()))
		if err != nil {
			t.Fatal(err)
		}
		return limiter
	}, terminal49test.WithShares())
}

func TestDedupe_Suite(t *testing.T) {
	server := engines.StartRedis(t)
	terminal49test.TestDedupeStore(t, func(t *testing.T, s terminal49test.DedupeSetup) webhook.DedupeStore {
		rdb := redis.NewClient(&redis.Options{Addr: server.Addr()})
		t.Cleanup(func() { _ = rdb.Close() })
		d, err := NewDedupe(rdb, s.Namespace)
		if err != nil {
			t.Fatal(err)
		}
		return d
	})
}

package redisstore

import (
	"context"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/fleet/fleettest"
	"github.com/go-freight/terminal49/internal/testkit/engines"
	"github.com/go-freight/terminal49/webhook"
	"github.com/go-freight/terminal49/webhook/webhooktest"
)

// The suites wait most of the time, so they run beside each other.

func TestLimiter_Suite(t *testing.T) {
	t.Parallel()
	server := engines.StartRedis(t)
	fleettest.TestLimiter(t, func(t *testing.T, s fleettest.Setup) terminal49.Limiter {
		rdb := redis.NewClient(&redis.Options{Addr: server.Addr()})
		t.Cleanup(func() { _ = rdb.Close() })
		context.AfterFunc(s.Context, func() { _ = rdb.Close() })
		limiter, err := NewLimiter(rdb, "", fleet.WithNamespace(s.Namespace), fleet.WithRateLimits(s.Limits),
			fleet.WithWindow(s.Window))
		if err != nil {
			t.Fatal(err)
		}
		return limiter
	}, fleettest.WithShares(), fleettest.WithRefusals(func(l terminal49.RateLimits) error {
		rdb := redis.NewClient(&redis.Options{Addr: server.Addr()})
		defer func() { _ = rdb.Close() }()
		_, err := NewLimiter(rdb, "key", fleet.WithRateLimits(l))
		return err
	}))
}

// The server keeps everything on disk, so that it can be stopped and given another clock.
func TestDedupe_Suite(t *testing.T) {
	t.Parallel()
	server := engines.StartRedis(t, "--appendonly", "yes", "--appendfsync", "always")
	var shift time.Duration
	webhooktest.TestDedupeStore(t, func(t *testing.T, s webhooktest.Setup) webhook.DedupeStore {
		rdb := redis.NewClient(&redis.Options{Addr: server.Addr()})
		t.Cleanup(func() { _ = rdb.Close() })
		d, err := NewDedupe(WithKeyPrefix(rdb, "suite:"), s.Namespace)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}, webhooktest.WithClock(func(d time.Duration) {
		shift += d
		server.SetClock(shift)
	}), webhooktest.WithFaults(webhooktest.Faults{
		Away: func() func() { server.Kill(); return server.Start },
		Lose: func() {
			if _, err := server.Do("FLUSHALL"); err != nil {
				t.Error(err)
			}
		},
	}))
}

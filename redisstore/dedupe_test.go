package redisstore

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/internal/testkit/engines"
	"github.com/go-freight/terminal49/webhook"
)

// The source of the expected values in this file is the documentation of webhook.DedupeStore.

func TestDedupe_Contract(t *testing.T) { testDedupe(t, connect(t, engines.StartRedis(t))) }

func testDedupe(t *testing.T, rdb redis.UniversalClient) {
	type step struct {
		call, owner string
		period      time.Duration
		want        webhook.DedupeState
	}
	const long, lost = time.Hour, webhook.DedupeState(9) // lost is Complete with webhook.ErrClaimLost
	for name, steps := range map[string][]step{
		"claimed once":                   {{"claim", "a", long, webhook.DedupeClaimed}, {"claim", "b", long, webhook.DedupeBusy}},
		"done":                           {{"claim", "a", long, webhook.DedupeClaimed}, {"complete", "a", long, 0}, {"claim", "b", long, webhook.DedupeDone}},
		"released":                       {{"claim", "a", long, webhook.DedupeClaimed}, {"release", "a", 0, 0}, {"claim", "b", long, webhook.DedupeClaimed}},
		"released by a stranger":         {{"claim", "a", long, webhook.DedupeClaimed}, {"release", "b", 0, 0}, {"claim", "c", long, webhook.DedupeBusy}},
		"completed by a late owner":      {{"claim", "b", long, webhook.DedupeClaimed}, {"complete", "a", long, lost}, {"claim", "c", long, webhook.DedupeDone}},
		"released by the other of two":   {{"claim", "b", long, webhook.DedupeClaimed}, {"complete", "a", long, lost}, {"release", "b", 0, 0}, {"claim", "c", long, webhook.DedupeDone}},
		"completed without a claim":      {{"complete", "a", long, lost}, {"claim", "b", long, webhook.DedupeDone}},
		"released without a claim":       {{"release", "a", 0, 0}, {"claim", "b", long, webhook.DedupeClaimed}},
		"the lease is over":              {{"claim", "a", time.Nanosecond, webhook.DedupeClaimed}, {"sleep", "", 0, 0}, {"claim", "b", long, webhook.DedupeClaimed}},
		"the retention is over":          {{"complete", "a", time.Nanosecond, lost}, {"sleep", "", 0, 0}, {"claim", "b", long, webhook.DedupeClaimed}},
		"no lease":                       {{"claim", "a", 0, webhook.DedupeClaimed}, {"claim", "b", long, webhook.DedupeClaimed}},
		"no retention":                   {{"claim", "a", long, webhook.DedupeClaimed}, {"complete", "a", 0, 0}, {"claim", "b", long, webhook.DedupeClaimed}},
		"repeated after a lost reply":    {{"claim", "a", long, webhook.DedupeClaimed}, {"claim", "a", long, webhook.DedupeClaimed}, {"claim", "b", long, webhook.DedupeBusy}},
		"renewed":                        {{"claim", "a", time.Nanosecond, webhook.DedupeClaimed}, {"claim", "a", long, webhook.DedupeClaimed}, {"sleep", "", 0, 0}, {"claim", "b", long, webhook.DedupeBusy}},
		"renewed once it is done":        {{"claim", "a", long, webhook.DedupeClaimed}, {"complete", "a", long, 0}, {"claim", "a", long, webhook.DedupeDone}},
		"completed again, lost reply":    {{"claim", "a", long, webhook.DedupeClaimed}, {"complete", "a", long, 0}, {"complete", "a", long, 0}, {"complete", "b", long, lost}},
		"an owner that looks like state": {{"claim", "done", long, webhook.DedupeClaimed}, {"claim", "b", long, webhook.DedupeBusy}},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := NewDedupe(rdb, "{"+t.Name()+"}")
			if err != nil {
				t.Fatal(err)
			}
			id := strings.Repeat(name, 10_000)
			for i, s := range steps {
				var err error
				got := s.want
				switch s.call {
				case "claim":
					got, err = d.Claim(t.Context(), id, s.owner, s.period)
				case "complete":
					err = d.Complete(t.Context(), id, s.owner, s.period)
				case "release":
					err = d.Release(t.Context(), id, s.owner)
				case "sleep":
					pass(20 * time.Millisecond)
				}
				if s.want == lost {
					if !errors.Is(err, webhook.ErrClaimLost) {
						t.Fatalf("step %d, %s: got %v, want ErrClaimLost", i, s.call, err)
					}
					continue
				}
				if err != nil || got != s.want {
					t.Fatalf("step %d, %s: got %v, %v; want %v", i, s.call, got, err, s.want)
				}
			}
		})
	}
}

func TestDedupe_OneOfManyClaims(t *testing.T) {
	server := engines.StartRedis(t)
	var claimed atomic.Int64
	var all sync.WaitGroup
	for i := range 50 {
		d, err := NewDedupe(connect(t, server), "test")
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			state, err := d.Claim(t.Context(), "id", fmt.Sprint(i), time.Hour)
			if err != nil || state == webhook.DedupeDone {
				t.Errorf("got %v, %v", state, err)
			}
			if state == webhook.DedupeClaimed {
				claimed.Add(1)
			}
		})
	}
	all.Wait()
	if claimed.Load() != 1 {
		t.Errorf("%d of 50 claims succeeded, want 1", claimed.Load())
	}
}

func TestDedupe_NamespacesAreApart(t *testing.T) {
	rdb := connect(t, engines.StartRedis(t))
	for _, namespace := range []string{"a", "a:b", "b"} {
		d, err := NewDedupe(rdb, namespace)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{"x", "b:x"} {
			if state, err := d.Claim(t.Context(), id, "owner", time.Hour); state != webhook.DedupeClaimed || err != nil {
				t.Errorf("%s, %s: got %v, %v", namespace, id, state, err)
			}
		}
	}
}

// Redis counts milliseconds. A lease must not be shorter than the handler asked for.
func TestDedupe_FractionsAreRoundedUp(t *testing.T) {
	for d, want := range map[time.Duration]int64{
		-time.Hour: -3_600_000, 0: 0, 1: 1, time.Millisecond: 1, time.Millisecond + 1: 2, time.Second - 1: 1000,
	} {
		if got := millis(d); got != want {
			t.Errorf("%v is %d ms, want %d", d, got, want)
		}
	}
}

// Eviction and failover do the same: the notification is handled again, and the claim that is left
// behind completes.
func TestDedupe_HandlesAgainAfterALoss(t *testing.T) {
	server := engines.StartRedis(t)
	d, err := NewDedupe(connect(t, server), "test")
	if err != nil {
		t.Fatal(err)
	}
	claim := func(owner string, want webhook.DedupeState) {
		t.Helper()
		if got, err := d.Claim(t.Context(), "id", owner, time.Hour); got != want || err != nil {
			t.Errorf("%s: got %v, %v; want %v", owner, got, err, want)
		}
	}
	claim("a", webhook.DedupeClaimed)
	server.Restart()
	claim("b", webhook.DedupeClaimed)
	if err := d.Complete(t.Context(), "id", "a", time.Hour); !errors.Is(err, webhook.ErrClaimLost) {
		t.Error(err)
	}
	claim("c", webhook.DedupeDone)
}

// A full server may evict nothing. A notification that cannot be claimed is neither handled nor
// lost, because the delivery is answered 500.
func TestDedupe_RefusesClaimsOnAFullServer(t *testing.T) {
	server := engines.StartRedis(t, "--maxmemory", "1", "--maxmemory-policy", "noeviction")
	d, err := NewDedupe(connect(t, server), "test")
	if err != nil {
		t.Fatal(err)
	}
	if state, err := d.Claim(t.Context(), "id", "owner", time.Hour); err == nil || state == webhook.DedupeClaimed {
		t.Errorf("got %v, %v; want an error", state, err)
	}
}

// Issue 31, 6: a wrong version is ErrNotSetUp with what to do. A key of a version before v0.1.0 had
// none.
func TestDedupe_RefusesKeysOfAnotherFormat(t *testing.T) {
	server := engines.StartRedis(t)
	d, err := NewDedupe(connect(t, server), "test")
	if err != nil {
		t.Fatal(err)
	}
	for value, format := range map[string]string{"2 done a": "format 2", "12 claimed a": "format 12", "claimed a": "format 0"} {
		if _, err := server.Do("SET", d.key("id"), value); err != nil {
			t.Fatal(err)
		}
		_, err := d.Claim(t.Context(), "id", "a", time.Hour)
		for _, err := range []error{err, d.Complete(t.Context(), "id", "a", time.Hour), d.Release(t.Context(), "id", "a")} {
			if !errors.Is(err, fleet.ErrNotSetUp) || !strings.Contains(err.Error(), format) || !strings.Contains(err.Error(), "t49:dedupe:test:*") {
				t.Errorf("%s: got %v", value, err)
			}
		}
		if kept, err := server.Do("GET", d.key("id")); kept != value || err != nil {
			t.Errorf("%s became %s, %v", value, kept, err)
		}
	}
}

// A server that refuses a password, or a right, is ErrNotSetUp (fleet.ErrNotSetUp).
func TestDedupe_RefusedIsNotSetUp(t *testing.T) {
	server := engines.StartRedis(t)
	if _, err := server.Do("ACL", "SETUSER", "default", "resetkeys", "~orders:t49:*"); err != nil {
		t.Fatal(err)
	}
	for prefix, refused := range map[string]bool{"": true, "orders:": false} {
		d, err := NewDedupe(WithKeyPrefix(connect(t, server), prefix), "test")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Claim(t.Context(), "id", "a", time.Hour); errors.Is(err, fleet.ErrNotSetUp) != refused || (err != nil) != refused {
			t.Errorf("with the prefix %q: got %v", prefix, err)
		}
	}
}

package redisstore

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/redisstore/redisstoretest"
)

// The source of the expected values in this file is the documentation of fleet.Engine.

func TestEngine_TakesUntilTheLimit(t *testing.T) {
	rdb := connect(t, redisstoretest.StartRedis(t))
	a, b := newProcess(t, rdb), newProcess(t, rdb)
	a.takeAll("a", 3)
	b.takeAll("b", 2)
	a.denied(hold)
	if g := b.denied(hold); g.Wait < hold/2 {
		t.Errorf("a slot is free in an hour, but Wait is %v", g.Wait)
	}
	if got := a.take("a0"); !got.Taken {
		t.Errorf("the owner of a slot repeats Take, whose reply was lost: got %+v", got)
	}
	a.keep(fleet.Slot{Owner: "a0", For: time.Minute})
	b.denied(time.Minute)
	a.keep(fleet.Slot{Owner: "a1", For: 0})
	b.takeAll("another", 1)
	b.denied(time.Minute)
}

func TestEngine_SlotsReturnByThemselves(t *testing.T) {
	p := newProcess(t, connect(t, redisstoretest.StartRedis(t)))
	p.Hold = 50 * time.Millisecond
	p.takeAll("dead", limit)
	until(t, "slots of a process that ended", func() bool { return p.take("next").Taken })
}

func TestEngine_Shares(t *testing.T) {
	rdb := connect(t, redisstoretest.StartRedis(t))
	for name, test := range map[string]struct {
		taken  []int // the Top of each request that must be granted, in order
		denied []int // the Top of requests that must not be, afterwards
	}{
		"no shares":                                {[]int{5, 5, 5, 5, 5}, []int{5}},
		"the small share is used up":               {[]int{2, 2}, []int{2}},
		"the rest is for the others":               {[]int{2, 2, 5, 5, 5}, []int{2, 5}},
		"the others leave room":                    {[]int{5, 5, 5, 2, 2}, []int{2, 5}},
		"the others may take all":                  {[]int{5, 5, 5, 5, 5}, []int{2, 5}},
		"every bound holds, the smallest first":    {[]int{2, 2, 4, 4}, []int{2, 4}},
		"every bound holds, the larger first":      {[]int{4, 4, 4, 4}, []int{2, 4}},
		"every bound holds, the larger in between": {[]int{4, 4, 4, 2}, []int{2, 4}},
		"the last slot is for no share":            {[]int{4, 4, 4, 2, 5}, []int{2, 4, 5}},
		"a Top above the limit is the limit":       {[]int{9, 9, 9, 9, 9}, []int{9, 5}},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProcess(t, rdb)
			p.Namespace = t.Name()
			for i, top := range test.taken {
				p.Top = top
				p.takeAll(fmt.Sprint(i, "-"), 1)
			}
			for _, p.Top = range test.denied {
				p.denied(hold)
			}
		})
	}
}

func TestEngine_WaitOfAShare(t *testing.T) {
	p := newProcess(t, connect(t, redisstoretest.StartRedis(t)))
	p.takeAll("any", 1)
	p.Top = 2
	p.takeAll("share", 2)
	p.keep(fleet.Slot{Owner: "any0", For: time.Minute}, fleet.Slot{Owner: "share0", For: 30 * time.Minute})
	if g := p.denied(30 * time.Minute); g.Wait < 10*time.Minute {
		t.Errorf("Wait is %v, but the slot that is free in a minute is not of this share", g.Wait)
	}
}

func TestEngine_Keep(t *testing.T) {
	p := newProcess(t, connect(t, redisstoretest.StartRedis(t)))
	p.takeAll("known", limit)
	slots := []fleet.Slot{{Owner: "known0", For: hold}, {Owner: "lost", For: time.Minute}, {Owner: "never", For: 0}, {Owner: "never", For: -1}}
	if got := p.keep(slots...); got != 1 {
		t.Errorf("forgotten is %d, want 1: a slot that is kept for zero is not counted if it is unknown", got)
	}
	if g := p.denied(hold); g.Wait < hold/2 {
		t.Errorf("Wait is %v: 6 of 5 slots are taken, so two must become free first", g.Wait)
	}
	p.keep(fleet.Slot{Owner: "known1", For: 0})
	if g := p.denied(time.Minute); g.Wait < time.Second {
		t.Errorf("Wait is %v, but the request of the forgotten slot was sent and counts", g.Wait)
	}
	if got := p.keep(); got != 0 {
		t.Errorf("forgotten of no slots is %d", got)
	}
	p.keep(fleet.Slot{Owner: "known2", For: time.Nanosecond})
	until(t, "a slot that expired is forgotten", func() bool {
		return p.keep(fleet.Slot{Owner: "known2", For: time.Nanosecond}) == 1
	})
}

func TestEngine_Pause(t *testing.T) {
	p := newProcess(t, connect(t, redisstoretest.StartRedis(t)))
	p.pause(30 * time.Minute)
	p.pause(time.Minute)
	if g := p.denied(30 * time.Minute); g.Wait < 10*time.Minute {
		t.Errorf("Wait is %v: a pause never shortens an earlier one", g.Wait)
	}
	p.pause(2 * time.Hour)
	if g := p.denied(2 * time.Hour); g.Wait < time.Hour {
		t.Errorf("Wait is %v: a longer pause counts", g.Wait)
	}
	p.Name = "create"
	p.takeAll("other bucket", 1)
	p.pause(50 * time.Millisecond)
	until(t, "the end of a pause", func() bool { return p.take("next").Taken })
}

func TestEngine_Settle(t *testing.T) {
	p := newProcess(t, connect(t, redisstoretest.StartRedis(t)))
	p.Settle = time.Minute
	born := p.denied(time.Minute).Born
	p.Settle = 20 * time.Millisecond
	until(t, "settling", func() bool { return p.take("next").Taken })
	if got := p.take("next").Born; got != born || born == 0 {
		t.Errorf("Born is %d, then %d", born, got)
	}
}

func TestEngine_BornOutlivesIdleTime(t *testing.T) {
	server := redisstoretest.StartRedis(t)
	p := newProcess(t, connect(t, server))
	p.Hold = time.Millisecond
	p.Born = p.takeAll("a", limit).Born
	until(t, "idle time", func() bool { time.Sleep(10 * time.Millisecond); return p.take("b").Taken })
	if ttl, err := server.Do("PTTL", bucketKey(p.Bucket)); err != nil || len(ttl) != len("2592000000") {
		t.Errorf("a bucket is kept for %s ms, %v; want 30 days", ttl, err)
	}
	p.Born++
	if g := p.take("other"); g.Taken || g.Born != p.Born-1 {
		t.Errorf("with an unknown Born: got %+v, want no slot and Born %d", g, p.Born-1)
	}
}

// Many requests are made at once, and the times at which they were sent are compared: of any
// limit+1 in order, the last is at least one window after the first, because the service counts in
// any rolling window (docs/service.md#rate-limits).
func TestEngine_Exact(t *testing.T) {
	server := redisstoretest.StartRedis(t)
	const window, processes, callers, requests = 300 * time.Millisecond, 4, 8, 30
	var mu sync.Mutex
	var sent []time.Time
	var all sync.WaitGroup
	for i := range processes {
		p := newProcess(t, connect(t, server))
		p.Hold = 2 * window
		for j := range callers {
			all.Go(func() {
				r := p.Request
				for n := 0; ; n++ {
					r.Owner = fmt.Sprintf("%d-%d-%d", i, j, n)
					g, err := p.engine.Take(t.Context(), r)
					if err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					if g.Taken {
						sent = append(sent, time.Now())
					}
					enough := len(sent) >= requests
					mu.Unlock()
					if g.Taken && j%2 == 0 { // the others die before they keep their slot
						p.keep(fleet.Slot{Owner: r.Owner, For: window})
					}
					if enough {
						return
					}
					time.Sleep(g.Wait)
				}
			})
		}
	}
	all.Wait()
	slices.SortFunc(sent, time.Time.Compare)
	for i := range len(sent) - limit {
		// The clocks of this process and of Redis may differ by a thousandth.
		if d := sent[i+limit].Sub(sent[i]); d < window-time.Millisecond {
			t.Errorf("%d requests within %v", limit+1, d)
		}
	}
}

func TestEngine_BucketsAreApart(t *testing.T) {
	server := redisstoretest.StartRedis(t)
	p := newProcess(t, connect(t, server))
	for _, b := range []fleet.Bucket{{Namespace: "a", Name: "b:c"}, {Namespace: "a:b", Name: "c"}, {Namespace: "a", Name: "b"}, {Namespace: "{a}", Name: "b"}} {
		p.Bucket = b
		p.takeAll("a", limit)
		p.denied(hold)
	}
	if keys, err := server.Do("DBSIZE"); err != nil || keys != "4" {
		t.Errorf("%s keys, %v; want one for each of 4 buckets", keys, err)
	}
}

// A node of a Redis Cluster refuses a script that uses a key of another hash slot than that of its
// declared keys.
func TestEngine_Cluster(t *testing.T) {
	server := redisstoretest.StartRedis(t, "--cluster-enabled", "yes")
	if _, err := server.Do("CLUSTER", "ADDSLOTSRANGE", "0", "16383"); err != nil {
		t.Fatal(err)
	}
	until(t, "cluster", func() bool {
		info, _ := server.Do("CLUSTER", "INFO")
		return strings.Contains(info, "cluster_state:ok")
	})
	rdb := redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{server.Addr()}})
	defer rdb.Close()
	p := newProcess(t, rdb)
	p.takeAll("a", limit)
	p.denied(hold)
	p.keep(fleet.Slot{Owner: "a0", For: 0}, fleet.Slot{Owner: "lost", For: time.Minute})
	p.pause(2 * time.Hour)
	p.denied(2 * time.Hour)
	testDedupe(t, rdb)
}

func TestEngine_EndsWithItsContext(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0") // accepts connections and never replies
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	rdb := redis.NewClient(&redis.Options{Addr: silent.Addr().String(), Password: "pass-word", ReadTimeout: time.Hour, MaxRetries: -1})
	p := newProcess(t, rdb)
	d, err := NewDedupe(rdb, "test")
	if err != nil {
		t.Fatal(err)
	}
	for name, call := range map[string]func(context.Context) error{
		"Take":     func(ctx context.Context) error { _, err := p.engine.Take(ctx, p.Request); return err },
		"Keep":     func(ctx context.Context) error { _, err := p.engine.Keep(ctx, p.Bucket, nil); return err },
		"Pause":    func(ctx context.Context) error { return p.engine.Pause(ctx, p.Bucket, time.Second) },
		"Claim":    func(ctx context.Context) error { _, err := d.Claim(ctx, "id", "owner", time.Second); return err },
		"Complete": func(ctx context.Context) error { return d.Complete(ctx, "id", "owner", time.Second) },
		"Release":  func(ctx context.Context) error { return d.Release(ctx, "id", "owner") },
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		if err := call(ctx); !errors.Is(err, context.DeadlineExceeded) || strings.Contains(err.Error(), "pass-word") {
			t.Errorf("%s returned %v", name, err)
		}
		cancel()
	}
	_ = rdb.Close()
}

func TestNewLimiter_Arguments(t *testing.T) {
	rdb := redis.NewClient(&redis.Options{})
	defer rdb.Close()
	for field, make := range map[string]func() (any, error){
		"rdb":       func() (any, error) { return NewLimiter(nil, "token") },
		"token":     func() (any, error) { return NewLimiter(rdb, "") },
		"namespace": func() (any, error) { return NewDedupe(rdb, "") },
	} {
		var argument *terminal49.ArgumentError
		if _, err := make(); !errors.As(err, &argument) || argument.Field != field {
			t.Errorf("%s: got %v", field, err)
		}
	}
	if _, err := NewLimiter((*redis.Client)(nil), "token"); err == nil {
		t.Error("a nil *redis.Client is accepted")
	}
	if _, err := NewDedupe((*redis.Ring)(nil), "test"); err == nil {
		t.Error("a nil *redis.Ring is accepted")
	}
	if _, err := NewDedupe(nil, "test"); err == nil {
		t.Error("NewDedupe(nil) is accepted")
	}
	if _, err := NewLimiter(rdb, "token", fleet.WithNamespace("test")); err != nil {
		t.Error(err)
	}
}

// One user has the rights that the documentation of the package lists, another uses a wrong
// password.
func TestEngine_AccessControlList(t *testing.T) {
	server := redisstoretest.StartRedis(t)
	rights := strings.Fields("~t49:* +eval +evalsha +hgetall +hset +hdel +pexpire +time +get +set +del")
	if _, err := server.Do(append([]string{"ACL", "SETUSER", "t49", "on", ">pass-word"}, rights...)...); err != nil {
		t.Fatal(err)
	}
	as := func(password string) redis.UniversalClient {
		rdb := redis.NewClient(&redis.Options{Addr: server.Addr(), Username: "t49", Password: password})
		t.Cleanup(func() { _ = rdb.Close() })
		return rdb
	}
	p := newProcess(t, as("pass-word"))
	p.takeAll("a", limit)
	p.keep(fleet.Slot{Owner: "a0", For: 0}, fleet.Slot{Owner: "lost", For: hold})
	p.pause(time.Minute)
	testDedupe(t, as("pass-word"))
	_, err := newProcess(t, as("wrong-word")).engine.Take(t.Context(), p.Request)
	if !errors.Is(err, fleet.ErrNotSetUp) || strings.Contains(err.Error(), "wrong-word") {
		t.Errorf("with a wrong password: got %v", err)
	}
}

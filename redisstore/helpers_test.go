package redisstore

import (
	"context"
	"fmt"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/redisstore/redisstoretest"
)

// connect returns a client of a server, as one process has it.
func connect(t testing.TB, server *redisstoretest.Redis) redis.UniversalClient {
	t.Helper()
	rdb := redis.NewClient(&redis.Options{Addr: server.Addr()})
	t.Cleanup(func() { _ = rdb.Close() })
	return rdb
}

// connectTo returns a client whose connections go to the server that is in to when they are made,
// like those of a client of Sentinel.
func connectTo(t *testing.T, to *atomic.Pointer[redisstoretest.Redis]) redis.UniversalClient {
	rdb := redis.NewClient(&redis.Options{Dialer: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", to.Load().Addr())
	}})
	t.Cleanup(func() { _ = rdb.Close() })
	return rdb
}

// process is one process of a fleet: its own engine, and its requests in one bucket.
type process struct {
	t      testing.TB
	engine *engine
	fleet.Request
}

// limit is that of every bucket in these tests.
const limit = 5

// hold is so long that no slot is free again before the test ends.
const hold = time.Hour

func newProcess(t testing.TB, rdb redis.UniversalClient) *process {
	return &process{t, newEngine(rdb), fleet.Request{
		Bucket: fleet.Bucket{Namespace: "test", Name: "default"}, Limit: limit, Top: limit, Hold: hold,
	}}
}

func (p *process) take(owner string) fleet.Grant {
	p.t.Helper()
	p.Owner = owner
	g, err := p.engine.Take(p.t.Context(), p.Request)
	if err != nil {
		p.t.Fatal(err)
	}
	return g
}

// takeAll takes n slots, which must be free, and returns the last grant.
func (p *process) takeAll(prefix string, n int) (last fleet.Grant) {
	p.t.Helper()
	for i := range n {
		if last = p.take(fmt.Sprint(prefix, i)); !last.Taken {
			p.t.Fatalf("slot %d was not granted: %+v", i, last)
		}
	}
	return last
}

// denied calls Take, which must grant nothing and return a Wait above zero and at most longest. It
// returns the grant.
func (p *process) denied(longest time.Duration) fleet.Grant {
	p.t.Helper()
	g := p.take("denied")
	if g.Taken || g.Wait <= 0 || g.Wait > longest {
		p.t.Errorf("got %+v, want no slot for at most %v", g, longest)
	}
	return g
}

func (p *process) keep(slots ...fleet.Slot) (forgotten int) {
	p.t.Helper()
	forgotten, err := p.engine.Keep(p.t.Context(), p.Bucket, slots)
	if err != nil {
		p.t.Fatal(err)
	}
	return forgotten
}

func (p *process) pause(d time.Duration) {
	p.t.Helper()
	if err := p.engine.Pause(p.t.Context(), p.Bucket, d); err != nil {
		p.t.Fatal(err)
	}
}

// until repeats ok until it returns true, and fails the test after a minute.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for start := time.Now(); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Since(start) > time.Minute {
			t.Fatalf("%s: not within a minute", what)
		}
	}
}

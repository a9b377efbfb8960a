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
	"github.com/go-freight/terminal49/internal/testkit/engines"
)

// connect returns a client of a server, as one process has it.
func connect(t testing.TB, server *engines.Redis) redis.UniversalClient {
	t.Helper()
	rdb := redis.NewClient(&redis.Options{Addr: server.Addr()})
	t.Cleanup(func() { _ = rdb.Close() })
	return rdb
}

// connectTo returns a client whose connections go to the server that is in to when they are made,
// like those of a client of Sentinel.
func connectTo(t *testing.T, to *atomic.Pointer[engines.Redis]) redis.UniversalClient {
	rdb := redis.NewClient(&redis.Options{Dialer: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", to.Load().Addr())
	}})
	t.Cleanup(func() { _ = rdb.Close() })
	return rdb
}

// process is one process of a fleet: its own engine, and its calls for one bucket.
type process struct {
	t      testing.TB
	engine engine
	fleet.Call
}

// limit is that of every bucket in these tests.
const limit = 5

// hold is how long a slot is taken, so long that none is free again before the test ends.
const hold = time.Hour

func newProcess(t testing.TB, rdb redis.UniversalClient) *process {
	return &process{t, engine{rdb}, fleet.Call{
		Bucket: fleet.Bucket{Namespace: "test", Name: "default"}, Limit: limit, Window: hold * 2 / 3,
	}}
}

func (p *process) serve(c fleet.Call) fleet.Reply {
	p.t.Helper()
	r, err := p.engine.Serve(p.t.Context(), c)
	if err != nil {
		p.t.Fatal(err)
	}
	p.Seen = r.Now
	return r
}

// take asks for a slot, and gives up its place if none is free.
func (p *process) take(owner string) (g fleet.Grant, r fleet.Reply) {
	p.t.Helper()
	c := p.Call
	c.Places = []fleet.Place{{Owner: owner, Top: c.Limit}}
	if r = p.serve(c); len(r.Grants) == 1 {
		g = r.Grants[0]
	}
	if !g.Taken {
		p.keep(fleet.Slot{Owner: owner})
	}
	return g, r
}

// takeAll takes n slots, which must be free, and returns the last reply.
func (p *process) takeAll(prefix string, n int) (last fleet.Reply) {
	p.t.Helper()
	var g fleet.Grant
	for i := range n {
		if g, last = p.take(fmt.Sprint(prefix, i)); !g.Taken {
			p.t.Fatalf("slot %d was not granted: %+v", i, last)
		}
	}
	return last
}

// denied asks for a slot, which must not be granted, with a Wait of at most longest.
func (p *process) denied(longest time.Duration) (fleet.Grant, fleet.Reply) {
	p.t.Helper()
	g, r := p.take("denied")
	if g.Taken || g.Wait <= 0 || g.Wait > longest {
		p.t.Errorf("got %+v, want no slot for at most %v", g, longest)
	}
	return g, r
}

func (p *process) keep(slots ...fleet.Slot) (lost int) {
	p.t.Helper()
	c := p.Call
	c.Slots = slots
	return p.serve(c).Lost
}

func (p *process) pause(d time.Duration) {
	p.t.Helper()
	c := p.Call
	c.Pause = d
	p.serve(c)
}

// pass lets d pass for the server, which has a clock of its own. More may pass on a busy machine.
func pass(d time.Duration) { time.Sleep(d) }

// until repeats ok until it returns true, and fails the test after a minute.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for start := time.Now(); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Since(start) > time.Minute {
			t.Fatalf("%s: not within a minute", what)
		}
	}
}

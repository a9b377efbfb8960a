package fleettest

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/internal/testkit/suite"
)

// TestEngine tests an engine: several processes make random calls at once for a second, or longer
// until a hundred places were served, in three buckets. In the order of Reply.Now, every reply must
// be the one that [fleet.State] returns, also while a bucket settles and after a loss. No call may
// change its Slots or Places. open opens the engine of one process; all processes share what it
// stores.
func TestEngine(t *testing.T, open func(t *testing.T) fleet.Engine) {
	testEngine(t, func() fleet.Engine { return open(t) })
}

// reporter is what TestEngine needs of a *testing.T.
type reporter interface {
	Errorf(format string, args ...any)
	Failed() bool
}

func testEngine(t reporter, open func() fleet.Engine) {
	const processes, span = 4, time.Second
	var h history
	var all sync.WaitGroup
	namespace := fmt.Sprint("engine-", rand.Uint64())
	for i := range processes {
		p := &caller{engine: open(), history: &h, id: i, random: rand.New(rand.NewPCG(1, uint64(i))),
			namespace: namespace, seen: map[fleet.Bucket]fleet.Reply{}}
		all.Go(func() {
			for start := time.Now(); !t.Failed(); p.call(t) {
				if took := time.Since(start); took > suite.Patience || took > span && h.placesServed() >= enoughServed {
					return
				}
			}
		})
	}
	all.Wait()
	p := &caller{engine: open(), history: &h, namespace: namespace}
	p.lossAndSettle(t)
	h.replay(t)
}

// enoughServed is how many places must be served, or the calls show little of an engine.
const enoughServed = 100

// history has the calls of all processes.
type history struct {
	mu     sync.Mutex
	all    []exchange
	served int
}

func (h *history) placesServed() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.served
}

type exchange struct {
	call  fleet.Call
	reply fleet.Reply
}

// caller is one process that makes random calls.
type caller struct {
	*history
	engine    fleet.Engine
	id        int
	random    *rand.Rand
	namespace string
	owners    int
	seen      map[fleet.Bucket]fleet.Reply // the latest reply
}

// call makes a call with a window of 120 ms or more, so that slots and places end during the test.
func (p *caller) call(t reporter) {
	c := []fleet.Call{
		{Bucket: fleet.Bucket{Namespace: p.namespace, Name: "default"}, Limit: 8, Window: 120 * time.Millisecond},
		{Bucket: fleet.Bucket{Namespace: p.namespace, Name: "refresh"}, Limit: 5, Window: 160 * time.Millisecond},
		{Bucket: fleet.Bucket{Namespace: p.namespace + "2", Name: "default"}, Limit: 8, Window: 120 * time.Millisecond},
	}[p.random.IntN(3)]
	window, limit := c.Window, c.Limit
	c.Born, c.Seen = p.seen[c.Bucket].Born, p.seen[c.Bucket].Now
	switch p.random.IntN(40) {
	case 0:
		c.Pause = time.Duration(p.random.Int64N(int64(window)))
	case 1:
		c.Settle = window / 4
	case 2:
		c.Born-- // as after a loss
	}
	for range p.random.IntN(4) {
		c.Places = append(c.Places, fleet.Place{Owner: p.owner(), Top: []int{limit, limit, 5, 2}[p.random.IntN(4)]})
	}
	for range p.random.IntN(3) {
		c.Slots = append(c.Slots, fleet.Slot{Owner: p.owner(), For: time.Duration(p.random.Int64N(int64(window))) - window/4})
	}
	if r, ok := p.serve(t, c); ok {
		p.seen[c.Bucket] = r
	}
}

// lossAndSettle makes calls that the random ones do not: a bucket grants nothing until it has
// settled, and an engine that has seen less than its process has lost slots.
func (p *caller) lossAndSettle(t reporter) {
	place := []fleet.Place{{Owner: "first", Top: 8}}
	call := fleet.Call{Bucket: fleet.Bucket{Namespace: p.namespace, Name: "settles"}, Limit: 8, Window: time.Minute, Settle: time.Hour, Places: place}
	p.serve(t, call)
	call.Name, call.Settle = "loses", 0
	if r, ok := p.serve(t, call); ok {
		call.Born, call.Seen, call.Places = r.Born, r.Now+time.Hour.Microseconds(), []fleet.Place{{Owner: "second", Top: 8}}
		p.serve(t, call)
	}
}

// serve makes a call and keeps it. The engine gets a copy, which it must not change.
func (p *caller) serve(t reporter, c fleet.Call) (fleet.Reply, bool) {
	sent := c
	sent.Slots, sent.Places = slices.Clone(c.Slots), slices.Clone(c.Places)
	r, err := p.engine.Serve(context.Background(), sent)
	if err != nil {
		t.Errorf("Serve: %v", err)
		return r, false
	}
	if !reflect.DeepEqual(sent, c) {
		t.Errorf("Serve changed its Call: it is %+v, and was %+v", sent, c)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = append(p.all, exchange{c, r})
	p.served += len(r.Grants)
	return r, true
}

// owner returns the name of one of the latest requests, or of a new one.
func (p *caller) owner() string {
	if p.owners++; p.owners > 6 && p.random.IntN(2) == 0 {
		return fmt.Sprintf("%d-%d", p.id, p.owners-p.random.IntN(6))
	}
	return fmt.Sprintf("%d-%d", p.id, p.owners)
}

// replay makes the calls again, each at its time.
func (h *history) replay(t reporter) {
	slices.SortFunc(h.all, func(a, b exchange) int { return cmp.Compare(a.reply.Now, b.reply.Now) })
	states, grants := map[fleet.Bucket]*fleet.State{}, 0
	for i, x := range h.all {
		s := states[x.call.Bucket]
		if s == nil {
			s = &fleet.State{}
			states[x.call.Bucket] = s
		}
		want := s.Serve(x.reply.Now, x.call)
		grants += len(want.Grants)
		if len(want.Grants) == 0 && len(x.reply.Grants) == 0 {
			want.Grants, x.reply.Grants = nil, nil
		}
		if !reflect.DeepEqual(want, x.reply) {
			t.Errorf("reply %d to %+v is\n%+v, want\n%+v", i, x.call, x.reply, want)
			return
		}
	}
	if grants < enoughServed {
		t.Errorf("only %d places were served in %d calls", grants, len(h.all))
	}
}

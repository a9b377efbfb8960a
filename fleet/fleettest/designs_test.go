package fleettest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/fleet/fleettest"
	"github.com/go-freight/terminal49/internal/testkit"
)

// The suite accepts the limiter from which the broken ones are made, and correct limiters of other
// designs: documents that are replaced with compare-and-swap, on a clock of milliseconds, and calls
// that poll a table of slots.
func TestLimiterSuite_PassesGoodLimiters(t *testing.T) {
	open, faults := opened(bug{})
	t.Run("states", func(t *testing.T) {
		fleettest.TestLimiter(t, open, fleettest.WithFakeTime(), fleettest.WithShares(),
			fleettest.WithRefusals(bug{}.refuse), fleettest.WithFaults(faults))
	})
	d := &documents{all: map[fleet.Bucket][]byte{}, round: time.Millisecond}
	table := &table{buckets: map[string]*row{}}
	for name, open := range map[string]func(*testing.T, fleettest.Setup) terminal49.Limiter{
		"documents": d.open,
		"polling":   table.open,
	} {
		t.Run(name, func(t *testing.T) { fleettest.TestLimiter(t, open, fleettest.WithFakeTime()) })
	}
}

// documents is an engine that stores the JSON of a fleet.State for each bucket, and replaces it if
// nobody else has since it was read. bug changes the call that is applied.
type documents struct {
	mu    sync.Mutex
	all   map[fleet.Bucket][]byte
	round time.Duration // of the clock
	bug   func(c *fleet.Call)
	delay time.Duration
}

// mortal is an engine that a killed process no longer reaches.
type mortal struct {
	fleet.Engine
	alive context.Context
}

func (m mortal) Serve(ctx context.Context, c fleet.Call) (fleet.Reply, error) {
	if m.alive.Err() != nil {
		return fleet.Reply{}, errDead
	}
	return m.Engine.Serve(ctx, c)
}

func (d *documents) open(t *testing.T, s fleettest.Setup) terminal49.Limiter {
	l, err := fleet.New(mortal{d, s.Context}, "", fleet.WithNamespace(s.Namespace), fleet.WithRateLimits(s.Limits), fleet.WithWindow(s.Window))
	if err != nil {
		t.Error(err)
	}
	return l
}

// Serve implements [fleet.Engine].
func (d *documents) Serve(_ context.Context, c fleet.Call) (r fleet.Reply, err error) {
	if d.bug != nil {
		d.bug(&c)
	}
	for {
		testkit.Advance(d.delay)
		d.mu.Lock()
		read := d.all[c.Bucket]
		d.mu.Unlock()
		var s fleet.State
		if read != nil {
			if err := json.Unmarshal(read, &s); err != nil {
				return r, err
			}
		}
		r = s.Serve(time.Now().Truncate(max(d.round, 1)).UnixMicro(), c)
		text, err := json.Marshal(s)
		d.mu.Lock()
		same := bytes.Equal(d.all[c.Bucket], read)
		if same && err == nil {
			d.all[c.Bucket] = text
		}
		d.mu.Unlock()
		if same || err != nil {
			return r, err
		}
	}
}

// table is a store whose calls poll it until a slot is free. It knows no shares.
type table struct {
	mu      sync.Mutex
	buckets map[string]*row
}

// row is a bucket: until when each slot is taken, who waits, and until when it is paused.
type row struct {
	slots  []*poll
	line   []*poll
	paused time.Time
}

// poll is a call that waits, and then the slot of its request.
type poll struct {
	until    time.Time // when its place is lost, or its slot is free
	inFlight bool
}

// polling is one process.
type polling struct {
	*table
	setup fleettest.Setup
}

func (t *table) open(_ *testing.T, s fleettest.Setup) terminal49.Limiter { return &polling{t, s} }

func (p *polling) row(b terminal49.Bucket) (*row, int) {
	limit := limitOf(p.setup.Limits, b)
	if limit == 0 {
		b, limit = terminal49.BucketDefault, p.setup.Limits.Default
	}
	key := p.setup.Namespace + "/" + string(b)
	if p.buckets[key] == nil {
		p.buckets[key] = &row{}
	}
	return p.buckets[key], limit
}

// ask gives a call a slot, or returns how long it waits at least.
func (p *polling) ask(b terminal49.Bucket, c *poll) (wait time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now, w := time.Now(), p.setup.Window
	r, limit := p.row(b)
	over := func(c *poll) bool { return !c.until.After(now) }
	r.slots, r.line = slices.DeleteFunc(r.slots, over), slices.DeleteFunc(r.line, func(o *poll) bool { return o != c && over(o) })
	if c.until = now.Add(w / 12); !slices.Contains(r.line, c) {
		r.line = append(r.line, c)
	}
	short := slices.Index(r.line, c) - (limit - len(r.slots)) // slots that must become free before
	switch paused := r.paused.Sub(now); {
	case paused > 0:
		return paused
	case short >= len(r.slots):
		return w
	case short >= 0:
		var free []time.Time
		for _, s := range r.slots {
			free = append(free, s.until)
			if s.inFlight {
				free[len(free)-1] = now.Add(w)
			}
		}
		slices.SortFunc(free, time.Time.Compare)
		return free[short].Sub(now)
	}
	r.line = slices.DeleteFunc(r.line, func(o *poll) bool { return o == c })
	r.slots = append(r.slots, c)
	c.until, c.inFlight = now.Add(w*3/2), true
	return 0
}

// Acquire implements [terminal49.Limiter].
func (p *polling) Acquire(ctx context.Context, b terminal49.Bucket) (func(), error) {
	c := &poll{}
	for {
		if ctx.Err() != nil {
			p.end(c, time.Time{})
			return nil, ctx.Err()
		}
		wait := p.ask(b, c)
		if wait == 0 {
			return p.renew(c), nil
		}
		if end, ok := ctx.Deadline(); ok && wait > time.Until(end) {
			p.end(c, time.Time{})
			return nil, context.DeadlineExceeded
		}
		select {
		case <-ctx.Done():
		case <-p.setup.Context.Done():
			return nil, errDead
		case <-time.After(max(min(wait, p.setup.Window/16), time.Millisecond)):
		}
	}
}

// end sets when a slot or a place ends.
func (p *polling) end(c *poll, until time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c.until, c.inFlight = until, false
}

// renew keeps a slot until its release or the death of the process.
func (p *polling) renew(c *poll) (release func()) {
	released, w := make(chan struct{}), p.setup.Window
	go func() {
		for {
			select {
			case <-released:
				return
			case <-p.setup.Context.Done():
				return
			case <-time.After(w / 3):
			}
			p.mu.Lock()
			if c.inFlight {
				c.until = time.Now().Add(w * 3 / 2)
			}
			p.mu.Unlock()
		}
	}()
	return sync.OnceFunc(func() {
		close(released)
		p.end(c, time.Now().Add(w))
	})
}

// Pause implements [terminal49.Limiter].
func (p *polling) Pause(b terminal49.Bucket, d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r, _ := p.row(b); r.paused.Before(time.Now().Add(d)) {
		r.paused = time.Now().Add(d)
	}
}

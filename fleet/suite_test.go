package fleet_test

import (
	"context"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/fleet/fleettest"
	"github.com/go-freight/terminal49/internal/testkit"
)

// killable is an engine that a killed process no longer reaches.
type killable struct {
	*memory
	alive context.Context
}

func (k *killable) Serve(ctx context.Context, c fleet.Call) (fleet.Reply, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer context.AfterFunc(k.alive, cancel)()
	if k.alive.Err() != nil {
		return fleet.Reply{}, k.alive.Err()
	}
	return k.memory.Serve(ctx, c)
}

// The limiter keeps every promise of the suite, with an engine in memory.
func TestLimiter_Suite(t *testing.T) {
	if testkit.Race {
		t.Skip("the race detector of Go 1.26 stops with an error of its own; the gate runs this without it")
	}
	m := newMemory(1, 0)
	fleettest.TestLimiter(t, func(t *testing.T, s fleettest.Setup) terminal49.Limiter {
		return limiter(t, &killable{m, s.Context}, fleet.WithNamespace(s.Namespace), fleet.WithRateLimits(s.Limits), fleet.WithWindow(s.Window))
	}, fleettest.WithFakeTime(), fleettest.WithShares(), fleettest.WithRefusals(func(l terminal49.RateLimits) error {
		_, err := fleet.New(m, "key", fleet.WithRateLimits(l))
		return err
	}), fleettest.WithFaults(fleettest.Faults{
		Away: func() func() {
			m.set(func() { m.away = errAway })
			return func() { m.set(func() { m.away = nil }) }
		},
		Slow: func(d time.Duration) func() {
			m.set(func() { m.delay = d })
			return func() { m.set(func() { m.delay = 0 }) }
		},
		Lose: m.empty,
	}))
}

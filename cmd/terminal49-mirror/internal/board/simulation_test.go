package board

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
)

// The simulated service checks a terminal every six hours, without a notification if nothing has
// changed. So no released container is stale, however fast the clock runs and after a jump.
func TestSimulation_ReadsWhenTheTerminalWasChecked(t *testing.T) {
	for name, speed := range map[string]float64{"the default": 600, "an hour a second": 3600, "only by jumps": 0} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, err := simulate(60, speed)
				require.NoError(t, err)
				defer s.server.Close()
				m := newModel()
				ctx, cancel := context.WithCancel(t.Context())
				ended := make(chan error, 1)
				go func() { ended <- follow(ctx, s, m) }()
				situations := func() map[terminal49.Situation]int {
					n := map[terminal49.Situation]int{}
					for _, r := range allRows(t, s, m) {
						n[r.Situation]++
					}
					return n
				}
				for range 4 {
					time.Sleep(time.Minute)
					require.Zero(t, situations()[terminal49.SituationStale])
					require.NotZero(t, situations()[terminal49.SituationReady])
				}
				require.NoError(t, s.turn("", "24"))
				time.Sleep(5 * time.Second)
				require.Zero(t, situations()[terminal49.SituationStale], "after a jump")
				cancel()
				require.NoError(t, <-ended)
			})
		})
	}
}

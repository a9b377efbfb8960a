package board

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// What this machine recorded is shown at the time of the simulated clock, whatever its speed was
// then, after it stood still, and after jumps.
func TestTurning_KnowsWhatTheClockShowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0))
		defer server.Close()
		clock := newTurning(server, 600)
		before := time.Now()
		recorded, shown := []time.Time{}, []time.Time{}
		for _, turn := range [][2]string{{"600", ""}, {"", "6"}, {"0", ""}, {"", "24"}, {"86400", ""}, {"1", ""}} {
			time.Sleep(time.Millisecond)
			require.NoError(t, clock.turn(turn[0], turn[1]))
			for range 3 {
				time.Sleep(1500 * time.Millisecond)
				recorded, shown = append(recorded, time.Now().UTC().Round(0)), append(shown, server.Now())
			}
		}
		for i, at := range recorded {
			require.WithinDuration(t, shown[i], clock.of(at), time.Second, i)
		}
		require.WithinDuration(t, clock.of(before), clock.of(before.Add(-time.Hour)), 0, "before the start")
	})
}

// The table is bounded: what is older than it begins with its oldest time.
func TestTurning_Forgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0))
		defer server.Close()
		clock := newTurning(server, 0)
		before := time.Now()
		for range mostPaces + 5 {
			time.Sleep(time.Second)
			require.NoError(t, clock.turn("1", ""))
		}
		require.Len(t, clock.paces, mostPaces)
		require.Equal(t, clock.paces[0].simulated, clock.of(before))
		require.WithinDuration(t, server.Now(), clock.of(time.Now()), time.Second)
	})
}

package otelterminal49_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
)

// counted has the stats of a limiter.
type counted map[terminal49.Bucket]fleet.Stats

func (c counted) Stats() map[terminal49.Bucket]fleet.Stats { return c }

// Each number of fleet.Stats is a metric, in each bucket, until the registration ends.
func TestRegisterFleet_EveryNumber(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := record()
		limiter := counted{
			terminal49.BucketDefault: {
				Limit: 100, InUse: 93, Granted: 1000, Waited: 70, Denied: 5, NearLimit: 40, PausedUntil: time.Now().Add(1500 * time.Millisecond),
			},
			terminal49.BucketRefresh: {Limit: 10, PausedUntil: time.Now().Add(-time.Hour)},
		}
		registration, err := r.RegisterFleet(limiter)
		require.NoError(t, err)
		want := map[string]float64{}
		for bucket, values := range map[string][7]float64{"default": {100, 93, 2, 1000, 70, 40, 5}, "refresh": {10}} {
			for i, name := range []string{"limit", "usage", "pause", "granted", "waited", "near_limit", "denied"} {
				want["terminal49.fleet."+name+" terminal49.bucket="+bucket] = values[i]
			}
		}
		require.Equal(t, want, r.metrics())
		require.NoError(t, registration.Unregister())
		require.Empty(t, r.metrics())
	})
}

// In a program, the limiter is that of redisstore or sqlstore.
func ExampleTelemetry_RegisterFleet() {
	telemetry := record()
	registration, err := telemetry.RegisterFleet(counted{terminal49.BucketDefault: {Limit: 100, InUse: 93}})
	must(err)
	defer func() { must(registration.Unregister()) }()
	fmt.Println(telemetry.metrics()["terminal49.fleet.usage terminal49.bucket=default"])
	// Output: 93
}

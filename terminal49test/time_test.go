package terminal49test_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// Source: the documentation of Advance.
func TestAdvance_StopsAfterACentury(t *testing.T) {
	srv := newServer(t)
	for range 3 {
		before := srv.Now()
		srv.Advance(math.MaxInt64)
		require.False(t, srv.Now().Before(before), "the clock runs backwards")
	}
	require.InDelta(t, 100, srv.Now().Sub(start).Hours()/24/365, 1)
}

func TestAdvanceTo_RunsWhatIsDue(t *testing.T) {
	srv := newServer(t)
	id := srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MAEU123456789", SCAC: "MAEU"})
	require.True(t, srv.AdvanceTo(start.Add(time.Minute)))
	require.Equal(t, start.Add(time.Minute), srv.Now())
	require.Equal(t, "created", trackingRequest(t, srv, id).Status)
	for _, out := range []time.Time{start, {}, start.AddDate(200, 0, 0)} {
		require.False(t, srv.AdvanceTo(out), out)
	}
	require.True(t, srv.AdvanceTo(srv.Now()))
	require.Equal(t, start.Add(time.Minute), srv.Now())
}

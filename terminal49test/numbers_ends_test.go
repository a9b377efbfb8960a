package terminal49test_test

import (
	"io"
	"math"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// The ends of integers and floats.
var (
	intEnds   = []int64{0, -1, 1, math.MinInt, math.MaxInt}
	floatEnds = []float64{0, -1, 1, math.SmallestNonzeroFloat64, math.MaxFloat64, math.NaN(), math.Inf(1), math.Inf(-1)}
)

// Source: the documentation of WithLog: a number below 0 means 0.
func TestWithLog_AtItsEnds(t *testing.T) {
	for _, n := range intEnds {
		srv := newServer(t, terminal49test.WithLog(int(n)))
		getAPI(t, srv, "/shipments")
		getAPI(t, srv, "/shipments")
		require.Len(t, srv.Requests(), int(max(0, min(n, 2))), n)
	}
}

// Source: the documentation of WithReplicaLag: a share is limited to 0 to 1, and NaN means 0.
func TestWithReplicaLag_AtItsEnds(t *testing.T) {
	for _, share := range floatEnds {
		for _, lag := range intEnds {
			srv := newServer(t, terminal49test.WithReplicaLag(share, time.Duration(lag)))
			srv.SeedDemo()
			srv.Advance(time.Hour)
			srv.SeedDemo()
			checkReply(t, getAPI(t, srv, "/shipments"), 200, nil)
		}
	}
}

// Source: the documentation of TouchContainers: a number or a duration below 0 means 0.
func TestTouchContainers_AtItsEnds(t *testing.T) {
	for _, within := range intEnds {
		srv := newServer(t, terminal49test.WithSyntheticContainers(10))
		before := getAPI(t, srv, "/containers").raw
		require.Empty(t, srv.TouchContainers(math.MinInt, time.Duration(within)))
		require.Len(t, srv.TouchContainers(3, time.Duration(within)), 3)
		if within == math.MaxInt64 {
			require.Equal(t, before, getAPI(t, srv, "/containers").raw, "the first change is 97 years away")
		}
	}
}

// Source: the documentation of Fault: a status is 0 or 100 to 999, and a depth limited.
func TestFault_NumbersAtTheirEnds(t *testing.T) {
	for _, n := range intEnds {
		for _, kind := range []terminal49test.FaultKind{terminal49test.FaultStatus, terminal49test.FaultEmpty, terminal49test.FaultRedirect} {
			srv := newServer(t)
			srv.AddFault(terminal49test.Fault{Status: int(n), Kind: kind})
			require.Len(t, srv.Violations(), map[bool]int{n != 0: 1}[true], n)
		}
	}
	for _, n := range []int64{0, -1, 1, math.MinInt64} {
		srv := newServer(t)
		srv.AddFault(terminal49test.Fault{Kind: terminal49test.FaultDeep, Depth: int(n)})
		srv.AddFault(terminal49test.Fault{Kind: terminal49test.FaultHuge, Bytes: n})
		for range 2 {
			resp, err := srv.HTTPClient().Do(newAPIRequest(t, srv, http.MethodGet, "/shipments", ""))
			require.NoError(t, err)
			_, err = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<20))
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			require.Equal(t, 200, resp.StatusCode)
		}
	}
	srv := newServer(t)
	srv.AddFault(terminal49test.Fault{Kind: terminal49test.FaultDeep, Depth: math.MaxInt})
	require.Len(t, srv.Violations(), 1)
}

func TestRetryAfterSeconds_AtItsEnds(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0", 1: "1", time.Second: "1", time.Second + 1: "2", -time.Second: "0", math.MinInt64: "0", math.MaxInt64: "9223372037",
	} {
		require.Equal(t, want, terminal49test.RetryAfterSeconds(d).Value(time.Now()), d)
	}
}

package terminal49test_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
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

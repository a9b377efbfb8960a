//go:build unix

package mirror

import (
	"cmp"
	"context"
	"database/sql"
	"os"
	"runtime/metrics"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/terminal49test"
)

// TestMeasure_Rows measures typed reads: of all containers, with the largest heap, and of one by
// its number. MIRROR_EVENTS=none leaves out the six transport events of each container:
//
//	MIRROR_MEASURE=1 MIRROR_CONTAINERS=100000 go test -run Measure_Rows -v -timeout 2h ./mirror
func TestMeasure_Rows(t *testing.T) { measured(t, measureRows) }

func measureRows(t *testing.T, db *sql.DB) {
	containers, err := strconv.Atoi(cmp.Or(os.Getenv("MIRROR_CONTAINERS"), "8000"))
	require.NoError(t, err)
	fill(t, db, containers)
	r := NewReader(db)
	var last *terminal49.Container
	clock, cpu, n, largest := mirrortest.Stopwatch(), cpuTime(t), 0, uint64(0)
	for c, err := range r.Containers(t.Context(), "") {
		require.NoError(t, err)
		if n++; n%5_000 == 0 {
			largest = max(largest, heapBytes())
		}
		last = c
	}
	took := clock()
	used := cpuTime(t) - cpu
	require.Equal(t, containers, n)
	t.Logf("%d containers in %v: %.0f/s; %v of CPU time each in this process; heap at most %d MB",
		n, took.Round(time.Millisecond), float64(n)/took.Seconds(), used/time.Duration(n), largest>>20)
	clock, cpu = mirrortest.Stopwatch(), cpuTime(t)
	const times = 500
	for range times {
		found, err := r.ContainersByNumber(t.Context(), last.Number)
		require.NoError(t, err)
		require.Len(t, found, 1)
	}
	t.Logf("by number: %v, of it %v of CPU time in this process", clock()/times, (cpuTime(t)-cpu)/times)
}

// fill copies synthetic containers. The service ends before anything is measured.
func fill(t *testing.T, db *sql.DB, containers int) {
	t.Helper()
	opts := []terminal49test.Option{terminal49test.WithSyntheticContainers(containers), terminal49test.WithLog(10), terminal49test.WithoutRateLimits()}
	if os.Getenv("MIRROR_EVENTS") == "none" {
		opts = append(opts, terminal49test.WithIgnored("containers.list", "include=transport_events"))
	}
	srv := terminal49test.NewServer(opts...)
	defer srv.Close()
	_, l := stored(t, db, srv)
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(srv.HTTPClient()), terminal49.WithoutRateLimits())
	require.NoError(t, err)
	m, err := New(client, db)
	require.NoError(t, err)
	require.NoError(t, m.Migrate(t.Context()))
	took := mirrortest.Stopwatch()
	for _, s := range plan.WholeLists {
		_, err := m.worker(l).Walks.Walk(context.Background(), s)
		require.NoError(t, err)
	}
	t.Logf("copied in %v", took().Round(time.Second))
}

// cpuTime is the CPU time of this process, user and system.
func cpuTime(t testing.TB) time.Duration {
	t.Helper()
	var used syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// heapBytes is the memory of live and dead objects.
func heapBytes() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

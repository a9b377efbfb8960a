package fleet_test

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/testkit/engines"
)

// lasting are the arguments of a Redis that keeps its data.
var lasting = []string{"--appendonly", "yes", "--appendfsync", "always"}

// onRedis runs a scenario on a Redis with these arguments.
func onRedis(args ...string) func(*fleetRun) {
	return func(r *fleetRun) {
		r.redis = []*engines.Redis{engines.StartRedis(r.T, args...)}
		r.store = redisAt(r.redis[0])
	}
}

// onPostgres runs it on a Postgres of its own with these settings.
func onPostgres(settings ...string) func(*fleetRun) {
	return func(r *fleetRun) {
		r.postgres = engines.StartPostgres(r.T, settings...)
		r.store = migrated(r.T, store{Driver: "pgx", Source: r.postgres.NewDatabase(r.T)})
		r.direct = r.store
	}
}

// onShared runs it on a database of a Postgres that scenarios share.
func onShared(r *fleetRun) {
	r.postgres = sharedPostgres(r.T)
	r.direct, r.store = sharedDatabase(r.T)
}

// onEngine runs it on an engine that nothing happens to.
func onEngine(e engineCase) func(*fleetRun) {
	return func(r *fleetRun) { r.store = e.start(r.T) }
}

// onPgBouncer runs it on a Postgres behind PgBouncer in transaction mode.
func onPgBouncer(r *fleetRun) {
	onPostgres()(r)
	r.store.Source = r.postgres.StartPgBouncer(r.T).Through(r.store.Source) + "&default_query_exec_mode=exec"
}

// onSentinel runs it on a Redis with a replica, which a Sentinel watches.
func onSentinel(r *fleetRun) {
	primary := engines.StartRedis(r.T)
	r.redis = []*engines.Redis{primary, primary.Replica()}
	file, port := filepath.Join(r.TempDir(), "sentinel.conf"), strconv.Itoa(freePort(r.T))
	host, to, _ := net.SplitHostPort(primary.Addr())
	text := fmt.Sprintf("bind 127.0.0.1\nport %s\nsentinel monitor fleet %s %s 1\nsentinel down-after-milliseconds fleet 500\n"+
		"sentinel failover-timeout fleet 3000\n", port, host, to)
	require.NoError(r, os.WriteFile(file, []byte(text), 0o600))
	startSentinel(r.T, file)
	r.store = store{Driver: "sentinel", Source: "127.0.0.1:" + port}
	client := redis.NewSentinelClient(&redis.Options{Addr: r.store.Source})
	defer client.Close()
	require.Eventually(r, func() bool {
		found, err := client.Replicas(r.Context(), "fleet").Result()
		return err == nil && len(found) == 1
	}, time.Minute, 50*time.Millisecond, "it does not find the replica")
}

// onCluster runs it on a Redis Cluster of three servers, which keep their data.
func onCluster(r *fleetRun) {
	for i := range 3 {
		bus := strconv.Itoa(freePort(r.T))
		r.redis = append(r.redis, engines.StartRedis(r.T, append([]string{"--cluster-enabled", "yes", "--cluster-port", bus,
			"--cluster-require-full-coverage", "no", "--cluster-node-timeout", "2000"}, lasting...)...))
		do(r, r.redis[i], "CLUSTER", "ADDSLOTSRANGE", strconv.Itoa(16384*i/3), strconv.Itoa(16384*(i+1)/3-1))
		_, port, _ := net.SplitHostPort(r.redis[i].Addr())
		do(r, r.redis[0], "CLUSTER", "MEET", "127.0.0.1", port, bus)
	}
	require.Eventually(r, func() bool {
		known, _ := r.redis[2].Do("CLUSTER", "INFO")
		return strings.Contains(known, "cluster_state:ok") && strings.Contains(known, "cluster_slots_ok:16384")
	}, time.Minute, 50*time.Millisecond)
	r.store = store{Driver: "cluster", Source: r.redis[0].Addr()}
}

// freePort returns a port for a server that is stopped and started. Neither the system nor package
// engines chooses one of these.
func freePort(t require.TestingT) int {
	for {
		port := 15_000 + rand.IntN(5_000)
		if l, err := listen(port); err == nil {
			require.NoError(t, l.Close())
			return port
		}
	}
}

func do(t require.TestingT, r *engines.Redis, command ...string) {
	_, err := r.Do(command...)
	require.NoError(t, err)
}

// admin executes statements in Postgres, not through the line.
func (r *fleetRun) admin(statements ...string) { execute(r.T, r.direct, statements...) }

// processesOf returns the ids of the engine's processes.
func (r *fleetRun) processesOf() (ids []int) {
	var first string
	if r.postgres == nil {
		info, err := r.redis[0].Do("INFO", "server")
		require.NoError(r, err)
		_, first, _ = strings.Cut(info, "process_id:")
		first, _, _ = strings.Cut(first, "\r")
	} else {
		db := r.direct.database(r.T)
		defer db.Close()
		require.NoError(r, db.QueryRow("select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)").Scan(&first))
	}
	children, err := os.ReadFile("/proc/" + first + "/task/" + first + "/children")
	require.NoError(r, err)
	for _, text := range append([]string{first}, strings.Fields(string(children))...) {
		id, err := strconv.Atoi(text)
		require.NoError(r, err)
		ids = append(ids, id)
	}
	return ids
}

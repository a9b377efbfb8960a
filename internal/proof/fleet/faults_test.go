package fleet_test

import (
	"math/rand/v2"
	"syscall"
	"time"

	"github.com/stretchr/testify/require"
)

// killed ends the engine at once. It starts again with what it has on its disk.
func killed(r *fleetRun) {
	if r.postgres != nil {
		r.postgres.Stop()
		r.until(r.postgres.Start)
		return
	}
	r.redis[0].Kill()
	r.until(r.redis[0].Start)
}

// restarted ends the engine and starts it again.
func restarted(r *fleetRun) {
	killed(r)
	r.heal()
}

// killedTwice is a restart, and then an outage.
func killedTwice(r *fleetRun) {
	restarted(r)
	r.wait(0.5)
	killed(r)
}

// failedOver ends the primary; Sentinel promotes the replica.
func failedOver(r *fleetRun) { r.redis[0].Kill() }

// halfOpen leaves all connections open, but nothing is answered.
func halfOpen(r *fleetRun) { r.until(r.near.hold(), r.distant.hold()) }

// halfCutOff is halfOpen for the processes on the far line.
func halfCutOff(r *fleetRun) { r.until(r.distant.hold()) }

// halfRefused ends the connections on the far line, and all new ones.
func halfRefused(r *fleetRun) { r.until(r.distant.cut()) }

// slowOnce makes every process's next call take 2.5 seconds, or in a short window as much longer
// than the deadline of a call as that is in a real one.
func slowOnce(r *fleetRun) {
	halfOpen(r)
	rest(min(2500*time.Millisecond, r.window*5/12))
	r.heal()
}

// lossy loses one message in twenty, or delivers it late.
func lossy(r *fleetRun) {
	for _, l := range []*line{r.near, r.distant} {
		l.set(func() { l.loss, l.late = 0.05, r.scaled(500*time.Millisecond) })
		r.until(func() { l.set(func() { l.loss = 0 }) })
	}
}

// away sets the round trip to the engine on the far line.
func away(roundTrip time.Duration) func(*fleetRun) {
	return func(r *fleetRun) { r.distant.set(func() { r.distant.delay = r.scaled(roundTrip / 2) }) }
}

// someKilled kills a third of the processes at random.
func someKilled(r *fleetRun) {
	for i, j := range rand.Perm(r.workers)[:r.workers/3] {
		time.AfterFunc(time.Duration(float64(i)*2*float64(r.window)/float64(r.workers/3)), r.running[j].kill)
	}
}

// churned kills a process every sixth of a window, starts another one in its place, and suspends a
// third one for up to two windows, until the scenario ends.
func churned(r *fleetRun) {
	done := make(chan struct{})
	r.Cleanup(func() { <-done })
	go func() {
		defer close(done)
		for rest(r.window / 6); r.Context().Err() == nil; rest(r.window / 6) {
			list := rand.Perm(r.workers)
			r.running[list[0]].kill()
			r.startWorker(list[0])
			stopped := r.running[list[1]]
			stopped.stop()
			time.AfterFunc(rand.N(2*r.window), stopped.resume)
		}
	}()
}

// someStopped suspends half of the processes for two windows, longer than their slots are held, and
// the others for a moment.
func someStopped(r *fleetRun) {
	for i, p := range r.running {
		p.stop()
		if i%2 == 0 {
			r.until(p.resume)
			continue
		}
		time.AfterFunc(rand.N(r.window/2), p.resume)
	}
}

// stopped suspends the engine.
func stopped(r *fleetRun) {
	for _, id := range r.processesOf() {
		_ = syscall.Kill(id, syscall.SIGSTOP) // it may have ended
		r.until(func() { _ = syscall.Kill(id, syscall.SIGCONT) })
	}
}

// readOnly makes the engine refuse to write.
func readOnly(r *fleetRun) {
	if r.postgres != nil {
		r.admin("alter system set default_transaction_read_only = on", "select pg_reload_conf()")
		r.until(func() {
			r.admin("alter system reset default_transaction_read_only", "select pg_reload_conf()")
		})
		return
	}
	do(r, r.redis[0], "REPLICAOF", "127.0.0.1", "1")
	r.until(func() { do(r, r.redis[0], "REPLICAOF", "NO", "ONE") })
}

// full leaves Redis no memory.
func full(r *fleetRun) {
	do(r, r.redis[0], "CONFIG", "SET", "maxmemory", "1")
	r.until(func() { do(r, r.redis[0], "CONFIG", "SET", "maxmemory", "0") })
}

// emptied deletes all data of the engine.
func emptied(r *fleetRun) {
	if r.postgres != nil {
		r.admin("truncate t49_buckets, t49_slots")
		return
	}
	do(r, r.redis[0], "FLUSHALL")
}

// emptiedTwice deletes it once more after eight seconds of a real window.
func emptiedTwice(r *fleetRun) {
	emptied(r)
	rest(r.scaled(8 * time.Second))
	emptied(r)
}

// clock restarts the engine with a clock that is off.
func clock(shift time.Duration) func(*fleetRun) {
	return func(r *fleetRun) {
		if r.postgres != nil {
			r.postgres.SetClock(shift)
			return
		}
		r.redis[0].SetClock(shift)
	}
}

// locked keeps the database file locked for as long as a slow call takes.
func locked(r *fleetRun) {
	conn, err := r.store.database(r.T).Conn(r.Context())
	require.NoError(r, err)
	defer conn.Close()
	_, err = conn.ExecContext(r.Context(), "begin immediate")
	require.NoError(r, err)
	rest(min(2500*time.Millisecond, r.window*5/12))
	_, err = conn.ExecContext(r.Context(), "rollback")
	require.NoError(r, err)
}

//go:build unix

package proof

import (
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
)

// fresh returns the order of a process that creates the tables of a new mirror: in a file, or in a
// schema of a database.
func fresh(t *testing.T, db source, n int) order {
	if db.isPostgres() {
		db.Schema = fmt.Sprint("m", n)
	} else {
		db = sqliteFile(t)
	}
	return order{Database: db.child(), API: "http://127.0.0.1:1", Token: "none", Migrate: true,
		Settle: time.Second, Active: time.Second, Whole: time.Second}
}

// next runs a process that migrates to its end, and returns how long it took: the goal is 15
// seconds, which a busy machine may exceed. Then everything is there, and nothing is recorded
// twice.
func next(t *testing.T, o order) time.Duration {
	t.Helper()
	o.KillStatement, o.StopStatement = 0, 0
	clock := mirrortest.Stopwatch()
	p := start(t, o)
	require.True(t, p.endedWithin(time.Minute), "the next process does not end: %s", p.lastLines())
	took := clock()
	require.Zero(t, p.cmd.ProcessState.ExitCode(), p.lastLines())
	reader := o.Database.open(t)
	require.True(t, reader.hasTables())
	require.Equal(t, 3, reader.count(t, "select count(*) from t49.migrations where is_applied"))
	require.NoError(t, reader.Close())
	return took
}

// A process is killed before and after each statement of a migration. The database is as it was, or
// complete, and the next process migrates at once.
func TestMigrate_KilledAtEachStatement(t *testing.T) {
	t.Parallel()
	every := amount(9, 4, 1)
	onBoth(t, func(t *testing.T, db source) {
		t.Parallel()
		kills, longest := 0, time.Duration(0)
		for n := 1 + rand.IntN(every); ; n += every {
			o := fresh(t, db, n)
			o.KillStatement = n
			p := start(t, o)
			require.True(t, p.endedWithin(time.Minute), p.lastLines())
			if !p.wasKilled() {
				require.Zero(t, p.cmd.ProcessState.ExitCode(), p.lastLines())
				require.Greater(t, n, 25, "all statements were counted")
				break
			}
			kills++
			longest = max(longest, next(t, o))
		}
		t.Logf("figure: %s: killed at %d statements of a migration; the next process migrates within %v", name(db), kills, longest.Round(time.Millisecond))
	})
}

// A process is killed at random moments of a migration, also while the database executes it.
func TestMigrate_KilledAtRandom(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db source) {
		t.Parallel()
		p := start(t, fresh(t, db, 1_000_000))
		took := mirrortest.Stopwatch()
		require.True(t, p.endedWithin(time.Minute))
		whole := took()
		early, longest := 0, time.Duration(0)
		kills := amount(3, 10, 100)
		for n := range kills {
			o := fresh(t, db, n)
			p := start(t, o)
			if p.endedWithin(rand.N(whole)) {
				early++
			}
			p.kill()
			longest = max(longest, next(t, o))
		}
		t.Logf("figure: %s: killed at %d random moments of a migration that takes %v, %d of them after its end; the next process migrates within %v",
			name(db), kills, whole.Round(time.Millisecond), early, longest.Round(time.Millisecond))
	})
}

// A process that is suspended while it has the right to migrate, as one whose machine is gone,
// blocks the next one for ten seconds in Postgres. A file of SQLite stays locked until it ends.
func TestMigrate_Suspended(t *testing.T) {
	if !long() {
		t.Skip("takes 15 seconds; T49_MIRROR=long runs it")
	}
	o := fresh(t, postgres(t), 1)
	o.StopStatement = 2 * 11 // after the second step
	p := start(t, o)
	reader := o.Database.open(t)
	eventually(t, func() []string {
		if reader.count(t, "select count(*) from pg_locks where locktype = 'advisory' and granted") == 0 {
			return []string{"the process does not have the lock"}
		}
		return nil
	})
	took := mirrortest.Stopwatch()
	second := start(t, func() order { o.StopStatement = 0; return o }())
	require.True(t, second.endedWithin(time.Minute), second.lastLines())
	require.Zero(t, second.cmd.ProcessState.ExitCode(), second.lastLines())
	log, err := os.ReadFile(second.log)
	require.NoError(t, err)
	require.Contains(t, string(log), "another process creates or changes the tables; waiting until it ends")
	t.Logf("figure: Postgres: after a suspended migration the next process migrates within %v", took().Round(100*time.Millisecond))
	p.kill()
}

// Several processes that start at once create the tables once.
func TestMigrate_SeveralAtOnce(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db source) {
		t.Parallel()
		o := fresh(t, db, 1)
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				p := start(t, o)
				if !p.endedWithin(time.Minute) || p.cmd.ProcessState.ExitCode() != 0 {
					t.Error(p.lastLines())
				}
			})
		}
		all.Wait()
		next(t, o)
	})
}

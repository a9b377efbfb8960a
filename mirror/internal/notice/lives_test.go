package notice_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/mirror/internal/notice"
)

// life runs a world against the rule, as the mirror does: the container is assessed when something
// is reported, and when the clock makes something due. What was reported is read again from its
// JSON each time. A step may end before its commit; it is then repeated, at once or later.
type life struct {
	*world
	rules   notice.Rules
	model   *model
	stored  []byte // what was reported
	due     time.Time
	last    *notice.Facts // those after the last notice
	outages bool

	assessedAt int64
	c          *terminal49.Container
	verdict    terminal49.Verdict

	notices, kills, wakes, ticks int
}

func newLife(seed uint64) *life {
	r := rand.New(rand.NewPCG(seed, 30))
	l := &life{world: newWorld(r), outages: seed%4 == 0}
	l.rules = notice.Rules{LastFreeDays: [][]int{{2, 0}, {5, 3, 1}, {0}, {}}[r.IntN(4)], ETASlipHours: []int{24, 6, 48}[r.IntN(3)]}
	l.model = newModel(l.rules.ETASlipHours, l.rules.LastFreeDays)
	return l
}

// step assesses the container, unless the process is killed before its commit.
func (l *life) step(now int64, killed bool) ([]string, error) {
	var reported *notice.Reported
	if l.stored != nil {
		reported = new(notice.Reported)
		if err := json.Unmarshal(l.stored, reported); err != nil {
			return nil, err
		}
	}
	at := time.Unix(now, 0)
	if l.assessedAt != now {
		l.assessedAt, l.c = now, l.container()
		l.verdict = terminal49.Assess(l.c, at, l.rules.VerdictOptions())
	}
	notices, after, due := l.rules.Next(reported, l.c, l.verdict, at)
	if killed {
		l.kills++
		return nil, nil
	}
	var names []string
	for i := range notices {
		names = append(names, key(&notices[i]))
		if err := l.check(&notices[i]); err != nil {
			return nil, err
		}
		if l.last != nil {
			l.last = &notices[i].After
		}
	}
	if len(notices) > 0 {
		l.last = &notices[len(notices)-1].After
	}
	l.notices += len(notices)
	l.due = due
	var err error
	l.stored, err = json.Marshal(after)
	return names, err
}

// key returns a notice in the words of the model.
func key(n *notice.Notice) string {
	switch n.Name {
	case notice.HoldPlaced, notice.HoldCleared:
		return n.Name + " " + string(n.Hold)
	case notice.FeePosted:
		return fmt.Sprintf("%s %s %s", n.Name, n.Fee.Type, n.Fee.Amount)
	case notice.ETASlipped:
		return fmt.Sprintf("%s %d", n.Name, n.Hours)
	case notice.LastFreeDay:
		return fmt.Sprintf("%s %d", n.Name, n.Days.Or(-99))
	}
	return n.Name
}

// check requires that a notice has its facts, and can be read from its JSON.
func (l *life) check(n *notice.Notice) error {
	old, after, err := n.JSON()
	if err != nil {
		return err
	}
	read, err := notice.Read(n.ContainerID, n.Name, old, after)
	if err != nil {
		return err
	}
	oldAgain, afterAgain, err := read.JSON()
	if err != nil || string(old) != string(oldAgain) || string(after) != string(afterAgain) {
		return fmt.Errorf("read again: %s %s, not %s %s (%v)", oldAgain, afterAgain, old, after, err)
	}
	switch {
	case n.Sentence == "", (n.Before == nil) != (l.last == nil):
		return fmt.Errorf("%s has no sentence, or no facts before: %s", n.Name, after)
	case n.Name == notice.ETASlipped:
		moved, _ := n.After.ETA.Sub(n.Before.ETA)
		if int(moved.Hours()) != n.Hours {
			return fmt.Errorf("the ETA slipped from %s to %s, not by %d", n.Before.ETA, n.After.ETA, n.Hours)
		}
	case n.Name == notice.LastFreeDayMoved:
		if n.Before.LastFreeDay == n.After.LastFreeDay || n.Before.LastFreeDay.IsZero() {
			return fmt.Errorf("the day has not moved: %s", n.Before.LastFreeDay)
		}
	case n.Name == notice.LastFreeDay, n.Name == notice.Overdue, n.Before == nil:
	case n.Before.Situation != l.last.Situation:
		return fmt.Errorf("the facts before are not those after the last notice")
	}
	return nil
}

// run lives for some days. It returns an error if the notices are not those of the model.
func (l *life) run() error {
	now := l.port.change - l.port.change%quarter - int64(l.IntN(6*96))*quarter
	end := now + int64(5+l.IntN(8))*86400
	next := now
	for ; now < end; now += quarter {
		happened := now >= next
		if happened {
			l.happen(now)
			next = now + int64(l.IntN(2*96))*quarter
		}
		wakes := !l.due.IsZero() && l.due.Unix() <= now
		if wakes && !happened {
			l.wakes++
		}
		if err := l.tick(now, happened || wakes); err != nil {
			return fmt.Errorf("%s: %w", time.Unix(now, 0).UTC(), err)
		}
	}
	return nil
}

// tick assesses the container if something may be due. Without outages, the model decides at every
// quarter; with outages, when the container is assessed.
func (l *life) tick(now int64, assessed bool) error {
	l.ticks++
	var names []string
	if assessed {
		killed := l.IntN(6) == 0
		if killed && l.outages { // nobody has assessed it: it stays due
			_, err := l.step(now, true)
			l.due = time.Unix(now+int64(1+l.IntN(20))*quarter, 0)
			return err
		}
		if killed {
			if _, err := l.step(now, true); err != nil {
				return err
			}
		}
		var err error
		if names, err = l.step(now, false); err != nil {
			return err
		}
		if l.IntN(4) == 0 {
			if again, err := l.step(now, false); err != nil || len(again) > 0 {
				return fmt.Errorf("reported twice: %q (%v)", again, err)
			}
		}
	}
	if !assessed && (l.outages || l.stored == nil) {
		return nil
	}
	if want := l.model.due(l.world, now); fmt.Sprint(want) != fmt.Sprint(names) {
		return fmt.Errorf("notices %q, due %q", names, want)
	}
	return nil
}

// What is due of random lives is reported, once, and nothing else: late and withdrawn facts, days
// of change of the clocks in four zones, kills, repeated steps, outages. The model is evaluated
// every quarter of an hour; the rule only when something is reported and at the instants that it
// returned. SEED=17 runs that life alone.
func TestNotices_OfRandomLives(t *testing.T) {
	if text := os.Getenv("SEED"); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		require.NoError(t, err)
		require.NoError(t, newLife(seed).run())
		return
	}
	lives := uint64(mirrortest.Scale(4_000, 100_000))
	var next, wrong, notices, kills, wakes, ticks atomic.Int64
	var running sync.WaitGroup
	took := mirrortest.Stopwatch()
	for range runtime.GOMAXPROCS(0) {
		running.Go(func() {
			for seed := uint64(next.Add(1)); seed <= lives && wrong.Load() < 5; seed = uint64(next.Add(1)) {
				l := newLife(seed)
				if err := l.run(); err != nil {
					wrong.Add(1)
					t.Errorf("SEED=%d: %v", seed, err)
				}
				notices.Add(int64(l.notices))
				kills.Add(int64(l.kills))
				wakes.Add(int64(l.wakes))
				ticks.Add(int64(l.ticks))
			}
		})
	}
	running.Wait()
	t.Logf("figure: %d lives with %d notices, %d kills, %d quarters of an hour, assessed for the clock alone %d times: %d wrong, in %s",
		lives, notices.Load(), kills.Load(), ticks.Load(), wakes.Load(), wrong.Load(), took().Round(time.Second))
	require.Zero(t, wrong.Load())
	require.Greater(t, notices.Load(), int64(lives)*4)
	require.Greater(t, wakes.Load(), int64(lives)/2)
}

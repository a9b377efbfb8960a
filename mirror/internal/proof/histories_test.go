//go:build unix

package proof

import (
	"fmt"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// terms are what a story draws from. An ordinary container has 3 to 12
// changes, a third of them right after each other; each is notified after 0.1 s to an hour, one in
// ten twice; requests and responses are under way for up to 1.5 s each; one in fifty reads comes
// from a replica that lags by up to 3 s; and a walk over everything races with the changes.
type terms struct {
	size    int           // the number of histories
	page    int           // what the service caps pages at
	gaps    []span        // between changes
	traps   float64       // the part of the changes that happen right after a read of the container
	ways    []span        // of requests and responses
	delays  []span        // of notifications
	repeats span          // until a notification arrives for the second time
	lagging float64       // the part of the reads from a replica
	settle  time.Duration // between a notification and the read that it causes
	walks   time.Duration // between walks over what is tracked
	looks   time.Duration // at what is at rest
	tail    time.Duration // until all is read, after the last notification
}

// never is longer than a story: its walks are those that it asks for.
const never = 1000 * time.Hour

// slow is a way that is dangerous: much can happen before a response arrives.
var slow = span{time.Second, 1500 * time.Millisecond}

// termsOf returns the terms of a story. Three in four have the dangerous moments of the model more
// often: changes after a read was made and before its response has arrived, whose notifications
// arrive at once, among many walks. They have either no replicas, so that only tickets put reads in
// order, or many.
func termsOf(seed uint64) terms {
	const ms = time.Millisecond
	soon, late := span{0, 1900 * ms}, span{time.Second, time.Minute}
	short, middle := span{0, 400 * ms}, span{500 * ms, 20 * time.Second}
	quick := span{50 * ms, 200 * ms}
	dense := terms{
		size: 20, page: []int{100, 5, 2}[seed/4%3], gaps: []span{short, middle}, traps: 0.5,
		ways: []span{quick, quick, quick, slow}, delays: []span{{0, 200 * ms}, soon, late}, repeats: late,
		walks: 7 * time.Second, looks: 500 * ms, settle: ms, tail: 20 * time.Second,
	}
	switch seed % 4 {
	case 0, 1:
		return dense
	case 2:
		dense.lagging, dense.settle = 0.3, 5*time.Second
		return dense
	}
	return terms{
		size: 100, page: []int{100, 30, 7}[seed/4%3], gaps: []span{short, middle, {time.Minute, 10 * time.Minute}},
		ways: []span{{50 * ms, 1500 * ms}}, delays: []span{soon, soon, late, {time.Minute, time.Hour}}, repeats: span{time.Second, 10 * time.Minute},
		lagging: 0.02, walks: never, looks: 5 * time.Second, settle: 5 * time.Second, tail: 2 * time.Minute,
	}
}

// outcome is the result of the histories.
type outcome struct {
	histories, changes int
	rests              int // versions that were seen at rest
	wrong              int // at rest: histories whose row was not what the service has
	wrongAfterWalk     int
	problems           []string
}

func (o *outcome) problem(format string, args ...any) {
	o.problems = append(o.problems, fmt.Sprintf(format, args...))
}

// add adds the outcome of the story with a seed.
func (o *outcome) add(seed uint64, more outcome) {
	o.histories, o.changes, o.rests = o.histories+more.histories, o.changes+more.changes, o.rests+more.rests
	o.wrong, o.wrongAfterWalk = o.wrong+more.wrong, o.wrongAfterWalk+more.wrongAfterWalk
	for _, p := range more.problems {
		o.problem("SEED=%d: %s", seed, p)
	}
}

func (o *outcome) String() string {
	return fmt.Sprintf("%d with %d changes, seen at rest %d times: %d wrong at rest, %d after a walk, %d problems",
		o.histories, o.changes, o.rests, o.wrong, o.wrongAfterWalk, len(o.problems))
}

// wrong returns the histories whose row is not what the service has.
func (s *story) wrong() map[int]bool {
	list := map[int]bool{}
	rows := s.db.rows(s.t)
	for i, h := range s.histories {
		if rows[key{"container", h.container}].Attributes["location_at_pod_terminal"] != location(i, len(h.changes)) {
			list[i] = true
		}
	}
	return list
}

type roundTripper func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// The rule of tickets leaves no row wrong at rest. With the audit, that includes
// notifications that were never delivered; without it, they are found by the next walk.
func TestHistories_NoneIsWrongAtRest(t *testing.T) {
	for _, c := range []struct {
		name  string
		lost  float64
		audit bool
	}{
		{"audit", 0.02, true},
		{"no audit, all delivered", 0, false},
		{"no audit, some lost", 0.02, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			began := time.Now()
			o := tell(t, amount(20, 120, 33_334), c.lost, c.audit)
			t.Logf("figure: histories, %s: %v; %.0f histories/s", c.name, &o, float64(o.histories)/time.Since(began).Seconds())
			if c.audit || c.lost == 0 {
				assert.Zero(t, o.wrong)
			}
			assert.Zero(t, o.wrongAfterWalk)
			assert.Greater(t, o.rests, o.histories)
			requireNone(t, o.problems)
		})
	}
}

// The histories see it when an engine takes marks away that a reading does not answer: one that was
// sent before the mark was made, or before the time of the mark, and so may come from a replica.
// The ticket is more exact than the time only with several clocks.
func TestHistories_SeeMarksThatAreTakenAwayTooEarly(t *testing.T) {
	const right = "d.ticket, 0, false, false, d.not_before, null\nfrom"
	const past = "'2000-01-01T00:00:00.000000Z'"
	for without, wrong := range map[string]string{
		"time":            strings.Replace(right, "d.not_before", past, 1),
		"ticket nor time": strings.NewReplacer("d.ticket", "0", "d.not_before", past).Replace(right),
	} {
		synctest.Test(t, func(t *testing.T) {
			rewritten := false
			o := newStory(t, 2, 0, false, func(statement string) string {
				rewritten = rewritten || strings.Contains(statement, right)
				return strings.Replace(statement, right, wrong, 1)
			}).run()
			assert.True(t, rewritten, "another statement takes marks away")
			assert.Positive(t, o.wrong, "without %s", without)
			assert.Zero(t, o.wrongAfterWalk)
		})
	}
}

// tell runs stories in parallel, with at least n histories in all. SEED=17 begins with that seed.
func tell(t *testing.T, n int, lost float64, audit bool) (all outcome) {
	var mu sync.Mutex
	var next atomic.Uint64
	if text := os.Getenv("SEED"); text != "" {
		first, err := strconv.ParseUint(text, 10, 64)
		require.NoError(t, err)
		next.Store(first - 1)
	}
	told := func(seed uint64, o outcome) (enough bool) {
		mu.Lock()
		defer mu.Unlock()
		all.add(seed, o)
		if long() {
			t.Logf("with seed %d: %v %q", seed, &all, o.problems)
		}
		return all.histories >= n
	}
	t.Run("stories", func(t *testing.T) {
		for range runtime.GOMAXPROCS(0) {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				for enough := false; !enough; {
					seed := next.Add(1)
					synctest.Test(t, func(t *testing.T) { enough = told(seed, newStory(t, seed, lost, audit, nil).run()) })
				}
			})
		}
	})
	return all
}

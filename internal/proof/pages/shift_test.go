package pages_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

// Pages that are requested together are read in any order, while the list changes between any two
// reads. These tests record the list as it was at each read. An item that was in the list all the
// time may be missing only where a walk page by page misses it too: it was behind a page that was
// read, and then before the next page that was read later.

const shiftSize = 4 // items on a page

// shiftList is a list of shipments, newest first like the service's, that changes at random.
type shiftList struct {
	mu     sync.Mutex
	srv    *terminal49test.Server
	random *rand.Rand
	ids    []string
	at     map[string]time.Time
	reads  [][]string // the list at each read, in order of time
	gone   map[string]bool
}

func newShiftList(srv *terminal49test.Server, random *rand.Rand, length int) *shiftList {
	l := &shiftList{srv: srv, random: random, at: map[string]time.Time{}, gone: map[string]bool{}}
	for range length {
		l.insert(0)
	}
	return l
}

// between returns a time of creation for position i.
func (l *shiftList) between(i int) time.Time {
	if len(l.ids) == 0 {
		return l.srv.Now().Add(-1000 * time.Hour)
	}
	if i == 0 {
		return l.at[l.ids[0]].Add(time.Hour)
	}
	if i == len(l.ids) {
		return l.at[l.ids[i-1]].Add(-time.Hour)
	}
	after := l.at[l.ids[i]]
	return after.Add(l.at[l.ids[i-1]].Sub(after) / 2)
}

func (l *shiftList) insert(i int) {
	at := l.between(i)
	id := l.srv.AddShipment(terminal49test.Shipment{ShippingLine: "MAEU", CreatedAt: at,
		BillOfLadingNumber: fmt.Sprintf("MAEU%06d", len(l.at))})
	l.at[id] = at
	l.ids = slices.Insert(l.ids, i, id)
}

// remove takes an item out of the list, whose filter is for shipments that are tracked.
func (l *shiftList) remove(i int) {
	now := l.srv.Now()
	l.srv.UpdateShipment(l.ids[i], func(s *terminal49test.Shipment) { s.LineTrackingStoppedAt = now })
	l.gone[l.ids[i]] = true
	l.ids = slices.Delete(l.ids, i, i+1)
}

// raise moves an item to the front, as a refresh does in the list of containers.
func (l *shiftList) raise(i int) {
	id := l.ids[i]
	l.ids = slices.Delete(l.ids, i, i+1)
	l.at[id] = l.between(0)
	l.srv.UpdateShipment(id, func(s *terminal49test.Shipment) { s.CreatedAt = l.at[id] })
	l.ids = slices.Insert(l.ids, 0, id)
}

// roundTrip passes a request on after a random time, and its response after another.
func (l *shiftList) roundTrip(req *http.Request, next http.RoundTripper) (*http.Response, error) {
	if err := l.sleep(req, time.Second); err != nil {
		return nil, err
	}
	l.mu.Lock()
	l.reads = append(l.reads, slices.Clone(l.ids))
	resp, err := next.RoundTrip(req)
	if err == nil {
		resp.Header.Set("X-Request-Id", strconv.Itoa(len(l.reads)-1))
	}
	l.mu.Unlock()
	if err := l.sleep(req, time.Second); err != nil {
		return nil, err
	}
	return resp, err
}

func (l *shiftList) sleep(req *http.Request, most time.Duration) error {
	l.mu.Lock()
	d := time.Duration(l.random.Int64N(int64(most)))
	l.mu.Unlock()
	select {
	case <-time.After(d):
		return nil
	case <-req.Context().Done():
		return req.Context().Err()
	}
}

// change makes random changes until the end of the walk.
func (l *shiftList) change(every time.Duration, changes []func(*shiftList), done chan struct{}) {
	for {
		l.mu.Lock()
		d := time.Duration(l.random.Int64N(int64(every)))
		l.mu.Unlock()
		select {
		case <-time.After(d):
		case <-done:
			return
		}
		l.mu.Lock()
		changes[l.random.IntN(len(changes))](l)
		l.mu.Unlock()
	}
}

func (l *shiftList) anywhere() int { return l.random.IntN(max(len(l.ids), 1)) }

var (
	addFirst  = func(l *shiftList) { l.insert(0) }
	addInside = func(l *shiftList) { l.insert(l.anywhere()) }
	drop      = func(l *shiftList) {
		if len(l.ids) > 2*shiftSize {
			l.remove(l.anywhere())
		}
	}
	refresh = func(l *shiftList) { l.raise(l.anywhere()) }
)

// missing returns the items that were in the list all the time and are on no page that the walk
// used, split by whether a walk page by page over the same reads would have missed them too.
func (l *shiftList) missing(t *testing.T, before []string, used []int, got map[string]bool) (likewise, more int) {
	for _, id := range before {
		if l.gone[id] || got[id] {
			continue
		}
		passed := false
		for k := 1; k < len(used); k++ {
			behind := slices.Index(l.reads[used[k-1]], id) >= k*shiftSize
			ahead := slices.Index(l.reads[used[k]], id) < k*shiftSize
			passed = passed || behind && ahead && used[k-1] < used[k]
		}
		if passed {
			likewise++
		} else {
			more++
		}
	}
	return likewise, more
}

func TestPages_AListThatShifts(t *testing.T) {
	for name, test := range map[string]struct {
		changes []func(*shiftList)
		loses   bool // in a walk page by page as well
	}{
		"new items first":                  {[]func(*shiftList){addFirst}, false},
		"new items anywhere":               {[]func(*shiftList){addFirst, addInside}, false},
		"refreshed items first":            {[]func(*shiftList){refresh}, true},
		"new and refreshed items first":    {[]func(*shiftList){addFirst, refresh}, true},
		"items leave":                      {[]func(*shiftList){drop}, true},
		"items come first and leave":       {[]func(*shiftList){addFirst, drop}, true},
		"come first, are refreshed, leave": {[]func(*shiftList){addFirst, refresh, drop}, true},
	} {
		t.Run(name, func(t *testing.T) {
			likewise, reads, pages := 0, 0, 0
			for seed := range testkit.Scale(100, 300) {
				n := 1 + seed%6
				every := []time.Duration{time.Second, 2 * time.Second, 5 * time.Second}[seed%3]
				testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
					l := newShiftList(srv, rand.New(rand.NewPCG(uint64(seed), 7)), 20+seed%30)
					before, done := slices.Clone(l.ids), make(chan struct{})
					stop := sync.OnceFunc(func() { close(done) })
					defer stop() // also after a failure
					client := testkit.SimulatedClient(t, srv, terminal49.WithoutRateLimits(), testkit.Around(l.roundTrip))
					go l.change(every, test.changes, done)
					var used []int
					var r terminal49.Response
					got := map[string]bool{}
					params := &terminal49.ShipmentListParams{TrackingStopped: terminal49.Some(false),
						PageParams: terminal49.PageParams{PageSize: shiftSize}}
					for page, err := range client.Shipments.Pages(t.Context(), params, terminal49.WithPrefetch(n),
						terminal49.WithResponse(&r)) {
						require.NoError(t, err)
						read, err := strconv.Atoi(r.RequestID)
						require.NoError(t, err)
						used = append(used, read)
						for _, s := range page.Items {
							got[s.ID] = true
						}
						if len(used) == 60 { // it grows faster than it is walked
							break
						}
					}
					stop()
					synctest.Wait()
					if len(used) == 60 {
						return
					}
					like, more := l.missing(t, before, used, got)
					require.Zero(t, more, "seed %d, %d ahead: missed only because pages were requested together", seed, n)
					require.True(t, like == 0 || r.ListChanged, "seed %d, %d ahead: %d missing without a sign", seed, n, like)
					likewise, reads, pages = likewise+like, reads+len(l.reads), pages+len(used)
				}, terminal49test.WithoutRateLimits())
			}
			if !test.loses {
				require.Zero(t, likewise)
			}
			t.Logf("figure: pages: %s: %d pages of %d reads; missed as page by page: %d", name, pages, reads, likewise)
		})
	}
}

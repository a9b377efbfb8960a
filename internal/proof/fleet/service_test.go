package fleet_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
)

// buckets are the service's rate limits and how many requests each allows in a window
// (docs/service.md).
var buckets = []struct {
	name  terminal49.Bucket
	limit int
}{{terminal49.BucketDefault, 100}, {terminal49.BucketCreate, 100}, {terminal49.BucketInfer, 200}, {terminal49.BucketRefresh, 10}}

// figures has a figure for each of the buckets.
type figures [4]int

func (f figures) String() string { return fmt.Sprintf("%d/%d/%d/%d", f[0], f[1], f[2], f[3]) }

// service counts requests and refuses none.
type service struct {
	*httptest.Server
	window time.Duration

	mu       sync.Mutex
	arrivals []arrival
	failures map[string]int // of the workers' calls
}

type arrival struct {
	at     time.Time
	bucket int // index in buckets
	agent  string
}

func newService(t *testing.T, window time.Duration) *service {
	s := &service{window: window, failures: map[string]int{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// ServeHTTP answers after a latency of up to 20 ms.
func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/failure" {
		s.fail(r.Body)
		return
	}
	latency, bucket := rand.N(20*time.Millisecond), bucketOf(r)
	before := rand.N(latency + 1) // the request is counted at any moment in between
	rest(before)
	agent, _, _ := strings.Cut(r.UserAgent(), " ")
	s.count(bucket, agent)
	rest(latency - before)
	w.Header().Set("Content-Type", "application/vnd.api+json")
	_, _ = io.WriteString(w, replies[bucket])
}

// replies are the service's, by bucket.
var replies = [...]string{
	`{"data":[],"meta":{"total":0}}`,
	`{"data":{"id":"` + someID + `","type":"tracking_request"}}`,
	`{"data":{"attributes":{"number_type":"container"}}}`,
	`{"message":"Started refresh"}`,
}

func bucketOf(r *http.Request) int {
	switch {
	case strings.HasSuffix(r.URL.Path, "/refresh"):
		return 3
	case strings.HasSuffix(r.URL.Path, "/infer_number"):
		return 2
	case r.Method == http.MethodPost:
		return 1
	}
	return 0
}

func (s *service) count(bucket int, agent string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.arrivals = append(s.arrivals, arrival{time.Now(), bucket, agent})
}

func (s *service) fail(text io.Reader) {
	failure, _ := io.ReadAll(text)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failures[string(failure)]++
}

// worst returns the most arrivals of each bucket in any window.
func (s *service) worst(arrivals []arrival) (worst figures) {
	var recent [4][]time.Time
	for _, a := range arrivals {
		in := &recent[a.bucket]
		*in = append(*in, a.at)
		for a.at.Sub((*in)[0]) >= s.window {
			*in = (*in)[1:]
		}
		worst[a.bucket] = max(worst[a.bucket], len(*in))
	}
	return worst
}

// used returns how much of each bucket's budget was used in so many windows after the first request
// since a moment.
func (s *service) used(since time.Time, windows int) (counts figures) {
	var first [4]time.Time
	for _, a := range s.between(since, time.Now()) {
		if first[a.bucket].IsZero() {
			first[a.bucket] = a.at
		}
		if a.at.Sub(first[a.bucket]) < time.Duration(windows)*s.window {
			counts[a.bucket]++
		}
	}
	return counts
}

// between returns the arrivals from one moment until another.
func (s *service) between(from, to time.Time) (list []arrival) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.arrivals {
		if !a.at.Before(from) && a.at.Before(to) {
			list = append(list, a)
		}
	}
	return list
}

// firstArrival waits for the first request and returns when it was counted, or false. It waits half
// a minute in short windows too: when all processes start at once on a busy machine, no call of the
// engine may be in time for several short windows.
func (s *service) firstArrival() (at time.Time, ok bool) {
	for took := stopwatch(); took() < max(3*s.window, time.Minute/2); rest(time.Millisecond) {
		if list := s.between(time.Time{}, time.Now()); len(list) > 0 {
			return list[0].at, true
		}
	}
	return time.Time{}, false
}

// only returns the arrivals for which keep reports true.
func only(all []arrival, keep func(arrival) bool) []arrival {
	return slices.DeleteFunc(slices.Clone(all), func(a arrival) bool { return !keep(a) })
}

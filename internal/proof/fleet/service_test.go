package fleet_test

import (
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// service counts requests. It answers 429 if the window has as many as the limit already.
type service struct {
	*httptest.Server
	limit  int
	window time.Duration

	mu       sync.Mutex
	arrivals []arrival
	refused  int
	tolerant bool // counts without refusing
}

type arrival struct {
	at         time.Time
	background bool
}

func newService(t *testing.T, limit int, window time.Duration) *service {
	s := &service{limit: limit, window: window}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// ServeHTTP answers with an empty page after a latency of up to 20 ms.
func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	latency := rand.N(20 * time.Millisecond)
	before := rand.N(latency + 1) // the request is counted at any moment in between
	time.Sleep(before)
	ok := s.count(strings.Contains(r.UserAgent(), "background"))
	time.Sleep(latency - before)
	w.Header().Set("Content-Type", "application/vnd.api+json")
	if !ok {
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusTooManyRequests)
		return
	}
	_, _ = w.Write([]byte(`{"data":[],"meta":{"total":0}}`))
}

func (s *service) count(background bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.arrivals = append(s.arrivals, arrival{time.Now(), background})
	if s.worstOf(s.arrivals[max(0, len(s.arrivals)-s.limit-1):]) > s.limit {
		s.refused++
		return s.tolerant
	}
	return true
}

// worstOf returns the most arrivals in any window.
func (s *service) worstOf(arrivals []arrival) (worst int) {
	first := 0
	for i, a := range arrivals {
		for a.at.Sub(arrivals[first].at) >= s.window {
			first++
		}
		worst = max(worst, i-first+1)
	}
	return worst
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

// firstArrival waits for the first request and returns when it was counted.
func (s *service) firstArrival(t *testing.T) time.Time {
	for range 60_000 {
		if first := s.between(time.Time{}, time.Now()); len(first) > 0 {
			return first[0].at
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal("no request in a minute")
	return time.Time{}
}

func onlyBackground(all []arrival) (list []arrival) {
	for _, a := range all {
		if a.background {
			list = append(list, a)
		}
	}
	return list
}

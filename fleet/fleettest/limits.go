package fleettest

import (
	"errors"
	"math"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/ratelimit"
)

// largestIsUsable gives a bucket the largest limit. Requests beyond the default limit must then be
// sent at once: 1,500 of them, or 150 in real time.
func (s *limiterSuite) largestIsUsable() {
	f := s.fleet()
	f.setup.Limits.Default = ratelimit.MaxLimit
	requests := s.either(1500, 150)
	processes := []*limitedProcess{f.process(0), f.process(0)}
	start := time.Now()
	burst(processes, terminal49.BucketDefault, requests/2)
	if took := time.Since(start); took > s.windows(0.9) {
		s.errorf("%d requests took %v with a limit of %d; the window is %v", requests, took, ratelimit.MaxLimit, s.window)
	}
}

// refusals creates limiters at both ends of the range of a limit, and beyond.
func (s *limiterSuite) refusals() {
	for n, valid := range map[int]bool{
		0: true, 1: true, ratelimit.MaxLimit: true,
		-1: false, math.MinInt: false, ratelimit.MaxLimit + 1: false, 1 << 20: false, math.MaxInt: false,
	} {
		for field, l := range map[string]terminal49.RateLimits{
			"Default": {Default: n}, "Create": {Create: n}, "Infer": {Infer: n}, "Refresh": {Refresh: n},
		} {
			var argument *terminal49.ArgumentError
			switch err := s.refuse(l); {
			case valid && err != nil:
				s.errorf("a limiter with %s %d was refused: %v", field, n, err)
			case !valid && !errors.As(err, &argument):
				s.errorf("a limiter with %s %d returned %v instead of a *terminal49.ArgumentError", field, n, err)
			}
		}
	}
}

package fleettest

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/ratelimit"
)

// largestIsUsable gives a bucket the largest limit. Requests beyond the default limit must then be
// sent at once.
func (s *limiterSuite) largestIsUsable() {
	s.Patiently(func(window time.Duration) string {
		const requests = 150
		f := s.fleet(window)
		f.setup.Limits.Default = ratelimit.MaxLimit
		processes := []*limitedProcess{f.process(0), f.process(0)}
		start := time.Now()
		burst(processes, requests/2)
		if took := time.Since(start); took > window*9/10 {
			return fmt.Sprintf("%d requests took %v with a limit of %d; the window is %v",
				requests, took, ratelimit.MaxLimit, window)
		}
		return ""
	})
}

// refusals creates limiters at both ends of the range of a limit, and beyond.
func (s *limiterSuite) refusals(create func(terminal49.Limits) error) {
	for n, valid := range map[int]bool{
		0: true, 1: true, ratelimit.MaxLimit: true,
		-1: false, math.MinInt: false, ratelimit.MaxLimit + 1: false, 1 << 20: false, math.MaxInt: false,
	} {
		for field, l := range map[string]terminal49.Limits{
			"Default": {Default: n}, "Create": {Create: n}, "Infer": {Infer: n}, "Refresh": {Refresh: n},
		} {
			var argument *terminal49.ArgumentError
			switch err := create(l); {
			case valid && err != nil:
				s.Errorf("a limiter with %s %d was refused: %v", field, n, err)
			case !valid && !errors.As(err, &argument):
				s.Errorf("a limiter with %s %d returned %v instead of a *terminal49.ArgumentError", field, n, err)
			}
		}
	}
}

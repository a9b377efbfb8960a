package terminal49test

import "time"

// worldClock is the simulated clock: the process clock moved to a start time, scaled by a speed and
// moved ahead by Advance. Inside a testing/synctest bubble the process clock is the bubble's.
type worldClock struct {
	real     time.Time // when the server started or its speed changed, on the process clock
	start    time.Time // the simulated time at that moment
	speed    float64
	advanced time.Duration
}

// maxRun is how far the clock runs: about a century, so that a time.Duration can hold it.
const maxRun = 100 * 365 * 24 * float64(time.Hour)

func (c *worldClock) now() time.Time {
	run := time.Duration(min(float64(time.Since(c.real))*c.speed, maxRun))
	return c.start.Add(run + c.advanced)
}

// Now returns the simulated time, in UTC.
func (s *Server) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clock.now().UTC()
}

// SetSpeed changes the speed of the simulated clock from now on, like [WithSpeed]: 0 stops it. A
// demonstration stops the clock to compare the world with a copy.
func (s *Server) SetSpeed(n float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock = worldClock{real: time.Now(), start: s.clock.now(), speed: clampSpeed(n)}
	s.runDeliveries()
}

// clampSpeed returns a speed from 0 to the maximum; 0 for NaN too.
func clampSpeed(n float64) float64 {
	if n > 0 {
		return min(n, 1_000_000)
	}
	return 0
}

// Advance moves the simulated clock ahead by d and runs everything that becomes due, in order. The
// process clock, which rate limits use, is unaffected. A negative d is ignored.
func (s *Server) Advance(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock.advanced += max(d, 0)
	s.runDue()
}

// catchUp runs everything that is due and returns the simulated time. Callers hold the lock.
func (s *Server) catchUp() time.Time {
	now := s.clock.now().UTC().Truncate(time.Second) // the service sends whole seconds
	s.world.advance(now)
	return now
}

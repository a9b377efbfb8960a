package terminal49test

import "time"

// worldClock tells the time in the simulated world. It is the program's own clock, moved to a starting point, run at a
// speed and pushed ahead by Advance. Inside a testing/synctest bubble the program's clock is the bubble's.
type worldClock struct {
	real     time.Time // when the server started, on the program's clock
	start    time.Time // what the world's clock said then
	speed    float64
	advanced time.Duration
}

func (c *worldClock) now() time.Time {
	run := time.Duration(float64(time.Since(c.real)) * c.speed)
	return c.start.Add(run + c.advanced)
}

// Now is the time in the simulated world, in UTC.
func (s *Server) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clock.now().UTC()
}

// Advance moves the simulated world ahead by d at once and lets everything that falls due happen, in order. It does not
// touch the program's clock, so rate-limit windows (which run on that one) do not move. A negative d does nothing: the
// world never goes back.
func (s *Server) Advance(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock.advanced += max(d, 0)
	s.runDue()
}

// settle brings the world up to its clock and gives that time. Callers hold the lock.
func (s *Server) catchUp() time.Time {
	now := s.clock.now().UTC().Truncate(time.Second) // the service speaks whole seconds
	s.world.advance(now)
	return now
}

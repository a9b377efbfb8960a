package terminal49test

import (
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/state"
)

// Now returns the simulated time, in UTC.
func (s *Server) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clock.Now().UTC()
}

// SetSpeed changes the speed of the simulated clock from now on, like [WithSpeed]: 0 stops it. A
// demonstration stops the clock to compare the world with a copy.
func (s *Server) SetSpeed(n float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock = state.Clock{Real: time.Now(), Start: s.clock.Now(), Speed: state.ClampSpeed(n)}
	s.runDeliveries()
}

// Speed returns how many times as fast as the process clock the simulated clock runs.
func (s *Server) Speed() float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clock.Speed
}

// Advance moves the simulated clock ahead by d and runs everything that becomes due, in order. The
// process clock, which rate limits use, is unaffected. A negative d is ignored. From the
// start or the last SetSpeed on, Advance moves the clock by at most a century in all.
func (s *Server) Advance(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock.Advance(d)
	s.runDue()
}

// AdvanceTo is Advance to a time. It reports false, and does nothing, if that time has passed or is
// more than a century away.
func (s *Server) AdvanceTo(t time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	ok := s.clock.AdvanceTo(t)
	s.runDue()
	return ok
}

// catchUp runs everything that is due and returns the simulated time. Callers hold the lock.
func (s *Server) catchUp() time.Time {
	now := s.clock.Now().UTC().Truncate(time.Second) // the service sends whole seconds
	s.world.advance(now)
	return now
}

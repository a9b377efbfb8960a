package control

import "sync"

// signal wakes everyone who waits for a change.
type signal struct {
	mu      sync.Mutex
	waiting chan struct{} // nil if nobody waits
}

// next returns a channel that the next send closes.
func (s *signal) next() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting == nil {
		s.waiting = make(chan struct{})
	}
	return s.waiting
}

func (s *signal) send() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting != nil {
		close(s.waiting)
		s.waiting = nil
	}
}

package terminal49test

import "net/http"

// NewHTTPServer returns the server that serves the endpoint of s over sockets.
func NewHTTPServer(s *Server) *http.Server { return newHTTPServer(s.endpoint) }

// HistoryMisses returns the resources whose latest state is not in the history.
func HistoryMisses(s *Server) (missed []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	h := s.world.history
	was := h.report
	h.report = func(state State) { missed = append(missed, state.Type+" "+state.ID) }
	s.world.changedAnything()
	s.world.remember(s.world.now())
	h.report = was
	return missed
}

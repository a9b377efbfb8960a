package terminal49test

import (
	"io"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/state"
)

// Save writes the world as lines of JSON for [Server.Load]: the clock, all resources, what is
// planned, journeys, faults, and the options that describe the service. The server is locked
// meanwhile.
//
// It does not write the token, the logs of requests, violations and deliveries, presigned URLs,
// rate-limit windows, replicas, the history, and functions such as a webhook handler. It writes the
// secrets of webhooks. An action made by [Custom] that has not run is an error.
func (s *Server) Save(w io.Writer) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	out := &lineWriter{to: w}
	for _, part := range savedParts {
		part.save(s, out)
	}
	return out.flush()
}

// Load replaces the world by one that [Server.Save] wrote, or changes nothing and returns an error
// that names the line and the member. The clock goes on from the time of Save. AccountID and UserID
// become those of the loaded world. The server keeps its token, handlers and the limits of its
// logs; its logs, rate-limit windows, presigned URLs and history begin again.
func (s *Server) Load(r io.Reader) error {
	l, err := load(r)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	l.config.keepOwn(s.config)
	s.replaceWorld(l.world, l.config, state.Clock{Real: time.Now(), Start: l.now, Speed: l.speed})
	s.faults = l.faults
	return nil
}

// Reset makes the world again as the options describe it, with the clock at its start and without
// faults and logs. After [Server.Load] the options are those of the loaded world.
func (s *Server) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.config
	clock := state.Clock{Real: time.Now(), Start: c.start, Speed: c.speed}
	s.replaceWorld(c.newWorld(clock.Now), c, clock)
}

// replaceWorld makes w the server's world. Requests and deliveries go on being numbered.
func (s *Server) replaceWorld(w *world, c config, clock state.Clock) {
	w.Changed, w.delivered = s.world.Changed, s.world.delivered
	s.config, s.clock, s.counter = c, clock, service.Counter{Limits: c.limits, Received: map[string][]time.Time{}}
	s.requests, s.violations, s.strange, s.faults = state.Newest[*Request]{Limit: c.keptRequests}, nil, 0, nil
	w.clock = s.clock.Now
	s.useWorld(w)
	s.runDeliveries()
}

package terminal49test

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/state"
)

// basePath is part of every URL, so that a client which builds URLs from the host alone fails.
const basePath = "/v2"

// Server is a simulated Terminal49 service. It is safe for concurrent use.
type Server struct {
	URL       string // base URL with the version: http://127.0.0.1:port/v2
	Token     string `json:"-"` // accepted API token ("Token <token>"), and access token ("Bearer <token>")
	AccountID string // id of the token's account; also accepted as the id of a party
	UserID    string // id of the token's user

	config config
	routes []operation

	mu         guard
	clock      state.Clock
	world      *world
	counter    service.Counter
	faults     []*Fault
	requests   state.Newest[*Request]
	received   int // requests, also those that are not kept
	strange    int // bytes of the requests without credentials
	violations []Violation

	http       *http.Server // nil without a socket
	files      *http.Server // the storage server; nil without a socket
	storageURL string

	delivering      bool            // a goroutine is delivering webhooks
	deliveryContext context.Context // ends with Close
	stopDelivering  context.CancelFunc

	closed   chan struct{}
	endpoint *service.Endpoint
	once     sync.Once
}

// NewServer starts a simulated service on a loopback socket. The caller closes it. Like
// httptest.NewServer it panics if it cannot listen.
func NewServer(opts ...Option) *Server {
	c := defaults()
	for _, o := range opts {
		o(&c)
	}
	started := time.Now()
	if c.start.IsZero() {
		c.start = started
	}
	if c.start.Unix() < 0 {
		panic("terminal49test: WithStart must be in 1970 or later, not " + c.start.Format(time.RFC3339))
	}
	s := &Server{
		URL: "https://simulator.terminal49.test" + basePath, Token: c.token, config: c, routes: routes(),
		clock:    state.Clock{Real: started, Start: c.start, Speed: c.speed},
		counter:  service.Counter{Limits: c.limits, Received: map[string][]time.Time{}},
		requests: state.Newest[*Request]{Limit: c.keptRequests}, closed: make(chan struct{}),
		storageURL: cmp.Or(c.storageURL, "https://"+storageHost),
	}
	s.endpoint = &service.Endpoint{Handle: s.handle, BodyLimit: s.bodyLimit, Closed: s.closed}
	s.useWorld(c.newWorld(s.clock.Now))
	s.deliveryContext, s.stopDelivering = context.WithCancel(context.Background())
	s.runDeliveries()
	if c.socket {
		s.listen()
	}
	return s
}

// newWorld returns a world as the options describe it.
func (c *config) newWorld(clock func() time.Time) *world {
	w := newWorld(c.seed, clock)
	w.trackingDelay = c.trackingDelay
	if c.referenceData {
		w.addReferenceData()
	} else {
		w.addTestLine()
	}
	w.addDocumentTypes()
	if c.synthetic > 0 {
		w.addSynthetic(c.synthetic, c.start)
	}
	return w
}

// Reset makes the world again as the options describe it, with the clock at its start and without
// faults and logs. Requests and deliveries go on being numbered.
func (s *Server) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.config
	s.clock = state.Clock{Real: time.Now(), Start: c.start, Speed: c.speed}
	w := c.newWorld(s.clock.Now)
	w.Changed, w.delivered = s.world.Changed, s.world.delivered
	s.counter = service.Counter{Limits: c.limits, Received: map[string][]time.Time{}}
	s.requests, s.violations, s.strange, s.faults = state.Newest[*Request]{Limit: c.keptRequests}, nil, 0, nil
	s.useWorld(w)
	s.runDeliveries()
}

// useWorld makes w the server's world. On a stopped clock Advance makes its deliveries.
func (s *Server) useWorld(w *world) {
	w.lock, w.replicas.lag = &s.mu, s.config.replicaLag
	w.enabled, w.noise = s.config.deliveries != nil, s.config.noise
	w.lateBodies, w.lose = s.config.lateBodies, s.config.lose
	w.deliveries.Limit, w.bodyOrder.Limit = s.config.keptDeliveries, s.config.keptDeliveries
	s.world, s.AccountID, s.UserID = w, w.account, w.user
	if s.config.history {
		w.startHistory(s.config.reportHistory)
	}
}

// runDeliveries starts the deliveries on a running clock, or makes them follow its new speed.
// Callers hold the lock, or are NewServer.
func (s *Server) runDeliveries() {
	switch {
	case s.world.Changed != nil:
		s.world.Wake()
	case s.world.enabled && s.clock.Speed > 0:
		s.world.Changed = make(chan struct{}, 1)
		go s.deliverUntil(s.deliveryContext, s.world.Changed) // ends with Close
	}
}

// listen serves the API and, on a second socket, the storage. Both end with Close.
func (s *Server) listen() {
	listener := s.config.listener
	if listener == nil {
		listener = listenLoopback()
	}
	s.URL = "http://" + listener.Addr().String() + basePath
	s.http, s.files = newHTTPServer(s.endpoint), newHTTPServer(s.endpoint)
	if s.config.storageURL == "" {
		files := listenLoopback()
		s.storageURL = "http://" + files.Addr().String()
		go func() { _ = s.files.Serve(files) }()
	}
	go func() { _ = s.http.Serve(listener) }() // reads the storage's URL
}

// newHTTPServer returns a server that waits a minute for a request with its body. A response may
// take longer.
func newHTTPServer(handler http.Handler) *http.Server {
	return &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute, ReadTimeout: time.Minute, IdleTimeout: 10 * time.Minute}
}

func listenLoopback() net.Listener {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic("terminal49test: cannot listen on the loopback interface: " + err.Error())
	}
	return listener
}

// Close stops the server, closes all connections and ends stalled responses. It can be called
// twice.
func (s *Server) Close() {
	s.once.Do(func() {
		close(s.closed)
		s.stopDelivering()
		if s.http != nil {
			_ = s.http.Close() // the sockets are closed in any case
			_ = s.files.Close()
		}
	})
}

// Format prints only the URL, for any verb: the token and the simulated data are not logged.
func (s *Server) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "terminal49test.Server(%s)", s.URL)
}

// Shutdown stops accepting requests, waits for those in progress until ctx ends, and closes the
// server.
func (s *Server) Shutdown(ctx context.Context) error {
	defer s.Close()
	if s.http == nil {
		return nil
	}
	return s.http.Shutdown(ctx)
}

// Transport returns a transport that serves requests in the process, without a socket, whatever
// their host. Inside a testing/synctest bubble it is the only way to reach the server. Connection
// faults are returned as the errors that a socket would cause.
func (s *Server) Transport() http.RoundTripper { return s.endpoint }

// ServeHTTP serves a request, so that a program can serve the simulator, or several of them, on a
// socket of its own: use [WithoutSocket], and [WithStorageURL] for documents. Like the server's own
// socket it refuses requests of web pages of other sites.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.endpoint.ServeHTTP(w, r) }

// HTTPClient returns a new client that uses Transport.
func (s *Server) HTTPClient() *http.Client { return &http.Client{Transport: s.Transport()} }

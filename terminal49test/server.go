package terminal49test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// basePath is part of every address, as it is with the real service. A client that builds addresses from the host
// alone ends on a page that does not exist.
const basePath = "/v2"

// Server is a simulated Terminal49 service. All its methods may be called from any goroutine.
type Server struct {
	URL       string // base address, with the version: http://127.0.0.1:port/v2
	Token     string `json:"-"` // the API token it accepts, as "Authorization: Token <token>"
	AccountID string // id of the account behind the token; it may stand where a party id may
	UserID    string // id of the user behind the token

	config config
	routes []route

	mu         sync.Mutex
	clock      worldClock
	world      *world
	counter    counter
	faults     []*Fault
	requests   []*Request
	violations []Violation

	http       *http.Server // nil without a socket
	files      *http.Server // the storage; nil like http
	storageURL string

	delivering      bool            // somebody is delivering to webhooks
	deliveryContext context.Context // ends with Close
	stopDelivering  context.CancelFunc

	closed chan struct{}
	once   sync.Once
}

// NewServer starts a simulated service on a loopback socket. Close it when done. Like httptest.NewServer it panics if
// the machine gives it no socket.
func NewServer(opts ...Option) *Server {
	c := defaults()
	for _, o := range opts {
		o(&c)
	}
	started := time.Now()
	if c.start.IsZero() {
		c.start = started
	}
	s := &Server{
		URL: "https://simulator.terminal49.test" + basePath, Token: c.token, config: c, routes: routes(),
		clock:   worldClock{real: started, start: c.start, speed: c.speed},
		counter: counter{limits: c.limits, received: map[string][]time.Time{}},
		closed:  make(chan struct{}),
	}
	s.world = newWorld(c.seed, s.clock.now)
	s.world.trackingDelay = c.trackingDelay
	s.AccountID, s.UserID = s.world.account, s.world.user
	if c.referenceData {
		s.world.addReferenceData()
	} else {
		s.world.addTestLine()
	}
	s.world.addDocumentTypes()
	s.storageURL = "https://" + storageHost
	s.world.enabled, s.world.noise = c.deliveries != nil, c.noise
	s.deliveryContext, s.stopDelivering = context.WithCancel(context.Background())
	if s.world.enabled && c.speed > 0 {
		s.world.changed = make(chan struct{}, 1)
		go s.deliverUntil(s.deliveryContext) // ends with Close
	}
	if c.socket {
		listener := c.listener
		if listener == nil {
			listener = listenLoopback()
		}
		s.URL = "http://" + listener.Addr().String() + basePath
		s.http = &http.Server{Handler: http.HandlerFunc(s.serveHTTP), ReadHeaderTimeout: time.Minute}
		go func() { _ = s.http.Serve(listener) }() // ends with Close
		files := listenLoopback()
		s.storageURL = "http://" + files.Addr().String()
		s.files = &http.Server{Handler: s.http.Handler, ReadHeaderTimeout: time.Minute}
		go func() { _ = s.files.Serve(files) }()
	}
	return s
}

func listenLoopback() net.Listener {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic("terminal49test: no loopback socket: " + err.Error())
	}
	return listener
}

// Close stops the listener, cuts every open connection and lets go of every stalled answer. It may be called twice.
func (s *Server) Close() {
	s.once.Do(func() {
		close(s.closed)
		s.stopDelivering()
		if s.http != nil {
			_ = s.http.Close() // the sockets are gone either way
			_ = s.files.Close()
		}
	})
}

// Format prints the server's address, whatever the verb: its token and what its world keeps secret stay out of a test's log.
func (s *Server) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "terminal49test.Server(%s)", s.URL)
}

// Shutdown is Close for a server that others are talking to: it takes no more requests and waits, until ctx ends, for
// those under way.
func (s *Server) Shutdown(ctx context.Context) error {
	defer s.Close()
	if s.http == nil {
		return nil
	}
	return s.http.Shutdown(ctx)
}

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/go-freight/terminal49/mirror"
)

const (
	healthPath  = "/healthz"
	metricsPath = "/metrics"
)

// shutdownTime is how long requests in progress may take after an interrupt.
const shutdownTime = 10 * time.Second

// servers are the HTTP servers of a mirror.
type servers struct {
	list   []*http.Server
	failed chan error // receives once if one of them ends by itself
}

// serve starts the servers that the flags select.
func (a *app) serve(ctx context.Context, m *mirror.Mirror, f runFlags) (*servers, error) {
	s := &servers{failed: make(chan error, 2)}
	about := &reporter{ctx: ctx, load: m.Status}
	public := http.NewServeMux()
	public.HandleFunc("GET "+healthPath, about.health(f.metrics == ""))
	if f.metrics == "" {
		public.HandleFunc("GET "+metricsPath, about.metrics)
	}
	if f.url != "" {
		public.Handle("POST "+webhookPath(f.url), m.Receiver())
	}
	private := http.NewServeMux()
	private.HandleFunc("GET "+healthPath, about.health(true))
	private.HandleFunc("GET "+metricsPath, about.metrics)
	for _, on := range []struct {
		flag, address string
		handler       http.Handler
	}{{"--listen", f.listen, public}, {"--metrics", f.metrics, private}} {
		if on.address == "" {
			continue
		}
		listener, err := net.Listen("tcp", on.address)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("cannot listen; choose another %s: %w", on.flag, err), s.shutdown())
		}
		fmt.Fprintf(a.err, "terminal49-mirror: %s serves http://%s\n", on.flag, listener.Addr())
		s.start(listener, on.handler)
	}
	return s, nil
}

// webhookPath returns the pattern for the path of the webhook's address.
func webhookPath(address string) string {
	u, _ := url.Parse(address) // checked before
	path := cmp.Or(u.EscapedPath(), "/")
	if path[len(path)-1] == '/' {
		path += "{$}"
	}
	return path
}

func (s *servers) start(listener net.Listener, handler http.Handler) {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute}
	s.list = append(s.list, server)
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.failed <- err
		}
	}()
}

// shutdown lets requests in progress end.
func (s *servers) shutdown() (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	for _, server := range s.list {
		err = errors.Join(err, server.Shutdown(ctx))
	}
	return err
}

// reporter reports the status by HTTP. A status is read at most once a second.
type reporter struct {
	ctx  context.Context // of the process: a request that goes away must not fail the others
	load func(context.Context) (*mirror.Status, error)

	mu      sync.Mutex
	was     *mirror.Status // the latest one that was read
	err     error          // of the latest read that ended in time
	readAt  time.Time      // when that ended; zero before the first
	reading chan struct{}  // closed when the read under way ends; nil without one
}

const (
	answerTime = 900 * time.Millisecond // a request waits so long for a status
	staleTime  = 30 * time.Second       // afterwards it gets one that is not older
)

// errSlow means that the database does not answer in time.
var errSlow = errors.New("the database does not answer; another process may be changing its tables")

// status returns the latest status, after at most answerTime.
func (r *reporter) status() (*mirror.Status, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.reading == nil && time.Since(r.readAt) >= time.Second {
		r.reading = make(chan struct{})
		go r.read(r.reading)
	}
	if done := r.reading; done != nil {
		r.mu.Unlock()
		select {
		case <-done:
		case <-time.After(answerTime):
		}
		r.mu.Lock()
	}
	if time.Since(r.readAt) > staleTime {
		return nil, errSlow
	}
	return r.was, r.err
}

// read reads the status. One that takes too long changes nothing: the status before it is repeated
// for staleTime, and then errSlow says what is wrong.
func (r *reporter) read(done chan struct{}) {
	defer close(done)
	ctx, cancel := context.WithTimeout(r.ctx, shutdownTime)
	defer cancel()
	s, err := r.load(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reading = nil
	if err == nil || ctx.Err() == nil {
		r.was, r.err, r.readAt = s, err, time.Now()
	}
}

// health answers 200, or 503 and what is wrong. Receivers of pushes that are away do not make the
// copy wrong: it answers 200, with how far the pushes are. These lines name hosts; pushes reports
// whether the address may show them.
func (r *reporter) health(pushes bool) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		s, err := r.status()
		if err == nil {
			err = s.Healthy(time.Now())
		} else {
			err = printable(err)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
		if pushes {
			writePushes(w, s.Pushes, time.Now())
		}
	}
}

func writePushes(w io.Writer, pushes []mirror.PushStatus, now time.Time) {
	for _, p := range pushes {
		fmt.Fprintln(w, pushLine(p, now))
		if err := p.Healthy(now); err != nil {
			fmt.Fprintln(w, err)
		}
	}
}

// errUnreadable replaces the database's error, which names hosts and users, for readers of HTTP.
var (
	errUnreadable = errors.New("the database cannot be read")
	errCreating   = errors.New("the tables are being created; another process may be migrating")
)

func printable(err error) error {
	switch {
	case errors.Is(err, mirror.ErrNoTables):
		return errCreating
	case errors.Is(err, mirror.ErrReplaced), errors.Is(err, errSlow):
		return err
	}
	return errUnreadable
}

func (r *reporter) metrics(w http.ResponseWriter, _ *http.Request) {
	s, err := r.status()
	if err != nil {
		http.Error(w, printable(err).Error(), http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_ = writeMetrics(w, s, time.Now()) // the reader went away
}

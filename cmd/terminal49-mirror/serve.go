package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
	about := &reporter{ctx: ctx, mirror: m}
	public := http.NewServeMux()
	public.HandleFunc("GET "+healthPath, about.health)
	if f.metrics == "" {
		public.HandleFunc("GET "+metricsPath, about.metrics)
	}
	if f.url != "" {
		public.Handle("POST "+webhookPath(f.url), m.Receiver())
	}
	private := http.NewServeMux()
	private.HandleFunc("GET "+healthPath, about.health)
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
	ctx    context.Context // of the process: a request that goes away must not fail the others
	mirror *mirror.Mirror

	mu  sync.Mutex
	was *mirror.Status
}

func (r *reporter) status() (*mirror.Status, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.was != nil && time.Since(r.was.At) < time.Second {
		return r.was, nil
	}
	ctx, cancel := context.WithTimeout(r.ctx, shutdownTime)
	defer cancel()
	s, err := r.mirror.Status(ctx)
	if err == nil {
		r.was = s
	}
	return s, err
}

// health answers 200, or 503 and what is too old.
func (r *reporter) health(w http.ResponseWriter, _ *http.Request) {
	s, err := r.status()
	if err == nil {
		err = s.Healthy(time.Now())
	} else {
		err = errUnreadable
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintln(w, "ok")
}

// errUnreadable replaces the database's error, which names hosts and users, for readers of HTTP.
var errUnreadable = errors.New("the database cannot be read")

func (r *reporter) metrics(w http.ResponseWriter, _ *http.Request) {
	s, err := r.status()
	if err != nil {
		http.Error(w, errUnreadable.Error(), http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_ = writeMetrics(w, s, time.Now()) // the reader went away
}

package board

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"
)

// Serve keeps the board current and serves its pages until ctx ends. It complains about what it
// could not read or show.
func (b *Board) Serve(ctx context.Context, listener net.Listener, complain func(string)) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m := newModel()
	m.news.clock = b.from.now
	following := make(chan error, 1)
	go func() { following <- follow(ctx, b.from, m) }()
	site := &site{model: m, source: b.from, loopback: isLoopback(listener.Addr()), ended: ctx.Done(), complain: complain}
	server := newServer(site.handler())
	serving := make(chan error, 1)
	go func() { serving <- server.Serve(listener) }()
	done := false
	select {
	case err = <-following:
		done = true
	case err = <-serving:
	case <-ctx.Done():
	}
	cancel() // ends the streams of events
	bounded, release := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer release()
	err = errors.Join(err, server.Shutdown(bounded))
	if !done {
		err = errors.Join(err, <-following)
	}
	return err
}

// follow keeps a model equal to a source until ctx ends, and moves it on with the clock.
func follow(ctx context.Context, from source, m *model) error {
	ctx, cancel := context.WithCancel(ctx)
	ticking := make(chan struct{})
	go func() {
		defer close(ticking)
		for wait(ctx, from.tick()) {
			m.reassess(from.now())
		}
	}()
	err := from.follow(ctx, m)
	if ctx.Err() != nil {
		err = nil
	}
	cancel()
	<-ticking
	return err
}

// wait waits for a time, and reports whether ctx has not ended meanwhile.
func wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// newServer returns a server that does not wait for ever: for a request, its body, or a visitor who
// does not read. A stream of events and a long table move the write deadline as they go on.
func newServer(pages http.Handler) *http.Server {
	return &http.Server{
		Handler: pages, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 20 * time.Second,
		WriteTimeout: time.Minute, IdleTimeout: time.Minute,
	}
}

func isLoopback(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

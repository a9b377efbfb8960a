package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// show follows a source and serves the pages until ctx ends.
func (a *app) show(ctx context.Context, from source) error {
	listener, err := net.Listen("tcp", a.addr)
	if err != nil {
		return usageError("cannot listen; choose another --addr: " + err.Error())
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m := newModel()
	m.news.clock = from.now
	following := make(chan error, 1)
	go func() { following <- follow(ctx, from, m, a.complain) }()
	site := &site{model: m, source: from, loopback: isLoopback(listener.Addr()), ended: ctx.Done(), complain: a.complain}
	server := newServer(site.handler())
	serving := make(chan error, 1)
	go func() { serving <- server.Serve(listener) }()
	fmt.Fprintf(a.out, "http://%s\n", listener.Addr())
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
func follow(ctx context.Context, from source, m *model, complain func(string)) error {
	ctx, cancel := context.WithCancel(ctx)
	ticking := make(chan struct{})
	go func() {
		defer close(ticking)
		for wait(ctx, from.tick()) {
			if err := m.reassess(ctx, from); err != nil && ctx.Err() == nil {
				complain("reading what the clock has changed: " + err.Error())
			}
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

package main

import (
	"context"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"time"
)

// balancer serves the URL of the webhook and forwards each delivery to the next receiver. If that
// receiver is dead, the balancer answers 502, and the service delivers again.
type balancer struct {
	server    *http.Server
	transport *http.Transport

	mu        sync.Mutex
	receivers []*child
	next      int
	doomed    *child // killed while it handles its next notification; may be nil
}

func newBalancer() *balancer {
	b := &balancer{transport: &http.Transport{}}
	b.server = &http.Server{Handler: b, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 20 * time.Second, IdleTimeout: time.Minute}
	return b
}

// listen starts serving and returns the address.
func (b *balancer) listen() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	go func() { _ = b.server.Serve(listener) }() // ends with close
	return listener.Addr().String(), nil
}

// ServeHTTP forwards a delivery.
func (b *balancer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	to := &url.URL{Scheme: "http", Host: b.choose().status.Load().(string)} // it has printed its address
	(&httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(to) },
		Transport: b.transport,
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) {
			w.WriteHeader(http.StatusBadGateway)
		},
	}).ServeHTTP(w, r)
}

func (b *balancer) choose() *child {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.next = (b.next + 1) % len(b.receivers)
	receiver := b.receivers[b.next]
	if receiver == b.doomed {
		b.doomed = nil
		time.AfterFunc(callbackTime/2, receiver.kill)
	}
	return receiver
}

// killWhileHandling kills a receiver in the middle of its next callback.
func (b *balancer) killWhileHandling(ctx context.Context, i int) error {
	b.mu.Lock()
	receiver := b.receivers[i]
	b.doomed = receiver
	b.mu.Unlock()
	select {
	case <-receiver.ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (b *balancer) replace(i int, receiver *child) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.receivers[i] = receiver
}

// close ends the receivers and stops serving.
func (b *balancer) close() {
	for _, receiver := range b.receivers {
		receiver.stop()
	}
	_ = b.server.Close()
	b.transport.CloseIdleConnections()
}

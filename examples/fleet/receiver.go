package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/webhook"
)

// callbackTime is how long a receiver works on a notification.
const callbackTime = 10 * time.Millisecond

// receive serves webhooks until ctx ends. It prints its address first. Only the store differs from
// a receiver that runs alone; see examples/webhooks for a complete one.
func receive(ctx context.Context, p process) error {
	handled, err := os.OpenFile(p.File, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = handled.Close() }() // nothing is buffered
	store, err := p.Engine.dedupe()
	if err != nil {
		return err
	}
	handler, err := webhook.NewHandler(
		webhook.WithSecrets(terminal49.NewSecret(p.Secret)),
		webhook.WithDedupe(store, webhook.DefaultDedupeRetention),
		webhook.WithClaimLease(time.Second), // the simulated service delivers again for seconds, the real one for hours
		webhook.OnAny(func(_ context.Context, n *webhook.Notification) error {
			time.Sleep(callbackTime)
			_, err := fmt.Fprintln(handled, n.ID) // one write, so lines of two receivers do not mix
			return err
		}),
	)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 20 * time.Second, IdleTimeout: time.Minute}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	return server.Serve(listener)
}

package webhook

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// grace is how long ListenAndServe waits for callbacks in progress.
const grace = 20 * time.Second

// ListenAndServe serves the handler on a TCP address, such as ":8080", under every path, until ctx
// ends. It then waits up to 20 seconds for callbacks in progress, and returns nil once they have
// returned. For TLS, or with other handlers on the same address, use an [http.Server] and
// [Handler.Shutdown].
func (h *Handler) ListenAndServe(ctx context.Context, addr string) error {
	if ctx == nil {
		return nilContext("webhook.Handler.ListenAndServe")
	}
	server := &http.Server{
		Addr: addr, Handler: h, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 20 * time.Second, IdleTimeout: time.Minute,
	}
	stopped := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
		defer cancel()
		stopped <- errors.Join(server.Shutdown(bounded), h.Shutdown(bounded))
	})
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		stop()
		return err
	}
	return <-stopped
}

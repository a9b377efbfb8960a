package terminal49

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math"
	"net/http"
	"time"

	"github.com/go-freight/terminal49/internal/transport"
)

// WebhookHandler receives deliveries: mount it at the URL of the webhook. Make it with [NewWebhookHandler].
//
// Each request is verified before any of it is parsed, parsed, checked against what was handled before, and given to
// the callbacks. It is answered 200 only after they returned nil. A notification that is delivered again while it is
// being handled waits for that and shares its outcome. See [WebhookOutcome] for the other answers.
//
// A body must arrive within the time that [WithWebhookTimeout] sets, whatever the server's ReadTimeout, if the server's
// connections let a handler say so. Give the server timeouts for headers and idle connections all the same, as any
// server that strangers can reach.
type WebhookHandler struct {
	webhookConfig
	flights flights
}

// NewWebhookHandler returns a handler. It needs [WithWebhookSecrets] and at least one callback, and returns an
// [*ArgumentError] without them or for an option that makes no sense.
func NewWebhookHandler(opts ...WebhookOption) (*WebhookHandler, error) {
	h := &WebhookHandler{webhookConfig: webhookConfig{
		bodyLimit: DefaultWebhookBodyLimit, timeout: DefaultWebhookTimeout, keep: DefaultWebhookMemory,
	}}
	for _, opt := range opts {
		if opt == nil {
			continue
		}
		if err := opt.applyWebhook(&h.webhookConfig); err != nil {
			return nil, withOp(err, "NewWebhookHandler")
		}
	}
	if err := checkSecrets(h.secrets); err != nil {
		return nil, withOp(err, "NewWebhookHandler")
	}
	if len(h.callbacks) == 0 {
		return nil, &ArgumentError{Op: "NewWebhookHandler", Field: "opts", Problem: "must hold a callback such as OnAny; without one every delivery would be lost"}
	}
	if h.store == nil {
		h.store = NewMemoryDedupe(0)
	}
	h.flights.open(h.timeout, h.keep, h.store)
	return h, nil
}

// ServeHTTP implements [http.Handler].
func (h *WebhookHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	d := h.receive(w, r)
	d.Duration = time.Since(began)
	h.report(r.Context(), d)
	switch d.Status {
	case http.StatusOK:
		w.WriteHeader(http.StatusOK)
	case http.StatusMethodNotAllowed:
		w.Header().Set("Allow", http.MethodPost)
		fallthrough
	default: // what went wrong inside is nobody's business outside
		http.Error(w, http.StatusText(d.Status), d.Status)
	}
}

// report keeps a panic of the observer from breaking the connection of a delivery that is handled.
func (h *WebhookHandler) report(ctx context.Context, d WebhookDelivery) {
	if h.observe == nil {
		return
	}
	defer func() { _ = recover() }()
	h.observe(ctx, d)
}

// receive decides how a request is answered.
func (h *WebhookHandler) receive(w http.ResponseWriter, r *http.Request) WebhookDelivery {
	if r.Method != http.MethodPost {
		return WebhookDelivery{Outcome: WebhookRefused, Status: http.StatusMethodNotAllowed, Err: errNotPost}
	}
	signature, err := signatureOf(r.Header) // before the body is read: strangers cost little
	if err != nil {
		return WebhookDelivery{Outcome: WebhookUnauthorized, Status: http.StatusUnauthorized, Err: err}
	}
	body, status, err := h.read(w, r)
	if err != nil {
		return WebhookDelivery{Outcome: WebhookRefused, Status: status, Err: err}
	}
	if err := verify(body, signature, h.secrets); err != nil {
		return WebhookDelivery{Outcome: WebhookUnauthorized, Status: http.StatusUnauthorized, Err: err}
	}
	n, err := parseNotification(body, registry)
	if err != nil {
		return h.bury(r.Context(), DeadLetter{body, err})
	}
	d := answerFor(h.handle(r.Context(), n))
	d.NotificationID, d.Event = n.ID, n.Event
	return d
}

var errNotPost = errors.New("terminal49: webhook: not a POST")

// firstRead is the most room that is made for a body before any of it has arrived: anybody can announce a long one.
const firstRead = 16 << 10

func (h *WebhookHandler) read(w http.ResponseWriter, r *http.Request) ([]byte, int, error) {
	if r.ContentLength > h.bodyLimit {
		return nil, http.StatusRequestEntityTooLarge, &http.MaxBytesError{Limit: h.bodyLimit}
	}
	if r.Body == nil { // made by hand, not by a server
		return nil, http.StatusBadRequest, io.ErrUnexpectedEOF
	}
	connection := http.NewResponseController(w)
	_ = connection.SetReadDeadline(time.Now().Add(h.timeout)) // not every writer can; a broken connection shows below
	body := http.MaxBytesReader(w, r.Body, h.bodyLimit)
	chunks, _, err := transport.ReadChunks(body, min(max(r.ContentLength, 1<<10), firstRead), min(h.bodyLimit, math.MaxInt64-1)+1)
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return nil, http.StatusRequestEntityTooLarge, err
	case err != nil:
		return nil, http.StatusBadRequest, err
	}
	_ = connection.SetReadDeadline(time.Time{}) // it would end the request's context while the callbacks run
	return chunks.Join(), 0, nil
}

// bury hands a letter to whoever asked for them, once. It is acknowledged even if they failed, for the service would
// send the same again, but not if they were never called.
func (h *WebhookHandler) bury(ctx context.Context, letter DeadLetter) WebhookDelivery {
	sum := sha256.Sum256(letter.Body)
	outcome, err := h.flights.fly(ctx, "dead-letter-"+hex.EncodeToString(sum[:]), func(ctx context.Context) (bool, error) {
		if h.deadLetter == nil {
			return false, nil
		}
		return true, h.deadLetter(ctx, letter)
	})
	d := answerFor(outcome, err)
	if d.Status == http.StatusOK || outcome == WebhookFailed && !errors.Is(err, errNotClaimed) {
		d.Status, d.Outcome, d.Err = http.StatusOK, WebhookDeadLettered, errors.Join(letter.Err, err)
	}
	return d
}

// Handle gives a notification to the callbacks as if it had been delivered: once, however often it comes. It is for
// notifications from elsewhere, such as those of [WebhooksService.Recover] or of a queue. It returns nil once the
// notification is handled, now or before; otherwise what a callback returned, a [*CallbackPanicError], [ErrWebhookTimeout],
// [ErrWebhookClosed], the store's error or that of ctx. The callbacks go on when ctx ends; only the wait for them does not.
func (h *WebhookHandler) Handle(ctx context.Context, n *Notification) error {
	if n == nil || n.ID == "" {
		return &ArgumentError{Op: "WebhookHandler.Handle", Field: "n", Problem: "must be a notification with an ID"}
	}
	outcome, err := h.handle(ctx, n)
	if outcome == WebhookFailed || outcome == WebhookClosing {
		return err
	}
	return nil
}

func (h *WebhookHandler) handle(ctx context.Context, n *Notification) (WebhookOutcome, error) {
	return h.flights.fly(ctx, n.ID, func(ctx context.Context) (called bool, err error) {
		for _, f := range h.callbacks {
			ran, err := f(ctx, n)
			called = called || ran
			if err != nil {
				return called, err
			}
		}
		return called, nil
	})
}

// Shutdown ends the handler in good order: new deliveries are answered 503, which makes the service try again, and
// those in hand are waited for. Call it after http.Server.Shutdown, since callbacks may outlive their requests. When ctx
// ends first, the contexts of the callbacks still running are cancelled and the error is ctx's.
func (h *WebhookHandler) Shutdown(ctx context.Context) error { return h.flights.close(ctx) }

func answerFor(outcome WebhookOutcome, err error) WebhookDelivery {
	d := WebhookDelivery{Outcome: outcome, Status: http.StatusOK, Err: err}
	switch outcome {
	case WebhookFailed:
		d.Status = http.StatusInternalServerError
	case WebhookClosing:
		d.Status = http.StatusServiceUnavailable
	}
	return d
}

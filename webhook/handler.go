package webhook

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math"
	"net/http"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/chunks"
)

// Handler is an [http.Handler] for the URL of a webhook. [NewHandler] returns one.
//
// It verifies a request before it parses it, calls the callbacks, and answers 200 only after they
// have returned nil. Concurrent deliveries of one notification run the callbacks once and share the
// outcome. [Outcome] lists all responses.
//
// A body must arrive within the time set by [WithTimeout], also that of a refused request, whose
// HTTP/1 connection is then closed. This needs a [http.ResponseWriter] with read deadlines; without
// them set the ReadTimeout of the server. Always set its ReadHeaderTimeout and IdleTimeout.
type Handler struct {
	config
	calls *group
}

// NewHandler returns a handler. [WithSecrets] and at least one callback are required. It returns a
// [*terminal49.ArgumentError] if either is missing or an option is invalid.
func NewHandler(opts ...Option) (*Handler, error) {
	h := &Handler{config: config{
		bodyLimit: DefaultBodyLimit, timeout: DefaultTimeout, lease: DefaultClaimLease, retention: DefaultDedupeRetention,
	}}
	for _, opt := range opts {
		if opt == nil {
			continue
		}
		if err := opt.apply(&h.config); err != nil {
			return nil, err
		}
	}
	if err := checkSecrets(newHandlerOp, h.secrets); err != nil {
		return nil, err
	}
	if len(h.callbacks) == 0 {
		return nil, invalid(newHandlerOp, "opts", "must include a callback such as OnAny; without one every delivery is lost")
	}
	if h.store == nil {
		h.store = NewMemoryDedupe(0)
	}
	h.calls = newGroup(h.config)
	return h, nil
}

// newHandlerOp names NewHandler in errors.
const newHandlerOp = "webhook.NewHandler"

func invalid(op, field, problem string) error {
	return &terminal49.ArgumentError{Op: op, Field: field, Problem: problem}
}

func nilContext(op string) error {
	return invalid(op, "ctx", "must not be nil; pass context.Background() for none")
}

func nilClient(op string) error { return invalid(op, "client", "must not be nil") }

// ServeHTTP implements [http.Handler].
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	connection := http.NewResponseController(w)
	_ = connection.SetReadDeadline(start.Add(h.timeout)) // optional: not every writer supports it
	d := h.receive(w, r, connection)
	d.StatusCode, d.Duration = d.Outcome.status(), time.Since(start)
	h.report(r.Context(), d)
	if d.Outcome == OutcomeMethodNotAllowed {
		w.Header().Set("Allow", http.MethodPost)
	}
	switch {
	case d.StatusCode == http.StatusOK:
		w.WriteHeader(http.StatusOK)
	case d.StatusCode < http.StatusInternalServerError:
		refuse(w, r, d.StatusCode)
	default:
		http.Error(w, http.StatusText(d.StatusCode), d.StatusCode) // without the error, which is internal
	}
}

// refuse responds and closes the connection, whose body may never come. To reuse a connection,
// net/http reads the rest of the body before it responds; to close it, only until the deadline.
func refuse(w http.ResponseWriter, r *http.Request, status int) {
	if r.ProtoMajor < 2 { // HTTP/2 ends the exchange; deliveries may share the connection
		w.Header().Set("Connection", "close")
	}
	http.Error(w, http.StatusText(status), status)
}

// report calls the OnDelivery callback. Its panic must not fail a delivery that was handled.
func (h *Handler) report(ctx context.Context, d Delivery) {
	if h.onDelivery == nil {
		return
	}
	defer func() { _ = recover() }()
	h.onDelivery(ctx, d)
}

var errNotPost = errors.New("terminal49: webhook: the method must be POST")

// receive handles a request and returns its outcome.
func (h *Handler) receive(w http.ResponseWriter, r *http.Request, connection *http.ResponseController) Delivery {
	if r.Method != http.MethodPost {
		return Delivery{Outcome: OutcomeMethodNotAllowed, Err: errNotPost}
	}
	signature, err := signatureOf(r.Header) // before the body is read, so that unsigned requests are cheap
	if err != nil {
		return Delivery{Outcome: OutcomeUnauthorized, Err: err}
	}
	body, outcome, err := h.read(w, r)
	if err != nil {
		return Delivery{Outcome: outcome, Err: err}
	}
	_ = connection.SetReadDeadline(time.Time{}) // it would end the request's context while the callbacks run
	if err := verify(body, signature, h.secrets); err != nil {
		return Delivery{Outcome: OutcomeUnauthorized, Err: err}
	}
	n, err := ParseNotification(body)
	if err != nil {
		return h.handleDeadLetter(r.Context(), DeadLetter{body, err})
	}
	return h.handle(r.Context(), n)
}

// maxFirstRead bounds the buffer that is allocated before any of the body has arrived, because
// anyone can announce a long body.
const maxFirstRead = 16 << 10

// read returns the body of r. If it fails, it also returns the outcome of the delivery.
func (h *Handler) read(w http.ResponseWriter, r *http.Request) ([]byte, Outcome, error) {
	if r.ContentLength > h.bodyLimit {
		return nil, OutcomeTooLarge, &http.MaxBytesError{Limit: h.bodyLimit}
	}
	if r.Body == nil { // a request that no server made
		return nil, OutcomeUnreadable, io.ErrUnexpectedEOF
	}
	limited := http.MaxBytesReader(w, r.Body, h.bodyLimit)
	first := min(max(r.ContentLength, 1<<10), maxFirstRead)
	body, _, err := chunks.Read(limited, first, min(h.bodyLimit, math.MaxInt64-1)+1)
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, OutcomeTooLarge, err
	case err != nil:
		return nil, OutcomeUnreadable, err
	}
	return body.Join(), "", nil
}

// handleDeadLetter calls the OnDeadLetter callback once per body. A failed callback is acknowledged
// too, because the service would deliver the same body again. A letter whose callback was not
// called is not acknowledged, because nobody has seen it.
func (h *Handler) handleDeadLetter(ctx context.Context, letter DeadLetter) Delivery {
	sum := sha256.Sum256(letter.Body)
	return h.once(ctx, "dead-letter-"+hex.EncodeToString(sum[:]), func(ctx context.Context) (bool, error) {
		if h.onDeadLetter == nil {
			return false, nil
		}
		return true, h.onDeadLetter(ctx, letter)
	}, func(outcome Outcome, begun bool, err error) Delivery {
		if outcome != OutcomeClaimLost && begun || outcome.status() == http.StatusOK {
			return Delivery{Outcome: OutcomeDeadLettered, Err: errors.Join(letter.Err, err)}
		}
		return Delivery{Outcome: outcome, Err: err}
	})
}

// Handle calls the callbacks for a notification as if it had been delivered: once per notification
// ID, also across deliveries. Use it with [Recover] or a queue. It
// returns nil once the notification is handled, now or before. Otherwise it returns the error of a
// callback, a [*CallbackPanicError], [ErrTimeout], [ErrClosed], the error of the store or that of
// ctx. Callbacks continue after ctx has ended; only the wait for them ends.
func (h *Handler) Handle(ctx context.Context, n *Notification) error {
	if ctx == nil {
		return nilContext("webhook.Handler.Handle")
	}
	if n == nil || n.ID == "" {
		return invalid("webhook.Handler.Handle", "n", "must be a notification with an ID")
	}
	if d := h.handle(ctx, n); d.Outcome.status() != http.StatusOK {
		return d.Err
	}
	return nil
}

func (h *Handler) handle(ctx context.Context, n *Notification) Delivery {
	return h.once(ctx, n.ID, func(ctx context.Context) (called bool, err error) {
		for _, f := range h.callbacks {
			ran, err := f(ctx, n)
			called = called || ran
			if err != nil {
				return called, err
			}
		}
		return called, nil
	}, func(outcome Outcome, _ bool, err error) Delivery {
		return Delivery{NotificationID: n.ID, Event: n.Event, Outcome: outcome, Err: err}
	})
}

// once returns what delivery makes of the outcome of a call, and reports what it makes of those
// that come later.
func (h *Handler) once(ctx context.Context, key string, fn callFunc, delivery func(Outcome, bool, error) Delivery) Delivery {
	start := time.Now()
	return delivery(h.calls.do(ctx, key, fn, func(outcome Outcome, begun bool, err error) {
		d := delivery(outcome, begun, err)
		d.Duration = time.Since(start)
		h.report(context.WithoutCancel(ctx), d)
	}))
}

// Shutdown waits for the callbacks in progress and refuses new deliveries with 503, so that the
// service delivers them again. Call it after http.Server.Shutdown, because callbacks may outlive
// their requests. If ctx ends first, Shutdown cancels the contexts of the callbacks and returns the
// error of ctx.
func (h *Handler) Shutdown(ctx context.Context) error {
	if ctx == nil {
		return nilContext("webhook.Handler.Shutdown")
	}
	return h.calls.shutdown(ctx)
}

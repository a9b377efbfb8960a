package mirror

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/webhook"
)

// Receiver returns the handler for the webhook's address. It stores each notification in the inbox
// before it acknowledges it. It answers 500 if the database fails, and 503 until it has a secret
// and the tables exist, so that the service delivers again. [Mirror.Run] applies the stored
// notifications, in this process or in another one with the same database.
//
// Bodies are stored without secrets. A signed body that is not a notification is stored too.
func (m *Mirror) Receiver() http.Handler { return &m.receiver }

// receiver passes deliveries to a handler with all secrets learned so far.
type receiver struct {
	mirror  *Mirror
	mu      sync.Mutex
	secrets []terminal49.Secret
	webhook string // id of the mirror's own webhook; "" without one
	problem string // "active", or what is wrong with it; "" without one
	handler atomic.Pointer[webhook.Handler]
}

// ServeHTTP implements http.Handler.
func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	handler := r.handler.Load()
	if r.mirror.creating() {
		http.Error(w, "the tables are being created", http.StatusServiceUnavailable)
		return
	}
	if handler == nil {
		http.Error(w, http.StatusText(http.StatusServiceUnavailable), http.StatusServiceUnavailable)
		return
	}
	reply := &response{ResponseWriter: w}
	handler.ServeHTTP(reply, req.WithContext(context.WithValue(req.Context(), responseKey{}, reply)))
}

// learn makes the receiver accept deliveries with these secrets too. Earlier secrets stay valid,
// because deliveries may be on their way.
func (r *receiver) learn(secrets ...terminal49.Secret) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	known := r.secrets
	for _, secret := range secrets {
		if !secret.IsZero() && !contains(known, secret) {
			known = append(known[:len(known):len(known)], secret)
		}
	}
	if len(known) == len(r.secrets) {
		return nil
	}
	handler, err := webhook.NewHandler(webhook.WithSecrets(known...), webhook.WithDedupe(inboxDedupe{}, time.Hour),
		webhook.OnAny(r.mirror.receive), webhook.OnDeadLetter(r.mirror.receiveDead), webhook.OnDelivery(r.mirror.delivered))
	if err == nil {
		r.secrets = known
		r.handler.Store(handler)
	}
	return err
}

// Own returns the id of the mirror's own webhook; "" without one.
func (r *receiver) Own() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.webhook
}

func (r *receiver) setOwn(webhook string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.webhook = webhook
}

// State returns "active", or what is wrong with the mirror's webhook; "" without one.
func (r *receiver) State() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.problem
}

func (r *receiver) setState(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.problem = "active"; err != nil {
		r.problem = err.Error()
	}
}

func contains(list []terminal49.Secret, secret terminal49.Secret) bool {
	return slices.ContainsFunc(list, func(one terminal49.Secret) bool { return one.Reveal() == secret.Reveal() })
}

func (m *Mirror) receive(ctx context.Context, n *webhook.Notification) error {
	hide := m.client.RedactToken
	body := model.HideIn(n.Raw(), hide)
	if !model.IsStorableID(n.ID) || !model.IsStorableID(string(n.Event)) {
		return m.db.Receive(ctx, deadLetter(body, "the id or the event is longer than 200 bytes or has a NUL"))
	}
	created, _ := n.CreatedAt.Instant()
	return m.db.Receive(ctx, store.Arrival{
		ID: hide(n.ID), Event: hide(string(n.Event)), Created: created, Source: "webhook", State: store.StateNew, Body: model.Scrub(body),
	})
}

// errDead is returned by the dead-letter callback after it has stored one. The handler acknowledges
// dead letters whatever the error, so success needs an error of its own.
var errDead = errors.New("mirror: it was stored")

func (m *Mirror) receiveDead(ctx context.Context, letter webhook.DeadLetter) error {
	hide := m.client.RedactToken
	if err := m.db.Receive(ctx, deadLetter(model.HideIn(letter.Body, hide), hide(letter.Err.Error()))); err != nil {
		return err
	}
	return errDead
}

// deadLetter returns the arrival of a dead letter, with the hash of the body as its id. A body that
// is not JSON is not stored: there is no way to find secrets in it.
func deadLetter(body []byte, problem string) store.Arrival {
	sum := sha256.Sum256(body)
	a := store.Arrival{ID: "dead-letter-" + hex.EncodeToString(sum[:]), Source: "webhook", State: store.StateDead, Problem: model.StorableText(problem)}
	if json.Valid(body) {
		a.Body = model.Scrub(body)
	}
	return a
}

// delivered logs a delivery. If it is a dead letter that was not stored, delivered makes the status
// 500, so that the service delivers it again.
func (m *Mirror) delivered(ctx context.Context, d webhook.Delivery) {
	dead := d.Outcome == webhook.OutcomeDeadLettered
	if reply, ok := ctx.Value(responseKey{}).(*response); ok && dead && !errors.Is(d.Err, errDead) {
		reply.failed, d.StatusCode = true, http.StatusInternalServerError
	}
	log := m.opts.Log.With("notification", d.NotificationID, "event", d.Event, "outcome", d.Outcome, "status", d.StatusCode)
	switch {
	case d.StatusCode >= http.StatusInternalServerError:
		log.ErrorContext(ctx, "mirror: a delivery could not be stored; the service delivers it again", "error", d.Err)
	case dead:
		log.WarnContext(ctx, "mirror: a signed delivery is not a notification; it is stored as a dead letter", "error", d.Err)
	case d.StatusCode != http.StatusOK:
		log.WarnContext(ctx, "mirror: a request to the receiver was refused", "error", d.Err)
	default:
		log.DebugContext(ctx, "mirror: a notification was stored")
	}
}

type responseKey struct{}

// response replaces a status below 500 by 500 if failed is set.
type response struct {
	http.ResponseWriter
	failed bool
}

// WriteHeader implements http.ResponseWriter.
func (r *response) WriteHeader(status int) {
	if r.failed && status < http.StatusInternalServerError {
		status = http.StatusInternalServerError
	}
	r.ResponseWriter.WriteHeader(status)
}

// Unwrap returns the writer with the deadlines, for http.ResponseController.
func (r *response) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// inboxDedupe stores nothing, because the inbox ignores a notification that it already has. A
// notification that a failing database lost can therefore be delivered again.
type inboxDedupe struct{}

// Claim implements webhook.DedupeStore.
func (inboxDedupe) Claim(context.Context, string, string, time.Duration) (webhook.DedupeState, error) {
	return webhook.DedupeClaimed, nil
}

// Complete implements webhook.DedupeStore.
func (inboxDedupe) Complete(context.Context, string, string, time.Duration) error { return nil }

// Release implements webhook.DedupeStore.
func (inboxDedupe) Release(context.Context, string, string) error { return nil }

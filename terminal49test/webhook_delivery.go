package terminal49test

import (
	"bytes"
	"cmp"
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/state"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

const (
	// webhookRetries is the number of retries before a delivery fails.
	webhookRetries = 12
	// The service does not document its waits. Here each is twice the previous one.
	firstRedelivery, lastRedelivery = 15 * time.Second, 4 * time.Hour
	// deactivateAfter is how many failed notifications in a row deactivate a webhook. The service
	// does not document it.
	deactivateAfter = 5
)

// WebhookDelivery is one attempt to deliver a notification to its webhook.
type WebhookDelivery struct {
	Number         int       `json:"number,omitzero"` // 1 for the first attempt of the server
	NotificationID string    `json:"notification,omitzero"`
	WebhookID      string    `json:"webhook,omitzero"`
	Event          string    `json:"event,omitzero"`
	At             time.Time `json:"at,omitzero"` // simulated time
	// Attempt is 1 for the first attempt; 0 for a duplicate or a call of Redeliver.
	Attempt int         `json:"attempt,omitzero"`
	URL     string      `json:"url,omitzero"`
	Header  http.Header `json:"headers,omitzero"`
	Body    []byte      `json:"body,omitzero" form:"text"`
	Status  int         `json:"status,omitzero"` // of the response; 0 if there was none
	Error   string      `json:"error,omitzero"`  // "" if there was a response
}

// WebhookDeliveries returns the attempts so far, in order, without the samples sent by POST
// /webhooks/trigger: the last 10,000, or as many as [WithLog] sets. Without [WithWebhookHandler]
// and [WithWebhookTransport] nothing is sent, and every notification counts as delivered. The
// package documentation describes retries and deactivation.
func (s *Server) WebhookDeliveries() []WebhookDelivery { return s.WebhookDeliveriesAfter(0) }

// WebhookDeliveriesAfter returns those of [Server.WebhookDeliveries] with a higher number, so that
// a program which polls reads each attempt once.
func (s *Server) WebhookDeliveriesAfter(number int) []WebhookDelivery {
	return readWorld(s, func(w *world) []WebhookDelivery {
		list := slices.Clone(newerThan(w.deliveries.List(), number, func(d WebhookDelivery) int { return d.Number }))
		for i := range list {
			list[i].Body = bytes.Clone(list[i].Body)
		}
		return list
	})
}

// Redeliver delivers a notification of any status again, at once. It reports false if
// the notification is unknown, its webhook is not active or no transport is set.
func (s *Server) Redeliver(notification string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.catchUp()
	n := s.world.notifications.Get(notification)
	if n == nil {
		return false
	}
	if h := s.world.webhooks.Get(n.Webhook); h == nil || h.Inactive || s.config.deliveries == nil {
		return false
	}
	s.attemptDelivery(&deliveryAttempt{notification: n.ID, at: now, body: s.world.bodyOf(n.ID)})
	return true
}

// HoldWebhooks makes the deliveries that become due wait, until it is called with false: then all
// of them are delivered at once, in order. Redeliver does not wait.
func (s *Server) HoldWebhooks(hold bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.catchUp()
	if s.world.held = hold; hold {
		return
	}
	for _, m := range s.world.due {
		m.at = now
	}
	s.runDue()
}

// deliveryQueue holds the pending and the past deliveries.
type deliveryQueue struct {
	enabled      bool // false without a transport
	held         bool // what is due waits
	lateBodies   bool // a body is written at the first delivery rather than at the event
	noise        WebhookNoise
	lose         func(WebhookNotification) bool
	planned      int
	due          []*deliveryAttempt
	deliveries   state.Newest[WebhookDelivery]
	delivered    int                      // attempts, also those that are not kept
	unwritten    []*deliveryBody          // of the current instant
	bodies       map[string]*deliveryBody // by notification
	bodyOrder    state.Newest[string]     // the notifications that have one
	failedInARow map[string]int           // by webhook
}

// deliveryAttempt is the task of one attempt to deliver a notification.
type deliveryAttempt struct {
	notification string
	try          int // 0 means a duplicate, whose result does not count
	at           time.Time
	body         *deliveryBody
}

func (m *deliveryAttempt) about() wire.Ref {
	return wire.Ref{Kind: "webhook_notification", ID: m.notification}
}

func (m *deliveryAttempt) run(w *world, _ time.Time) {
	w.writeBody(m.body)
	w.due = append(w.due, m)
}

// deliveryBody is the body of all attempts to deliver a notification.
type deliveryBody struct {
	notification string
	raw          []byte // nil until it is written
}

// planDelivery plans the delivery of a new notification.
func (w *world) planDelivery(n *WebhookNotification, at time.Time) {
	if !w.enabled {
		w.Plan(at.Add(deliveryDelay), succeed{n.ID})
		return
	}
	if !w.lateBodies {
		w.unwritten = append(w.unwritten, w.bodyOf(n.ID))
	}
	w.planned++
	if w.loses(n) {
		n.DeliveryStatus = cmp.Or(w.noise.LostStatus, "pending")
		return
	}
	every := func(k int) bool { return k > 0 && w.planned%k == 0 }
	due := at.Add(deliveryDelay)
	if every(w.noise.DelayEvery) {
		due = due.Add(w.noise.Delay)
	}
	body := w.bodyOf(n.ID)
	w.planAttempt(&deliveryAttempt{notification: n.ID, try: 1, at: due, body: body})
	if every(w.noise.DuplicateEvery) {
		w.planAttempt(&deliveryAttempt{notification: n.ID, at: due.Add(deliveryDelay), body: body})
	}
}

// loses reports whether a notification is never delivered.
func (w *world) loses(n *WebhookNotification) bool {
	lost := w.ids.Draw("lost/"+n.ID) < w.noise.Lost
	if !lost && w.lose != nil {
		w.lock.during(func() { lost = w.lose(*n) })
	}
	return lost
}

func (w *world) planAttempt(m *deliveryAttempt) { w.Plan(m.at, m) }

// writeBodies writes the bodies of the instant's events, once everything of that instant is done.
func (w *world) writeBodies() {
	for _, b := range w.unwritten {
		w.writeBody(b)
	}
	w.unwritten = nil
}

// bodyOf returns the same body for every attempt to deliver a notification, as long as it is one of
// the newest or an attempt is planned.
func (w *world) bodyOf(notification string) *deliveryBody {
	if b := w.bodies[notification]; b != nil {
		return b
	}
	b := &deliveryBody{notification: notification}
	w.bodies[notification] = b
	for _, old := range w.bodyOrder.Add(notification) {
		delete(w.bodies, old)
	}
	return b
}

// replacesNotification drops the deliveries of a notification whose id a new one has.
func (w *world) replacesNotification(id string) {
	if w.notifications.Get(id) == nil {
		return
	}
	w.replaces(wire.Ref{Kind: "webhook_notification", ID: id}, true)
	w.due = slices.DeleteFunc(w.due, func(m *deliveryAttempt) bool { return m.notification == id })
	w.unwritten = slices.DeleteFunc(w.unwritten, func(b *deliveryBody) bool { return b.notification == id })
	delete(w.bodies, id)
}

func (w *world) writeBody(b *deliveryBody) []byte {
	if b.raw == nil {
		payload := w.payload(w.notifications.Get(b.notification))
		b.raw = wire.AppendJSON(make([]byte, 0, payload.Size()), payload)
	}
	return b.raw
}

// runDue runs the tasks that are due and makes the deliveries they cause. Callers hold the lock,
// which is released during each delivery; a concurrent caller leaves the remaining deliveries to
// the first one.
func (s *Server) runDue() {
	if s.delivering {
		s.world.advance(s.clock.Now())
		return
	}
	s.delivering = true
	defer func() { s.delivering = false }()
	for {
		if s.deliveryContext.Err() != nil {
			s.world.due = nil // a delivery after Close would fail and plan the next
		}
		if len(s.world.due) > 0 && !s.world.held {
			next := s.world.due[0]
			s.world.due = s.world.due[1:]
			s.attemptDelivery(next)
		} else if !s.world.step(s.clock.Now()) {
			return
		}
	}
}

func (s *Server) attemptDelivery(m *deliveryAttempt) {
	w := s.world
	n := w.notifications.Get(m.notification)
	h := w.webhooks.Get(n.Webhook)
	if h == nil || h.Inactive {
		w.markFailed(n, m.try)
		return
	}
	d := WebhookDelivery{NotificationID: n.ID, WebhookID: h.ID, Event: n.Event, At: m.at, Attempt: m.try, URL: h.URL, Body: w.writeBody(m.body)}
	req, err := newDelivery(h.URL, d.Body, h.Secret)
	if err == nil {
		for _, header := range h.Headers {
			req.Header.Set(header.Name, header.Value)
		}
		d.Header = req.Header.Clone()
		var resp *http.Response
		resp, _, err = (&exchange{s: s}).deliver(req.WithContext(s.deliveryContext))
		if err == nil {
			d.Status = resp.StatusCode
		}
	}
	if err != nil {
		d.Error = err.Error()
	}
	w.delivered++
	d.Number = w.delivered
	w.deliveries.Add(d)
	w.recordResult(m, n, isDelivered(d.Status))
	w.remember(m.at)
}

// recordResult sets the notification's status after an attempt and plans the retry.
func (w *world) recordResult(m *deliveryAttempt, n *WebhookNotification, ok bool) {
	switch {
	case m.try == 0 || n.DeliveryStatus != "pending" || w.notifications.Get(n.ID) != n:
	case ok:
		w.notifications.Own(n.ID)
		n.DeliveryStatus = "succeeded"
		delete(w.failedInARow, n.Webhook)
	case m.try > webhookRetries:
		w.markFailed(n, m.try)
		w.failedInARow[n.Webhook]++
		if h := w.webhooks.Own(n.Webhook); h != nil && w.failedInARow[n.Webhook] >= deactivateAfter {
			h.Inactive, w.failedInARow[h.ID] = true, 0
		}
	default:
		wait := min(firstRedelivery<<(m.try-1), lastRedelivery)
		w.planAttempt(&deliveryAttempt{notification: n.ID, try: m.try + 1, at: m.at.Add(wait), body: m.body})
	}
}

func (w *world) markFailed(n *WebhookNotification, try int) {
	if try > 0 && n.DeliveryStatus == "pending" {
		w.notifications.Own(n.ID)
		n.DeliveryStatus = "failed"
	}
}

// deliverUntil makes deliveries as the clock runs, until ctx ends.
func (s *Server) deliverUntil(ctx context.Context, changed <-chan struct{}) {
	for {
		s.mu.Lock()
		s.runDue()
		wait := s.timeToNextTask()
		s.mu.Unlock()
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-changed:
		case <-ctx.Done():
			timer.Stop()
			return
		}
		timer.Stop()
	}
}

// timeToNextTask is how long, on the process clock, until the next task is due.
func (s *Server) timeToNextTask() time.Duration {
	at, ok := s.world.NextAt()
	if !ok || s.clock.Speed == 0 {
		return time.Hour // a new task or speed ends the wait
	}
	return max(time.Duration(float64(at.Sub(s.clock.Now()))/s.clock.Speed), time.Millisecond)
}

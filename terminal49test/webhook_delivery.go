package terminal49test

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"time"
)

const (
	// webhookRetries is how often a delivery is tried again before it counts as failed.
	webhookRetries = 12
	// The service does not say how long it waits between tries. Here each wait is twice the last.
	firstRedelivery, lastRedelivery = 15 * time.Second, 4 * time.Hour
	// deactivateAfter is how many deliveries given up in a row switch a webhook off. The service does not say either.
	deactivateAfter = 5
)

// WebhookDelivery is a notification on its way to an endpoint, once for each try.
type WebhookDelivery struct {
	Notification, Webhook, Event string
	At                           time.Time // in the world
	Try                          int       // 1 is the first; 0 for one that came twice
	URL                          string
	Header                       http.Header
	Body                         []byte
	Status                       int    // of the answer; 0 if there was none
	Error                        string // why there was none
}

// WebhookDeliveries gives all tries so far to deliver a notification, in order. Samples sent by POST /webhooks/trigger
// are not among them.
//
// Deliveries happen on the world's clock, one at a time, and only with WithWebhookHandler or WithWebhookTransport;
// otherwise every notification counts as delivered. With WithSpeed(0) it is Advance that makes them, and it returns once
// they are made. A delivery that is not answered with 200, 201, 202 or 204 within ten seconds is tried again up to 12
// times, the first time after 15 seconds, each time after twice as long, up to 4 hours. Five notifications in a row that
// are given up switch their webhook off.
func (s *Server) WebhookDeliveries() []WebhookDelivery {
	return withWorld(s, func(w *world) []WebhookDelivery { return slices.Clone(w.deliveries) })
}

// Redeliver delivers a notification once more at once, whatever became of it, and reports whether there is one with that
// id whose webhook is on.
func (s *Server) Redeliver(notification string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.catchUp()
	n := s.world.notifications.get(notification)
	if n == nil {
		return false
	}
	if h := s.world.webhooks.get(n.Webhook); h == nil || h.Inactive || s.config.deliveries == nil {
		return false
	}
	s.attemptDelivery(&deliveryAttempt{n: n, at: now, body: s.world.deliveryBody(n)})
	return true
}

// postOffice is the part of the world that delivers.
type deliveryQueue struct {
	enabled      bool // without a transport nothing is delivered
	noise        WebhookNoise
	planned      int
	due          []*deliveryAttempt
	deliveries   []WebhookDelivery
	bodies       map[string][]byte // by notification
	failedInARow map[string]int    // in a row, by webhook
}

// sending is one try.
type deliveryAttempt struct {
	n    *WebhookNotification
	try  int // 0 for one more than needed, whose outcome does not count
	at   time.Time
	body []byte
}

// post plans the delivery of a new notification.
func (w *world) planDelivery(n *WebhookNotification, at time.Time) {
	if !w.enabled {
		w.plan(at.Add(deliveryDelay), func(time.Time) {
			if n.DeliveryStatus == "pending" {
				n.DeliveryStatus = "succeeded"
			}
		})
		return
	}
	w.planned++
	every := func(k int) bool { return k > 0 && w.planned%k == 0 }
	due := at.Add(deliveryDelay)
	if every(w.noise.DelayEvery) {
		due = due.Add(w.noise.Delay)
	}
	w.planAttempt(&deliveryAttempt{n: n, try: 1, at: due})
	if every(w.noise.DuplicateEvery) {
		w.planAttempt(&deliveryAttempt{n: n, at: due.Add(deliveryDelay)})
	}
}

func (w *world) planAttempt(m *deliveryAttempt) {
	w.plan(m.at, func(at time.Time) {
		m.at, m.body = at, w.deliveryBody(m.n)
		w.due = append(w.due, m)
	})
}

// bodyOf is what every try to deliver a notification carries: the same bytes.
func (w *world) deliveryBody(n *WebhookNotification) []byte {
	if w.bodies == nil {
		w.bodies = map[string][]byte{}
	}
	if w.bodies[n.ID] == nil {
		w.bodies[n.ID] = appendJSON(nil, w.payload(n))
	}
	return w.bodies[n.ID]
}

// work lets everything due happen and delivers what comes of it. The lock, which callers hold, is given up during each
// delivery; whoever comes meanwhile leaves the rest of the deliveries to whoever was first.
func (s *Server) runDue() {
	if s.delivering {
		s.world.advance(s.clock.now())
		return
	}
	s.delivering = true
	defer func() { s.delivering = false }()
	for {
		if len(s.world.due) > 0 {
			m := s.world.due[0]
			s.world.due = s.world.due[1:]
			s.attemptDelivery(m)
		} else if !s.world.step(s.clock.now()) {
			return
		}
	}
}

func (s *Server) attemptDelivery(m *deliveryAttempt) {
	h := s.world.webhooks.get(m.n.Webhook)
	if h == nil || h.Inactive {
		s.world.markFailed(m)
		return
	}
	d := WebhookDelivery{Notification: m.n.ID, Webhook: h.ID, Event: m.n.Event, At: m.at, Try: m.try, URL: h.URL, Body: bytes.Clone(m.body)}
	req, err := newDelivery(h.URL, m.body, h.Secret)
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
	s.world.deliveries = append(s.world.deliveries, d)
	s.world.recordResult(m, isDelivered(d.Status))
}

// settleDelivery says what comes of a try.
func (w *world) recordResult(m *deliveryAttempt, ok bool) {
	switch {
	case m.try == 0 || m.n.DeliveryStatus != "pending":
	case ok:
		m.n.DeliveryStatus = "succeeded"
		delete(w.failedInARow, m.n.Webhook)
	case m.try > webhookRetries:
		w.markFailed(m)
		if w.failedInARow == nil {
			w.failedInARow = map[string]int{}
		}
		w.failedInARow[m.n.Webhook]++
		if h := w.webhooks.get(m.n.Webhook); h != nil && w.failedInARow[m.n.Webhook] >= deactivateAfter {
			h.Inactive, w.failedInARow[h.ID] = true, 0
		}
	default:
		wait := min(firstRedelivery<<(m.try-1), lastRedelivery)
		w.planAttempt(&deliveryAttempt{n: m.n, try: m.try + 1, at: m.at.Add(wait)})
	}
}

func (w *world) markFailed(m *deliveryAttempt) {
	if m.try > 0 && m.n.DeliveryStatus == "pending" {
		m.n.DeliveryStatus = "failed"
	}
}

// rounds delivers what falls due as the clock runs, until the server is closed.
func (s *Server) deliverUntil(ctx context.Context) {
	for {
		s.mu.Lock()
		s.runDue()
		wait := s.timeToNextTask()
		s.mu.Unlock()
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-s.world.changed:
		case <-ctx.Done():
			timer.Stop()
			return
		}
		timer.Stop()
	}
}

// untilNext is how long it is on the program's clock until something is due.
func (s *Server) timeToNextTask() time.Duration {
	at, ok := s.world.nextAt()
	if !ok {
		return time.Hour // something planned meanwhile wakes it
	}
	return max(time.Duration(float64(at.Sub(s.clock.now()))/s.clock.speed), time.Millisecond)
}

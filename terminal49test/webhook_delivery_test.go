package terminal49test_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

// recordingEndpoint records deliveries and responds with the given status.
type recordingEndpoint struct {
	status func(try int) int
	bodies []string
	heads  []http.Header
}

func (i *recordingEndpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	i.bodies, i.heads = append(i.bodies, string(body)), append(i.heads, r.Header)
	if i.status == nil {
		w.WriteHeader(http.StatusOK)
		return
	}
	w.WriteHeader(i.status(len(i.bodies)))
}

// newWebhookServer returns a server with a webhook for container.updated, and a function that
// causes such an event.
func newWebhookServer(t *testing.T, h http.Handler, opts ...terminal49test.Option) (srv *terminal49test.Server, webhook string, change func()) {
	t.Helper()
	srv = newServer(t, append(opts, terminal49test.WithWebhookHandler(h))...)
	container := srv.AddContainer(terminal49test.Container{Number: "MSCU1234566"})
	webhook = srv.AddWebhook(terminal49test.Webhook{
		URL: "https://a.example/hook", Events: []string{"container.updated"}, Secret: "s3cret",
		Headers: []terminal49test.WebhookHeader{{Name: "X-Api-Key", Value: "open"}},
	})
	available := false
	return srv, webhook, func() {
		available = !available
		srv.UpdateContainer(container, func(c *terminal49test.Container) { c.AvailableForPickup = terminal49test.Bool(available) })
	}
}

func TestWebhookDelivery_SignedOnceAndRecorded(t *testing.T) {
	in := &recordingEndpoint{}
	srv, webhook, change := newWebhookServer(t, in)
	change()
	if len(in.bodies) != 0 {
		t.Fatal("delivered before the clock moved")
	}
	srv.Advance(time.Second)
	if len(in.bodies) != 1 {
		t.Fatalf("%d deliveries, want 1", len(in.bodies))
	}
	head, n := in.heads[0], srv.WebhookNotifications()[0]
	for name, want := range map[string]string{
		"Content-Type": "application/json", "User-Agent": "Terminal49 Webhook Bot", "X-Api-Key": "open",
		"X-T49-Webhook-Signature": terminal49test.SignWebhook("s3cret", []byte(in.bodies[0])),
	} {
		if got := head.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if n.DeliveryStatus != "succeeded" {
		t.Errorf("the notification has status %s", n.DeliveryStatus)
	}
	list := srv.WebhookDeliveries()
	if len(list) != 1 || list[0].NotificationID != n.ID || list[0].WebhookID != webhook || list[0].Attempt != 1 || list[0].Status != 200 ||
		string(list[0].Body) != in.bodies[0] || !list[0].At.Equal(start.Add(time.Second)) {
		t.Errorf("recorded %+v", list)
	}

	if !srv.Redeliver(n.ID) || srv.Redeliver("unknown") {
		t.Error("only an existing notification can be redelivered")
	}
	if len(in.bodies) != 2 || in.bodies[1] != in.bodies[0] || srv.WebhookDeliveries()[1].Attempt != 0 {
		t.Error("a redelivery must have the same body")
	}
	by := srv.AddWebhookNotification(terminal49test.WebhookNotification{Event: n.Event, Webhook: webhook, ReferenceType: n.ReferenceType, ReferenceID: n.ReferenceID})
	if !srv.Redeliver(by) || len(in.bodies[2]) == 0 {
		t.Error("a notification that was never delivered must be redelivered")
	}
	srv.UpdateWebhook(webhook, func(h *terminal49test.Webhook) { h.Inactive = true })
	if srv.Redeliver(n.ID) {
		t.Error("redelivered to an inactive webhook")
	}
}

// Not every 2xx counts as delivered. Retries carry the same bytes, at doubling intervals.
func TestWebhookDelivery_Retries(t *testing.T) {
	answers := []int{500, 206, 301, 404, 204}
	in := &recordingEndpoint{status: func(try int) int { return answers[try-1] }}
	srv, _, change := newWebhookServer(t, in)
	change()
	srv.Advance(10 * time.Minute)
	if len(in.bodies) != len(answers) || len(slices.Compact(slices.Clone(in.bodies))) != 1 {
		t.Fatalf("%d deliveries, want %d of the same", len(in.bodies), len(answers))
	}
	var after []time.Duration
	for i, d := range srv.WebhookDeliveries() {
		if d.Attempt != i+1 || d.Status != answers[i] {
			t.Errorf("attempt %d has status %d", d.Attempt, d.Status)
		}
		after = append(after, d.At.Sub(start))
	}
	if want := []time.Duration{1e9, 16e9, 46e9, 106e9, 226e9}; !slices.Equal(after, want) {
		t.Errorf("attempts after %v, want %v", after, want)
	}
	if got := srv.WebhookNotifications()[0].DeliveryStatus; got != "succeeded" {
		t.Errorf("the notification has status %s", got)
	}
}

// After twelve retries a notification fails; five such failures in a row deactivate the webhook.
func TestWebhookDelivery_DeactivatesAfterFailures(t *testing.T) {
	fails := true
	in := &recordingEndpoint{status: func(int) int {
		if fails {
			return 500
		}
		return 200
	}}
	srv, webhook, change := newWebhookServer(t, in)
	for range 4 {
		change()
	}
	srv.Advance(48 * time.Hour)
	for _, n := range srv.WebhookNotifications() {
		if n.DeliveryStatus != "failed" {
			t.Errorf("the notification has status %s", n.DeliveryStatus)
		}
	}
	if len(in.bodies) != 4*13 {
		t.Errorf("%d deliveries, want 13 of each notification", len(in.bodies))
	}
	fails = false
	change()
	srv.Advance(time.Hour) // a success in between, so the failures are not in a row
	fails = true
	for range 4 {
		change()
	}
	srv.Advance(48 * time.Hour)
	if h, _ := srv.Webhook(webhook); h.Inactive {
		t.Error("deactivated too early")
	}
	change()
	srv.Advance(48 * time.Hour)
	if h, _ := srv.Webhook(webhook); !h.Inactive {
		t.Error("not deactivated")
	}
	count := len(in.bodies)
	change()
	srv.Advance(time.Hour)
	if len(in.bodies) != count || len(srv.WebhookNotifications()) != 10 {
		t.Error("notified while inactive")
	}
	srv.UpdateWebhook(webhook, func(h *terminal49test.Webhook) { h.Inactive = false })
	fails = false
	change()
	srv.Advance(time.Hour)
	if len(in.bodies) != count+1 {
		t.Error("not notified after reactivation")
	}
}

func TestWebhookDelivery_ConnectionErrors(t *testing.T) {
	srv := newServer(t, terminal49test.WithWebhookTransport(failingTransport{}))
	container := srv.AddContainer(terminal49test.Container{Number: "MSCU1234566"})
	id := srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example", Events: []string{"container.updated"}})
	srv.UpdateContainer(container, func(c *terminal49test.Container) { c.AvailableForPickup = terminal49test.Bool(true) })
	srv.Advance(2 * time.Second)
	if list := srv.WebhookDeliveries(); len(list) != 1 || list[0].Error != "connection refused" || list[0].Status != 0 {
		t.Errorf("recorded %+v", list)
	}
	checkReply(t, callAPI(t, srv, "DELETE", "/webhooks/"+id, ""), 200, nil)
	srv.Advance(time.Hour)
	if n := srv.WebhookNotifications()[0]; n.DeliveryStatus != "failed" {
		t.Errorf("the notification of a deleted webhook has status %s", n.DeliveryStatus)
	}
	panics := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	srv, _, change := newWebhookServer(t, panics)
	change()
	srv.Advance(time.Second)
	if list := srv.WebhookDeliveries(); len(list) != 1 || list[0].Error == "" {
		t.Errorf("recorded %+v", list)
	}
}

// Noise duplicates and delays deliveries.
func TestWebhookDelivery_Noise(t *testing.T) {
	in := &recordingEndpoint{}
	srv, _, change := newWebhookServer(t, in, terminal49test.WithWebhookNoise(terminal49test.WebhookNoise{DuplicateEvery: 3, DelayEvery: 2, Delay: time.Minute}))
	for range 6 {
		change()
		srv.Advance(5 * time.Second)
	}
	srv.Advance(time.Hour)
	var order []int
	notifications := srv.WebhookNotifications()
	for _, d := range srv.WebhookDeliveries() {
		order = append(order, 1+slices.IndexFunc(notifications, func(n terminal49test.WebhookNotification) bool { return n.ID == d.NotificationID }))
	}
	if want := []int{1, 3, 3, 5, 2, 4, 6, 6}; !slices.Equal(order, want) {
		t.Errorf("delivered %v, want %v", order, want)
	}
}

// With a running clock Advance is not needed, and an endpoint can call the service meanwhile.
func TestWebhookDelivery_RunningClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var srv *terminal49test.Server
		var count atomic.Int64
		srv = terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(60), terminal49test.WithWebhookHandler(
			http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				getAPI(t, srv, "/shipping_lines")
				count.Add(1)
				w.WriteHeader(http.StatusOK)
			})))
		defer srv.Close()
		srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example", Events: []string{"tracking_request.succeeded"}})
		srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MAEU123456789", SCAC: "MAEU"})
		time.Sleep(200 * time.Millisecond)
		if n := count.Load(); n != 1 {
			t.Errorf("%d deliveries within 12 simulated seconds, want 1", n)
		}
	})
}

// A late delivery carries the data of its event, unless bodies are written at delivery.
func TestWebhookDelivery_BodyIsOfTheEvent(t *testing.T) {
	for name, c := range map[string]struct {
		opts []terminal49test.Option
		want []bool // availability in the bodies, in the order of delivery
	}{
		"by default":  {nil, []bool{true, false}},
		"at delivery": {[]terminal49test.Option{terminal49test.WithWebhookBodiesAtDelivery()}, []bool{true, true}},
	} {
		in := &recordingEndpoint{}
		noise := terminal49test.WithWebhookNoise(terminal49test.WebhookNoise{DelayEvery: 2, Delay: time.Hour})
		srv, _, change := newWebhookServer(t, in, append(c.opts, noise)...)
		change()
		srv.Advance(time.Minute)
		change() // not available; delivered an hour later
		srv.Advance(time.Minute)
		change()
		srv.Advance(2 * time.Hour)
		if len(in.bodies) != 3 {
			t.Fatalf("%s: %d deliveries, want 3", name, len(in.bodies))
		}
		for i, want := range c.want {
			late := in.bodies[2*i] // the first, and the second, which the third overtook
			if text := fmt.Sprintf(`"available_for_pickup":%t`, want); !strings.Contains(late, text) {
				t.Errorf("%s: delivery %d has no %s: %s", name, 2*i+1, text, late)
			}
		}
	}
}

// Source: the package documentation, "Documents and webhooks". The events of [DefaultJourney] are
// on a grid of six hours from the moment it is found, so each can be compared with a GET.
func TestWebhookDelivery_BodyIsWhatAGetReturnsAtTheEvent(t *testing.T) {
	in := &recordingEndpoint{}
	srv := newServer(t, terminal49test.WithWebhookHandler(in))
	srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example/hook", Events: []string{
		"container.created", "container.updated", "container.transport.vessel_departed", "container.transport.vessel_arrived",
		"container.transport.full_out", "container.transport.empty_in", "container.pickup_lfd.changed",
	}})
	createRequest(t, srv, "MAEU123456789", "MAEU")
	srv.Advance(5 * time.Second)
	states := map[any]map[string]any{} // attributes by time, type and id
	for range 4 * 31 {
		state := map[string]any{}
		list := getAPI(t, srv, "/containers?include=shipment")
		for _, r := range append(list.list("data"), list.list("included")...) {
			state[fmt.Sprint(r.(map[string]any)["id"])] = r.(map[string]any)["attributes"]
		}
		states[srv.Now().Format(time.RFC3339)] = state
		srv.Advance(6 * time.Hour)
	}
	compared := 0
	for _, body := range in.bodies {
		sent := testReply{}
		if err := json.Unmarshal([]byte(body), &sent.doc); err != nil {
			t.Fatal(err)
		}
		at, event := sent.at("data/attributes/created_at"), sent.at("data/attributes/event")
		for _, r := range sent.list("included") {
			r := r.(map[string]any)
			if r["type"] != "container" && r["type"] != "shipment" {
				continue
			}
			compared++
			if got, want := fmt.Sprint(r["attributes"]), fmt.Sprint(states[at][fmt.Sprint(r["id"])]); got != want {
				t.Errorf("%v at %v: the %v is\n%v, want\n%v", event, at, r["type"], got, want)
			}
		}
	}
	if compared < 30 {
		t.Errorf("%d resources compared, want at least 30", compared)
	}
}

// An endpoint that was busy when the server was closed receives nothing more: each delivery would
// fail at once, and at a fast clock the next would follow at once.
func TestWebhookDelivery_NoneAfterClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int64
		srv, _, change := newWebhookServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			calls.Add(1)
			<-r.Context().Done()
			w.WriteHeader(http.StatusServiceUnavailable)
		}), terminal49test.WithSpeed(36_000))
		for range 100 {
			change()
		}
		time.Sleep(time.Second)
		before := calls.Load()
		if before == 0 {
			t.Fatal("nothing is delivered")
		}
		srv.Close()
		time.Sleep(time.Hour)
		if after := calls.Load(); after != before {
			t.Errorf("%d deliveries after Close", after-before)
		}
	})
}

// Source: the documentation of HoldWebhooks.
func TestWebhookDelivery_Held(t *testing.T) {
	in := &recordingEndpoint{status: func(try int) int { return map[bool]int{true: 500, false: 200}[try == 1] }}
	srv, _, change := newWebhookServer(t, in)
	srv.HoldWebhooks(true)
	change()
	change()
	srv.Advance(time.Hour)
	if len(in.bodies) != 0 || srv.WebhookNotifications()[0].DeliveryStatus != "pending" {
		t.Fatalf("%d deliveries while they are held", len(in.bodies))
	}
	released := srv.Now()
	srv.HoldWebhooks(false)
	if d := srv.WebhookDeliveries(); len(d) != 2 || d[0].Status != 500 || d[1].Status != 200 || !d[0].At.Equal(released) {
		t.Fatalf("%+v", d)
	}
	srv.Advance(15 * time.Second) // the wait before the second attempt
	if len(in.bodies) != 3 || in.bodies[2] != in.bodies[0] {
		t.Errorf("%d deliveries after the release", len(in.bodies))
	}
}

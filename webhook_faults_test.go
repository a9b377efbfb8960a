package terminal49

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// roomSeen notes how much room there is for the first read.
type roomSeen struct{ room int }

func (r *roomSeen) Read(p []byte) (int, error) { r.room = max(r.room, len(p)); return 0, io.EOF }

func TestWebhookBodyNotYetSent(t *testing.T) {
	var calls atomic.Int64
	body := &roomSeen{}
	r := signedRequest(nil)
	r.Header.Set(WebhookSignatureHeader, strings.Repeat("0", 64)) // the right form, and nobody's signature
	r.Body, r.ContentLength = io.NopCloser(body), DefaultWebhookBodyLimit
	require.Equal(t, 401, serve(newHandler(t, counting(&calls)), r).Code)
	require.LessOrEqual(t, body.room, 32<<10)

	srv := httptest.NewServer(newHandler(t, counting(&calls), WithWebhookTimeout(100*time.Millisecond)))
	defer srv.Close()
	conn, err := net.Dial("tcp", srv.Listener.Addr().String())
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, conn.SetDeadline(time.Now().Add(10*time.Second)))
	fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 1000\r\n%s: %064d\r\n\r\nbegun", WebhookSignatureHeader, 0)
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	answer.Body.Close()
	require.Equal(t, 400, answer.StatusCode)
	require.Zero(t, calls.Load())
}

func TestWebhookObserverPanics(t *testing.T) {
	var calls atomic.Int64
	h := newHandler(t, counting(&calls), OnDelivery(func(context.Context, WebhookDelivery) { panic("boom") }))
	require.Equal(t, 200, serve(h, signedRequest(numbered(1))).Code)
	require.EqualValues(t, 1, calls.Load())
}

func TestWebhookDeadLetterFails(t *testing.T) {
	var calls atomic.Int64
	noRoom := errors.New("no room")
	for name, fail := range map[string]func() error{
		"error": func() error { return noRoom }, "panic": func() error { panic(noRoom) },
	} {
		var d WebhookDelivery
		h := newHandler(t, counting(&calls), OnDeadLetter(func(context.Context, DeadLetter) error { return fail() }),
			OnDelivery(func(_ context.Context, seen WebhookDelivery) { d = seen }))
		require.Equal(t, 200, serve(h, signedRequest([]byte(`{}`))).Code, name)
		require.Equal(t, WebhookDeadLettered, d.Outcome)
		require.ErrorIs(t, d.Err, ErrNotNotification)
		require.ErrorContains(t, d.Err, "no room")
	}
	other := []byte(`{"data":{"id":"a","type":"shipment","attributes":{"event":"container.updated"}}}`)
	_, err := ParseNotification(other)
	require.ErrorIs(t, err, ErrNotNotification)
}

func TestFailedNotificationsWithoutTime(t *testing.T) {
	const item = `{"id":"%d","type":"webhook_notification","attributes":{"delivery_status":"failed","created_at":%s}}`
	items := ""
	for i, at := range []string{`"2024-07-02T00:00:00Z"`, `null`, `"soon"`, `"2024-06-30T00:00:00Z"`} {
		items += fmt.Sprintf(","+item, i, at)
	}
	client := newClient(t, answer(200, `{"data":[`+items[1:]+`],"links":{}}`))
	failed, err := drain(client.WebhookNotifications.Failed(t.Context(), time.Date(2024, 7, 1, 0, 0, 0, 0, time.UTC)))
	require.NoError(t, err)
	require.Len(t, failed, 3)
	order := newestFirst{before: 100}
	at := func(s int64) *WebhookNotification {
		return &WebhookNotification{CreatedAt: NewTime(time.Unix(s, 0), "")}
	}
	require.False(t, order.past([]*WebhookNotification{at(90), {}, at(80)}))
	require.False(t, order.past([]*WebhookNotification{at(70), at(60)}))
}

func TestWebhookIPsOddEntries(t *testing.T) {
	const reply = `{"webhook_notification_ips":["192.0.2.1","somewhere",7,null,"198.51.100.9/24","0.0.0.0/0"],"last_updated":"soon"}`
	ips, err := newClient(t, answer(200, reply)).Webhooks.IPs(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"somewhere", "7", "null", "0.0.0.0/0"}, ips.Unreadable)
	for addr, want := range map[string]bool{"192.0.2.1": true, "198.51.100.200": true, "::ffff:198.51.100.1": true, "198.51.101.1": false} {
		require.Equal(t, want, ips.Contains(netip.MustParseAddr(addr)), addr)
	}
}

// Of two who create in the same second, whoever is first and whichever ID is smaller, both settle on one.
func TestWebhookEnsureRace(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		var both, done sync.WaitGroup
		both.Add(2)
		got := make([]*Webhook, 2)
		for i := range got {
			client := simClient(t, srv, before("webhooks.create", func() {
				both.Done()
				both.Wait()
				time.Sleep(time.Duration(i) * 300 * time.Millisecond)
			}))
			done.Go(func() {
				got[i], _ = client.Webhooks.Ensure(t.Context(), endpointURL, []EventName{EventContainerUpdated})
			})
		}
		done.Wait()
		require.Equal(t, got[0].ID, got[1].ID)
		page, err := simClient(t, srv).Webhooks.List(t.Context(), nil)
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
	})
}

package terminal49

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestWebhookEnsure(t *testing.T) {
	events := []EventName{EventContainerUpdated, EventTrackingRequestFailed}
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		ctx, client := t.Context(), simClient(t, srv)
		other, err := client.Webhooks.Create(ctx, WebhookCreate{URL: "https://elsewhere.example/", Events: events})
		require.NoError(t, err)

		made, err := client.Webhooks.Ensure(ctx, endpointURL, events)
		require.NoError(t, err)
		require.NotEmpty(t, made.Secret.Reveal())
		require.Equal(t, events, made.Events)
		require.NotEqual(t, other.ID, made.ID)

		again, err := client.Webhooks.Ensure(ctx, endpointURL, []EventName{events[1], events[0]})
		require.NoError(t, err)
		require.Equal(t, made.ID, again.ID)
		require.Equal(t, made.Secret.Reveal(), again.Secret.Reveal())
		require.Empty(t, received(srv, "webhooks.update"), "the order of events is no difference")

		more := append(events, EventVesselArrived)
		again, err = client.Webhooks.Ensure(ctx, endpointURL, more)
		require.NoError(t, err)
		require.Equal(t, made.ID, again.ID)
		require.Equal(t, more, again.Events)

		srv.UpdateWebhook(made.ID, func(w *terminal49test.Webhook) {
			w.Inactive, w.Headers = true, []terminal49test.WebhookHeader{{Name: "X-Key", Value: headerValue}}
		})
		again, err = client.Webhooks.Ensure(ctx, endpointURL, more)
		require.NoError(t, err)
		require.True(t, again.Active)
		require.Equal(t, headerValue, again.Headers[0].Value.Reveal(), "headers stay")
		require.Len(t, received(srv, "webhooks.create"), 2)

		time.Sleep(time.Second)
		srv.AddWebhook(terminal49test.Webhook{URL: endpointURL, Events: toStrings(more)})
		again, err = client.Webhooks.Ensure(ctx, endpointURL, more)
		require.NoError(t, err)
		require.Equal(t, made.ID, again.ID, "the oldest is meant")
	})
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		var argument *ArgumentError
		_, err := simClient(t, srv).Webhooks.Ensure(t.Context(), "http://a.example", events)
		require.ErrorAs(t, err, &argument)
		require.Equal(t, "webhooks.ensure", argument.Op)
		_, err = simClient(t, srv).Webhooks.Ensure(t.Context(), endpointURL, nil)
		require.ErrorAs(t, err, &argument)
		require.Empty(t, srv.Requests())
	})
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		_, err := simClient(t, srv).Webhooks.Ensure(t.Context(), endpointURL, events)
		require.ErrorIs(t, err, ErrFeatureNotEnabled)
	}, terminal49test.WithoutWebhooks())
}

// Whoever finds an older webhook after creating one deletes its own and uses the older.
func TestWebhookEnsureAtTheSameMoment(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		var theirs string
		client := simClient(t, srv, before("webhooks.create", func() {
			theirs = srv.AddWebhook(terminal49test.Webhook{URL: endpointURL, Events: []string{"container.updated"}, CreatedAt: srv.Now().Add(-time.Second)})
		}))
		w, err := client.Webhooks.Ensure(t.Context(), endpointURL, []EventName{EventContainerUpdated})
		require.NoError(t, err)
		require.Equal(t, theirs, w.ID)
		require.NotEmpty(t, w.Secret.Reveal())
		page, err := client.Webhooks.List(t.Context(), nil)
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
	})
}

func TestWebhookSource(t *testing.T) {
	const theirs = "35.222.62.171"
	ok := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := simClient(t, srv)
		for name, c := range map[string]struct {
			peer      string
			forwarded []string
			trusted   []netip.Prefix
			want      int
		}{
			"the service":               {peer: theirs + ":49152", want: 200},
			"written as IPv6":           {peer: "[::ffff:" + theirs + "]:49152", want: 200},
			"a stranger":                {peer: "198.51.100.7:1", want: 403},
			"no address":                {peer: "pipe", want: 403},
			"forged without a proxy":    {peer: "198.51.100.7:1", forwarded: []string{theirs}, want: 403},
			"a proxy nobody named":      {peer: "10.1.2.3:1", forwarded: []string{theirs}, want: 403},
			"through a proxy":           {peer: "10.1.2.3:1", forwarded: []string{theirs}, trusted: proxies, want: 200},
			"with its port":             {peer: "10.1.2.3:1", forwarded: []string{theirs + ":4711"}, trusted: proxies, want: 200},
			"through two":               {peer: "10.1.2.3:1", forwarded: []string{theirs + ", fd00::1"}, trusted: proxies, want: 200},
			"in two lines":              {peer: "10.1.2.3:1", forwarded: []string{theirs, "10.9.9.9"}, trusted: proxies, want: 200},
			"forged before the proxy":   {peer: "10.1.2.3:1", forwarded: []string{theirs + ", 198.51.100.7"}, trusted: proxies, want: 403},
			"forged in another line":    {peer: "10.1.2.3:1", forwarded: []string{theirs, "198.51.100.7"}, trusted: proxies, want: 403},
			"the proxy itself":          {peer: "10.1.2.3:1", trusted: proxies, want: 403},
			"garbage through the proxy": {peer: "10.1.2.3:1", forwarded: []string{"unknown"}, trusted: proxies, want: 403},
			"past the proxy":            {peer: "198.51.100.7:1", forwarded: []string{theirs}, trusted: proxies, want: 403},
		} {
			only, err := client.Webhooks.OnlyFromService(&WebhookSourceParams{TrustedProxies: c.trusted})
			require.NoError(t, err)
			r := httptest.NewRequest(http.MethodPost, "https://example.com/", nil)
			r.RemoteAddr = c.peer
			r.Header["X-Forwarded-For"] = c.forwarded
			w := httptest.NewRecorder()
			only(ok).ServeHTTP(w, r)
			require.Equal(t, c.want, w.Code, name)
		}
		synctest.Wait()
	})
}

func TestWebhookSourceRefresh(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		list, failure, fetches := []netip.Addr{netip.MustParseAddr("192.0.2.1")}, error(nil), 0
		newGate := func(open bool) *sourceGate {
			return &sourceGate{
				WebhookSourceParams: WebhookSourceParams{FailOpen: open, RefreshAfter: time.Hour, UselessAfter: 10 * time.Hour},
				fetch: func(context.Context) (WebhookIPs, error) {
					fetches++
					time.Sleep(time.Second)
					return WebhookIPs{Addresses: list}, failure
				},
			}
		}
		ask := func(g *sourceGate, from string) int {
			r := httptest.NewRequest(http.MethodPost, "https://example.com/", nil)
			r.RemoteAddr = from + ":1"
			return g.judge(r)
		}
		gate := newGate(false)
		codes := make(chan int, 5)
		for range 5 {
			go func() { codes <- ask(gate, "192.0.2.1") }()
		}
		for range 5 {
			require.Equal(t, 200, <-codes)
		}
		require.Equal(t, 1, fetches, "all wait for the one fetch")

		list = append(list, netip.MustParseAddr("192.0.2.2")) // the service has a new address
		require.Equal(t, 403, ask(gate, "192.0.2.2"))
		time.Sleep(2 * time.Minute)
		require.Equal(t, 403, ask(gate, "192.0.2.2"), "asks for a newer list, without waiting for it")
		time.Sleep(2 * time.Second)
		require.Equal(t, 200, ask(gate, "192.0.2.2"), "the next try")
		require.Equal(t, 2, fetches)
		for range 100 {
			require.Equal(t, 403, ask(gate, "203.0.113.1"))
		}
		require.Equal(t, 2, fetches, "strangers cannot make it fetch at will")

		failure = errors.New("down")
		time.Sleep(2 * time.Hour)
		began := time.Now()
		require.Equal(t, 200, ask(gate, "192.0.2.1"))
		require.Zero(t, time.Since(began), "refreshed in the background")
		time.Sleep(6 * time.Hour)
		require.Equal(t, 200, ask(gate, "192.0.2.1"), "the old list is better than none")
		time.Sleep(4 * time.Hour)
		require.Equal(t, 503, ask(gate, "192.0.2.1"), "not for ever")
		failure = nil
		time.Sleep(2 * time.Minute)
		require.Equal(t, 200, ask(gate, "192.0.2.1"))

		failure = errors.New("down")
		require.Equal(t, 503, ask(newGate(false), "192.0.2.1"), "fails closed")
		require.Equal(t, 200, ask(newGate(true), "203.0.113.1"), "fails open")
		list, failure = nil, nil
		require.Equal(t, 503, ask(newGate(false), "192.0.2.1"), "an empty list is none")
		synctest.Wait()
	})
}

func TestWebhookSourceRefuses(t *testing.T) {
	client := newClient(t, answer(http.StatusOK, "{}"))
	for _, params := range []WebhookSourceParams{
		{TrustedProxies: []netip.Prefix{{}}}, {RefreshAfter: -1}, {RefreshAfter: 2 * time.Hour, UselessAfter: time.Hour},
	} {
		_, err := client.Webhooks.OnlyFromService(&params)
		var argument *ArgumentError
		require.ErrorAs(t, err, &argument)
	}
	_, err := client.Webhooks.OnlyFromService(nil)
	require.NoError(t, err)
}

package webhook_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

func TestOnlyFrom_AdmitsTheServiceOnly(t *testing.T) {
	const theirs = "35.222.62.171"
	ok := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	loopback := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	mapped := []netip.Prefix{netip.MustParsePrefix("::ffff:10.1.0.0/112")} // 10.1.0.0/16, RFC 4291, 2.5.5.2
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := testkit.SimulatedClient(t, srv)
		for name, c := range map[string]struct {
			peer      string
			forwarded []string
			trusted   []netip.Prefix
			want      int
		}{
			"the service":                 {peer: theirs + ":49152", want: 200},
			"written as IPv6":             {peer: "[::ffff:" + theirs + "]:49152", want: 200},
			"a stranger":                  {peer: "198.51.100.7:1", want: 403},
			"no address":                  {peer: "pipe", forwarded: []string{theirs}, trusted: loopback, want: 403},
			"a trusted Unix socket":       {peer: "@", forwarded: []string{theirs}, trusted: loopback, want: 200},
			"one with a path":             {peer: "/run/p.sock", forwarded: []string{theirs}, trusted: loopback, want: 200},
			"one of macOS, without name":  {peer: "", forwarded: []string{theirs}, trusted: loopback, want: 200},
			"a stranger through it":       {peer: "@", forwarded: []string{theirs + ", 198.51.100.7"}, trusted: loopback, want: 403},
			"a socket not trusted":        {peer: "@", forwarded: []string{theirs}, trusted: proxies, want: 403},
			"a socket without a proxy":    {peer: "@", trusted: loopback, want: 403},
			"forged without a proxy":      {peer: "198.51.100.7:1", forwarded: []string{theirs}, want: 403},
			"a proxy that is not trusted": {peer: "10.1.2.3:1", forwarded: []string{theirs}, want: 403},
			"through a proxy":             {peer: "10.1.2.3:1", forwarded: []string{theirs}, trusted: proxies, want: 200},
			"with its port":               {peer: "10.1.2.3:1", forwarded: []string{theirs + ":4711"}, trusted: proxies, want: 200},
			"through a mapped network":    {peer: "10.1.2.3:1", forwarded: []string{theirs}, trusted: mapped, want: 200},
			"mapped on both sides":        {peer: "[::ffff:10.1.2.3]:1", forwarded: []string{theirs}, trusted: mapped, want: 200},
			"beside a mapped network":     {peer: "10.2.2.3:1", forwarded: []string{theirs}, trusted: mapped, want: 403},
			"through two":                 {peer: "10.1.2.3:1", forwarded: []string{theirs + ", fd00::1"}, trusted: proxies, want: 200},
			"in two lines":                {peer: "10.1.2.3:1", forwarded: []string{theirs, "10.9.9.9"}, trusted: proxies, want: 200},
			"forged before the proxy":     {peer: "10.1.2.3:1", forwarded: []string{theirs + ", 198.51.100.7"}, trusted: proxies, want: 403},
			"forged in another line":      {peer: "10.1.2.3:1", forwarded: []string{theirs, "198.51.100.7"}, trusted: proxies, want: 403},
			"the proxy itself":            {peer: "10.1.2.3:1", trusted: proxies, want: 403},
			"garbage through the proxy":   {peer: "10.1.2.3:1", forwarded: []string{"unknown"}, trusted: proxies, want: 403},
			"past the proxy":              {peer: "198.51.100.7:1", forwarded: []string{theirs}, trusted: proxies, want: 403},
		} {
			only, err := webhook.OnlyFrom(client.Webhooks, &webhook.SourceParams{TrustedProxies: c.trusted})
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

func TestOnlyFrom_RefreshesTheList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		list, failure, fetches := []string{"192.0.2.1"}, error(nil), 0
		client := testkit.NewClient(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			fetches++
			time.Sleep(time.Second)
			if failure != nil {
				return nil, failure
			}
			body, err := json.Marshal(map[string]any{"webhook_notification_ips": list})
			require.NoError(t, err)
			return testkit.Answer(http.StatusOK, string(body))(req)
		}))
		newGate := func(open bool) http.Handler {
			params := &webhook.SourceParams{FailOpen: open, RefreshAfter: time.Hour, MaxStale: 10 * time.Hour}
			only, err := webhook.OnlyFrom(client.Webhooks, params)
			require.NoError(t, err)
			return only(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		}
		ask := func(gate http.Handler, from string) int {
			r := httptest.NewRequest(http.MethodPost, "https://example.com/", nil)
			r.RemoteAddr = from + ":1"
			return testkit.Serve(gate, r).Code
		}
		gate := newGate(false)
		codes := make(chan int, 5)
		for range 5 {
			go func() { codes <- ask(gate, "192.0.2.1") }()
		}
		for range 5 {
			require.Equal(t, 200, <-codes)
		}
		require.Equal(t, 1, fetches, "all wait for one fetch")

		list = append(list, "192.0.2.2") // the service has a new address
		require.Equal(t, 403, ask(gate, "192.0.2.2"))
		time.Sleep(2 * time.Minute)
		require.Equal(t, 403, ask(gate, "192.0.2.2"), "fetches the list again, without waiting for it")
		time.Sleep(2 * time.Second)
		require.Equal(t, 200, ask(gate, "192.0.2.2"), "the next try")
		require.Equal(t, 2, fetches)
		for range 100 {
			require.Equal(t, 403, ask(gate, "203.0.113.1"))
		}
		require.Equal(t, 2, fetches, "refused requests fetch at most once a minute")

		failure = errors.New("down")
		time.Sleep(2 * time.Hour)
		began := time.Now()
		require.Equal(t, 200, ask(gate, "192.0.2.1"))
		require.Zero(t, time.Since(began), "refreshed in the background")
		time.Sleep(6 * time.Hour)
		require.Equal(t, 200, ask(gate, "192.0.2.1"), "a stale list is used")
		time.Sleep(4 * time.Hour)
		require.Equal(t, 503, ask(gate, "192.0.2.1"), "until MaxStale")
		failure = nil
		time.Sleep(2 * time.Minute)
		require.Equal(t, 200, ask(gate, "192.0.2.1"))

		failure = errors.New("down")
		require.Equal(t, 503, ask(newGate(false), "192.0.2.1"), "fails closed")
		require.Equal(t, 200, ask(newGate(true), "203.0.113.1"), "fails open")
		list, failure = []string{}, nil
		require.Equal(t, 503, ask(newGate(false), "192.0.2.1"), "an empty list is an error")
		synctest.Wait()
	})
}

func TestOnlyFrom_ReportsEveryRefresh(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reply, errs := `{"webhook_notification_ips":["192.0.2.1","here"]}`, []error(nil)
		client := testkit.NewClient(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			time.Sleep(time.Second)
			return testkit.Answer(http.StatusOK, reply)(req)
		}))
		only, err := webhook.OnlyFrom(client.Webhooks, &webhook.SourceParams{OnRefresh: func(ips terminal49.WebhookIPs, err error) {
			errs = append(errs, err)
			if err == nil {
				require.Equal(t, []string{"here"}, ips.Unreadable)
			}
		}})
		require.NoError(t, err)
		gate := only(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		ask := func(ctx context.Context) int {
			r := httptest.NewRequest(http.MethodPost, "https://example.com/", nil).WithContext(ctx)
			r.RemoteAddr = "192.0.2.1:1"
			return testkit.Serve(gate, r).Code
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		require.Equal(t, 503, ask(ctx), "the request ends before the list is there")
		require.Equal(t, 200, ask(t.Context()), "the fetch continues")
		reply = `{}`
		time.Sleep(2 * time.Hour)
		require.Equal(t, 200, ask(t.Context()))
		time.Sleep(2 * time.Second)
		synctest.Wait()
		require.Len(t, errs, 2)
		require.NoError(t, errs[0])
		require.Error(t, errs[1])
	})
}

func TestOnlyFrom_RefusesInvalidParams(t *testing.T) {
	client := testkit.NewClient(t, testkit.Answer(http.StatusOK, "{}"))
	for _, params := range []webhook.SourceParams{
		{TrustedProxies: []netip.Prefix{{}}}, {TrustedProxies: []netip.Prefix{netip.MustParsePrefix("::ffff:0.0.0.0/90")}}, {RefreshAfter: -1}, {RefreshAfter: 2 * time.Hour, MaxStale: time.Hour},
	} {
		_, err := webhook.OnlyFrom(client.Webhooks, &params)
		var argument *terminal49.ArgumentError
		require.ErrorAs(t, err, &argument)
	}
	_, err := webhook.OnlyFrom(nil, nil)
	testkit.RequireArgument(t, err, "service")
	_, err = webhook.OnlyFrom(client.Webhooks, nil)
	require.NoError(t, err)
}

// With the least MaxStale the list is always usable when it can be fetched, whenever a request
// comes.
func TestOnlyFrom_TheLeastMaxStale(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := testkit.NewClient(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			time.Sleep(3 * time.Second)
			return testkit.Answer(http.StatusOK, `{"webhook_notification_ips":["192.0.2.1"]}`)(req)
		}))
		only, err := webhook.OnlyFrom(client.Webhooks, &webhook.SourceParams{RefreshAfter: 1, MaxStale: time.Minute})
		require.NoError(t, err)
		gate := only(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		for i := range 1000 {
			r := httptest.NewRequest(http.MethodPost, "https://example.com/", nil)
			if r.RemoteAddr = "192.0.2.1:1"; i%3 == 0 {
				r.RemoteAddr = "203.0.113.1:1"
				require.Equal(t, http.StatusForbidden, testkit.Serve(gate, r).Code)
			} else {
				require.Equal(t, http.StatusOK, testkit.Serve(gate, r).Code, i)
			}
			time.Sleep(time.Duration(i%70) * time.Second)
		}
		synctest.Wait()
	})
}

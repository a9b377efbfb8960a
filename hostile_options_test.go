package terminal49

import (
	"context"
	"errors"
	"math"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// What goes into headers, and numbers that make no sense. Options come from configuration files and environments as
// often as from code: nothing in them may add a header, overflow into its opposite or stop the program.

// headerTexts are texts that no header may hold, and some that it may.
func headerTexts() (bad, good []string) {
	for _, s := range []string{"\r\n", "\n", "\r", "\x00", "\x1b[2J", "\x7f", "\t", "ü", "\u202e", "\xff", "🚢"} {
		bad = append(bad, s, "a"+s, s+"a", "a"+s+"X-Evil: 1")
	}
	return bad, []string{"a", strings.Repeat("a", 10<<10), "a:b", `a"b`, "a,b", "a;b", "%0d%0a"}
}

func TestHostile_NoTextBecomesAHeader(t *testing.T) {
	bad, good := headerTexts()
	tried := 0
	for field, option := range map[string]func(string) (string, Option){
		"token":         func(s string) (string, Option) { return s, nil },
		"WithUserAgent": func(s string) (string, Option) { return testToken, WithUserAgent(s) },
		"WithAccountID": func(s string) (string, Option) { return testToken, WithAccountID(s) },
	} {
		for _, text := range append(bad, "", " ", "  ") {
			token, opt := option(text)
			if field == "token" && strings.TrimSpace(text) == "a" {
				continue // blanks and line ends around a token come from files, and are taken off
			}
			_, err := New(token, opt)
			var refused *ArgumentError
			require.ErrorAs(t, err, &refused, "%s %q", field, text)
			require.Equal(t, field, refused.Field)
			tried++
		}
		for _, text := range good {
			token, opt := option(text)
			wire := &wired{}
			client, err := New(token, opt, WithBaseURL(testBase), WithHTTPClient(&http.Client{Transport: wire}))
			require.NoError(t, err, "%s %.20q", field, text)
			_, err = client.Shipments.Get(t.Context(), shipmentID, nil)
			require.ErrorIs(t, err, ErrNotFound)
			require.Equal(t, map[string]string{
				"token": "Token " + text, "WithUserAgent": text + " go-freight-terminal49/" + Version, "WithAccountID": text,
			}[field], wire.got[0].Header.Get(map[string]string{
				"token": "Authorization", "WithUserAgent": "User-Agent", "WithAccountID": "X-Account-Id",
			}[field]))
			tried++
		}
	}
	t.Logf("figure: %d texts as token, user agent and account id, none adds a header", tried)
}

// By hand everything can be said, but not more than one request.
func TestHostile_DoSendsOneRequest(t *testing.T) {
	for _, text := range hostile() {
		for name, r := range map[string]Request{
			"method": {Method: text, Path: "/x"},
			"path":   {Method: "GET", Path: text},
			"below":  {Method: "GET", Path: "/x/" + text},
			"query":  {Method: "GET", Path: "/x", Query: url.Values{text: {text}}},
			"body":   {Method: "POST", Path: "/x", Body: text},
		} {
			wire := &wired{}
			err := newClient(t, wire).Do(t.Context(), r, nil)
			var refused *ArgumentError
			if errors.As(err, &refused) {
				require.Empty(t, wire.got)
				require.NotContains(t, err.Error(), "\n")
				require.NotContains(t, err.Error(), "\x1b")
				continue
			}
			require.ErrorIs(t, err, ErrNotFound, "%s %q", name, text)
			require.Len(t, wire.got, 1)
			got := wire.got[0]
			require.Equal(t, "api.example.test", got.Host, "%s %q", name, text)
			require.True(t, strings.HasPrefix(got.URL.Path, "/proxy/v2/"), "%s %q: %s", name, text, got.URL.Path)
			require.NotContains(t, strings.Split(got.URL.Path, "/"), "..")
			require.Empty(t, got.Header.Get("X-Evil"))
			if name == "query" {
				require.Equal(t, url.Values{text: {text}}, got.URL.Query())
			}
		}
	}
}

func TestHostile_WebhookHeaders(t *testing.T) {
	bad, _ := headerTexts()
	create := func(name, value string) error {
		wire := &wired{}
		_, err := newClient(t, wire).Webhooks.Create(t.Context(), WebhookCreate{
			URL: endpointURL, Events: []EventName{EventContainerUpdated}, Headers: []WebhookHeader{{name, NewSecret(value)}},
		})
		var refused *ArgumentError
		require.Equal(t, !errors.As(err, &refused), len(wire.got) == 1, "%v", err)
		return err
	}
	for _, name := range append(bad, "", " ", "a b", "a:", ":a", "a/b", "a(b)", `a"`, "a,b", "a;b", "a=b", "{a}", "[a]", "a@b", "<a>") {
		require.ErrorContains(t, create(name, "v"), "that no HTTP header can have", "%q", name)
	}
	for _, value := range bad {
		err := create("X-Key", value+"s3cr3t")
		require.ErrorContains(t, err, "not printable ASCII on one line", "%q", value)
		require.NotContains(t, err.Error(), "s3cr3t")
	}
	// Two signatures are none: every delivery would be refused by whoever looks at them.
	require.ErrorContains(t, create("x-t49-webhook-SIGNATURE", "v"), "the service's own")
	for _, name := range []string{"Authorization", "X-Api-Key", "x_y", "!#$%&'*+-.^_`|~"} {
		require.ErrorIs(t, create(name, " a:b; c "), ErrNotFound, "%q is sent", name)
	}
}

func TestHostile_WebhookURLs(t *testing.T) {
	for _, to := range append(hostile(), "http://a.test/", "file:///etc/passwd", "https:", "https://", "https:///x", "https://:443/", "ftp://a.test", "//a.test/") {
		wire := &wired{}
		_, err := newClient(t, wire).Webhooks.Create(t.Context(), WebhookCreate{URL: to, Events: []EventName{EventContainerUpdated}})
		if u, bad := url.Parse(to); bad == nil && u.Scheme == "https" && u.Hostname() != "" {
			require.ErrorIs(t, err, ErrNotFound, to)
			continue
		}
		var refused *ArgumentError
		require.ErrorAs(t, err, &refused, to)
		require.Equal(t, "URL", refused.Field)
		require.Empty(t, wire.got)
	}
}

// A number that means nothing is refused by the name of its option.
func TestHostile_InvalidNumbers(t *testing.T) {
	for i, opt := range []Option{
		WithLimits(Limits{PerSecond: math.NaN()}), WithLimits(Limits{PerSecond: math.Inf(1)}), WithLimits(Limits{PerSecond: math.Inf(-1)}),
		WithLimits(Limits{PerSecond: -1}), WithLimits(Limits{PerSecond: 5e-324}), WithLimits(Limits{PerSecond: 1e-9}),
		WithLimits(Limits{Default: math.MinInt}), WithLimits(Limits{Create: -1}), WithLimits(Limits{Infer: -1}),
		WithLimits(Limits{Refresh: -1}), WithLimits(Limits{Burst: math.MinInt}),
		WithRetry(RetryPolicy{MaxAttempts: math.MinInt}), WithRetry(RetryPolicy{MinBackoff: math.MinInt64}),
		WithRetry(RetryPolicy{MaxBackoff: -1}), WithRetry(RetryPolicy{MaxRetryAfter: math.MinInt64}), WithRetry(RetryPolicy{AttemptTimeout: -1}),
		WithRetry(RetryPolicy{MinBackoff: math.MaxInt64}),
		WithMaxAttempts(math.MinInt), WithAttemptTimeout(math.MinInt64), WithMaxResponseBytes(math.MinInt64), WithPrefetch(math.MinInt),
		WithPrefetch(math.MaxInt), WithPrefetch(101),
	} {
		_, err := New(testToken, opt)
		var refused *ArgumentError
		require.ErrorAs(t, err, &refused, "option %d", i)
		require.Contains(t, []string{"WithLimits", "WithRetry", "WithMaxAttempts", "WithAttemptTimeout", "WithMaxResponseBytes", "WithPrefetch"}, refused.Field)
	}
	_, err := NewLimiter(Limits{PerSecond: math.NaN()})
	require.ErrorContains(t, err, "NewLimiter")

	client := newClient(t, answer(404, ""))
	ctx := t.Context()
	for name, do := range map[string]func() error{
		"PageSize": func() error {
			return first(client.Shipments.List(ctx, &ShipmentListParams{PageParams: PageParams{PageSize: math.MaxInt}}))
		},
		"PageNumber": func() error {
			return first(client.Shipments.List(ctx, &ShipmentListParams{PageParams: PageParams{PageNumber: math.MinInt}}))
		},
		"degrees": func() error { return client.Documents.Rotate(ctx, documentID, math.MaxInt) },
		"Latitude": func() error {
			return first(client.Vessels.FuturePositionsFrom(ctx, vesselID, VesselLeg{PortID: portID, PreviousPortID: otherPort}, Coordinates{Latitude: math.NaN()}))
		},
		"Longitude": func() error {
			return first(client.Vessels.FuturePositionsFrom(ctx, vesselID, VesselLeg{PortID: portID, PreviousPortID: otherPort}, Coordinates{Longitude: math.Inf(1)}))
		},
		"params": func() error {
			return first(client.TrackingRequests.Wait(ctx, requestID, &WaitParams{MinInterval: math.MinInt64}))
		},
		"Concurrency": func() (err error) {
			for o := range client.TrackingRequests.TrackAll(ctx, func(yield func(string) bool) { yield("MAEU1") }, &TrackAllParams{Concurrency: math.MaxInt}) {
				err = o.Err
			}
			return err
		},
		"UselessAfter": func() error {
			return first(client.Webhooks.OnlyFromService(&WebhookSourceParams{RefreshAfter: math.MinInt64}))
		},
		"TrustedProxies": func() error {
			return first(client.Webhooks.OnlyFromService(&WebhookSourceParams{TrustedProxies: make([]netip.Prefix, 1)}))
		},
	} {
		var refused *ArgumentError
		require.ErrorAs(t, do(), &refused, name)
		require.Equal(t, name, refused.Field)
	}
}

// The largest of everything is a way to say "no bound". It must not overflow into none at all.
func TestHostile_TheLargestNumbers(t *testing.T) {
	const forever = time.Duration(math.MaxInt64)
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		addNamedResources(srv)
		client := simClient(t, srv, WithMaxResponseBytes(math.MaxInt64), WithLimits(Limits{
			Default: math.MaxInt, Create: math.MaxInt, Infer: math.MaxInt, Refresh: math.MaxInt, PerSecond: math.MaxFloat64, Burst: math.MaxInt,
		}), WithRetry(RetryPolicy{MaxAttempts: math.MaxInt, MaxBackoff: forever, MaxRetryAfter: forever, AttemptTimeout: forever}))
		srv.Fault(terminal49test.Fault{Operation: "shipments.get", Status: 503})
		_, err := client.Shipments.Get(t.Context(), shipmentID, nil)
		require.NoError(t, err)

		_, err = client.Documents.Upload(t.Context(), DocumentFile{FileName: "a.pdf", Content: strings.NewReader(strings.Repeat("a", 1<<20))})
		require.NoError(t, err, "a timeout for ever is no timeout in the past")

		ctx, cancel := context.WithTimeout(t.Context(), 24*time.Hour)
		defer cancel()
		srv.AddTrackingRequest(terminal49test.TrackingRequest{ID: otherRequest, RequestNumber: "MAEU9", SCAC: "MAEU", Status: "pending"})
		_, err = client.TrackingRequests.Wait(ctx, otherRequest, &WaitParams{MinInterval: forever, MaxInterval: forever})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Len(t, received(srv, "tracking_requests.get"), 1, "the second look is due in some centuries")
	})
}

const otherRequest = "33333333-3333-4333-8333-333333333334"

// A handler's times may be as long; a notification stays with one process for as long as the callbacks may take.
func TestHostile_TheLongestWebhookTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := NewMemoryDedupe(0)
		handling := make(chan struct{})
		handle := func(context.Context, *Notification) error { <-handling; return nil }
		opts := []WebhookOption{OnAny(handle), WithWebhookTimeout(math.MaxInt64), WithWebhookDedupe(store, math.MaxInt64), WithWebhookBodyLimit(math.MaxInt64)}
		one := newHandler(t, opts...)
		done := make(chan int)
		go func() { done <- serve(one, signedRequest(numbered(1))).Code }()
		synctest.Wait()
		state, err := store.Claim(t.Context(), "n-1", "another process", time.Minute)
		require.NoError(t, err)
		require.Equal(t, DedupeBusy, state)
		close(handling)
		require.Equal(t, http.StatusOK, <-done)
		require.Equal(t, http.StatusOK, serve(newHandler(t, opts...), signedRequest(numbered(1))).Code)
		require.Equal(t, 1, store.Len(), "remembered")
	})
}

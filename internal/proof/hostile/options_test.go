package hostile_test

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
	"github.com/go-freight/terminal49/webhook"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// These tests use hostile header texts and numbers. Options often come from configuration files and
// environments: no value may add a header, overflow or stop the program.

// headerTexts returns texts that a header must not contain, and some that it may.
func headerTexts() (bad, good []string) {
	for _, s := range []string{"\r\n", "\n", "\r", "\x00", "\x1b[2J", "\x7f", "\t", "ü", "\u202e", "\xff", "🚢"} {
		bad = append(bad, s, "a"+s, s+"a", "a"+s+"X-Evil: 1")
	}
	return bad, []string{"a", strings.Repeat("a", 10<<10), "a:b", `a"b`, "a,b", "a;b", "%0d%0a"}
}

func TestHostile_NoTextBecomesAHeader(t *testing.T) {
	bad, good := headerTexts()
	tried := 0
	for field, option := range map[string]func(string) (string, terminal49.Option){
		"token":         func(s string) (string, terminal49.Option) { return s, nil },
		"WithUserAgent": func(s string) (string, terminal49.Option) { return testkit.Token, terminal49.WithUserAgent(s) },
		"WithAccountID": func(s string) (string, terminal49.Option) { return testkit.Token, terminal49.WithAccountID(s) },
	} {
		for _, text := range append(bad, "", " ", "  ") {
			token, opt := option(text)
			if field == "token" && strings.TrimSpace(text) == "a" {
				continue // blanks and line ends around a token come from files and are removed
			}
			_, err := terminal49.New(token, opt)
			var refused *terminal49.ArgumentError
			require.ErrorAs(t, err, &refused, "%s %q", field, text)
			require.Equal(t, field, refused.Field)
			tried++
		}
		for _, text := range good {
			token, opt := option(text)
			wire := &wired{}
			client, err := terminal49.New(token, opt, terminal49.WithBaseURL(testkit.Base),
				terminal49.WithHTTPClient(&http.Client{Transport: wire}))
			require.NoError(t, err, "%s %.20q", field, text)
			_, err = client.Shipments.Get(t.Context(), testkit.ShipmentID, nil)
			require.ErrorIs(t, err, terminal49.ErrNotFound)
			require.Equal(t, map[string]string{
				"token": "Token " + text, "WithUserAgent": text + " go-freight-terminal49/" + terminal49.Version,
				"WithAccountID": text,
			}[field], wire.got[0].Header.Get(map[string]string{
				"token": "Authorization", "WithUserAgent": "User-Agent", "WithAccountID": "X-Account-Id",
			}[field]))
			tried++
		}
	}
	t.Logf("figure: %d texts as token, user agent and account id, none adds a header", tried)
}

// Do accepts any request, but never sends more than one.
func TestHostile_DoSendsOneRequest(t *testing.T) {
	for _, text := range hostile() {
		for name, r := range map[string]terminal49.Request{
			"method": {Method: text, Path: "/x"},
			"path":   {Method: "GET", Path: text},
			"below":  {Method: "GET", Path: "/x/" + text},
			"query":  {Method: "GET", Path: "/x", Query: url.Values{text: {text}}},
			"body":   {Method: "POST", Path: "/x", Body: text},
		} {
			wire := &wired{}
			err := testkit.NewClient(t, wire).Do(t.Context(), r, nil)
			var refused *terminal49.ArgumentError
			if errors.As(err, &refused) {
				require.Empty(t, wire.got)
				require.NotContains(t, err.Error(), "\n")
				require.NotContains(t, err.Error(), "\x1b")
				continue
			}
			require.ErrorIs(t, err, terminal49.ErrNotFound, "%s %q", name, text)
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
		_, err := testkit.NewClient(t, wire).Webhooks.Create(t.Context(), terminal49.WebhookCreate{
			URL: testkit.EndpointURL, Events: []terminal49.EventName{terminal49.EventContainerUpdated},
			Headers: []terminal49.WebhookHeader{{Name: name, Value: terminal49.NewSecret(value)}},
		})
		var refused *terminal49.ArgumentError
		require.Equal(t, !errors.As(err, &refused), len(wire.got) == 1, "%v", err)
		return err
	}
	for _, name := range append(bad, "", " ", "a b", "a:", ":a", "a/b", "a(b)", `a"`, "a,b", "a;b", "a=b", "{a}",
		"[a]", "a@b", "<a>") {
		require.ErrorContains(t, create(name, "v"), "must have a valid HTTP header name", "%q", name)
	}
	for _, value := range bad {
		err := create("X-Key", value+"s3cr3t")
		require.ErrorContains(t, err, "must have printable ASCII on one line", "%q", value)
		require.NotContains(t, err.Error(), "s3cr3t")
	}
	// A delivery with two signatures is refused.
	require.ErrorContains(t, create("x-t49-webhook-SIGNATURE", "v"), "which carries the signature")
	for _, name := range []string{"Authorization", "X-Api-Key", "x_y", "!#$%&'*+-.^_`|~"} {
		require.ErrorIs(t, create(name, " a:b; c "), terminal49.ErrNotFound, "%q is sent", name)
	}
}

func TestHostile_WebhookURLs(t *testing.T) {
	for _, to := range append(hostile(), "http://a.test/", "file:///etc/passwd", "https:", "https://", "https:///x",
		"https://:443/", "ftp://a.test", "//a.test/") {
		wire := &wired{}
		_, err := testkit.NewClient(t, wire).Webhooks.Create(t.Context(),
			terminal49.WebhookCreate{URL: to, Events: []terminal49.EventName{terminal49.EventContainerUpdated}})
		if u, bad := url.Parse(to); bad == nil && u.Scheme == "https" && u.Hostname() != "" {
			require.ErrorIs(t, err, terminal49.ErrNotFound, to)
			continue
		}
		var refused *terminal49.ArgumentError
		require.ErrorAs(t, err, &refused, to)
		require.Equal(t, "URL", refused.Field)
		require.Empty(t, wire.got)
	}
}

// The error of an invalid number names the option.
func TestHostile_InvalidNumbers(t *testing.T) {
	for i, opt := range []terminal49.Option{
		terminal49.WithRateLimits(terminal49.RateLimits{PerSecond: math.NaN()}),
		terminal49.WithRateLimits(terminal49.RateLimits{PerSecond: math.Inf(1)}),
		terminal49.WithRateLimits(terminal49.RateLimits{PerSecond: math.Inf(-1)}),
		terminal49.WithRateLimits(terminal49.RateLimits{PerSecond: -1}),
		terminal49.WithRateLimits(terminal49.RateLimits{PerSecond: 5e-324}),
		terminal49.WithRateLimits(terminal49.RateLimits{PerSecond: 1e-9}),
		terminal49.WithRateLimits(terminal49.RateLimits{Default: math.MinInt}),
		terminal49.WithRateLimits(terminal49.RateLimits{Create: -1}), terminal49.WithRateLimits(terminal49.RateLimits{Infer: -1}),
		terminal49.WithRateLimits(terminal49.RateLimits{Refresh: -1}), terminal49.WithRateLimits(terminal49.RateLimits{Burst: math.MinInt}),
		terminal49.WithRetryPolicy(terminal49.RetryPolicy{MaxAttempts: math.MinInt}),
		terminal49.WithRetryPolicy(terminal49.RetryPolicy{MinBackoff: math.MinInt64}),
		terminal49.WithRetryPolicy(terminal49.RetryPolicy{MaxBackoff: -1}),
		terminal49.WithRetryPolicy(terminal49.RetryPolicy{MaxRetryAfter: math.MinInt64}),
		terminal49.WithRetryPolicy(terminal49.RetryPolicy{AttemptTimeout: -1}),
		terminal49.WithRetryPolicy(terminal49.RetryPolicy{MinBackoff: math.MaxInt64}),
		terminal49.WithMaxAttempts(math.MinInt), terminal49.WithAttemptTimeout(math.MinInt64),
		terminal49.WithMaxResponseBytes(math.MinInt64), terminal49.WithPrefetch(math.MinInt),
		terminal49.WithPrefetch(math.MaxInt), terminal49.WithPrefetch(101),
	} {
		_, err := terminal49.New(testkit.Token, opt)
		var refused *terminal49.ArgumentError
		require.ErrorAs(t, err, &refused, "option %d", i)
		require.Contains(t, []string{"WithRateLimits", "WithRetryPolicy", "WithMaxAttempts", "WithAttemptTimeout",
			"WithMaxResponseBytes", "WithPrefetch"}, refused.Field)
	}
	_, err := terminal49.NewLimiter(terminal49.RateLimits{PerSecond: math.NaN()})
	require.ErrorContains(t, err, "NewLimiter")

	client := testkit.NewClient(t, testkit.Answer(404, ""))
	ctx := t.Context()
	for name, do := range map[string]func() error{
		"PageSize": func() error {
			return testkit.First(client.Shipments.List(ctx,
				&terminal49.ShipmentListParams{PageParams: terminal49.PageParams{PageSize: math.MaxInt}}))
		},
		"PageNumber": func() error {
			return testkit.First(client.Shipments.List(ctx,
				&terminal49.ShipmentListParams{PageParams: terminal49.PageParams{PageNumber: math.MinInt}}))
		},
		"degrees": func() error { return client.Documents.Rotate(ctx, testkit.DocumentID, math.MaxInt) },
		"Latitude": func() error {
			return testkit.First(client.Vessels.FuturePositionsFrom(ctx, testkit.VesselID,
				terminal49.VesselLeg{NextPortID: testkit.PortID, PreviousPortID: testkit.OtherPortID},
				terminal49.Coordinates{Latitude: math.NaN()}))
		},
		"Longitude": func() error {
			return testkit.First(client.Vessels.FuturePositionsFrom(ctx, testkit.VesselID,
				terminal49.VesselLeg{NextPortID: testkit.PortID, PreviousPortID: testkit.OtherPortID},
				terminal49.Coordinates{Longitude: math.Inf(1)}))
		},
		"MinInterval": func() error {
			return testkit.First(client.TrackingRequests.Wait(ctx, testkit.RequestID,
				&terminal49.WaitParams{MinInterval: math.MinInt64}))
		},
		"Concurrency": func() (err error) {
			for o := range client.TrackingRequests.TrackAll(ctx, terminal49.NumbersToTrack("MAEU1"), &terminal49.TrackAllParams{Concurrency: math.MaxInt}) {
				err = o.Err
			}
			return err
		},
		"MaxStale": func() error {
			return testkit.First(webhook.OnlyFrom(client.Webhooks, &webhook.SourceParams{RefreshAfter: math.MinInt64}))
		},
		"TrustedProxies": func() error {
			return testkit.First(webhook.OnlyFrom(client.Webhooks,
				&webhook.SourceParams{TrustedProxies: make([]netip.Prefix, 1)}))
		},
	} {
		var refused *terminal49.ArgumentError
		require.ErrorAs(t, do(), &refused, name)
		require.Equal(t, name, refused.Field)
	}
}

const mostInAMinute = 1_000 // of any limit, by the doc comment of Limits

// The largest values mean "no bound" and must not overflow.
func TestHostile_TheLargestNumbers(t *testing.T) {
	const forever = time.Duration(math.MaxInt64)
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		testkit.AddNamedResources(srv)
		client := testkit.SimulatedClient(t, srv, terminal49.WithMaxResponseBytes(math.MaxInt64),
			terminal49.WithRateLimits(terminal49.RateLimits{
				Default: mostInAMinute, Create: mostInAMinute, Infer: mostInAMinute, Refresh: mostInAMinute,
				PerSecond: math.MaxFloat64, Burst: math.MaxInt,
			}), terminal49.WithRetryPolicy(terminal49.RetryPolicy{MaxAttempts: math.MaxInt, MaxBackoff: forever,
				MaxRetryAfter: forever, AttemptTimeout: forever}))
		srv.AddFault(terminal49test.Fault{Operation: "shipments.get", Status: 503})
		_, err := client.Shipments.Get(t.Context(), testkit.ShipmentID, nil)
		require.NoError(t, err)

		_, err = client.Documents.Upload(t.Context(), terminal49.DocumentFile{FileName: "a.pdf", Content: strings.NewReader(strings.Repeat("a", 1<<20))})
		require.NoError(t, err, "an infinite timeout must not overflow")

		ctx, cancel := context.WithTimeout(t.Context(), 24*time.Hour)
		defer cancel()
		srv.AddTrackingRequest(terminal49test.TrackingRequest{ID: otherRequest, RequestNumber: "MAEU9", SCAC: "MAEU",
			Status: "pending"})
		_, err = client.TrackingRequests.Wait(ctx, otherRequest,
			&terminal49.WaitParams{MinInterval: forever, MaxInterval: forever})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Len(t, testkit.Received(srv, "tracking_requests.get"), 1, "the second poll is due in some centuries")
	})
}

const otherRequest = "33333333-3333-4333-8333-333333333334"

// A handler accepts the longest timeout; a notification remains claimed by one process for as long
// as the callbacks may take.
func TestHostile_TheLongestWebhookTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := webhook.NewMemoryDedupe(0)
		handling := make(chan struct{})
		handle := func(context.Context, *webhook.Notification) error { <-handling; return nil }
		opts := []webhook.Option{webhook.OnAny(handle), webhook.WithTimeout(math.MaxInt64),
			webhook.WithDedupe(store, math.MaxInt64), webhook.WithBodyLimit(math.MaxInt64)}
		one := testkit.NewHandler(t, opts...)
		done := make(chan int)
		go func() { done <- testkit.Serve(one, testkit.SignedRequest(testkit.Numbered(1))).Code }()
		synctest.Wait()
		state, err := store.Claim(t.Context(), "n-1", "another process", time.Minute)
		require.NoError(t, err)
		require.Equal(t, webhook.DedupeBusy, state)
		close(handling)
		require.Equal(t, http.StatusOK, <-done)
		require.Equal(t, http.StatusOK,
			testkit.Serve(testkit.NewHandler(t, opts...), testkit.SignedRequest(testkit.Numbered(1))).Code)
		require.Equal(t, 1, store.Len(), "remembered")
	})
}

package mirror

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// examine runs Doctor and returns the findings by a word of their question.
func examine(t *testing.T, seed func(*terminal49test.Server), opts ...terminal49test.Option) (find func(words string) Finding, srv *terminal49test.Server) {
	t.Helper()
	srv = terminal49test.NewServer(opts...)
	t.Cleanup(srv.Close)
	if seed != nil {
		seed(srv)
	}
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(srv.HTTPClient()))
	require.NoError(t, err)
	findings, err := Doctor(t.Context(), client)
	require.NoError(t, err)
	return func(words string) Finding {
		for _, f := range findings {
			if strings.Contains(f.Question, words) {
				return f
			}
		}
		require.Fail(t, "no finding about "+words)
		return Finding{}
	}, srv
}

// demoWithLog is a world with events, a shipment that is no longer tracked, and notifications.
func demoWithLog(srv *terminal49test.Server) {
	demo := srv.SeedDemo()
	now := srv.Now()
	srv.UpdateShipment(demo.Shipments[0], func(s *terminal49test.Shipment) { s.LineTrackingStoppedAt = now })
	for i := range 3 {
		srv.AddWebhookNotification(terminal49test.WebhookNotification{Event: "container.updated", CreatedAt: now.Add(time.Duration(i) * time.Minute)})
	}
}

// With the later documents a page has 50 containers or 100 shipments, the filters exist, /me names
// the account, and no header but Retry-After reports a limit.
func TestDoctor_ServiceOfTheNewestDocuments(t *testing.T) {
	find, srv := examine(t, demoWithLog, terminal49test.WithSyntheticContainers(300))
	require.Contains(t, find("/me").Answer, "Yes: account ")
	require.Equal(t, "100.", find("many shipments").Answer)
	require.Equal(t, "50.", find("many containers").Answer)
	require.Equal(t, "A walk over all 308 containers takes 7 requests.", find("many containers").Meaning)
	for _, question := range []string{
		"shipments include the events", "containers include their events", "tracking_stopped",
		"filter[updated_at] of containers", "filter[updated_at] of tracking requests", "documents", "custom fields",
	} {
		require.Equal(t, "Yes.", find(question).Answer, question)
	}
	require.Equal(t, "Newest first.", find("order").Answer)
	require.Equal(t, "No.", find("rate limit").Answer)
	require.LessOrEqual(t, len(srv.Requests()), 12)
	for _, r := range srv.Requests() {
		require.Equal(t, http.MethodGet, r.Method)
	}
	srv.CheckViolations(t)
}

// Without the later documents a page has 100 containers, /me is 404 and /custom_fields 500. A
// server that ignores a parameter answers with all rows.
func TestDoctor_ServiceThatIgnoresParameters(t *testing.T) {
	find, srv := examine(t, demoWithLog,
		terminal49test.WithSyntheticContainers(300), terminal49test.WithoutAutumn2026(), terminal49test.WithBrokenCustomFieldList(),
		terminal49test.WithIgnored("shipments.list", "filter[tracking_stopped]", "include=containers.transport_events"),
		terminal49test.WithIgnored("", "filter[updated_at]", "filter[updated_at][start]"))
	require.Equal(t, "No: the service answered 404.", find("/me").Answer)
	require.Equal(t, "100.", find("many containers").Answer)
	require.Equal(t, "No: it names events and leaves them out.", find("shipments include the events").Answer)
	require.Equal(t, "Yes.", find("containers include their events").Answer)
	for _, question := range []string{"tracking_stopped", "filter[updated_at] of containers", "filter[updated_at] of tracking requests"} {
		require.Equal(t, "No: rows came that it excludes.", find(question).Answer, question)
	}
	require.Equal(t, "No: the service answered 500.", find("custom fields").Answer)
	srv.CheckViolations(t)
}

// An account without data shows nothing, and the findings report that.
func TestDoctor_EmptyAccount(t *testing.T) {
	find, _ := examine(t, nil)
	for _, question := range []string{
		"many shipments", "many containers", "shipments include the events", "containers include their events", "tracking_stopped",
		"filter[updated_at] of containers", "filter[updated_at] of tracking requests", "order",
	} {
		require.True(t, strings.HasPrefix(find(question).Answer, "Unknown: "), "%s", find(question))
	}
}

func TestDoctor_ReportsHeadersAboutLimits(t *testing.T) {
	srv := terminal49test.NewServer()
	defer srv.Close()
	with := roundTripper(func(r *http.Request) (*http.Response, error) {
		resp, err := srv.Transport().RoundTrip(r)
		if err == nil {
			resp.Header.Set("X-RateLimit-Remaining", "97")
		}
		return resp, err
	})
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(&http.Client{Transport: with}))
	require.NoError(t, err)
	findings, err := Doctor(t.Context(), client)
	require.NoError(t, err)
	require.Contains(t, findings[len(findings)-1].String(), "Yes: X-Ratelimit-Remaining: 97.")
}

// A wrong key is 401 (docs/service.md#status-codes). It is an error and not a finding.
func TestDoctor_WrongKey(t *testing.T) {
	srv := terminal49test.NewServer()
	defer srv.Close()
	client, err := terminal49.New("wrong", terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(srv.HTTPClient()))
	require.NoError(t, err)
	_, err = Doctor(t.Context(), client)
	require.ErrorIs(t, err, terminal49.ErrUnauthorized)
	require.Len(t, srv.Requests(), 1)
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

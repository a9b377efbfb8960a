package doctor_test

import (
	"context"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/cmd/t49/internal/doctor"
	"github.com/go-freight/terminal49/terminal49test"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// examined is a report with the simulator that it is about.
type examined struct {
	*testing.T
	*doctor.Report
	srv *terminal49test.Server
}

// find returns the finding whose question has these words.
func (e examined) find(words string) doctor.Finding {
	e.Helper()
	for _, f := range e.Findings {
		if strings.Contains(f.Question, words) {
			return f
		}
	}
	require.Fail(e, "no finding about "+words)
	return doctor.Finding{}
}

// examine examines a simulated account, with a transport in front of it.
func examine(t *testing.T, seed func(*terminal49test.Server), via func(http.RoundTripper) http.RoundTripper, opts ...terminal49test.Option) examined {
	t.Helper()
	srv := terminal49test.NewServer(append(opts, terminal49test.WithoutSocket())...)
	t.Cleanup(srv.Close)
	if seed != nil {
		seed(srv)
	}
	transport := srv.Transport()
	if via != nil {
		transport = via(transport)
	}
	return examined{t, doctor.Examine(t.Context(), client(t, srv.Token, srv.URL, transport)), srv}
}

func client(t *testing.T, token, url string, transport http.RoundTripper) *terminal49.Client {
	t.Helper()
	c, err := terminal49.New(token, terminal49.WithBaseURL(url), terminal49.WithHTTPClient(&http.Client{Transport: transport}), terminal49.WithoutRateLimits())
	require.NoError(t, err)
	return c
}

// demo is an account with events, a shipment that is no longer tracked, a webhook and
// notifications.
func demo(srv *terminal49test.Server) {
	shipments := srv.SeedDemo().Shipments
	now := srv.Now()
	srv.UpdateShipment(shipments[0], func(s *terminal49test.Shipment) { s.LineTrackingStoppedAt = now })
	hook := srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example/hook", Events: []string{"container.updated"}})
	for i := range 3 {
		srv.AddWebhookNotification(terminal49test.WebhookNotification{
			Event: "container.updated", CreatedAt: now.Add(time.Duration(i) * time.Minute), Webhook: hook,
			ReferenceType: "container", ReferenceID: srv.ContainerIDs(shipments[1])[0],
		})
	}
}

// With the later documents a page has 50 containers or 100 shipments, the filters exist, /me names
// the account, and no header but Retry-After reports a limit: docs/service.md.
func TestExamine_ServiceOfTheNewestDocuments(t *testing.T) {
	e := examine(t, demo, nil, terminal49test.WithSyntheticContainers(300))
	require.NoError(t, e.Err())
	require.Equal(t, "Yes.", e.find("/me").Answer)
	require.Equal(t, "100.", e.find("many shipments").Answer)
	require.Equal(t, "50.", e.find("many containers").Answer)
	require.Equal(t, "A walk over all containers takes a request for each 50 of them.", e.find("many containers").Meaning)
	for _, question := range []string{
		"shipments include the events", "containers include their events", "page[number]", "tracking_stopped", "filter[number] of shipments",
		"filter[number] of containers", "filter[updated_at] of containers", "filter[updated_at] of tracking requests", "whole seconds",
		"reference_object", "list documents", "list custom fields", "list parties", "list shipping lines",
	} {
		require.Equal(t, "Yes.", e.find(question).Answer, question)
	}
	require.Regexp(t, "^None; honoured: pod_code of containers, .*, scac of tracking_requests.$", e.find("other filters").Answer)
	require.Equal(t, "Newest first.", e.find("order").Answer)
	for _, question := range []string{"types of resources", "Which attributes are unknown", "values of enumerations", "cannot be read"} {
		require.Equal(t, "None.", e.find(question).Answer, question)
	}
	for _, question := range []string{"rate limit", "deactivated", "unknown form"} {
		require.Equal(t, "No.", e.find(question).Answer, question)
	}
	require.GreaterOrEqual(t, e.Requests, 10)
	require.LessOrEqual(t, e.Requests, 30)
	require.Len(t, e.srv.Requests(), e.Requests)
	for _, r := range e.srv.Requests() {
		require.Equal(t, http.MethodGet, r.Method)
	}
	e.srv.CheckViolations(t)
}

// Without the later documents a page has 100 containers, /me is 404 and /custom_fields 500. A
// server that ignores a parameter answers with all rows.
func TestExamine_ServiceThatIgnoresParameters(t *testing.T) {
	e := examine(t, demo, nil,
		terminal49test.WithSyntheticContainers(300), terminal49test.WithoutAutumn2026(), terminal49test.WithBrokenCustomFieldList(),
		terminal49test.WithIgnored("shipments.list", "filter[tracking_stopped]", "include=containers.transport_events"),
		terminal49test.WithIgnored("", "filter[updated_at]", "filter[updated_at][start]", "filter[number]", "page[number]", "filter[vessel_name]"))
	require.NoError(t, e.Err())
	require.Equal(t, "No: the service answered 404.", e.find("/me").Answer)
	require.Equal(t, "100.", e.find("many containers").Answer)
	require.Equal(t, "No: it names events and leaves them out.", e.find("shipments include the events").Answer)
	require.Equal(t, "Yes.", e.find("containers include their events").Answer)
	require.Equal(t, "No: the second page is the first.", e.find("page[number]").Answer)
	for _, question := range []string{
		"tracking_stopped", "filter[number] of shipments", "filter[number] of containers", "filter[updated_at] of containers",
		"filter[updated_at] of tracking requests",
	} {
		require.Equal(t, "No: rows came that it excludes.", e.find(question).Answer, question)
	}
	require.Regexp(t, "^ignored or refused: .*vessel_name of containers.*; honoured: .*scac of tracking_requests.$", e.find("other filters").Answer)
	require.Equal(t, "No: the service answered 500.", e.find("list custom fields").Answer)
	e.srv.CheckViolations(t)
}

// An account without data shows nothing, and the findings report that.
func TestExamine_EmptyAccount(t *testing.T) {
	e := examine(t, nil, nil)
	require.NoError(t, e.Err())
	for _, question := range []string{
		"many shipments", "many containers", "shipments include the events", "containers include their events", "page[number]", "tracking_stopped",
		"filter[number] of shipments", "filter[updated_at] of containers", "filter[updated_at] of tracking requests", "order", "whole seconds",
		"reference_object", "deactivated", "never sent", "other filters",
	} {
		require.True(t, strings.HasPrefix(e.find(question).Answer, "Not known, because "), "%s", e.find(question))
		require.False(t, e.find(question).Known)
	}
}

// What is unknown is named, if the service has named it, and its words are those of the service.
func TestExamine_NamesWhatIsUnknown(t *testing.T) {
	e := examine(t, func(srv *terminal49test.Server) {
		demo(srv)
		srv.AddParty(terminal49test.Party{CompanyName: "Rate Of Acme"})
		for _, id := range srv.ContainerIDs(srv.SeedDemo().Shipments[1]) {
			srv.UpdateContainer(id, func(c *terminal49test.Container) {
				c.Holds = append(c.Holds, terminal49test.Hold{Name: "FDA", Status: "released_by_acme"})
				c.Attributes = map[string]any{
					"number_of_doors": 2, "number_of_seals": nil, "rate_of_acme": "x", "Acme": 1, "pickup_lfd": 7, "current_status": "held_by_customs",
					"import_deadlines": map[string]any{"pickup_lfd_port": "x"},
				}
			})
		}
	}, nil)
	require.Equal(t, "container.import_deadlines.pickup_lfd_port, container.number_of_doors, container.number_of_seals, container.…, container.…_of_….",
		e.find("Which attributes are unknown").Answer)
	require.Equal(t, "container.CurrentStatus held_by_customs, container.Holds.Name FDA, container.Holds.Status released_by_….", e.find("values of enumerations").Answer)
	require.Equal(t, "container.pickup_lfd.", e.find("cannot be read").Answer)
}

// withHeaders adds headers to all responses.
func withHeaders(headers map[string]string) func(http.RoundTripper) http.RoundTripper {
	return func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(r *http.Request) (*http.Response, error) {
			resp, err := next.RoundTrip(r)
			if err == nil {
				for name, value := range headers {
					resp.Header.Set(name, value)
				}
			}
			return resp, err
		})
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestExamine_ReportsHeadersAboutLimits(t *testing.T) {
	e := examine(t, nil, withHeaders(map[string]string{"X-RateLimit-Remaining": "97", "RateLimit-Reset": "1764115200", "X-RateLimit-Of-Acme": "3"}))
	require.Equal(t, "Yes: Ratelimit-Reset: not a small number, X-Ratelimit-Remaining: 97, a header of another name: not shown.", e.find("rate limit").Answer)
}

func TestExamine_Clocks(t *testing.T) {
	for want, behind := range map[string]time.Duration{
		"Yes, as far as whole seconds show it.": 0, "No: this machine is ahead by about 5 minutes.": -5 * time.Minute,
		"No: this machine is behind by about 26 hours.": 26 * time.Hour, "No: this machine is behind by about 9 seconds.": 9 * time.Second,
		"No: this machine is ahead by about more than two days.": -9000 * time.Hour,
	} {
		synctest.Test(t, func(t *testing.T) { // time stands still during the examination
			e := examine(t, nil, withHeaders(map[string]string{"Date": time.Now().Add(behind).UTC().Format(http.TimeFormat)}))
			require.Equal(t, want, e.find("clocks").Answer)
			e.srv.Close()
		})
	}
	e := examine(t, nil, withHeaders(map[string]string{"Date": "today"}))
	require.Contains(t, e.find("clocks").Answer, "no response has a readable Date header")
}

// A wrong token is 401 (docs/service.md#status-codes). Every question says why it has no answer.
func TestExamine_WrongToken(t *testing.T) {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket())
	defer srv.Close()
	r := doctor.Examine(t.Context(), client(t, "wrong", srv.URL, srv.Transport()))
	require.ErrorIs(t, r.Err(), terminal49.ErrUnauthorized)
	require.Len(t, srv.Requests(), 3)
	require.Contains(t, examined{t, r, srv}.find("many containers").Answer, "the service does not accept the token (401)")
	require.Contains(t, examined{t, r, srv}.find("never sent").Answer, "no resource could be read")
}

// After a 429 with a long wait (docs/service.md#rate-limits), no other request is sent, and none is
// waited for.
func TestExamine_RateLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := terminal49test.NewServer(terminal49test.WithoutSocket())
		defer srv.Close()
		srv.AddFault(terminal49test.Fault{Status: 429, Times: -1, RetryAfter: terminal49test.RetryAfterSeconds(time.Hour)})
		c, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(srv.HTTPClient()))
		require.NoError(t, err)
		start := time.Now()
		r := doctor.Examine(t.Context(), c)
		require.ErrorIs(t, r.Err(), terminal49.ErrRateLimited)
		require.Contains(t, examined{t, r, srv}.find("many containers").Answer, "the account's requests are used up (429)")
		require.Equal(t, 1, r.Requests)
		require.Less(t, time.Since(start), time.Minute)
	})
}

// Without a network, and when it is interrupted, the report has every question too, and soon.
func TestExamine_NoNetwork(t *testing.T) {
	want := len(examine(t, nil, nil).Findings)
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		away := roundTripper(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
		r := doctor.Examine(t.Context(), client(t, "a-token", "http://127.0.0.1:1/v2", away))
		var transport *terminal49.TransportError
		require.ErrorAs(t, r.Err(), &transport)
		require.Len(t, r.Findings, want)
		require.Less(t, time.Since(start), 4*time.Minute)
		require.NotContains(t, r.String(), "None.")

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		r = doctor.Examine(ctx, client(t, "a-token", "http://127.0.0.1:1/v2", away))
		require.ErrorIs(t, r.Err(), context.DeadlineExceeded)
		require.Len(t, r.Findings, want)
		require.Contains(t, r.String(), "the examination was interrupted")
	})
}

// One question without an answer does not keep the others from theirs, whichever it is.
func TestExamine_OneFails(t *testing.T) {
	for kind, name := range []string{"no response", "not available", "web page", "refused"} {
		status := []int{0, 503, 200, 401}[kind]
		synctest.Test(t, func(t *testing.T) { // the waits before another attempt take no time
			srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithoutRateLimits())
			defer srv.Close()
			demo(srv)
			whole := doctor.Examine(t.Context(), client(t, srv.Token, srv.URL, srv.Transport()))
			for i := range whole.Requests {
				if i%4 != kind && os.Getenv("PROOF") != "whole" {
					continue
				}
				r := doctor.Examine(t.Context(), client(t, srv.Token, srv.URL, &failing{next: srv.Transport(), at: i, status: status}))
				require.Len(t, r.Findings, len(whole.Findings))
				lost := 0
				for j, f := range r.Findings {
					if f.Answer != whole.Findings[j].Answer {
						lost++
					}
				}
				require.Positive(t, lost, "%s at %d", name, i)
				require.LessOrEqual(t, lost, 8, "%s at %d: %s", name, i, r) // some lists serve several questions
			}
		})
	}
}

// failing fails one of the requests, and its repetition.
type failing struct {
	next     http.RoundTripper
	at, n    int
	status   int // 0 for no response
	repeated string
}

func (f *failing) RoundTrip(r *http.Request) (*http.Response, error) {
	if f.n++; f.n-1 != f.at && r.URL.String() != f.repeated {
		return f.next.RoundTrip(r)
	}
	f.repeated = r.URL.String()
	if f.status == 0 {
		return nil, io.ErrUnexpectedEOF
	}
	return &http.Response{StatusCode: f.status, Header: http.Header{}, Request: r, Body: io.NopCloser(strings.NewReader("<html>a page</html>"))}, nil
}

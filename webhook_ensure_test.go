package terminal49_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/catalogue"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/stretchr/testify/require"
)

// A delivery is signed with the secret of its webhook, which the service generates
// (docs/service-containers.md#signatures). With the secret of a deleted webhook a receiver rejects
// every delivery.

var ensured = []terminal49.EventName{terminal49.EventContainerUpdated}

// away delays each request and each response by less than two seconds.
func away(random *rand.Rand) terminal49.Option {
	var mu sync.Mutex
	delay := func() time.Duration {
		mu.Lock()
		defer mu.Unlock()
		return time.Duration(random.Int64N(int64(2 * time.Second)))
	}
	return testkit.Apart(delay, delay)
}

// Ten programs that start within the same seconds hold the secret of the one webhook that is left.
func TestEnsure_ProgramsThatStartTogether(t *testing.T) {
	for run := range testkit.Scale(50, 500) {
		testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
			random := rand.New(rand.NewPCG(uint64(run), 10))
			near, within := run%2 == 0, time.Duration(random.Int64N(int64(5*time.Second)))+1
			var all sync.WaitGroup
			got := make([]*terminal49.Webhook, 10)
			for i := range got {
				start := time.Duration(random.Int64N(int64(within)))
				opts := []terminal49.Option{}
				if !near {
					opts = append(opts, away(rand.New(rand.NewPCG(uint64(run), uint64(i)))))
				}
				client := testkit.SimulatedClient(t, srv, opts...)
				all.Go(func() {
					time.Sleep(start)
					var err error
					got[i], err = client.Webhooks.Ensure(t.Context(), testkit.EndpointURL, ensured)
					require.NoError(t, err)
				})
			}
			all.Wait()
			page, err := testkit.SimulatedClient(t, srv).Webhooks.List(t.Context(), nil)
			require.NoError(t, err)
			require.Len(t, page.Items, 1, "run %d", run)
			for i, w := range got {
				require.Equal(t, page.Items[0].ID, w.ID, "run %d, program %d", run, i)
				require.Equal(t, page.Items[0].Secret.Reveal(), w.Secret.Reveal(), "run %d, program %d", run, i)
			}
		})
	}
}

// The age is the time between created_at and the Date of the response, which RFC 9110, 6.6.1
// requires; without one the local clock is used. An unknown age may be a young one.
func TestEnsure_WaitsOnlyForYoungWebhooks(t *testing.T) {
	now := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) // in a synctest bubble
	for name, c := range map[string]struct {
		created any
		date    time.Time
		waits   bool
	}{
		"an hour old":                     {created: now.Add(-time.Hour)},
		"a second old":                    {created: now.Add(-time.Second), waits: true},
		"created in the future":           {created: now.Add(time.Hour), waits: true},
		"without a creation time":         {created: nil, waits: true},
		"an hour old by the service":      {created: now, date: now.Add(time.Hour)},
		"a second old by the service":     {created: now.Add(-time.Hour), date: now.Add(time.Second - time.Hour), waits: true},
		"an hour old, local clock behind": {created: now.Add(time.Hour), date: now.Add(2 * time.Hour)},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				id := srv.AddWebhook(terminal49test.Webhook{URL: testkit.EndpointURL, Events: []string{string(ensured[0])},
					Attributes: map[string]any{"created_at": c.created}})
				client := testkit.SimulatedClient(t, srv, testkit.Around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
					resp, err := next.RoundTrip(req)
					if err == nil && !c.date.IsZero() {
						resp.Header.Set("Date", c.date.Format(http.TimeFormat))
					}
					return resp, err
				}))
				var last terminal49.Response
				w, err := client.Webhooks.Ensure(t.Context(), testkit.EndpointURL, ensured, terminal49.WithResponse(&last))
				require.NoError(t, err)
				require.Equal(t, id, w.ID)
				require.Equal(t, 200, last.StatusCode)
				require.Equal(t, c.waits, time.Since(now) > 0)
				require.LessOrEqual(t, time.Since(now), 3*time.Second)
				require.Len(t, testkit.Received(srv, "webhooks.list"), map[bool]int{false: 1, true: 2}[c.waits])
			})
		})
	}
}

// The wait for a young webhook ends with the context, and its secret is not returned.
func TestEnsure_WaitEndsWithTheContext(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		srv.AddWebhook(terminal49test.Webhook{URL: testkit.EndpointURL, Events: []string{string(ensured[0])}})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		w, err := testkit.SimulatedClient(t, srv).Webhooks.Ensure(ctx, testkit.EndpointURL, ensured)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Nil(t, w)
		require.Equal(t, time.Second, time.Since(start))
	})
}

// A program that finds a young webhook uses the one that is left if its creator deletes it.
func TestEnsure_FindsAnotherAfterTheWait(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		young := srv.AddWebhook(terminal49test.Webhook{URL: testkit.EndpointURL, Events: []string{string(ensured[0])}})
		client := testkit.SimulatedClient(t, srv)
		var older string
		time.AfterFunc(time.Second, func() {
			older = srv.AddWebhook(terminal49test.Webhook{URL: testkit.EndpointURL, Events: []string{string(ensured[0])},
				CreatedAt: srv.Now().Add(-2 * time.Second)})
			_ = client.Webhooks.Delete(context.Background(), young)
		})
		w, err := client.Webhooks.Ensure(t.Context(), testkit.EndpointURL, ensured)
		require.NoError(t, err)
		require.Equal(t, older, w.ID)
		kept, ok := srv.Webhook(w.ID)
		require.True(t, ok)
		require.Equal(t, kept.Secret, w.Secret.Reveal())
	})
}

func TestEnsure_CreatesOrUpdates(t *testing.T) {
	events := []terminal49.EventName{terminal49.EventContainerUpdated, terminal49.EventTrackingRequestFailed}
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		ctx, client := t.Context(), testkit.SimulatedClient(t, srv)
		other, err := client.Webhooks.Create(ctx,
			terminal49.WebhookCreate{URL: "https://elsewhere.example/", Events: events})
		require.NoError(t, err)

		made, err := client.Webhooks.Ensure(ctx, testkit.EndpointURL, events)
		require.NoError(t, err)
		require.NotEmpty(t, made.Secret.Reveal())
		require.Equal(t, events, made.Events)
		require.NotEqual(t, other.ID, made.ID)

		again, err := client.Webhooks.Ensure(ctx, testkit.EndpointURL, []terminal49.EventName{events[1], events[0]})
		require.NoError(t, err)
		require.Equal(t, made.ID, again.ID)
		require.Equal(t, made.Secret.Reveal(), again.Secret.Reveal())
		require.Empty(t, testkit.Received(srv, "webhooks.update"), "the order of events does not matter")

		more := append(events, terminal49.EventVesselArrived)
		again, err = client.Webhooks.Ensure(ctx, testkit.EndpointURL, more)
		require.NoError(t, err)
		require.Equal(t, made.ID, again.ID)
		require.Equal(t, more, again.Events)

		srv.UpdateWebhook(made.ID, func(w *terminal49test.Webhook) {
			w.Inactive, w.Headers = true, []terminal49test.WebhookHeader{{Name: "X-Key", Value: testkit.HeaderValue}}
		})
		again, err = client.Webhooks.Ensure(ctx, testkit.EndpointURL, more)
		require.NoError(t, err)
		require.True(t, again.Active)
		require.Equal(t, testkit.HeaderValue, again.Headers[0].Value.Reveal(), "headers are not changed")
		require.Len(t, testkit.Received(srv, "webhooks.create"), 2)

		time.Sleep(time.Second)
		srv.AddWebhook(terminal49test.Webhook{URL: testkit.EndpointURL, Events: testkit.EventTexts(more)})
		again, err = client.Webhooks.Ensure(ctx, testkit.EndpointURL, more)
		require.NoError(t, err)
		require.Equal(t, made.ID, again.ID, "the oldest is used")
	})
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		var argument *terminal49.ArgumentError
		_, err := testkit.SimulatedClient(t, srv).Webhooks.Ensure(t.Context(), "http://a.example", events)
		require.ErrorAs(t, err, &argument)
		require.Equal(t, "webhooks.ensure", argument.Op)
		_, err = testkit.SimulatedClient(t, srv).Webhooks.Ensure(t.Context(), testkit.EndpointURL, []terminal49.EventName{})
		require.ErrorAs(t, err, &argument)
		require.Empty(t, srv.Requests())
	})
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		_, err := testkit.SimulatedClient(t, srv).Webhooks.Ensure(t.Context(), testkit.EndpointURL, events)
		require.ErrorIs(t, err, terminal49.ErrFeatureNotEnabled)
	}, terminal49test.WithoutWebhooks())
}

// A program that finds an older webhook after creating one deletes its own and uses the older.
func TestEnsure_PrefersAnOlderWebhook(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		var theirs string
		client := testkit.SimulatedClient(t, srv, testkit.Before("webhooks.create", func() {
			theirs = srv.AddWebhook(terminal49test.Webhook{URL: testkit.EndpointURL,
				Events: []string{"container.updated"}, CreatedAt: srv.Now().Add(-time.Second)})
		}))
		w, err := client.Webhooks.Ensure(t.Context(), testkit.EndpointURL,
			[]terminal49.EventName{terminal49.EventContainerUpdated})
		require.NoError(t, err)
		require.Equal(t, theirs, w.ID)
		require.NotEmpty(t, w.Secret.Reveal())
		page, err := client.Webhooks.List(t.Context(), nil)
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
	})
}

// Two programs that create a webhook in the same second agree on one, in any order.
func TestEnsure_RivalsAgreeOnOneWebhook(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		var both, done sync.WaitGroup
		both.Add(2)
		got := make([]*terminal49.Webhook, 2)
		for i := range got {
			client := testkit.SimulatedClient(t, srv, testkit.Before("webhooks.create", func() {
				both.Done()
				both.Wait()
				time.Sleep(time.Duration(i) * 300 * time.Millisecond)
			}))
			done.Go(func() {
				got[i], _ = client.Webhooks.Ensure(t.Context(), testkit.EndpointURL,
					[]terminal49.EventName{terminal49.EventContainerUpdated})
			})
		}
		done.Wait()
		require.Equal(t, got[0].ID, got[1].ID)
		page, err := testkit.SimulatedClient(t, srv).Webhooks.List(t.Context(), nil)
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
	})
}

// One version of the service has the older names of the document events, another the newer ones
// (docs/service-tracking.md#document-events). Ensure gets the webhook from either, and leaves it
// alone afterwards.
func TestEnsure_TriesTheOtherNameOfDocumentEvents(t *testing.T) {
	const (
		older, newer = terminal49.EventDocumentExtracted, terminal49.EventDocumentRepresentationCreated
		failed       = terminal49.EventDocumentRepresentationFailed
		updated      = terminal49.EventContainerUpdated
	)
	for name, c := range map[string]struct{ asked, want []terminal49.EventName }{
		"newer":    {[]terminal49.EventName{newer, updated, failed}, []terminal49.EventName{older, updated, terminal49.EventDocumentExtractionFailed}},
		"both":     {[]terminal49.EventName{older, newer}, []terminal49.EventName{older}},
		"accepted": {[]terminal49.EventName{older, updated}, []terminal49.EventName{older, updated}},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				client := testkit.SimulatedClient(t, srv)
				made, err := client.Webhooks.Ensure(t.Context(), testkit.EndpointURL, c.asked)
				require.NoError(t, err)
				require.Equal(t, c.want, made.Events)
				require.NotEmpty(t, made.Secret.Reveal())

				time.Sleep(time.Hour)
				again, err := client.Webhooks.Ensure(t.Context(), testkit.EndpointURL, c.asked)
				require.NoError(t, err)
				require.Equal(t, made.ID, again.ID)
				require.Equal(t, c.want, again.Events)
				require.Equal(t, made.Secret.Reveal(), again.Secret.Reveal())
			}, terminal49test.WithoutAutumn2026())
		})
	}
	// The other way round: a service that knows only the newer names.
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := testkit.SimulatedClient(t, srv, testkit.Around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
			if req.Method == http.MethodPost {
				body, err := req.GetBody()
				require.NoError(t, err)
				text, err := io.ReadAll(body)
				require.NoError(t, err)
				if strings.Contains(string(text), string(older)) {
					return testkit.Answer(422, `{"errors":[{"detail":"events is not included in the list"}]}`)(req)
				}
			}
			return next.RoundTrip(req)
		}))
		made, err := client.Webhooks.Ensure(t.Context(), testkit.EndpointURL, []terminal49.EventName{older})
		require.NoError(t, err)
		require.Equal(t, []terminal49.EventName{newer}, made.Events)
	})
	// An event that is refused under both names: the first error, which is about what was asked.
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		_, err := testkit.SimulatedClient(t, srv).Webhooks.Ensure(t.Context(), testkit.EndpointURL, []terminal49.EventName{newer})
		require.ErrorIs(t, err, terminal49.ErrInvalid)
		require.ErrorContains(t, err, string(newer))
	}, terminal49test.WithoutWebhookEvents(string(older)))
	// Other events have one name.
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		_, err := testkit.SimulatedClient(t, srv).Webhooks.Ensure(t.Context(), testkit.EndpointURL, []terminal49.EventName{updated})
		require.ErrorIs(t, err, terminal49.ErrInvalid)
		require.Len(t, testkit.Received(srv, "webhooks.create"), 1)
	}, terminal49test.WithoutWebhookEvents(string(updated)))
}

// The doc comment of Ensure: nil means all events of GET /webhooks/events, where a document event
// may have either name, and UnstableNoRivalCheck takes no time.
func TestEnsure_AllEventsWithoutAWait(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := testkit.SimulatedClient(t, srv, terminal49.WithUnstable(terminal49.UnstableNoRivalCheck))
		categories, err := client.Webhooks.Events(t.Context())
		require.NoError(t, err)
		available := map[terminal49.EventName]bool{}
		for _, category := range categories {
			for _, event := range category.Events {
				available[event.Name] = true
			}
		}
		start := time.Now()
		made, err := client.Webhooks.Ensure(t.Context(), testkit.EndpointURL, nil)
		require.NoError(t, err)
		for _, event := range made.Events {
			require.True(t, available[event], event)
		}
		require.Contains(t, made.Events, terminal49.EventContainerUpdated)
		require.NotEmpty(t, made.Secret.Reveal())
		again, err := client.Webhooks.Ensure(t.Context(), testkit.EndpointURL, nil)
		require.NoError(t, err)
		require.Equal(t, made.ID, again.ID)
		require.Empty(t, testkit.Received(srv, "webhooks.update"))
		require.Zero(t, time.Since(start))
		_, err = client.Webhooks.Ensure(t.Context(), "http://a.example", nil)
		require.ErrorAs(t, err, new(*terminal49.ArgumentError))
		require.Len(t, testkit.Received(srv, "webhooks.events"), 3)
	})
}

// The service may list an event in two categories, or one without a name. The caller who passed nil
// events has not made a mistake.
func TestEnsure_AllEventsOfAnOddList(t *testing.T) {
	const category = `{"id":"%d","type":"webhook_event_category","attributes":{"name":"a","events":[` +
		`{"name":"container.updated"},{"name":""},{"name":"container.created"}]}}`
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		events := fmt.Sprintf(`{"data":[`+category+`,`+category+`]}`, 1, 2)
		client := testkit.SimulatedClient(t, srv, terminal49.WithUnstable(terminal49.UnstableNoRivalCheck), terminal49.WithMiddleware(
			func(next http.RoundTripper) http.RoundTripper {
				return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
					if strings.HasSuffix(req.URL.Path, "/webhooks/events") {
						return testkit.Answer(http.StatusOK, events)(req)
					}
					return next.RoundTrip(req)
				})
			}))
		made, err := client.Webhooks.Ensure(t.Context(), testkit.EndpointURL, nil)
		require.NoError(t, err)
		require.Equal(t, []terminal49.EventName{terminal49.EventContainerUpdated, terminal49.EventContainerCreated}, made.Events)
		again, err := client.Webhooks.Ensure(t.Context(), testkit.EndpointURL, nil)
		require.NoError(t, err)
		require.Equal(t, made.ID, again.ID)
		require.Empty(t, testkit.Received(srv, "webhooks.update"))
		events = `{"data":[]}`
		_, err = client.Webhooks.Ensure(t.Context(), testkit.EndpointURL, nil)
		testkit.RequireArgument(t, err, "Events")
		require.Empty(t, testkit.Received(srv, "webhooks.update"))
	})
}

// Source: the service's changelog of 2026-05-11 says that link.created is live;
// email_submission.created is announced only.
func TestEventName_LinkCreatedIsLive(t *testing.T) {
	require.False(t, terminal49.EventLinkCreated.Planned())
	require.True(t, terminal49.EventLinkCreated.Known())
	require.Contains(t, terminal49.WebhookEvents(), terminal49.EventLinkCreated)
	require.True(t, terminal49.EventEmailSubmissionCreated.Planned())
	require.NotContains(t, terminal49.WebhookEvents(), terminal49.EventEmailSubmissionCreated)
}

// With both names of a document event, a webhook would receive each document twice.
func TestWebhookEvents_HasOneNameOfEachDocumentEvent(t *testing.T) {
	require.NotContains(t, terminal49.WebhookEvents(), terminal49.EventDocumentRepresentationCreated)
	require.NotContains(t, terminal49.WebhookEvents(), terminal49.EventDocumentRepresentationFailed)
	require.NotContains(t, terminal49.WebhookEvents(), terminal49.EventSSLLFDChanged, "in no list of the service")
}

// The names are all constants, which the drift check compares with the service's own list, but for
// the planned one, the other names of document events, and one that no list of the service has.
func TestWebhookEvents_AgreeWithTheCatalogue(t *testing.T) {
	var listed []string
	for _, enum := range catalogue.Enums() {
		if enum.Name == "webhook_notification.event" {
			listed = enum.Values
		}
	}
	require.NotEmpty(t, listed)
	known, planned := terminal49.WebhookEvents(), 0
	for _, name := range listed {
		event := terminal49.EventName(name)
		require.True(t, event.Known(), name)
		if event.Planned() {
			known, planned = append(known, event), planned+1
		}
	}
	require.Equal(t, 1, planned)
	known = append(known, terminal49.EventDocumentRepresentationCreated, terminal49.EventDocumentRepresentationFailed,
		terminal49.EventSSLLFDChanged)
	require.ElementsMatch(t, listed, testkit.EventTexts(known))
}

func TestWebhookEvents_ReturnsACopy(t *testing.T) {
	terminal49.WebhookEvents()[0] = "changed"
	require.NotContains(t, terminal49.WebhookEvents(), terminal49.EventName("changed"))
}

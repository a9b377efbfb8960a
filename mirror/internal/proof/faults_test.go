//go:build unix

package proof

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/terminal49test"
)

// account is a service and a mirror of it, in a bubble with fake time.
type account struct {
	*service
	t  *testing.T
	db *stored
	// way is how a request gets to the service; nil for the straight way.
	way func(r *http.Request, service http.RoundTripper) (*http.Response, error)
}

// inBubble runs a test with a service in a synctest bubble, in parallel with others.
func inBubble(t *testing.T, shipments int, test func(*account), opts ...terminal49test.Option) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db, err := sql.Open("sqlite", ":memory:")
		require.NoError(t, err)
		defer db.Close()
		db.SetMaxOpenConns(1)
		opts = append([]terminal49test.Option{terminal49test.WithoutSocket(), terminal49test.WithSpeed(1)}, opts...)
		a := &account{service: newService(t, 3, shipments, opts...), t: t, db: &stored{DB: db}}
		test(a)
		a.Close()
	})
}

// mirror returns a mirror that takes the account's way to its service.
func (a *account) mirror(opts ...mirror.Option) *mirror.Mirror { return a.mirrorOf(a.Server, opts...) }

func (a *account) mirrorOf(srv *terminal49test.Server, opts ...mirror.Option) *mirror.Mirror {
	a.t.Helper()
	way := roundTripper(func(r *http.Request) (*http.Response, error) {
		if a.way == nil {
			return srv.Transport().RoundTrip(r)
		}
		return a.way(r, srv.Transport())
	})
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithoutRateLimits(),
		terminal49.WithHTTPClient(&http.Client{Transport: way}))
	require.NoError(a.t, err)
	opts = append([]mirror.Option{mirror.WithSecrets(terminal49.NewSecret(hookSecret)), mirror.WithActiveInterval(15 * time.Minute)}, opts...)
	m, err := mirror.New(client, a.db.DB, opts...)
	require.NoError(a.t, err)
	h := m.Receiver()
	a.receivers.handler.Store(&h)
	return m
}

// run runs a mirror for a while, and meanwhile does something.
func (a *account) run(m *mirror.Mirror, d time.Duration, meanwhile ...func()) {
	a.t.Helper()
	ctx, cancel := context.WithCancel(a.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- m.Run(ctx) }()
	defer func() { cancel(); require.NoError(a.t, <-ended) }() // also if a test fails meanwhile
	for _, f := range meanwhile {
		f()
	}
	time.Sleep(d)
}

// changeFor changes the world for a while.
func (a *account) changeFor(d, every time.Duration) {
	for range d / every {
		time.Sleep(every)
		a.change()
	}
}

// requireEqual fails unless the copy is equal.
func (a *account) requireEqual() {
	a.t.Helper()
	requireNone(a.t, faults(a.t, a.db, a.Server))
}

// tombstones returns what is stored as deleted and exists, and how many rows are stored as deleted.
func (a *account) tombstones() (wrong []string, all int) {
	world := worldOf(a.t, a.Server)
	for k, r := range a.db.rows(a.t) {
		if !r.deleted {
			continue
		}
		all++
		if _, exists := world[k]; exists {
			wrong = append(wrong, fmt.Sprintf("%v exists, and is stored as deleted", k))
		}
	}
	return wrong, all
}

// Deliveries arrive twice, two hours late and out of order, or never; then the service switches the
// webhook off, for a day in the long proof. The audit finds what was not delivered.
func TestFaults_Deliveries(t *testing.T) {
	noise := terminal49test.WebhookNoise{DuplicateEvery: 3, DelayEvery: 4, Delay: 2 * time.Hour, Lost: 0.2}
	inBubble(t, 10, func(a *account) {
		m := a.mirror(mirror.WithWebhook(hookURL), mirror.WithActiveInterval(never), mirror.WithWholeInterval(never))
		a.run(m, 2*time.Minute, func() {
			a.changeFor(time.Hour, time.Minute)
			for r := range a.Snapshot("webhook") {
				a.UpdateWebhook(r.ID, func(h *terminal49test.Webhook) { h.Inactive = true })
			}
			a.changeFor(amount(time.Hour, 3*time.Hour, 24*time.Hour), 10*time.Minute)
			require.NoError(t, m.Reconcile(a.t.Context()))
			require.NoError(t, m.Reconcile(a.t.Context())) // of what is gone, the second 404 counts
		})
		a.requireEqual()
		for r := range a.Snapshot("webhook") {
			h, _ := a.Webhook(r.ID)
			require.False(t, h.Inactive, "the webhook is still off")
		}
	}, terminal49test.WithWebhookNoise(noise))
}

// A body with a valid signature that is not a notification is acknowledged and kept, and delays
// nothing.
// One with a wrong signature is not stored.
func TestFaults_DeadLetters(t *testing.T) {
	inBubble(t, 3, func(a *account) {
		m := a.mirror(mirror.WithWebhook(hookURL))
		a.run(m, 2*time.Minute, func() {
			time.Sleep(time.Minute)
			for _, body := range []string{`{"data":null}`, `[]`, `not JSON`, `{"data":{"type":"webhook_notification"}}`} {
				require.Equal(t, http.StatusOK, a.post(m, body, hookSecret), body)
			}
			require.GreaterOrEqual(t, a.post(m, `{"data":null}`, "another secret"), 400)
			a.change()
		})
		require.Equal(t, 4, a.db.count(t, "select count(*) from t49.inbox where state = 'dead'"))
		a.requireEqual()
	})
}

// An event is not delivered, and its container is removed before the service's log is read. The
// event happened: it is stored, without the container that the service no longer names.
func TestFaults_EventOfARemovedContainer(t *testing.T) {
	inBubble(t, 1, func(a *account) {
		a.addEvent()
		for _, id := range a.ids("container") {
			a.RemoveContainer(id)
		}
		a.run(a.mirror(mirror.WithWebhook(hookURL)), 2*time.Minute)
		a.requireEqual()
		require.Equal(t, 1, a.db.count(t, "select count(*) from t49.transport_events where container_id is null"))
	})
}

// post delivers a body and returns the status of the response.
func (a *account) post(m *mirror.Mirror, body, secret string) int {
	r := httptest.NewRequest(http.MethodPost, hookURL, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-T49-Webhook-Signature", terminal49test.SignWebhook(secret, []byte(body)))
	w := httptest.NewRecorder()
	m.Receiver().ServeHTTP(w, r)
	return w.Code
}

// While walks run, shipments are inserted, stopped, removed and merged between any two requests.
// Nothing that exists is stored as deleted at any time, and after two quiet walks all is equal.
func TestFaults_ChangesDuringWalks(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]string{"pages of 100": "", "pages capped at 7 in silence": "7"} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, 30, func(a *account) {
				quiet := false
				a.way = func(r *http.Request, service http.RoundTripper) (*http.Response, error) {
					time.Sleep(50 * time.Millisecond)
					if !quiet {
						a.change()
					}
					return service.RoundTrip(capped(r, size))
				}
				m := a.mirror()
				a.run(m, 10*time.Minute, func() {
					for range 5 {
						require.NoError(t, m.Reconcile(a.t.Context()))
						wrong, _ := a.tombstones()
						requireNone(t, wrong)
					}
					quiet = true
					require.NoError(t, m.Reconcile(a.t.Context()))
					require.NoError(t, m.Reconcile(a.t.Context()))
				})
				a.requireQuiet()
			}, terminal49test.WithoutWebhooks())
		})
	}
}

// requireQuiet is requireEqual without webhooks.
func (a *account) requireQuiet() {
	a.t.Helper()
	requireNone(a.t, slices.Concat(differences(a.t, a.db, a.Server), columnFaults(a.t, a.db, a.Server), historyFaults(a.t, a.db, a.Server)))
}

// capped returns a request whose page has another size, as a service that caps pages in silence
// understands it.
func capped(r *http.Request, size string) *http.Request {
	query := r.URL.Query()
	if size == "" || query.Get("page[size]") == "" {
		return r
	}
	query.Set("page[size]", size)
	out := r.Clone(r.Context())
	out.URL.RawQuery = query.Encode()
	return out
}

// With any responses of the service for several whole walks, nothing that exists is stored as
// deleted, the status reports a problem, and the copy is equal again when the service works.
func TestFaults_NothingIsDeletedFalsely(t *testing.T) {
	t.Parallel()
	status := func(code int, body string) func(*http.Request, http.RoundTripper) (*http.Response, error) {
		return func(r *http.Request, _ http.RoundTripper) (*http.Response, error) { return respond(r, code, body), nil }
	}
	notFound := `{"errors":[{"status":"404","title":"Not Found"}]}`
	for _, c := range []struct {
		name string
		loud string // how a user notices: health, problem, error of Run; "" if rows stay right
		way  func(*http.Request, http.RoundTripper) (*http.Response, error)
	}{
		{"404 for everything", "health", status(http.StatusNotFound, notFound)},
		{"a web page for everything", "health", status(http.StatusNotFound, "<html>not found</html>")},
		{"401 for everything", "error", status(http.StatusUnauthorized, `{"errors":[{"status":"401","title":"Unauthorized"}]}`)},
		{"500 for everything", "health", status(http.StatusInternalServerError, "")},
		{"404 for single reads", "", func(r *http.Request, service http.RoundTripper) (*http.Response, error) {
			if strings.Count(r.URL.Path, "/") > 2 {
				return respond(r, http.StatusNotFound, notFound), nil
			}
			return service.RoundTrip(r)
		}},
		{"empty lists", "problem", func(r *http.Request, service http.RoundTripper) (*http.Response, error) {
			if strings.Count(r.URL.Path, "/") == 2 && r.URL.Path != "/v2/me" {
				return respond(r, http.StatusOK, `{"data":[],"meta":{"size":0,"total":0},"links":{}}`), nil
			}
			return service.RoundTrip(r)
		}},
		{"empty lists and 404", "problem", func(r *http.Request, service http.RoundTripper) (*http.Response, error) {
			switch {
			case r.URL.Path == "/v2/me":
				return service.RoundTrip(r)
			case strings.Count(r.URL.Path, "/") == 2:
				return respond(r, http.StatusOK, `{"data":[],"meta":{"size":0,"total":0},"links":{}}`), nil
			}
			return respond(r, http.StatusNotFound, notFound), nil
		}},
		{"lists that end after a row", "problem", firstRow},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, 40, func(a *account) {
				m := a.mirror(mirror.WithActiveInterval(5*time.Minute), mirror.WithWholeInterval(20*time.Minute))
				a.run(m, 5*time.Minute)
				a.requireQuiet()
				a.way = c.way
				err := a.runFor(m, amount(50*time.Minute, 70*time.Minute, 48*time.Hour))
				wrong, all := a.tombstones()
				requireNone(t, wrong)
				require.Zero(t, all)
				s, failed := m.Status(a.t.Context())
				require.NoError(t, failed)
				switch c.loud {
				case "health":
					require.Error(t, s.Healthy(time.Now()))
				case "problem":
					require.NotEmpty(t, s.Problems)
				case "error":
					require.ErrorIs(t, err, terminal49.ErrUnauthorized)
				}
				a.way = nil
				a.run(m, 45*time.Minute)
				a.requireQuiet()
			}, terminal49test.WithoutWebhooks())
		})
	}
}

// runFor runs a mirror for a while and returns its error.
func (a *account) runFor(m *mirror.Mirror, d time.Duration) error {
	ctx, cancel := context.WithTimeout(a.t.Context(), d)
	defer cancel()
	return m.Run(ctx)
}

// firstRow answers lists with their first row alone, as if that were all.
func firstRow(r *http.Request, service http.RoundTripper) (*http.Response, error) {
	res, err := service.RoundTrip(capped(r, "1"))
	if err != nil || strings.Count(r.URL.Path, "/") > 2 {
		return res, err
	}
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	body = bytes.ReplaceAll(body, []byte(`"next":`), []byte(`"was":`))
	body = bytes.ReplaceAll(body, []byte(`"total":`), []byte(`"was":`))
	return respond(r, res.StatusCode, string(body)), nil
}

func respond(r *http.Request, code int, body string) *http.Response {
	kind := "application/vnd.api+json"
	if strings.HasPrefix(body, "<") {
		kind = "text/html"
	}
	return &http.Response{StatusCode: code, Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(strings.NewReader(body)), Request: r}
}

// The service ignores parameters in silence: filters, the size of pages, includes.
func TestFaults_IgnoredParameters(t *testing.T) {
	t.Parallel()
	for name, ignored := range map[string]terminal49test.Option{
		"tracking_stopped": terminal49test.WithIgnored("shipments.list", "filter[tracking_stopped]"),
		"updated_at":       terminal49test.WithIgnored("tracking_requests.list", "filter[updated_at][start]"),
		"include of lists": terminal49test.WithIgnored("shipments.list", "include"),
		"include of one":   terminal49test.WithIgnored("shipments.get", "include"),
		"page size":        terminal49test.WithIgnored("containers.list", "page[size]"),
		"include of all":   terminal49test.WithIgnored("containers.list", "include"),
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, 30, func(a *account) {
				m := a.mirror(mirror.WithWebhook(hookURL), mirror.WithWholeInterval(30*time.Minute))
				a.run(m, 90*time.Minute, func() { a.changeFor(time.Hour, 2*time.Minute) })
				a.requireEqual()
			}, ignored)
		})
	}
}

// A token of another account stops the mirror before it writes anything.
func TestFaults_AnotherAccount(t *testing.T) {
	inBubble(t, 5, func(a *account) {
		a.run(a.mirror(), 10*time.Minute)
		before := a.db.rows(a.t)
		other := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSeed(99), terminal49test.WithToken("another-token"))
		defer other.Close()
		other.SeedDemo()
		require.NotEqual(a.t, a.AccountID, other.AccountID)
		require.ErrorIs(a.t, a.runFor(a.mirrorOf(other), time.Hour), mirror.ErrOtherAccount)
		require.Equal(a.t, before, a.db.rows(a.t))
	})
}

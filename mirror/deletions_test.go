package mirror

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/mirror/internal/worker"
	"github.com/go-freight/terminal49/terminal49test"
)

// answering is a transport to a service that answers as f says; nil for its own response.
func (w *world) answering(f func(*http.Request) *http.Response) roundTripper {
	return func(r *http.Request) (*http.Response, error) {
		if resp := f(r); resp != nil {
			resp.Request, resp.Header = r, http.Header{"Content-Type": {"application/vnd.api+json"}}
			return resp, nil
		}
		return w.srv.Transport().RoundTrip(r)
	}
}

func body(status int, text string) *http.Response {
	return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader(text))}
}

const notFoundBody = `{"errors":[{"status":"404","title":"Not Found"}]}`

// What the id of a merged shipment answers is not documented
// (docs/service-containers.md#removed-containers), and success without the resource is documented
// nowhere. Neither is a 404: nothing is deleted, the mark ends, and the row waits until the user
// confirms that it is gone.
func TestDeletions_OnlyA404Counts(t *testing.T) {
	for name, answer := range map[string]func(into string) *http.Response{
		"data null":         func(string) *http.Response { return body(200, `{"data":null}`) },
		"no content":        func(string) *http.Response { return body(204, "") },
		"an empty document": func(string) *http.Response { return body(200, `{}`) },
		"an empty list":     func(string) *http.Response { return body(200, `{"data":[]}`) },
		"another shipment":  nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			simulated(t, func(w *world) {
				demo := w.srv.SeedDemo()
				from, into := model.Ref{Type: "shipment", ID: demo.Shipments[0]}, demo.Shipments[1]
				merged := false
				m := w.mirrorVia(roundTripper(func(r *http.Request) (*http.Response, error) {
					if merged && strings.HasSuffix(r.URL.Path, "/shipments/"+from.ID) {
						if answer != nil {
							return w.answering(func(*http.Request) *http.Response { return answer(into) })(r)
						}
						r = r.Clone(r.Context())
						r.URL.Path = strings.TrimSuffix(r.URL.Path, from.ID) + into
					}
					return w.srv.Transport().RoundTrip(r)
				}), WithWholeInterval(30*time.Minute))
				w.runFor(m, 10*time.Minute)
				w.srv.MergeShipments(from.ID, into)
				merged = true
				w.mark(m, taken(w, m), from)
				before := len(w.srv.Requests())
				w.runFor(m, 5*time.Minute)
				require.Zero(w, w.count("select count(*) from dirty where kind = 'shipment'"))
				require.Less(w, len(w.srv.Requests())-before, 60, "it is not read again and again")
				w.runFor(m, 2*time.Hour)
				require.Empty(w, w.gone())
				status, err := m.Status(w.Context())
				require.NoError(w, err)
				require.NoError(w, status.Healthy(time.Now()))
				require.Contains(w, strings.Join(status.Problems, "\n"), "confirm-deletions shipments --expect 1")

				require.NoError(w, m.ConfirmDeletions(w.Context(), Ref(from)))
				require.Equal(w, map[model.Ref]bool{from: true}, w.gone())
				status, err = m.Status(w.Context())
				require.NoError(w, err)
				require.Empty(w, status.Problems)
				w.requireRows("shipment", "container", "tracking_request")
			}, standing)
		})
	}
}

// taken returns the lease of a mirror.
func taken(w *world, m *Mirror) *store.Lease {
	l := store.NewLease()
	has, err := m.db.TakeLease(w.Context(), l, time.Now())
	require.NoError(w, err)
	require.True(w, has)
	return l
}

// A read by id proves nothing while reads by id fail for what the list shows, too. When they work
// again, two walks prove it.
func TestDeletions_ReadsByIDFail(t *testing.T) {
	for name, answer := range map[string]func() *http.Response{
		"404": func() *http.Response { return body(404, notFoundBody) },
		"401": func() *http.Response { return body(401, `{"errors":[{"status":"401","title":"Unauthorized"}]}`) },
		"204": func() *http.Response { return body(204, "") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			simulated(t, func(w *world) {
				broken := false
				m := w.mirrorVia(w.answering(func(r *http.Request) *http.Response {
					if broken && strings.Count(r.URL.Path, "/") > 2 {
						return answer()
					}
					return nil
				}), WithWholeInterval(30*time.Minute))
				w.runFor(m, 10*time.Minute)
				gone := model.Ref{Type: "container", ID: one(w.T, w.srv, "container", 7)}
				w.srv.RemoveContainer(gone.ID)
				broken = true
				w.runFor(m, 3*time.Hour)
				require.Empty(w, w.gone())
				require.NotZero(w, w.count("select count(*) from walks where scope = 'containers' and state = 'done' and problem like '%reads by id fail%'"))
				broken = false
				w.runFor(m, 30*time.Minute)
				require.Empty(w, w.gone(), "the first 404 that counts")
				w.runFor(m, 30*time.Minute)
				require.Equal(w, map[model.Ref]bool{gone: true}, w.gone())
				require.Zero(w, w.count("select count(*) from missing"))
			}, standing, terminal49test.WithSyntheticContainers(60))
		})
	}
}

// A 404 counts until the row is shown again: then two more are needed.
func TestDeletions_ShownBetween(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		m := w.mirror(WithWholeInterval(30 * time.Minute))
		w.runFor(m, 10*time.Minute)
		id := one(w.T, w.srv, "container", 7)
		was, _ := w.srv.Container(id)
		for range 3 {
			w.srv.RemoveContainer(id)
			w.runFor(m, 30*time.Minute)
			require.Equal(w, 1, w.count("select count(*) from containers where missing_since is not null"))
			w.srv.AddContainer(was)
			w.runFor(m, 20*time.Minute) // a walk over what is tracked shows it
			require.Zero(w, w.count("select count(*) from containers where missing_since is not null"))
		}
		require.Empty(w, w.gone())
	}, standing, terminal49test.WithSyntheticContainers(60))
}

// A clock that was ahead, by minutes or by years, and then is right again, neither delays a
// deletion nor causes one: tickets order readings.
func TestDeletions_ClockJumps(t *testing.T) {
	t.Parallel()
	for _, ahead := range []time.Duration{7 * time.Minute, 3 * 24 * time.Hour, 4 * 365 * 24 * time.Hour} {
		t.Run(ahead.String(), func(t *testing.T) {
			t.Parallel()
			simulated(t, func(w *world) {
				m := w.mirror(WithWholeInterval(30 * time.Minute))
				w.runFor(m, 10*time.Minute)
				id := one(w.T, w.srv, "container", 7)
				w.srv.RemoveContainer(id)
				w.runFor(m, 30*time.Minute)
				later := time.Now().Add(ahead)
				for _, column := range []string{"missing_since", "seen_at"} { // as written while the clock was ahead
					_, err := w.db.Exec(w.sql("update t49.containers set "+column+" = $1 where id = $2"), m.db.Time(later), id)
					require.NoError(w, err)
				}
				_, err := w.db.Exec(w.sql("update t49.pages set seen_at = $1"), m.db.Time(later))
				require.NoError(w, err)
				w.runFor(m, 30*time.Minute)
				require.Equal(w, map[model.Ref]bool{{Type: "container", ID: id}: true}, w.gone())
			}, standing, terminal49test.WithSyntheticContainers(60))
		})
	}
}

// The token becomes that of another account between the walks over shipments and containers, or
// beside one: what other readings have shown of the second account does not make its lists trusted.
func TestDeletions_AnotherAccountBetweenWalks(t *testing.T) {
	t.Parallel()
	for name, switchAt := range map[string]func(*http.Request, *atomic.Bool) bool{
		"between two walks": func(r *http.Request, switched *atomic.Bool) bool {
			if strings.HasSuffix(r.URL.Path, "/containers") {
				switched.Store(true)
			}
			return switched.Load()
		},
		"beside a walk": func(r *http.Request, switched *atomic.Bool) bool {
			is := switched.Load()
			switch {
			case is || !strings.HasSuffix(r.URL.Path, "/shipments"):
			case strings.Contains(r.URL.RawQuery, "tracking_stopped"): // another walk
				is = true
			default:
				worker.Pause(r.Context(), time.Second, nil) // the response comes after that of the other walk
				switched.Store(true)
			}
			return is
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			simulated(t, func(w *world) { anotherAccount(w, switchAt) }, standing, terminal49test.WithoutRateLimits())
		})
	}
}

// anotherAccount switches to another account when switchAt says so. It receives each request, and
// returns whether it is answered by the other account.
func anotherAccount(w *world, switchAt func(*http.Request, *atomic.Bool) bool) {
	other := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSeed(2), terminal49test.WithToken(w.srv.Token),
		standing, terminal49test.WithoutRateLimits())
	defer other.Close()
	w.srv.SeedDemo()
	other.SeedDemo()
	var switches, switched atomic.Bool
	m := w.mirrorVia(roundTripper(func(r *http.Request) (*http.Response, error) {
		if strings.HasSuffix(r.URL.Path, "/me") {
			resp := body(404, notFoundBody)
			resp.Request, resp.Header = r, http.Header{"Content-Type": {"application/json"}}
			return resp, nil
		}
		is := w.srv
		if switches.Load() && switchAt(r, &switched) {
			is = other
		}
		resp, err := is.Transport().RoundTrip(r)
		if err != nil {
			return nil, err
		}
		return nameless(resp), nil
	}), WithWholeInterval(30*time.Minute))
	w.runFor(m, 25*time.Minute)
	switches.Store(true)
	w.runFor(m, 100*time.Minute)
	require.True(w, switched.Load())
	require.Empty(w, w.gone())
}

// A walk reads a bounded number of rows by id, and the next walks read the others.
func TestDeletions_OverSeveralWalks(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		client, err := terminal49.New(w.srv.Token, terminal49.WithBaseURL(w.srv.URL), terminal49.WithoutRateLimits(),
			terminal49.WithHTTPClient(&http.Client{Transport: w.srv.Transport()}))
		require.NoError(w, err)
		m, err := New(client, w.db, WithWholeInterval(time.Hour))
		require.NoError(w, err)
		w.runFor(m, 10*time.Minute)
		n := 0
		for r := range w.srv.Snapshot("container") {
			if n++; n <= 2100 {
				w.srv.RemoveContainer(r.ID)
			}
		}
		const missing = "select count(*) from containers where missing_since is not null"
		w.runFor(m, time.Hour)
		require.Equal(w, 2000, w.count(missing), "MostMissing")
		w.runFor(m, time.Hour)
		require.Equal(w, 2100, w.count(missing))
		require.Len(w, w.gone(), 1900, "the 100 that were left came first")
		w.runFor(m, time.Hour)
		require.Len(w, w.gone(), 2100)
		require.NoError(w, m.Reconcile(w.Context()))
	}, standing, terminal49test.WithSyntheticContainers(2200), terminal49test.WithoutRateLimits())
}

// The token is that of another account, and the service does not say so: what its lists show does
// not make them trusted, however often. With the right token, all is well again.
func TestDeletions_AnotherAccountThatIsNotNamed(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		other := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSeed(2), terminal49test.WithToken(w.srv.Token),
			standing, terminal49test.WithoutRateLimits())
		defer other.Close()
		w.srv.SeedDemo()
		other.SeedDemo()
		is := w.srv
		m := w.mirrorVia(roundTripper(func(r *http.Request) (*http.Response, error) {
			if strings.HasSuffix(r.URL.Path, "/me") {
				resp := body(404, notFoundBody)
				resp.Request, resp.Header = r, http.Header{"Content-Type": {"application/json"}}
				return resp, nil
			}
			resp, err := is.Transport().RoundTrip(r)
			return nameless(resp), err
		}), WithWholeInterval(30*time.Minute))
		w.runFor(m, 10*time.Minute)
		before := names(w.rows())
		is = other
		w.runFor(m, 4*time.Hour)
		require.Empty(w, w.gone())
		var waits *UnconfirmedError
		require.ErrorAs(w, m.Reconcile(w.Context()), &waits)
		containers := 0
		for range w.srv.Snapshot("container") {
			containers++
		}
		require.Equal(w, containers, waits.Rows["containers"])
		is = w.srv
		w.runFor(m, 2*time.Hour)
		for name := range before {
			require.Contains(w, names(w.rows()), name)
		}
		require.Equal(w, containers, w.count("select count(*) from live_containers"), "the other account's are proven to be gone")
		require.NoError(w, m.Reconcile(w.Context()))
	}, standing, terminal49test.WithoutRateLimits())
}

// nameless removes the account from a response.
func nameless(resp *http.Response) *http.Response {
	text, _ := io.ReadAll(resp.Body)
	resp.Body = io.NopCloser(strings.NewReader(strings.ReplaceAll(string(text), `"account"`, `"owner"`)))
	return resp
}

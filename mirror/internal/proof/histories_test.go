//go:build unix

package proof

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/terminal49test"
)

// A history is what can happen to one container, after the model of fleet-mirror 3.4: 3 to 12
// changes, a third of them right after each other; each is notified after 0.1 s to an hour, one in
// ten twice; requests and responses are under way for up to 1.5 s each; one in fifty reads comes
// from a replica that lags by up to 3 s; and a walk over everything races with the changes.
type history struct {
	container string
	changes   []time.Duration // since the start
}

// story is several histories of one account at the same time, in a bubble with fake time.
type story struct {
	*terminal49test.Server
	t         *testing.T
	random    *rand.Rand
	lost      float64 // part of the notifications that never arrive
	audit     bool
	histories []history
	mirror    *mirror.Mirror
	db        *stored

	arriving sync.WaitGroup // deliveries that are under way
	mu       sync.Mutex     // guards random
}

// outcome is the result of the histories.
type outcome struct {
	histories, changes int
	wrong              int // at rest: those whose row is not what the service has
	wrongAfterWalk     int
	problems           []string
}

// newStory starts a service with n histories and a mirror of it.
func newStory(t *testing.T, seed uint64, n int, lost float64, audit bool) *story {
	s := &story{t: t, random: rand.New(rand.NewPCG(seed, 2)), lost: lost, audit: audit}
	s.Server = terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithoutRateLimits(), terminal49test.WithSeed(int64(seed)),
		terminal49test.WithReplicaLag(0.02, 3*time.Second), terminal49test.WithWebhookTransport(roundTripper(s.deliver)))
	s.AddWebhook(terminal49test.Webhook{URL: hookURL, Secret: hookSecret, Events: []string{"container.updated"}})
	for i := range n {
		shipment := s.AddShipment(terminal49test.Shipment{BillOfLadingNumber: fmt.Sprintf("MAEU%09d", i), ShippingLine: "MAEU",
			PortOfLading: "CNSHA", PortOfDischarge: "USLAX", Destination: "USLAX", PODTerminal: "APMT LA"})
		s.histories = append(s.histories, s.history(s.AddContainer(terminal49test.Container{
			Shipment: shipment, Number: terminal49test.ContainerNumber("MSKU", i), LocationAtPODTerminal: "version 0",
		})))
	}
	db, err := sql.Open("sqlite", ":memory:")
	require.NoError(t, err)
	db.SetMaxOpenConns(1)
	s.db = &stored{DB: db}
	client, err := terminal49.New(s.Token, terminal49.WithBaseURL(s.URL), terminal49.WithoutLimits(),
		terminal49.WithHTTPClient(&http.Client{Transport: roundTripper(s.distant)}))
	require.NoError(t, err)
	opts := []mirror.Option{mirror.WithSecrets(terminal49.NewSecret(hookSecret)), mirror.WithActiveInterval(never), mirror.WithWholeInterval(never)}
	if audit {
		opts = append(opts, mirror.WithWebhook(hookURL))
	}
	s.mirror, err = mirror.New(client, db, opts...)
	require.NoError(t, err)
	return s
}

// never is longer than a story: its walks are those that it asks for.
const never = 1000 * time.Hour

func (s *story) history(container string) history {
	h := history{container: container}
	var at time.Duration
	for range 3 + s.random.IntN(10) {
		at += s.pick(span{0, 400 * time.Millisecond}, span{500 * time.Millisecond, 20 * time.Second}, span{time.Minute, 10 * time.Minute})
		h.changes = append(h.changes, at)
	}
	return h
}

// span is a range of durations.
type span struct{ from, to time.Duration }

// pick returns a random duration of one of the spans.
func (s *story) pick(spans ...span) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	in := spans[s.random.IntN(len(spans))]
	return in.from + time.Duration(s.random.Int64N(int64(in.to-in.from)))
}

func (s *story) chance(p float64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.random.Float64() < p
}

// distant sends a request to the service, which reads its data in between.
func (s *story) distant(r *http.Request) (*http.Response, error) {
	way := span{50 * time.Millisecond, 1500 * time.Millisecond}
	time.Sleep(s.pick(way))
	res, err := s.Transport().RoundTrip(r)
	time.Sleep(s.pick(way))
	return res, err
}

// deliver accepts a delivery, as a queue in front of the receivers would, and delivers it later,
// twice or never.
func (s *story) deliver(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if !s.chance(s.lost) {
		s.arriving.Go(func() { s.arrive(r, body, s.delay()) })
	}
	if s.chance(0.1) && s.lost == 0 {
		s.arriving.Go(func() { s.arrive(r, body, s.pick(span{time.Second, 10 * time.Minute})) })
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
}

func (s *story) delay() time.Duration {
	soon := span{100 * time.Millisecond, 2 * time.Second}
	return s.pick(soon, soon, span{time.Second, time.Minute}, span{time.Minute, time.Hour})
}

// arrive delivers to the receiver until it acknowledges.
func (s *story) arrive(r *http.Request, body []byte, after time.Duration) {
	for time.Sleep(after); ; time.Sleep(15 * time.Second) {
		in := httptest.NewRequest(http.MethodPost, hookURL, bytes.NewReader(body))
		in.Header = r.Header.Clone()
		out := httptest.NewRecorder()
		s.mirror.Receiver().ServeHTTP(out, in)
		if out.Code == http.StatusOK {
			return
		}
	}
}

// run runs the story and returns its outcome.
func (s *story) run() (o outcome) {
	ctx, cancel := context.WithCancel(s.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.mirror.Run(ctx) }()
	time.Sleep(s.pick(span{0, time.Minute}))
	var happening sync.WaitGroup
	var latest time.Duration
	for _, h := range s.histories {
		latest = max(latest, h.changes[len(h.changes)-1])
		happening.Go(func() { s.happen(h) })
		o.changes += len(h.changes)
	}
	happening.Go(func() {
		time.Sleep(s.pick(span{0, latest + time.Second}))
		if err := s.mirror.Reconcile(ctx); err != nil {
			o.problems = append(o.problems, "reconcile: "+err.Error())
		}
	})
	happening.Wait()
	time.Sleep(2 * time.Second) // the last delivery begins
	s.arriving.Wait()
	time.Sleep(2 * time.Minute) // what is marked is read
	if s.audit {
		time.Sleep(6 * time.Minute) // and audited
	}
	o.histories = len(s.histories)
	o.wrong = s.wrong()
	if !s.audit {
		if err := s.mirror.Reconcile(ctx); err != nil {
			o.problems = append(o.problems, "reconcile: "+err.Error())
		}
		time.Sleep(time.Minute) // reads that overlapped are repeated
		o.wrongAfterWalk = s.wrong()
		o.problems = append(o.problems, differences(s.t, s.db, s.Server)...)
	}
	o.problems = append(o.problems, historyFaults(s.t, s.db, s.Server)...)
	if s.audit {
		o.problems = append(o.problems, differences(s.t, s.db, s.Server)...)
		o.problems = append(o.problems, inboxFaults(s.t, s.db, s.Server)...)
	}
	cancel()
	if err := <-ended; err != nil {
		o.problems = append(o.problems, "run: "+err.Error())
	}
	s.Close()
	_ = s.db.Close()
	return o
}

// happen makes the changes of a history.
func (s *story) happen(h history) {
	began := time.Now()
	for i, at := range h.changes {
		time.Sleep(time.Until(began.Add(at)))
		s.UpdateContainer(h.container, func(c *terminal49test.Container) {
			c.LocationAtPODTerminal = fmt.Sprint("version ", i+1)
			c.ImportDeadlines.Terminal = time.Date(2027, 1, 1, i, 0, 0, 0, time.UTC) // which is notified
		})
	}
}

// wrong counts the containers whose row is not what the service has.
func (s *story) wrong() (n int) {
	rows := s.db.rows(s.t)
	for _, h := range s.histories {
		now := fmt.Sprint("version ", len(h.changes))
		if rows[key{"container", h.container}].Attributes["location_at_pod_terminal"] != now {
			n++
		}
	}
	return n
}

type roundTripper func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// Fleet-mirror 3.4: the rule of tickets leaves no row wrong at rest. With the audit, that includes
// notifications that were never delivered; without it, they are found by the next walk.
func TestHistories_NoneIsWrongAtRest(t *testing.T) {
	for _, c := range []struct {
		name  string
		lost  float64
		audit bool
	}{
		{"audit", 0.02, true},
		{"no audit, all delivered", 0, false},
		{"no audit, some lost", 0.02, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			began := time.Now()
			o := tell(t, amount(4*time.Second, 10*time.Second, never), amount(40, 1000, 100_000), c.lost, c.audit)
			t.Logf("figure: histories, %s: %d with %d changes: %d wrong at rest, %d after a walk, %d problems; %.0f histories/s",
				c.name, o.histories, o.changes, o.wrong, o.wrongAfterWalk, len(o.problems), float64(o.histories)/time.Since(began).Seconds())
			if c.audit || c.lost == 0 {
				assert.Zero(t, o.wrong)
			}
			assert.Zero(t, o.wrongAfterWalk)
			requireNone(t, o.problems)
		})
	}
}

// perStory is how many histories happen at the same time.
const perStory = 20

// tell runs stories side by side, with n histories in all, or as many as begin within a time.
func tell(t *testing.T, within time.Duration, n int, lost float64, audit bool) (all outcome) {
	began := time.Now()
	var mu sync.Mutex
	var next atomic.Uint64
	t.Run("stories", func(t *testing.T) {
		for range runtime.GOMAXPROCS(0) {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				for seed := next.Add(1); seed <= uint64(n/perStory) && time.Since(began) < within; seed = next.Add(1) {
					synctest.Test(t, func(t *testing.T) {
						o := newStory(t, seed, perStory, lost, audit).run()
						mu.Lock()
						defer mu.Unlock()
						all.histories, all.changes = all.histories+o.histories, all.changes+o.changes
						all.wrong, all.wrongAfterWalk = all.wrong+o.wrong, all.wrongAfterWalk+o.wrongAfterWalk
						for _, p := range o.problems {
							all.problems = append(all.problems, fmt.Sprint("seed ", seed, ": ", p))
						}
					})
				}
			})
		}
	})
	return all
}

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
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/terminal49test"
)

// story is several histories of one account at the same time, in a bubble with fake time.
type story struct {
	*terminal49test.Server
	terms
	t         *testing.T
	random    *rand.Rand
	lost      float64 // part of the notifications that never arrive
	audit     bool
	histories []*history
	mirror    *mirror.Mirror
	db        *stored
	observer  *observer

	arriving sync.WaitGroup // deliveries that are under way
	mu       sync.Mutex     // guards random and the versions of histories
}

// history is what happens to one container.
type history struct {
	container, shipment string
	changes             []happening
	read                chan struct{} // receives when the service has read the container for a response
	version             int           // the number of changes so far
	notified            int           // the latest version whose notification was acknowledged
}

// happening is a change some time after the one before, or right after the next read.
type happening struct {
	after time.Duration
	trap  bool
}

// newStory starts a service and a mirror of it, whose statements are rewritten unless rewrite is
// nil.
func newStory(t *testing.T, seed uint64, lost float64, audit bool, rewrite func(string) string) *story {
	s := &story{t: t, terms: termsOf(seed), random: rand.New(rand.NewPCG(seed, 2)), lost: lost, audit: audit}
	s.observer = newObserver(s)
	s.Server = terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithoutRateLimits(), terminal49test.WithLog(100),
		terminal49test.WithSeed(int64(seed)), terminal49test.WithSpeed(speed), terminal49test.WithReplicaLag(s.lagging, speed*3*time.Second),
		terminal49test.WithWebhookTransport(roundTripper(s.deliver)))
	s.AddWebhook(terminal49test.Webhook{URL: hookURL, Secret: hookSecret, Events: []string{"container.updated"}})
	for i := range s.size {
		s.histories = append(s.histories, s.history(i))
	}
	db := sql.OpenDB(&prepared{rewrite: rewrite})
	db.SetMaxOpenConns(1)
	s.db = &stored{DB: db}
	client, err := terminal49.New(s.Token, terminal49.WithBaseURL(s.URL), terminal49.WithoutRateLimits(),
		terminal49.WithHTTPClient(&http.Client{Transport: roundTripper(s.distant)}))
	require.NoError(t, err)
	opts := []mirror.Option{mirror.WithSecrets(terminal49.NewSecret(hookSecret)), mirror.WithActiveInterval(s.walks),
		mirror.WithWholeInterval(never), mirror.WithSettle(s.settle)}
	if audit {
		opts = append(opts, mirror.WithWebhook(hookURL))
	}
	s.mirror, err = mirror.New(client, db, opts...)
	require.NoError(t, err)
	return s
}

// speed is that of the simulated clock. The service sends a notification a second after its change,
// which is then the least of the model: 0.1 s.
const speed = 10

// history adds a container with 3 to 12 changes to come.
func (s *story) history(i int) *history {
	h := &history{read: make(chan struct{}, 1)}
	h.shipment = s.AddShipment(terminal49test.Shipment{BillOfLadingNumber: fmt.Sprintf("MAEU%09d", i), ShippingLine: "MAEU",
		PortOfLading: "CNSHA", PortOfDischarge: "USLAX", Destination: "USLAX", PODTerminal: "APMT LA"})
	h.container = s.AddContainer(terminal49test.Container{
		Shipment: h.shipment, Number: terminal49test.ContainerNumber("MSKU", i), LocationAtPODTerminal: location(i, 0),
	})
	for range 3 + s.random.IntN(10) {
		h.changes = append(h.changes, happening{s.pick(s.gaps...), s.chance(s.traps)})
	}
	return h
}

// location is an attribute whose value is the version of a container.
func location(history, version int) string { return fmt.Sprintf("%d, version %d", history, version) }

var locations = regexp.MustCompile(`"location_at_pod_terminal":"(\d+), version (\d+)"`)

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
	mirrortest.Advance(s.pick(s.ways...))
	if query := r.URL.Query(); query.Has("page[size]") { // which the service caps in silence
		size, _ := strconv.Atoi(query.Get("page[size]"))
		query.Set("page[size]", strconv.Itoa(min(size, s.page)))
		r = r.Clone(r.Context())
		r.URL.RawQuery = query.Encode()
	}
	res, err := s.Transport().RoundTrip(r)
	back := s.pick(s.ways...)
	if back >= slow.from {
		s.wasRead(r.URL.Path)
	}
	mirrortest.Advance(back)
	return res, err
}

// wasRead lets changes happen that follow a read, of one resource or of a list, but not all at
// once: then a walk would read them.
func (s *story) wasRead(path string) {
	if s.traps == 0 {
		return
	}
	for _, h := range s.histories {
		isList := strings.HasSuffix(path, "/shipments") || strings.HasSuffix(path, "/containers")
		if isList && s.chance(0.2) || strings.HasSuffix(path, h.shipment) || strings.HasSuffix(path, h.container) {
			select {
			case h.read <- struct{}{}:
			default:
			}
		}
	}
}

// deliver accepts a delivery, as a queue in front of the receivers would, and delivers it later,
// twice or never.
func (s *story) deliver(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if !s.chance(s.lost) {
		s.arriving.Go(func() { s.arrive(r, body, s.pick(s.delays...)) })
	}
	if s.chance(0.1) && s.lost == 0 {
		s.arriving.Go(func() { s.arrive(r, body, s.pick(s.repeats)) })
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
}

// arrive delivers to the receiver until it acknowledges.
func (s *story) arrive(r *http.Request, body []byte, after time.Duration) {
	for mirrortest.Advance(after); ; mirrortest.Advance(15 * time.Second) {
		in := httptest.NewRequest(http.MethodPost, hookURL, bytes.NewReader(body))
		in.Header = r.Header.Clone()
		out := httptest.NewRecorder()
		s.mirror.Receiver().ServeHTTP(out, in)
		if out.Code == http.StatusOK {
			s.acknowledged(body)
			return
		}
	}
}

// acknowledged notes which version a notification was about.
func (s *story) acknowledged(body []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, found := range locations.FindAllSubmatch(body, -1) {
		i, _ := strconv.Atoi(string(found[1]))
		version, _ := strconv.Atoi(string(found[2]))
		s.histories[i].notified = max(s.histories[i].notified, version)
	}
}

// run runs the story and returns its outcome.
func (s *story) run() (o outcome) {
	ctx, cancel := context.WithCancel(s.t.Context())
	ended := make(chan error, 1)
	mirrortest.Advance(4 * time.Second) // replicas have the world too
	go func() { ended <- s.mirror.Run(ctx) }()
	mirrortest.Advance(s.pick(span{0, time.Minute}))
	stop := s.observer.watch()
	s.happenAll(ctx, &o)
	mirrortest.Advance(2 * time.Second) // the last delivery begins
	s.arriving.Wait()
	mirrortest.Advance(s.tail) // what is marked is read
	if s.audit {
		mirrortest.Advance(min(s.walks, 5*time.Minute) + time.Minute) // and audited
	}
	stop()
	o.histories, o.rests = len(s.histories), s.observer.rests
	s.settleAccounts(ctx, &o)
	cancel()
	if err := <-ended; err != nil {
		o.problem("run: %v", err)
	}
	s.Close()
	_ = s.db.Close()
	return o
}

// happenAll makes all changes, and walks over everything meanwhile.
func (s *story) happenAll(ctx context.Context, o *outcome) {
	var happening sync.WaitGroup
	var latest time.Duration
	for i, h := range s.histories {
		var end time.Duration
		for _, c := range h.changes {
			end += c.after
		}
		latest = max(latest, end)
		happening.Go(func() { s.happen(i, h) })
		o.changes += len(h.changes)
	}
	happening.Go(func() {
		mirrortest.Advance(s.pick(span{0, latest + time.Second}))
		s.reconcile(ctx, o)
	})
	happening.Wait()
}

func (s *story) reconcile(ctx context.Context, o *outcome) {
	if err := s.mirror.Reconcile(ctx); err != nil {
		o.problem("reconcile: %v", err)
	}
}

// happen makes the changes of a history.
func (s *story) happen(i int, h *history) {
	for n, c := range h.changes {
		if c.trap {
			s.untilRead(h)
		} else {
			mirrortest.Advance(c.after)
		}
		s.mu.Lock()
		h.version = n + 1
		s.mu.Unlock()
		s.UpdateContainer(h.container, func(c *terminal49test.Container) {
			c.LocationAtPODTerminal = location(i, n+1)
			c.ImportDeadlines.Terminal = time.Date(2027, 1, 1, n, 0, 0, 0, time.UTC) // which is notified
		})
	}
}

// untilRead waits until the next read of a container, and a moment longer.
func (s *story) untilRead(h *history) {
	select {
	case <-h.read: // an earlier one
	default:
	}
	select {
	case <-h.read:
	case <-time.After(time.Minute):
	}
	mirrortest.Advance(s.pick(span{0, 300 * time.Millisecond}))
}

// settleAccounts compares everything at the end.
func (s *story) settleAccounts(ctx context.Context, o *outcome) {
	now := s.wrong()
	for i := range now {
		s.observer.wrongs[i] = true
	}
	o.wrong = len(s.observer.wrongs)
	o.problems = append(o.problems, s.observer.problems...)
	if !s.audit {
		s.reconcile(ctx, o)
		mirrortest.Advance(time.Minute) // reads that overlapped are repeated
		o.wrongAfterWalk = len(s.wrong())
	}
	o.problems = append(o.problems, differences(s.t, s.db, s.Server)...)
	o.problems = append(o.problems, historyFaults(s.t, s.db, s.Server)...)
	if s.audit {
		o.problems = append(o.problems, inboxFaults(s.t, s.db, s.Server)...)
	}
}

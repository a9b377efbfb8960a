package board

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-freight/terminal49"
)

// service is the part of a source that reads the service, real or simulated. It keeps what it has
// read, so that a verdict can be made again when the clock moves.
type service struct {
	client *terminal49.Client
	clock  func() time.Time
	health

	mu      sync.Mutex
	kept    map[string]*kept
	read    time.Time // when the whole list was read last, on the process's clock; zero before
	changed bool      // the list changed while it was read
	total   int       // how many containers there are; 0 if that is not known
	every   string    // how often it is read, in words; "" if it need not be

	usable time.Duration // how long a reading is used at most, on the source's clock; 0 for no limit
}

// kept is a container and its latest changes.
type kept struct {
	container *terminal49.Container
	asked     time.Time // not after the request for it, on the source's clock
	changes   []change  // newest first
}

// mostChanges is how many changes of a container are kept.
const mostChanges = 50

func (s *service) now() time.Time { return s.clock() }

// related is what a container is read with.
var related = terminal49.AssessIncludes()

// put keeps a reading, unless a later one is kept, and puts its row into the model. A simulated
// clock may jump while the process's stands still, so among equals that of the source decides.
func (s *service) put(m *model, c *terminal49.Container, asked time.Time, by string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	k := s.kept[c.ID]
	if k == nil {
		k = &kept{container: c}
		s.kept[c.ID] = k
	}
	if cmp.Or(c.AsOf.Compare(k.container.AsOf), asked.Compare(k.asked)) < 0 {
		return
	}
	k.changes = append(differences(k.container, c, now, by), k.changes...)
	k.changes = k.changes[:min(len(k.changes), mostChanges)]
	k.container, k.asked = c, asked
	m.put(now, c)
}

// unnoted are attributes whose changes say nothing to a user: the time of the service's checks, ids
// of events, which are in the journey, and whether the availability is known, which its value says.
var unnoted = []string{"terminal_checked_at", "transport_events", "availability_known"}

// differences returns what differs between two readings, but for what is unnoted.
func differences(before, after *terminal49.Container, at time.Time, by string) (list []change) {
	changeset := terminal49.DiffContainers(before, after)
	for _, attribute := range changeset.Attributes() {
		c, ok := terminal49.ChangeOf[json.RawMessage](changeset, attribute)
		if ok && !slices.Contains(unnoted, attribute) {
			list = append(list, change{at, attribute, string(c.Old), string(c.New), by})
		}
	}
	return list
}

// keepOnly removes the containers that are not in listed. changed reports that the list changed
// while it was read.
func (s *service) keepOnly(m *model, listed map[string]bool, changed bool) {
	s.mu.Lock()
	for id := range s.kept {
		if !listed[id] {
			delete(s.kept, id)
		}
	}
	s.read, s.changed = time.Now(), changed
	s.mu.Unlock()
	m.keepOnly(listed)
}

func (s *service) containers(_ context.Context, ids []string) (list []*terminal49.Container, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range ids {
		if k := s.kept[id]; k != nil {
			list = append(list, k.container)
		}
	}
	return list, nil
}

// walk reads the whole list, and removes the containers that neither this walk nor the one before
// it showed.
func (s *service) walk(ctx context.Context, m *model, before map[string]bool) (map[string]bool, error) {
	seen, changed, asked := map[string]bool{}, false, s.now()
	params := &terminal49.ContainerListParams{Include: related}
	for page, err := range s.client.Containers.Pages(ctx, params, terminal49.WithRateLimitShare(0.6)) {
		if err != nil {
			return before, err
		}
		s.ok()
		s.expect(page.Total.Or(0))
		for _, c := range page.Items {
			seen[c.ID] = true
			s.put(m, c, asked, "found by reading")
		}
		changed, asked = page.ListChanged, s.now()
	}
	listed := map[string]bool{}
	for _, ids := range []map[string]bool{seen, before} {
		for id := range ids {
			listed[id] = true
		}
	}
	s.keepOnly(m, listed, changed)
	return seen, nil
}

// expect notes how many containers there are.
func (s *service) expect(total int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.total = total
}

// The time between two reads of the whole list, unless it is too old before, and after one that
// failed.
const (
	walkInterval = 5 * time.Minute
	walkAgain    = 15 * time.Second
)

// pause waits for d, or at least a second until a reading is too old on the source's clock. It
// reports whether ctx goes on.
func (s *service) pause(ctx context.Context, d time.Duration, read time.Time) bool {
	for end := time.Now().Add(d); wait(ctx, min(time.Second, time.Until(end))); {
		if time.Until(end) <= 0 || s.usable > 0 && s.now().Sub(read) >= s.usable {
			return true
		}
	}
	return false
}

// walks reads the list now and at intervals, until ctx ends. It fails only if the token is refused
// before anything was read.
func (s *service) walks(ctx context.Context, m *model) error {
	var seen map[string]bool
	for {
		var err error
		begin, pause := s.now(), walkInterval
		if seen, err = s.walk(ctx, m, seen); err != nil && ctx.Err() == nil {
			if seen == nil && (errors.Is(err, terminal49.ErrUnauthorized) || errors.Is(err, terminal49.ErrForbidden)) {
				return UsageError(explain(err))
			}
			s.note(err)
			pause = walkAgain
		}
		if !s.pause(ctx, pause, begin) {
			return nil
		}
	}
}

// note notes a failure that is about the service.
func (s *service) note(err error) {
	if problem := explain(err); problem != "" {
		s.fail(problem)
	}
}

// state returns when the whole list was read and, without webhooks, how often that happens.
func (s *service) state() state {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.read.IsZero() {
		return state{"The list is being read: " + soFar(len(s.kept), s.total) + " containers so far.", s.report(), true}
	}
	age := "The whole list was read " + ago(time.Since(s.read)) + s.every + "."
	if s.changed {
		age += " It changed while it was read, so a container may be missing until it is read again."
	}
	return state{age, s.report(), false}
}

// soFar returns how many were read, of how many if that is known.
func soFar(read, total int) string {
	if total < read || total == 0 {
		return grouped(read)
	}
	return grouped(read) + " of " + grouped(total)
}

func (s *service) details(ctx context.Context, c *terminal49.Container) (d details, err error) {
	s.mu.Lock()
	if k := s.kept[c.ID]; k != nil {
		d.changes = append(d.changes, k.changes...)
	}
	s.mu.Unlock()
	d.since = "Changes since the board was started"
	var noEvents, noRoute error
	d.events, noEvents = s.client.Containers.TransportEvents(ctx, c.ID, &terminal49.TransportEventListParams{
		Include: []terminal49.TransportEventInclude{terminal49.TransportEventIncludeLocation, terminal49.TransportEventIncludeVessel},
	})
	d.route, noRoute = s.client.Containers.Map(ctx, c.ID)
	return d, errors.Join(noEvents, noRoute)
}

// account is a real account. Nothing in it is changed, so it has no webhook for the board.
type account struct{ service }

// hidingToken returns a client that sees the token in no response, because a service or proxy may
// repeat it, and all pages show what a response has.
func hidingToken(connect func(...terminal49.Option) (*terminal49.Client, error)) (client *terminal49.Client, err error) {
	client, err = connect(terminal49.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
		return withoutToken{next, func(body string) string { return client.RedactToken(body) }}
	}))
	return client, err
}

// withoutToken hides the token in the bodies of responses.
type withoutToken struct {
	http.RoundTripper
	hide func(string) string
}

// mostBody is more than the client reads of a response.
const mostBody = 33 << 20

// RoundTrip implements http.RoundTripper.
func (t withoutToken) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := t.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close() //nolint:errcheck // it was only read
	body, err := io.ReadAll(io.LimitReader(resp.Body, mostBody))
	if err != nil {
		return nil, err
	}
	text := t.hide(string(body))
	resp.Body, resp.ContentLength = io.NopCloser(strings.NewReader(text)), int64(len(text))
	resp.Header.Del("Content-Length")
	return resp, nil
}

func newAccount(client *terminal49.Client) *account {
	a := &account{service{client: client, clock: time.Now, kept: map[string]*kept{}}}
	a.every = fmt.Sprintf(", and is read every %.0f minutes", walkInterval.Minutes())
	return a
}

func (a *account) tick() time.Duration { return 20 * time.Second }

func (a *account) follow(ctx context.Context, m *model) error {
	ctx, cancel := context.WithCancel(ctx)
	watching := make(chan struct{})
	go func() {
		defer close(watching)
		a.watch(ctx, m)
	}()
	err := a.walks(ctx, m)
	cancel()
	<-watching
	return err
}

// While a page is open, the service is asked for the owner of the token, unless it was heard of
// meanwhile: so the page says within ten seconds that the service is away or the token revoked.
const (
	probeInterval = 5 * time.Second
	probeTimeout  = 3 * time.Second
)

func (a *account) watch(ctx context.Context, m *model) {
	var asked time.Time
	for wait(ctx, probeInterval/20) {
		if m.streams() == 0 || min(a.quiet(), time.Since(asked)) < probeInterval {
			continue
		}
		asked = time.Now()
		bounded, cancel := context.WithTimeout(ctx, probeTimeout)
		_, err := a.client.Me(bounded, terminal49.WithMaxAttempts(1))
		cancel()
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			a.note(err)
		default:
			a.ok()
		}
	}
}

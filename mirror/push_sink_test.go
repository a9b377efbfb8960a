package mirror

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/webhook"
)

// sink is a receiver of a push.
type sink struct {
	*httptest.Server
	mu     sync.Mutex
	answer func(w http.ResponseWriter, id, subject string) bool // true if it has answered
	bodies []string
	header http.Header
	got    []string // accepted ids
	count  map[string]int
}

const sinkSecret = "p0sh-s3cret"

func newSink(t *testing.T, answer func(http.ResponseWriter, string, string) bool) *sink {
	s := &sink{answer: answer, count: map[string]int{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *sink) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if webhook.Verify(body, r.Header.Get(webhook.SignatureHeader), terminal49.NewSecret(sinkSecret)) != nil {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var e struct{ ID, Subject string }
	_ = json.Unmarshal(body, &e)
	s.mu.Lock()
	s.bodies, s.header = append(s.bodies, string(body)), r.Header
	s.count[e.ID]++
	answer := s.answer
	s.mu.Unlock()
	if answer != nil && answer(w, e.ID, e.Subject) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got = append(s.got, e.ID)
}

// set changes what the sink answers.
func (s *sink) set(answer func(http.ResponseWriter, string, string) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = answer
}

// accepted returns the ids that were accepted, in the order of the first time.
func (s *sink) accepted() (ids []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := map[string]bool{}
	for _, id := range s.got {
		if !seen[id] {
			ids = append(ids, id)
		}
		seen[id] = true
	}
	return ids
}

// tries returns how often an id was sent.
func (s *sink) tries(id string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count[id]
}

// to returns a push to the sink from the beginning. An answer of a busy machine is in time.
func (s *sink) to() Push {
	return Push{URL: terminal49.NewSecret(s.URL), Secret: terminal49.NewSecret(sinkSecret), From: "begin", Timeout: time.Minute}
}

// pushing is a push under way.
type pushing struct {
	cancel context.CancelFunc
	ended  chan error
}

func (m *testMirror) push(p Push) *pushing {
	ctx, cancel := context.WithCancel(m.Context())
	one := &pushing{cancel, make(chan error, 1)}
	go func() { one.ended <- m.Push(ctx, p) }()
	m.Cleanup(cancel)
	return one
}

func (p *pushing) stop(t *testing.T) {
	t.Helper()
	p.cancel()
	require.NoError(t, <-p.ended)
}

// add appends changes of containers to the feed, and returns their positions.
func (m *testMirror) add(ids ...string) (positions []string) {
	m.Helper()
	for _, id := range ids {
		positions = append(positions, m.addOf("container", id, "pickup_lfd"))
	}
	return positions
}

// addOf appends a change to the feed, and returns its position.
func (m *testMirror) addOf(kind, id, attribute string) string {
	m.Helper()
	var n int
	_, _ = fmt.Sscan(m.row("select coalesce(max(seq), 0) + 1 from t49.changes"), &n)
	position := fmt.Sprintf("%d-%016x", n, n*7919)
	m.exec("insert into t49.changes (seq, position, kind, id, attribute, old, new, ticket, source, at) values ($1, $2, $3, $4, $5, null, $6, 1, 'walk', $7)",
		n, position, kind, id, attribute, fmt.Sprintf(`"value-%s-%d"`, id, n), m.db.Time(time.Unix(1_800_000_000, 0)))
	m.exec("insert into t49.cursors (name, value) values ('changes.seq', $1) on conflict (name) do update set value = excluded.value", fmt.Sprint(n))
	return position
}

func soon(t *testing.T, holds func() bool, about ...any) {
	t.Helper()
	require.Eventually(t, holds, time.Minute, 10*time.Millisecond, about...)
}

// pushStatus returns the status of the only push; none before it has begun.
func (m *testMirror) pushStatus() (p PushStatus) {
	m.Helper()
	s, err := m.Status(m.Context())
	require.NoError(m, err)
	if len(s.Pushes) > 0 {
		p = s.Pushes[0]
	}
	return p
}

package board

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit/engines"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/sqlstore"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/worklist"
)

// mirrored is a board on a mirror of the demo's eight containers, in a file.
type mirrored struct {
	*page
	mirror *mirror.Mirror // which writes only when it is called
	copy   *copied
	stop   func()
}

func newMirrored(t *testing.T) *mirrored {
	t.Helper()
	file := filepath.Join(t.TempDir(), "mirror.db")
	db, err := sql.Open("sqlite", "file:"+file+"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_txlock=immediate")
	require.NoError(t, err)
	reading, err := sql.Open("sqlite", "file:"+file+"?_pragma=busy_timeout(5000)&_pragma=query_only(1)")
	require.NoError(t, err)
	return newMirroredIn(t, db, reading)
}

// newMirroredIn is newMirrored with a database, and the one that the board reads, which it closes.
func newMirroredIn(t *testing.T, db, reading *sql.DB) *mirrored {
	t.Helper()
	m := &mirrored{page: newPage(t)}
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	var err error
	m.mirror, err = mirror.New(m.client, db)
	require.NoError(t, err)
	require.NoError(t, m.mirror.Migrate(t.Context()))
	m.walkOnce()

	m.copy, err = newCopy(reading, terminal49.Redactor())
	require.NoError(t, err)
	m.site.model, m.site.source = newModel(), m.copy
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- follow(ctx, m.copy, m.site.model) }()
	m.stop = sync.OnceFunc(func() {
		cancel()
		require.NoError(t, <-ended)
		require.NoError(t, m.copy.db.Close())
	})
	t.Cleanup(m.stop)
	m.eventually(func() bool {
		of, err := m.site.model.ask(m.copy.now(), worklist.Filter{})
		return err == nil && of.all == 8 && m.copy.state().Age != ""
	})
	return m
}

// walkOnce has the mirror read everything.
func (m *mirrored) walkOnce() {
	m.Helper()
	ctx, cancel := context.WithCancel(m.Context())
	ended := make(chan error, 1)
	go func() { ended <- m.mirror.Run(ctx) }()
	m.eventually(func() bool {
		s, err := m.mirror.Status(ctx)
		return err == nil && !s.WholeWalk.IsZero()
	})
	cancel()
	require.NoError(m, <-ended)
}

func (m *mirrored) eventually(condition func() bool) {
	m.Helper()
	require.Eventually(m, condition, time.Minute, 5*time.Millisecond)
}

// changed has the mirror read a container and what belongs to it again.
func (m *mirrored) changed(all ...mirror.Ref) {
	m.Helper()
	_, err := m.mirror.Repair(m.Context(), all...)
	require.NoError(m, err)
}

// The board of a mirror shows what the board of the service shows, and sends nothing to it.
func TestMirror_ShowsWhatTheServiceShows(t *testing.T) {
	m := newMirrored(t)
	at := m.copy.now()
	m.clock = func() time.Time { return at }
	shown := m.site.model
	m.site.model = newModel()
	m.read()
	want := allRows(t, m.listed, m.site.model)
	m.site.model = shown
	before := m.server.RequestCount()
	got := allRows(t, m.copy, m.site.model)
	require.Len(t, got, 8)
	for i, r := range want {
		require.Equal(t, r.shown, got[i].shown)
	}
	text := m.get(got[0].Link())
	require.Regexp(t, `Changes that the mirror has seen</h3>\s*<p class="note"[^>]*></p>\s*<p>None yet.</p>`, text, "what the first read showed has not changed")
	require.Contains(t, text, `<ol class="timeline"><li>`)
	m.eventually(func() bool { return strings.Contains(m.get("/"), "The mirror heard from Terminal49 ") })
	require.Equal(t, before, m.server.RequestCount())
}

// A change of the container, of its shipment or of an event is on the board soon after its row.
func TestMirror_FollowsTheFeed(t *testing.T) {
	m := newMirrored(t)
	shipment := m.demo.Shipments[1]
	id := m.server.ContainerIDs(shipment)[0]
	record := func() worklist.Record {
		m.site.model.mu.Lock()
		defer m.site.model.mu.Unlock()
		if r := m.site.model.set.Get(id); r != nil {
			return *r
		}
		return worklist.Record{}
	}
	require.Equal(t, []string{"customs"}, record().Facts.Holds)
	m.server.UpdateContainer(id, func(c *terminal49test.Container) { c.Holds = nil })
	m.changed(mirror.Ref{Type: "container", ID: id})
	m.eventually(func() bool { return record().Facts.Holds == nil })
	m.server.UpdateShipment(shipment, func(s *terminal49test.Shipment) { s.Attributes = map[string]any{"customer_name": "Cedar & Loom"} })
	m.changed(mirror.Ref{Type: "shipment", ID: shipment})
	m.eventually(func() bool { return record().Facts.Customer == "Cedar & Loom" })
	require.NoError(t, m.mirror.Forget(t.Context(), mirror.Ref{Type: "container", ID: id}))
	m.eventually(func() bool { return record().ID == "" })
}

// A reader that cannot go on in the feed reads everything again.
func TestMirror_ReadsAgainAfterARestore(t *testing.T) {
	m := newMirrored(t)
	_, err := m.copy.readChanges(t.Context(), m.site.model, "999999-0123456789abcdef")
	require.ErrorIs(t, err, mirror.ErrPositionLost)
	gone := &terminal49.Container{}
	gone.ID = "gone"
	m.site.model.put(m.copy.now(), gone)
	_, err = m.copy.readAll(t.Context(), m.site.model)
	require.NoError(t, err)
	require.False(t, m.site.model.has("gone"))
}

// The page says that nothing is written to the mirror, or that it cannot be read.
func TestMirror_SaysThatItIsOld(t *testing.T) {
	m := newMirrored(t)
	m.eventually(func() bool { m.copy.mu.Lock(); defer m.copy.mu.Unlock(); return m.copy.status != nil })
	require.Empty(t, m.copy.state().Problem)
	m.stop() // it would note that all is well, and read another status
	m.copy.note(nil)
	walk := &m.copy.status.Walks[0]
	done := *walk
	walk.State, walk.Failures, walk.Problem = "running", 1, "dial tcp db.internal"
	require.Regexp(t, `^The mirror cannot read `+walk.Scope+` of the account\. What is shown may be from before \d{4}-\d\d-\d\d \d\d:\d\d UTC\. `, m.copy.state().Problem)
	require.NotContains(t, m.copy.state().Problem, "db.internal")
	walk.Failures = 20
	require.Regexp(t, `^The mirror cannot read .* says why\. The mirror is not as current as it should be: `, m.copy.state().Problem, "first since when")
	*walk = done
	m.copy.status.Heard = m.copy.status.Heard.Add(-10 * time.Minute)
	require.Regexp(t, `^The mirror hears nothing from Terminal49\. What is shown is from before \d{4}-\d\d-\d\d \d\d:\d\d UTC\. `, m.copy.state().Problem)
	m.copy.status.Written = m.copy.status.Written.Add(-time.Hour)
	require.Contains(t, m.copy.state().Problem, "The mirror is not as current as it should be: nothing has been written for 1h0m")
	require.Contains(t, m.get("/"), "nothing has been written for 1h0m")
	m.copy.note(errors.New("the disk is gone"))
	require.Regexp(t, `^The mirror's database cannot be read: the disk is gone\. What is shown is from before \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$`, m.copy.state().Problem)
	require.Contains(t, m.get("/"), "MEDU3309188", "what was read is still shown")
	m.copy.note(nil)
	require.NotContains(t, m.copy.state().Problem, "cannot be read")
}

// A role that may only select is enough in Postgres. While the server is away, the page says so.
func TestMirror_WithARoleThatMaySelect(t *testing.T) {
	server := engines.StartPostgres(t)
	url := server.NewDatabase(t)
	db, err := sql.Open("pgx", url)
	require.NoError(t, err)
	tables, err := mirror.Schema(sqlstore.Postgres, mirror.SchemaOptions{Reader: "dispatcher"})
	require.NoError(t, err)
	_, err = db.Exec(tables)
	require.NoError(t, err)
	_, err = db.Exec("alter role dispatcher login")
	require.NoError(t, err)
	reading, err := sql.Open("pgx", strings.Replace(url, "//postgres@", "//dispatcher@", 1))
	require.NoError(t, err)
	m := newMirroredIn(t, db, reading)
	m.eventually(func() bool { return strings.HasPrefix(m.copy.state().Age, "The mirror heard from Terminal49 ") })
	require.Empty(t, m.copy.state().Problem)
	id := m.server.ContainerIDs(m.demo.Shipments[1])[0]
	m.server.UpdateContainer(id, func(c *terminal49test.Container) { c.SealNumber = "NEW1" })
	m.changed(mirror.Ref{Type: "container", ID: id})
	m.eventually(func() bool { return strings.Contains(m.get("/"), "seal NEW1") })
	require.Contains(t, m.get("/containers/"+id), "Changes that the mirror has seen")
	_, err = m.copy.db.Exec("delete from t49.containers")
	require.ErrorContains(t, err, "permission denied")

	server.Stop()
	m.eventually(func() bool {
		return strings.HasPrefix(m.copy.state().Problem, "The mirror's database cannot be read: ")
	})
	require.Contains(t, m.get("/"), `<tr id="c-`+id, "what was read is still shown, as far as records have it")
	require.Equal(t, http.StatusServiceUnavailable, m.do(http.MethodGet, "/containers/"+id, nil).Code)
	server.Start()
	m.eventually(func() bool { return m.copy.state().Problem == "" })
	require.Contains(t, m.get("/containers/"+id), "<dd>NEW1</dd>")
}

package mirror

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit/engines"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/terminal49test"
)

// A walk over a main list that the service refuses is reported within a minute, with its problem,
// and no longer once it works. One failed request, and a refused optional list, are not.
func TestHealth_RefusedWalk(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		w.srv.SeedDemo()
		w.srv.AddFault(terminal49test.Fault{Operation: "documents.list", Times: -1, Status: 403})
		m, c := w.mirror(WithActiveInterval(time.Minute), WithWholeInterval(10*time.Minute)), new(clock)
		stop := w.start(m)
		mirrortest.Advance(5 * time.Minute)
		require.NoError(w, w.health(m, c))
		w.srv.AddFault(terminal49test.Fault{Operation: "shipments.list", Times: 1, Status: 500})
		mirrortest.Advance(2 * time.Minute)
		require.NoError(w, w.health(m, c))
		w.srv.AddFault(terminal49test.Fault{Operation: "shipments.list", Times: -1, Status: 403})
		mirrortest.Advance(2 * time.Minute) // one of them until the walk begins
		require.ErrorContains(w, w.health(m, c), "the walk over shipments.active was stopped: ")
		require.ErrorContains(w, w.health(m, c), "403")
		w.srv.ClearFaults()
		mirrortest.Advance(2 * time.Minute)
		require.NoError(w, w.health(m, c))
		require.NoError(w, stop())
	}, standing)
}

// That no process writes is reported within a minute, and so is a database that cannot be written.
func TestHealth_NothingIsWritten(t *testing.T) {
	t.Parallel()
	simulated(t, func(w *world) {
		w.srv.SeedDemo()
		m, c := w.mirror(), new(clock)
		stop := w.start(m)
		mirrortest.Advance(10 * time.Minute)
		require.NoError(w, w.health(m, c))
		_, err := w.db.Exec("pragma query_only = 1")
		require.NoError(w, err)
		mirrortest.Advance(5 * time.Second)
		require.ErrorContains(w, w.health(m, c), "writes fail: the file of the database is read-only")
		_, err = w.db.Exec("pragma query_only = 0")
		require.NoError(w, err)
		mirrortest.Advance(65 * time.Second)
		require.NoError(w, w.health(m, c))
		require.NoError(w, stop())
		mirrortest.Advance(40 * time.Second)
		require.NoError(w, w.health(m, c))
		mirrortest.Advance(10 * time.Second)
		require.ErrorContains(w, w.health(m, c), "nothing has been written for 5")
	}, standing)
}

// A full database is reported in words, without the name of the file, and nothing is acknowledged
// that is not stored.
func TestHealth_FullDatabase(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "mirror.db")
	db := open(t, "sqlite", "file:"+file+"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=max_page_count(400)")
	srv := terminal49test.NewServer(terminal49test.WithoutRateLimits(), terminal49test.WithSyntheticContainers(3000))
	defer srv.Close()
	m := running(t, db, srv)
	require.Eventually(t, func() bool {
		s, err := m.Status(t.Context())
		return err == nil && s.Failure != ""
	}, 5*time.Minute, 20*time.Millisecond)
	s, err := m.Status(t.Context())
	require.NoError(t, err)
	require.ErrorContains(t, s.Healthy(s.At), "writes fail: the disk of the database is full")
	require.NotContains(t, s.Healthy(s.At).Error(), file)
	const deliveries = 3000 // more than there is room for
	acknowledged := 0
	for i := range deliveries {
		if deliver(m, i) == http.StatusOK {
			acknowledged++
		}
	}
	n := 0
	require.NoError(t, db.QueryRow("select count(*) from inbox").Scan(&n))
	require.Equal(t, acknowledged, n)
	require.Less(t, n, deliveries, "it is full")
}

// running returns a mirror that runs until the test ends, and accepts deliveries.
func running(t *testing.T, db *sql.DB, srv *terminal49test.Server) *Mirror {
	t.Helper()
	m := accepting(t, db, srv)
	require.NoError(t, m.Migrate(t.Context()))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- m.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	return m
}

func accepting(t *testing.T, db *sql.DB, srv *terminal49test.Server) *Mirror {
	t.Helper()
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(srv.HTTPClient()), terminal49.WithoutRateLimits())
	require.NoError(t, err)
	m, err := New(client, db, WithSecrets(terminal49.NewSecret(mirrortest.WebhookSecret)))
	require.NoError(t, err)
	return m
}

// deliver delivers a notification and returns the status.
func deliver(m *Mirror, i int) int {
	return mirrortest.Serve(m.Receiver(), mirrortest.SignedRequest(mirrortest.Numbered(i))).Code
}

// Once the file is replaced or deleted, nothing is acknowledged, the status says so, and Run ends.
// What was acknowledged before is in the old file.
func TestHealth_ReplacedFile(t *testing.T) {
	t.Parallel()
	for name, replace := range map[string]func(file string) error{
		"deleted": os.Remove,
		"moved":   func(file string) error { return os.Rename(file, file+".moved") },
		"replaced": func(file string) error {
			return errors.Join(os.WriteFile(file+".new", nil, 0o600), os.Rename(file+".new", file))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			replaced(t, replace)
		})
	}
}

func replaced(t *testing.T, replace func(file string) error) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not replace a file that is open")
	}
	file := filepath.Join(t.TempDir(), "mirror.db")
	srv := terminal49test.NewServer(terminal49test.WithoutRateLimits())
	defer srv.Close()
	srv.SeedDemo()
	db := open(t, "sqlite", "file:"+file+"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)")
	m := accepting(t, db, srv)
	require.NoError(t, m.Migrate(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- m.Run(t.Context()) }()

	var mu sync.Mutex
	acknowledged, after := 0, false // it was replaced
	var senders sync.WaitGroup
	for sender := range 4 {
		senders.Go(func() {
			for i := range 400 {
				mu.Lock()
				began := after
				mu.Unlock()
				if deliver(m, 1000*sender+i) != http.StatusOK {
					continue
				}
				mu.Lock()
				acknowledged++
				mu.Unlock()
				if began {
					t.Error("a delivery that began after the replacement was acknowledged")
				}
			}
		})
	}
	require.Eventually(t, func() bool { mu.Lock(); defer mu.Unlock(); return acknowledged > 100 }, time.Minute, time.Millisecond)
	require.NoError(t, replace(file))
	took := mirrortest.Stopwatch()
	mu.Lock()
	after = true
	mu.Unlock()
	senders.Wait()
	_, err := m.Status(t.Context())
	require.ErrorIs(t, err, ErrReplaced)
	select {
	case err = <-ended:
		require.ErrorIs(t, err, ErrReplaced)
		t.Logf("figure: Run ends %.1f s after the file was replaced", took().Seconds())
	case <-time.After(time.Minute):
		t.Fatal("Run goes on")
	}
	n := 0
	require.NoError(t, db.QueryRow("select count(*) from inbox").Scan(&n))
	require.GreaterOrEqual(t, n, acknowledged, "the open connections still have the old file")
}

// A session keeps the default with which it began (Postgres 15, default_transaction_read_only), so
// a mirror whose sessions were opened while a server refused writes ends them, and is healthy soon
// after new ones may write, also in a pool of the caller.
func TestHealth_SessionThatStaysReadOnly(t *testing.T) {
	t.Parallel()
	srv := terminal49test.NewServer(terminal49test.WithoutRateLimits())
	defer srv.Close()
	dsn := engines.SharedPostgres(t).NewDatabase(t)
	admin := open(t, "pgx", dsn+"&default_transaction_read_only=off")
	require.NoError(t, accepting(t, admin, srv).Migrate(t.Context()))
	alter := func(change string) {
		_, err := admin.Exec("do $$ begin execute format('alter database %I " + change + "', current_database()); end $$")
		require.NoError(t, err)
	}
	alter("set default_transaction_read_only = on")
	db := open(t, "pgx", dsn)
	db.SetConnMaxLifetime(0) // sessions last for ever
	m := running(t, db, srv)
	failure := func() string { return m.db.Failure() }
	require.Eventually(t, func() bool { return failure() == "the database is read-only" }, time.Minute, 20*time.Millisecond)
	alter("reset default_transaction_read_only")
	require.Eventually(t, func() bool { return failure() == "" }, 30*time.Second, 20*time.Millisecond)
	require.Eventually(t, func() bool { s, err := m.Status(t.Context()); return err == nil && !s.ActiveWalk.IsZero() }, time.Minute, 20*time.Millisecond)
}

type codedError string

func (e codedError) Error() string    { return "refused" }
func (e codedError) SQLState() string { return string(e) }

// Whatever the database answers is counted (SQLSTATE: Postgres 15, appendix A), but not a value
// that it refuses, which is that of a row. A pooler that changes sessions is named with the remedy.
func TestHealth_CountsFailuresOfAnyCode(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"40001": "3 statements failed within a minute, the latest with the code 40001 of the database", "XX000": "the code XX000",
		"26000": "add default_query_exec_mode=exec", "42P05": "PgBouncer", "22021": "",
	} {
		d := store.New(nil, nil)
		for range 3 {
			d.NoteFailure(fmt.Errorf("walk: %w", codedError(code)))
		}
		require.Contains(t, d.Failure(), want, code)
		require.Equal(t, want == "", d.Failure() == "", code)
	}
	d := store.New(nil, nil)
	d.NoteFailure(codedError("40P01"))
	d.NoteFailure(context.Canceled)
	require.Empty(t, d.Failure(), "a deadlock is repeated")
}

// Two clients of a pooler prepare statements of the same names in one session (Postgres 15,
// appendix A, 42P05). Each answer of the mirror names the remedy.
func TestHealth_BehindAPoolerThatChangesSessions(t *testing.T) {
	t.Parallel()
	srv := terminal49test.NewServer(terminal49test.WithoutRateLimits())
	defer srv.Close()
	primary := engines.StartPostgres(t)
	dsn := primary.NewDatabase(t)
	require.NoError(t, accepting(t, open(t, "pgx", dsn), srv).Migrate(t.Context()))
	pooled := primary.StartPgBouncer(t).Through(dsn)
	for name, ask := range map[string]func(*Mirror) error{
		"status":    func(m *Mirror) error { _, err := m.Status(t.Context()); return err },
		"reconcile": func(m *Mirror) error { return m.Reconcile(t.Context()) },
		"verify":    func(m *Mirror) error { return errorOfSeq(m.Verify(t.Context())) },
		"repair":    func(m *Mirror) error { _, err := m.Repair(t.Context(), Ref{Type: "container", ID: "x"}); return err },
		"forget":    func(m *Mirror) error { return m.Forget(t.Context(), Ref{Type: "container", ID: "x"}) },
		"restored":  func(m *Mirror) error { return m.Restored(t.Context()) },
		"rebuild":   func(m *Mirror) error { return m.Rebuild(t.Context()) },
		"positions": func(m *Mirror) error { _, err := m.Position(t.Context()); return err },
		"waiting":   func(m *Mirror) error { _, err := m.Unconfirmed(t.Context()); return err },
		"parked":    func(m *Mirror) error { _, err := m.Parked(t.Context(), "x"); return err },
		"changes":   func(m *Mirror) error { return errorOfSeq(m.Changes(t.Context(), "")) },
		"since":     func(m *Mirror) error { _, err := m.PositionAt(t.Context(), time.Now()); return err },
		"walks":     func(m *Mirror) error { _, err := m.Walks(t.Context()); return err },
		"replay":    func(m *Mirror) error { _, err := m.Replay(t.Context(), "x"); return err },
		"from":      func(m *Mirror) error { return m.Reposition(t.Context(), "x", "end") },
		"remove":    func(m *Mirror) error { return m.RemovePush(t.Context(), "x") },
		"confirm":   func(m *Mirror) error { return m.ConfirmDeletions(t.Context(), Ref{Type: "container", ID: "x"}) },
		"list":      func(m *Mirror) error { return m.ConfirmList(t.Context(), "containers", 1) },
		"rows":      func(m *Mirror) error { return errorOfSeq((&Reader{db: m.db}).Containers(t.Context(), "")) },
		"history":   func(m *Mirror) error { _, err := (&Reader{db: m.db}).History(t.Context(), "x"); return err },
		"find":      func(m *Mirror) error { _, err := (&Reader{db: m.db}).Find(t.Context(), "MSCU7861324"); return err },
	} {
		refused := 0
		for i := range 6 {
			db := open(t, "pgx", pooled)
			db.SetMaxOpenConns(1)
			m := accepting(t, db, srv)
			if i%2 == 1 { // its first statements succeeded
				m.db.Pool = open(t, "pgx", dsn)
				require.NoError(t, m.db.Ready(t.Context()))
				m.db.Pool = db
			}
			err := ask(m)
			if coded := (interface{ SQLState() string })(nil); errors.As(err, &coded) {
				refused++
				assert.ErrorContains(t, err, "default_query_exec_mode=exec", name)
			}
		}
		assert.Positive(t, refused, name)
	}
}

func errorOfSeq[T any](all iter.Seq2[T, error]) (last error) {
	for _, err := range all {
		last = err
	}
	return last
}

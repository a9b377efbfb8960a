//go:build unix

package proof

import (
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/testkit/engines"
)

// relay passes connections on to one of several servers.
type relay struct {
	listener net.Listener
	mu       sync.Mutex
	to       string
	open     map[net.Conn]bool
	running  sync.WaitGroup
}

// newRelay returns a relay that runs until the test ends.
func newRelay(t testing.TB) *relay {
	t.Helper()
	l, err := listen()
	require.NoError(t, err)
	r := &relay{listener: l, open: map[net.Conn]bool{}}
	r.running.Go(r.accept)
	t.Cleanup(func() { _ = l.Close(); r.lead(""); r.running.Wait() })
	return r
}

func (r *relay) accept() {
	for {
		in, err := r.listener.Accept()
		if err != nil {
			return
		}
		r.mu.Lock()
		out, err := net.Dial("tcp", r.to)
		if err != nil {
			_ = in.Close()
			r.mu.Unlock()
			continue
		}
		r.open[in], r.open[out] = true, true
		r.running.Go(func() { r.pass(in, out) })
		r.running.Go(func() { r.pass(out, in) })
		r.mu.Unlock()
	}
}

func (r *relay) pass(to, from net.Conn) {
	_, _ = io.Copy(to, from)
	for _, c := range []net.Conn{to, from} {
		_ = c.Close()
		r.mu.Lock()
		delete(r.open, c)
		r.mu.Unlock()
	}
}

// lead ends all connections, and passes new ones on to an address.
func (r *relay) lead(to string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.to = to
	for c := range r.open {
		_ = c.Close()
	}
}

// addressOf returns the address of the server of a DSN.
func addressOf(t testing.TB, dsn string) string {
	t.Helper()
	parsed, err := url.Parse(dsn)
	require.NoError(t, err)
	return parsed.Host
}

// An asynchronous copy of Postgres that lags takes over from a server that dies, while a mirror
// writes. What the copy lacks is gone; the mirror notices that by itself, and a reader of changes
// gets an error.
func TestFailover_ToACopyThatLags(t *testing.T) {
	t.Parallel()
	primary := engines.StartPostgres(t)
	direct := databaseIn(t, primary)
	r := newRelay(t)
	r.lead(addressOf(t, direct.DSN))
	db := source{Driver: "pgx", DSN: strings.Replace(direct.DSN, addressOf(t, direct.DSN), r.listener.Addr().String(), 1)}
	s, reader := newService(t, 10, 12), db.open(t)
	stop := s.changeUntil(30 * time.Millisecond)
	defer stop()
	_, f := followMirror(t, s, db, reader)
	lost := 0
	for n := range amount(1, 1, 10) {
		copied := primary.Replica()
		server := source{Driver: "pgx", DSN: copied.DSN()}.open(t)
		caughtUp := primaryAt(t, primary)
		eventually(t, func() []string {
			if server.count(t, "select case when pg_last_wal_replay_lsn() >= $1::pg_lsn then 1 else 0 end", caughtUp) == 0 {
				return []string{"the copy does not follow"}
			}
			return nil
		})
		for _, statement := range []string{"alter system set primary_conninfo = ''", "select pg_reload_conf()"} {
			_, err := server.Exec(statement)
			require.NoError(t, err)
		}
		require.NoError(t, server.Close())
		behind := source{Driver: "pgx", DSN: strings.Replace(direct.DSN, addressOf(t, direct.DSN), addressOf(t, copied.DSN()), 1)}.open(t)
		pass(time.Second + time.Duration(rand.IntN(1000))*time.Millisecond) // the copy lags
		eventually(t, func() []string {
			require.NoError(t, f.follow(t))
			if seqOf(f.position) <= int64(behind.count(t, lastChange)) {
				return []string{"the copy lacks nothing that the reader has"}
			}
			return nil
		})
		ahead, restored := seqOf(f.position), reader.noticedAt("")
		r.lead("")
		primary.Stop()
		copied.Promote()
		missing := ahead - int64(behind.count(t, lastChange))
		r.lead(addressOf(t, copied.DSN()))
		primary = copied
		before := f.lost
		eventually(t, func() []string {
			if err := f.follow(t); err != nil {
				return []string{err.Error()}
			}
			if reader.noticedAt(restored) == restored {
				return []string{"the mirror has not noticed"}
			}
			return nil
		})
		requireNone(t, f.faults(t))
		require.Positive(t, missing, "the copy lags")
		require.Equal(t, before+1, f.lost, "failover %d: %d changes that the reader had are gone", n, missing)
		lost += int(missing)
	}
	stop()
	within(t, 10*time.Minute, func() []string { return faults(t, reader, s.Server) })
	require.NoError(t, f.follow(t))
	requireNone(t, f.faults(t))
	t.Logf("figure: failover to an asynchronous copy, %d times: the copies lacked %d changes that the reader had; each noticed by the mirror and by the reader, 0 of %d changes missed without an error; %s",
		f.lost, lost, f.read, amounts(t, reader))
}

// lastChange selects the seq of the last change.
const lastChange = "select coalesce(max(seq), 0) from t49.changes"

// noticedAt returns when a restore was noticed; the same as before if the database is away.
func (s *stored) noticedAt(before string) string {
	var at string
	if err := s.QueryRow(s.statement("select coalesce((select value from t49.cursors where name = 'restored'), '')")).Scan(&at); err != nil {
		return before
	}
	return at
}

// primaryAt returns how far a server has written.
func primaryAt(t testing.TB, p *engines.Postgres) (at string) {
	t.Helper()
	db := source{Driver: "pgx", DSN: p.DSN()}.open(t)
	require.NoError(t, db.QueryRow("select pg_current_wal_lsn()::text").Scan(&at))
	require.NoError(t, db.Close())
	return at
}

//go:build unix

package proof

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"modernc.org/sqlite"
)

// A backup is restored underneath a running mirror, at random moments. A reader of changes then
// gets an error, or has missed nothing; after the way back its copy equals the tables. The mirror
// goes on by itself, and is equal to the service in the end.
func TestRestore_AtRandom(t *testing.T) {
	t.Parallel()
	rounds(t, "SQLite", amount(5, 10, 1000), func(t *testing.T, times int) {
		db := sqliteFile(t)
		restoreAtRandom(t, db, times, &fileBackup{db: db.open(t), file: filepath.Join(t.TempDir(), "backup.db")})
	})
	rounds(t, "Postgres", amount(3, 4, 100), func(t *testing.T, times int) {
		db := postgres(t)
		restoreAtRandom(t, db, times, newTemplateBackup(t, db))
	})
}

// rounds divides a number of times into rounds, each with a world and a database of its own: they
// would grow.
func rounds(t *testing.T, engine string, times int, f func(t *testing.T, times int)) {
	const round = 25
	for done := 0; done < times; done += round {
		t.Run(fmt.Sprint(engine, "_", done/round), func(t *testing.T) {
			t.Parallel()
			f(t, min(round, times-done))
		})
	}
}

// backup saves a database and restores it, while it is in use.
type backup interface {
	save(t testing.TB)
	restore(t testing.TB)
}

// followMirror starts a process that mirrors until the test ends, and returns it and a reader of
// its changes once there are some.
func followMirror(t *testing.T, s *service, db source, reader *stored) (*process, *follower) {
	p := start(t, busy(s, db))
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(p.lastLines())
		}
		p.kill()
	})
	s.receivers.set(p.address)
	eventually(t, func() []string {
		if !reader.hasTables() || reader.count(t, "select count(*) from t49.changes") < 20 {
			return []string{"nothing is mirrored"}
		}
		return nil
	})
	return p, newFollower(t, reader)
}

func restoreAtRandom(t *testing.T, db source, times int, b backup) {
	s, reader := newService(t, 9, 12), db.open(t)
	stop := s.changeUntil(60 * time.Millisecond)
	defer stop()
	p, f := followMirror(t, s, db, reader)
	behind := 0
	for n := range times {
		b.save(t)
		if n == 0 { // after this, what it reads is not in the backup
			eventually(t, func() []string { return textsOf(f.follow(t)) })
		}
		saved := f.position
		read := n == 0 || rand.IntN(3) > 0 // the reader is ahead of the backup, or behind it
		for more := 1 + rand.IntN(4); more > 0 || n == 0 && f.position == saved; more-- {
			pass(time.Duration(rand.IntN(100)) * time.Millisecond)
			if read {
				_ = f.follow(t) // the database may be away
			}
		}
		before := f.lost
		b.restore(t)
		pass(time.Duration(rand.IntN(200)) * time.Millisecond)
		require.False(t, p.endedWithin(0), p.lastLines())
		list := f.faults(t)
		requireNone(t, list)
		if f.lost == before {
			behind++
		}
	}
	stop()
	eventually(t, func() []string { return faults(t, reader, s.Server) })
	eventually(t, func() []string { return append(textsOf(f.follow(t)), f.faults(t)...) })
	noted := reader.count(t, "select count(*) from t49.cursors where name = 'restored'")
	require.Equal(t, 1, noted, "the mirror has noticed a restore by itself")
	require.Positive(t, f.lost)
	t.Logf("figure: %s: restored at %d random moments, of which the reader was ahead of the backup at %d: 0 of %d changes missed without an error, 0 wrong after the way back; %s",
		name(db), times, times-behind, f.read, amounts(t, reader))
}

// textsOf returns the text of an error, if there is one.
func textsOf(err error) []string {
	if err == nil {
		return nil
	}
	return []string{err.Error()}
}

// fileBackup is a backup of SQLite by its online backup.
type fileBackup struct {
	db   *stored
	file string
}

func (b *fileBackup) save(t testing.TB)    { b.copy(t, false) }
func (b *fileBackup) restore(t testing.TB) { b.copy(t, true) }

func (b *fileBackup) copy(t testing.TB, back bool) {
	t.Helper()
	type online interface {
		NewBackup(string) (*sqlite.Backup, error)
		NewRestore(string) (*sqlite.Backup, error)
	}
	eventually(t, func() []string { // it is refused while others write
		conn, err := b.db.Conn(t.Context())
		require.NoError(t, err)
		defer conn.Close() //nolint:errcheck // it is the pool's
		err = conn.Raw(func(driver any) error {
			open := driver.(online).NewBackup
			if back {
				open = driver.(online).NewRestore
			}
			copying, err := open(b.file)
			if err != nil {
				return err
			}
			_, err = copying.Step(-1)
			return errors.Join(err, copying.Finish())
		})
		if err != nil {
			return []string{err.Error()}
		}
		return nil
	})
}

// templateBackup is a backup of Postgres as another database of the server.
type templateBackup struct {
	server     *sql.DB
	name, copy string
}

func newTemplateBackup(t testing.TB, db source) *templateBackup {
	t.Helper()
	address, err := url.Parse(db.DSN)
	require.NoError(t, err)
	b := &templateBackup{name: strings.TrimPrefix(address.Path, "/")}
	b.copy = b.name + "_backup"
	address.Path = "/postgres"
	b.server, err = sql.Open("pgx", address.String())
	require.NoError(t, err)
	t.Cleanup(func() {
		_, _ = b.server.Exec("drop database if exists " + b.copy + " with (force)")
		_ = b.server.Close()
	})
	return b
}

func (b *templateBackup) save(t testing.TB)    { b.replace(t, b.copy, b.name) }
func (b *templateBackup) restore(t testing.TB) { b.replace(t, b.name, b.copy) }

// replace makes a database a copy of another one, whose connections it ends.
func (b *templateBackup) replace(t testing.TB, to, from string) {
	t.Helper()
	_, err := b.server.Exec("drop database if exists " + to + " with (force)")
	require.NoError(t, err)
	_, err = b.server.Exec("alter database " + from + " allow_connections false")
	require.NoError(t, err)
	eventually(t, func() []string {
		_, err := b.server.Exec("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", from)
		if err == nil {
			_, err = b.server.Exec("create database " + to + " template " + from)
		}
		if err != nil {
			return []string{err.Error()}
		}
		return nil
	})
	_, err = b.server.ExecContext(context.Background(), "alter database "+from+" allow_connections true")
	require.NoError(t, err)
}

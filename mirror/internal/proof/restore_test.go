//go:build unix

package proof

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"modernc.org/sqlite"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
)

// follower is a reader of changes with a copy of its own. When its position is lost, it takes the
// way back: it reads the tables again, and goes on from there.
type follower struct {
	m        *mirror.Mirror
	db       *stored
	position mirror.Position
	begin    int64    // seq from which on it has read every change
	seen     []string // the positions of these
	copy     map[key]map[string]string
	lost     int // how often its position was lost
	read     int // changes in all
}

func newFollower(t testing.TB, db *stored) *follower {
	t.Helper()
	client, err := terminal49.New("Zr8xW2kQ9vB4nT7m")
	require.NoError(t, err)
	m, err := mirror.New(client, db.DB)
	require.NoError(t, err)
	return &follower{m: m, db: db, copy: map[key]map[string]string{}}
}

// follow reads the changes that there are. The error is that of a database that is away.
func (f *follower) follow(t testing.TB) error {
	t.Helper()
	for c, err := range f.m.Changes(t.Context(), f.position) {
		switch {
		case errors.Is(err, mirror.ErrPositionLost):
			f.lost++
			return f.wayBack(t)
		case err != nil:
			return err
		}
		if err := f.apply(t, c); err != nil {
			return err
		}
		f.position = c.Position
		f.seen = append(f.seen, string(c.Position))
		f.read++
	}
	return nil
}

// wayBack reads the tables at a position.
func (f *follower) wayBack(t testing.TB) error {
	for {
		position, err := f.m.Position(t.Context())
		if err != nil {
			return err
		}
		tables, err := f.tables(t, "")
		if err != nil {
			return err
		}
		again, err := f.m.Position(t.Context())
		if err == nil && again == position { // the copy is exactly that of the position
			f.position, f.copy, f.seen = position, tables, nil
			f.begin = seqOf(position)
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func seqOf(p mirror.Position) (seq int64) {
	_, _ = fmt.Sscanf(string(p), "%d-", &seq) // 0 for the beginning
	return seq
}

// apply applies a change to the copy. The attributes of what appears are read from its row.
func (f *follower) apply(t testing.TB, c mirror.Change) error {
	of := key{c.Kind, c.ID}
	switch {
	case c.Attribute == "id" && c.New == nil:
		delete(f.copy, of)
	case c.Attribute == "id":
		rows, err := f.tables(t, c.ID)
		if f.copy[of] = rows[of]; err != nil || f.copy[of] == nil {
			f.copy[of] = map[string]string{} // it is gone again
		}
		return err
	case f.copy[of] != nil:
		f.copy[of][c.Attribute] = string(normal(orNull(c.New)))
	}
	return nil
}

func orNull(data []byte) []byte {
	if data == nil {
		return []byte("null")
	}
	return data
}

// notFollowed are members whose changes are not changes of the resource: see model.Compare.
var notFollowed = []string{
	"terminal_checked_at", "last_status_refresh_at", "pod_last_tracking_request_at", "shipment_last_tracking_request_at",
	"rail_last_tracking_request_at", "line_tracking_last_attempted_at", "line_tracking_last_succeeded_at", "transport_events", "raw_events",
}

// tables returns what the tables have, or only what has an id.
func (f *follower) tables(t testing.TB, id string) (map[key]map[string]string, error) {
	all := map[key]map[string]string{}
	names := append(slices.Collect(maps.Values(kinds)), "estimates", "container_events")
	slices.Sort(names)
	for _, table := range slices.Compact(names) {
		text := "select type, id, raw::text from t49." + table + " where deleted_at is null"
		var args []any
		if id != "" {
			text, args = text+" and id = $1", []any{id}
		}
		rows, err := f.db.Query(f.db.statement(text), args...)
		if err != nil {
			return nil, err
		}
		for rows.Next() {
			var of key
			var raw string
			if err := rows.Scan(&of.Type, &of.ID, &raw); err != nil {
				return nil, errors.Join(err, rows.Close())
			}
			all[of] = membersOf(t, of, raw)
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func membersOf(t testing.TB, of key, raw string) map[string]string {
	r := parsed(t, raw)
	members := map[string]string{}
	for name, value := range r.Attributes {
		members[name] = string(encoded(value))
	}
	for name, to := range r.Relationships {
		if to.Data != nil {
			members[name] = string(normal(to.Data))
		}
	}
	for _, name := range notFollowed {
		delete(members, name)
	}
	if of.Type == "vessel" {
		delete(members, "positions")
	}
	return members
}

// faults compares what the follower has read, and its copy, with the tables, at a moment at which
// nothing is written. It returns nothing if there is no such moment.
func (f *follower) faults(t testing.TB) (list []string) {
	t.Helper()
	if err := f.follow(t); err != nil {
		return nil
	}
	var want []string
	f.db.each(t, fmt.Sprintf("select position from t49.changes where seq > %d and kind <> '' order by seq", f.begin), func(c []sql.NullString) {
		want = append(want, c[0].String)
	})
	tables, err := f.tables(t, "")
	require.NoError(t, err)
	if end, err := f.m.Position(t.Context()); err != nil || end != f.position {
		return nil
	}
	if !slices.Equal(want, f.seen) {
		list = append(list, fmt.Sprintf("the follower has read %d changes after %d, and the feed has %d", len(f.seen), f.begin, len(want)))
	}
	for of, members := range tables {
		if f.copy[of] == nil {
			list = append(list, fmt.Sprintf("the follower does not have %v", of))
		}
		for name, value := range members {
			if has := f.copy[of][name]; has != value && !(has == "" && value == "null") {
				list = append(list, fmt.Sprintf("%v: %s is %s for the follower, and %s in the table", of, name, has, value))
			}
		}
	}
	for of := range f.copy {
		if tables[of] == nil {
			list = append(list, fmt.Sprintf("the follower still has %v", of))
		}
	}
	return list
}

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
		saved := f.position
		read := n == 0 || rand.IntN(3) > 0 // the reader is ahead of the backup, or behind it
		for more := 1 + rand.IntN(4); more > 0 || n == 0 && f.position == saved; more-- {
			time.Sleep(time.Duration(rand.IntN(100)) * time.Millisecond)
			if read {
				_ = f.follow(t) // the database may be away
			}
		}
		before := f.lost
		b.restore(t)
		time.Sleep(time.Duration(rand.IntN(200)) * time.Millisecond)
		require.False(t, p.endedWithin(0), p.lastLines())
		list := f.faults(t)
		requireNone(t, list)
		if f.lost == before {
			behind++
		}
	}
	stop()
	eventually(t, func() []string { return faults(t, reader, s.Server) })
	eventually(t, func() []string {
		if err := f.follow(t); err != nil {
			return []string{err.Error()}
		}
		return f.faults(t)
	})
	noted := reader.count(t, "select count(*) from t49.cursors where name = 'restored'")
	require.Equal(t, 1, noted, "the mirror has noticed a restore by itself")
	require.Positive(t, f.lost)
	t.Logf("figure: %s: restored at %d random moments, of which the reader was ahead of the backup at %d: 0 of %d changes missed without an error, 0 wrong after the way back; %s",
		name(db), times, times-behind, f.read, amounts(t, reader))
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

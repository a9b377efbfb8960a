//go:build unix

package proof

import (
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

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

// follow reads the changes that there are. The error is that of a database that is away; the
// follower is then as before. The row of what appears may have later changes, too: its position
// must not be before those, or a backup from between them would be no error. So follow reads until
// no more appears.
func (f *follower) follow(t testing.TB) error {
	t.Helper()
	next := *f
	next.copy = map[key]map[string]string{}
	for of, members := range f.copy {
		next.copy[of] = maps.Clone(members)
	}
	for more := true; more; {
		var err error
		if more, err = next.pass(t); err != nil {
			return err
		}
	}
	*f = next
	return nil
}

// pass reads the changes that there are, and reports whether something has appeared.
func (f *follower) pass(t testing.TB) (appeared bool, err error) {
	for c, err := range f.m.Changes(t.Context(), f.position) {
		switch {
		case errors.Is(err, mirror.ErrPositionLost):
			f.lost++
			return false, f.wayBack(t)
		case err != nil:
			return false, err
		}
		if err := f.apply(t, c); err != nil {
			return false, err
		}
		appeared = appeared || c.Attribute == "id" && c.New != nil
		f.position = c.Position
		f.seen = append(f.seen, string(c.Position))
		f.read++
	}
	return appeared, nil
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

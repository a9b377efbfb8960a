package mirror

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/sqlstore"
)

// voyages writes changes of one shipment, so that there are n.
func (m *testMirror) voyages(from, n int) {
	for i := from; i < from+n; i++ {
		m.write(between(int64(i), int64(i)), onVessel(fmt.Sprint(i)))
	}
}

// read reads all changes after a position.
func (m *testMirror) read(after Position) (seqs []int64, err error) {
	for c, err := range m.Changes(m.Context(), after) {
		if err != nil {
			return seqs, err
		}
		seqs = append(seqs, c.Seq)
	}
	return seqs, nil
}

// exec executes a statement.
func (m *testMirror) exec(statement string, args ...any) {
	m.Helper()
	_, err := m.db.Pool.Exec(m.db.SQL(statement), args...)
	require.NoError(m, err)
}

func (m *testMirror) positionAt(seq int) Position {
	return Position(m.row("select position from t49.changes where seq = $1", seq))
}

// A position is refused in each case in which changes after it are missing, and in no other.
func TestChanges_LostPositions(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := newTestMirror(t, db)
		end, err := m.Position(t.Context())
		require.NoError(t, err)
		require.Empty(t, end, "there are no changes")
		_, err = m.read("5-0123456789abcdef")
		require.ErrorIs(t, err, ErrPositionAhead)
		m.voyages(1, 9)
		end, err = m.Position(t.Context())
		require.NoError(t, err)
		require.Equal(t, m.positionAt(9), end)

		other := Position(m.positionAt(5)[:2] + "0123456789abcdef")
		m.exec("delete from t49.changes where seq < 3")
		m.exec("update t49.changes set kind = '', source = 'pruned' where seq = 3")
		for _, c := range []struct {
			after Position
			seqs  []int64
			err   error
		}{
			{m.positionAt(3), []int64{4, 5, 6, 7, 8, 9}, nil}, // all that follow are there
			{m.positionAt(8), []int64{9}, nil},
			{end, nil, nil},
			{"10-" + end[2:], nil, ErrPositionAhead},
			{"9223372036854775807-0123456789abcdef", nil, ErrPositionAhead},
			{other, nil, ErrPositionUnknown},
			{Position("9-" + strings.Repeat("0", 16)), nil, ErrPositionUnknown},
			{"", nil, ErrPositionPruned},
			{"2-0123456789abcdef", nil, ErrPositionPruned},
		} {
			seqs, err := m.read(c.after)
			require.Equal(t, c.seqs, seqs, c.after)
			if c.err == nil {
				require.NoError(t, err)
				continue
			}
			require.ErrorIs(t, err, c.err)
			require.ErrorIs(t, err, ErrPositionLost)
			require.Contains(t, err.Error(), "to go on, take the position of the end, then read the tables again")
		}
		for _, after := range []Position{"10", "abc", "0-0123456789abcdef", "5-0123456789ABCDEF", "5-0123456789abcdef ", "9999999999999999999-0123456789abcdef", "-"} {
			_, err := m.read(after)
			var argument *terminal49.ArgumentError
			require.True(t, errors.As(err, &argument), after)
			require.Contains(t, err.Error(), "such as 31543-9f3c2a7be01d44aa")
		}
	})
}

// A restore between two pages is noticed, although the loop has begun.
func TestChanges_RestoreBetweenPages(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := newTestMirror(t, db)
		var all []string
		for i := range 2 * changesPage {
			all = append(all, fmt.Sprintf(`{"type":"party","id":"%05d","attributes":{"company_name":"x"}}`, i))
		}
		m.write(between(1, 1), all...)
		var last error
		read := 0
		for _, err := range m.Changes(t.Context(), "") {
			if last = err; err != nil {
				break
			}
			if read++; read == changesPage {
				m.exec("update t49.changes set position = seq || '-0123456789abcdef'")
			}
		}
		require.Equal(t, changesPage, read)
		require.ErrorIs(t, last, ErrPositionUnknown)
	})
}

// What was forgotten leaves no trace in changes but its id in the last one; seq and position stay.
func TestForget_KeepsPositions(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := newTestMirror(t, db)
		m.write(between(1, 1), `{"type":"party","id":"P","attributes":{"company_name":"Harbor"}}`)
		m.write(between(2, 2), `{"type":"party","id":"P","attributes":{"company_name":"Street"}}`)
		m.write(between(3, 3), `{"type":"party","id":"Q","attributes":{"company_name":"Imports"}}`)
		before := m.all("select seq, position from t49.changes order by seq")
		second := m.positionAt(2)
		for range 2 {
			require.NoError(t, m.Forget(t.Context(), Ref{"party", "P"}))
		}
		after := m.all("select seq, position from t49.changes order by seq")
		require.Equal(t, before, after[:3])
		require.Len(t, after, 4)
		seqs, err := m.read(second)
		require.NoError(t, err)
		require.Equal(t, []int64{3, 4}, seqs)
		seqs, err = m.read("")
		require.NoError(t, err)
		require.Equal(t, []int64{3, 4}, seqs)
		isNull := "select count(*) from t49.changes where seq < 3 and kind = '' and id = '' and attribute = '' and old is null and new is null and ticket = 0"
		require.Equal(t, "2", m.row(isNull))
		require.Equal(t, "forget|P", m.row("select source, id from t49.changes where seq = 4"))
	})
}

// The queries of the guide for workers in the same database.
const (
	// It fails if the position is lost.
	postgresWorker = "select * from t49.changes_after((select position from my_position for update), 500)"

	// It has no row if the position is lost.
	sqliteCheck = `select 1 from my_position p
where exists (select 1 from changes c where c.seq = cast(p.position as integer) and c.position = p.position)
  or p.position = '' and coalesce((select source from changes order by seq limit 1), '') <> 'pruned'`
	sqliteWorker = "select c.* from changes c join my_position p on c.seq > cast(p.position as integer) where c.kind <> '' order by c.seq limit 500"
)

// A worker in the same database learns that its position is lost.
func TestChanges_WorkerInTheSameDatabase(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := newTestMirror(t, db)
		m.voyages(1, 6)
		m.exec("create table my_position (position text)")
		m.exec("insert into my_position values ('')")
		work := func() (seqs []int64, lost bool) {
			tx, err := db.BeginTx(t.Context(), nil)
			require.NoError(t, err)
			defer tx.Rollback() //nolint:errcheck // it only reads
			query := "select seq from (" + postgresWorker + ") c"
			if m.db.Dialect == sqlstore.SQLite {
				if err := tx.QueryRow(sqliteCheck).Scan(new(int)); err != nil {
					require.ErrorIs(t, err, sql.ErrNoRows)
					return nil, true
				}
				query = strings.Replace(sqliteWorker, "c.*", "c.seq", 1)
			}
			rows, err := tx.Query(query)
			if err == nil {
				defer rows.Close()
				for rows.Next() {
					var seq int64
					require.NoError(t, rows.Scan(&seq))
					seqs = append(seqs, seq)
				}
				err = rows.Err()
			}
			if err != nil {
				require.Contains(t, err.Error(), "SQLSTATE T4901")
			}
			return seqs, err != nil
		}
		at := func(position Position) (seqs []int64, lost bool) {
			m.exec("update my_position set position = $1", string(position))
			return work()
		}
		seqs, lost := work()
		assert.Equal(t, []int64{1, 2, 3, 4, 5, 6}, seqs)
		assert.False(t, lost)
		seqs, lost = at(m.positionAt(4))
		assert.Equal(t, []int64{5, 6}, seqs)
		assert.False(t, lost)
		seqs, lost = at(m.positionAt(6))
		assert.Empty(t, seqs)
		assert.False(t, lost)
		first := m.positionAt(1)
		for _, wrong := range []Position{"4-0123456789abcdef", "7-0123456789abcdef"} {
			_, lost = at(wrong)
			assert.True(t, lost, wrong)
		}
		m.exec("delete from t49.changes where seq < 3")
		m.exec("update t49.changes set kind = '', source = 'pruned' where seq = 3")
		for _, wrong := range []Position{"", first} {
			_, lost = at(wrong)
			assert.True(t, lost, wrong)
		}
		seqs, lost = at(m.positionAt(3))
		assert.Equal(t, []int64{4, 5, 6}, seqs)
		assert.False(t, lost)
		if m.db.Dialect == sqlstore.Postgres {
			_, lost = at("4")
			assert.True(t, lost)
		}
	})
}

// The random part of positions never repeats.
func TestPosition_TagsDiffer(t *testing.T) {
	seen := map[string]bool{}
	for range 10_000 {
		tag := model.NewTag()
		require.False(t, seen[tag])
		seen[tag] = true
		p, ok := model.ParsePosition("31543-" + tag)
		require.True(t, ok)
		require.Equal(t, model.Position{Seq: 31543, Tag: tag}, p)
	}
}

// What was stored since a time comes after the position of the time.
func TestChanges_PositionAtATime(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := newTestMirror(t, db)
		m.voyages(1, 4)
		for seq := 1; seq <= 4; seq++ {
			m.exec("update t49.changes set at = $1 where seq = $2", m.db.Time(time.Date(2026, 3, seq, 12, 0, 0, 0, time.UTC)), seq)
		}
		for since, want := range map[time.Time]Position{
			time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC):  "",
			time.Date(2026, 3, 3, 12, 0, 0, 0, time.UTC): m.positionAt(2),
			time.Date(2026, 3, 3, 13, 0, 0, 0, time.UTC): m.positionAt(3),
			time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC):  m.positionAt(4),
		} {
			at, err := m.PositionAt(t.Context(), since)
			require.NoError(t, err)
			require.Equal(t, want, at, "%v", since)
		}
	})
}

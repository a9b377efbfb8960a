package store

import (
	"context"

	"github.com/go-freight/terminal49/mirror/internal/model"
)

// Moment is a state of the table situations that a reader has seen. The zero Moment is none.
type Moment struct {
	feed model.Position // the end of the feed of changes
	seq  int64          // of the latest transaction that stored situations
	Rows int            // in the table
}

// Moment returns the one that is read, and reports whether the database has lived on from an
// earlier one. If not, because it was restored or much was pruned, the table must be read again.
func (s *Standings) Moment(ctx context.Context, earlier Moment) (now Moment, livedOn bool, err error) {
	rows, err := s.snap.on.QueryContext(ctx, s.snap.db.SQL(`
select (select count(*) from t49.situations), cast(coalesce((select value from t49.cursors where name = '`+situationsCursor+`'), '0') as bigint),
  coalesce(at.position, ''), coalesce(oldest.seq, 0), coalesce(oldest.source, ''), coalesce(newest.seq, 0), coalesce(newest.position, '')
from (select 1) one
left join (select position from t49.changes where seq = $1) at on true
left join (select seq, source from t49.changes order by seq limit 1) oldest on true
left join (select seq, position from t49.changes order by seq desc limit 1) newest on true`), earlier.feed.Seq)
	if err != nil {
		return now, false, err
	}
	var f feedEnds
	if err := onlyRow(rows, &now.Rows, &now.seq, &f.at, &f.oldest, &f.oldestSource, &f.newest, &f.newestPosition); err != nil {
		return now, false, err
	}
	now.feed, _ = model.ParsePosition(f.newestPosition)
	return now, earlier.seq > 0 && earlier.seq <= now.seq && f.check(earlier.feed) == nil, nil
}

// Since calls f for each row that was stored after a moment; for all rows after the zero Moment.
func (s *Standings) Since(ctx context.Context, m Moment, f func(Stored)) error {
	return s.each(ctx, " where s.seq > $1", []any{m.seq}, func(row Stored) error {
		f(row)
		return nil
	})
}

// IDs returns the ids of all rows.
func (s *Standings) IDs(ctx context.Context) (map[string]bool, error) {
	rows, err := s.snap.on.QueryContext(ctx, s.snap.db.SQL("select container_id from t49.situations"))
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	all := map[string]bool{}
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		all[id] = true
	}
	return all, rows.Err()
}

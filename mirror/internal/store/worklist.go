package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/sqlstore"
	"github.com/go-freight/terminal49/worklist"
)

// Preselection is a condition on the columns of situations that every container of a worklist
// meets. Which of those that meet it belong to the worklist, only a verdict decides. A zero field
// sets no condition.
type Preselection struct {
	Situation    terminal49.Situation // now or once the terminal's data is old
	RecentAfter  time.Time            // when the terminal was checked if the situation is not that of old data; only with Situation
	AnyAfter     time.Time            // or since a later time than this; only with Situation
	ToDay        terminal49.Date      // the last free day is at most this, and its urgency can be known
	CheckedAfter time.Time
	ETABefore    time.Time
	SinceBefore  time.Time
	Placed       bool // the container is neither on its way nor has left
	Expected     bool // an arrival is
	Held, Owes   bool // a hold is in force; fees are owed
}

// aroundTheWorld is more than the digits of a time whose zone is unknown differ from the time in
// UTC.
const aroundTheWorld = 2 * 24 * time.Hour

// conditions are what a row must meet.
type conditions struct {
	all  []string
	args []any
}

// add adds a condition, if it is set, with a $ for each argument.
func (c *conditions) add(is bool, condition string, args ...any) {
	if !is {
		return
	}
	parts := strings.Split(condition, "$")
	text := parts[0]
	for i, arg := range args {
		c.args = append(c.args, arg)
		text += "$" + strconv.Itoa(len(c.args)) + parts[i+1]
	}
	c.all = append(c.all, text)
}

// where returns the condition as SQL, with its arguments. It only names columns of the index
// situations_work.
func (p Preselection) where(d *Store) (clause string, args []any) {
	var c conditions
	p.addSituation(d, &c)
	c.add(!p.ToDay.IsZero(), "s.urgency_reason = '' and s.last_free_day <= $", p.ToDay.String())
	c.add(!p.CheckedAfter.IsZero(), "s.checked_at >= $", d.Time(p.CheckedAfter))
	c.add(!p.ETABefore.IsZero(), "s.eta <= $", d.Time(p.ETABefore.Add(aroundTheWorld)))
	c.add(!p.SinceBefore.IsZero(), "s.since <= $", d.Time(p.SinceBefore.Add(aroundTheWorld)))
	c.add(p.Placed, "s.situation not in ('out', 'returned', 'at_sea', 'on_rail', 'before_voyage')")
	c.add(p.Expected, "s.eta is not null")
	c.add(p.Held, "s.holds > 0")
	c.add(p.Owes, "s.owes")
	if len(c.all) == 0 {
		return "", nil
	}
	return " where " + strings.Join(c.all, " and "), c.args
}

// addSituation adds the condition of a situation. Only ready and pay_first become another one once
// the terminal's data is old.
func (p Preselection) addSituation(d *Store, c *conditions) {
	is, recent := string(p.Situation), d.Time(p.RecentAfter)
	switch {
	case is == "":
	case p.AnyAfter.IsZero():
		c.add(true, "s.situation in ($, 'ready', 'pay_first') and (s.old_situation = $ or s.situation = $ and s.checked_at >= $)", is, is, is, recent)
	default:
		c.add(true, "(s.old_situation = $ or s.situation = $ and s.checked_at >= $ or s.since > $)", is, is, recent, d.Time(p.AnyAfter))
	}
}

// Standings is one state of the situations, for a reader. The caller must end it.
type Standings struct {
	snap    *snapshot
	Waiting int   // resources that were written, and whose containers are not assessed yet
	Err     error // of the latest Each
}

// Standings begins to read.
func (d *Store) Standings(ctx context.Context) (*Standings, error) {
	if err := d.Ready(ctx); err != nil {
		return nil, err
	}
	snap, err := d.snapshot(ctx, "")
	if err != nil {
		return nil, err
	}
	s := &Standings{snap: snap}
	if err := s.countWaiting(ctx); err != nil {
		snap.end()
		return nil, err
	}
	return s, nil
}

// End ends the read.
func (s *Standings) End() { s.snap.end() }

// countWaiting sets how many wait. Until a mirror has begun to assess, all containers do.
func (s *Standings) countWaiting(ctx context.Context) error {
	var rules sql.NullString
	rows, err := s.snap.on.QueryContext(ctx, s.snap.db.SQL(`
select (select value from t49.cursors where name = '`+CursorRules+`'), (select count(*) from t49.unassessed)`))
	if err != nil {
		return err
	}
	if err := onlyRow(rows, &rules, &s.Waiting); err != nil {
		return err
	}
	switch {
	case !rules.Valid:
		rows, err := s.snap.on.QueryContext(ctx, s.snap.db.SQL("select count(*) from t49.containers where deleted_at is null"))
		if err != nil {
			return err
		}
		return onlyRow(rows, &s.Waiting)
	case rules.String != strconv.Itoa(terminal49.RulesVersion):
		return fmt.Errorf("mirror: the situations were made by version %.20s of the rules, and this program has %d; run a mirror of the same version: %w",
			rules.String, terminal49.RulesVersion, terminal49.ErrRulesVersion)
	}
	return nil
}

// onlyRow reads the only row, and closes rows.
func onlyRow(rows *sql.Rows, dest ...any) error {
	defer rows.Close() //nolint:errcheck // rows.Err has it
	if rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Stored is a row of situations, for a reader.
type Stored struct {
	ID     string
	Record *worklist.Record
	Err    error // why it cannot be read; nil if it was
}

// Each returns the rows that meet a condition and can be read, as [worklist.ReadBrief] reads them.
// A row that other rules made is in the queue, and one that cannot be read waits, too. It ends
// early with Err.
func (s *Standings) Each(ctx context.Context, p Preselection) iter.Seq[*worklist.Record] {
	return func(yield func(*worklist.Record) bool) {
		var without []string
		if without, s.Err = s.eachBrief(ctx, p, yield); s.Err == nil && len(without) > 0 {
			s.Err = s.eachWhole(ctx, without, yield)
		}
		if errors.Is(s.Err, errEnded) {
			s.Err = nil
		}
	}
}

// errEnded ends a read when no more rows are wanted.
var errEnded = errors.New("store: ended")

// eachWhole yields the rows that have no brief.
func (s *Standings) eachWhole(ctx context.Context, ids []string, yield func(*worklist.Record) bool) error {
	return s.each(ctx, " where s.container_id"+s.snap.db.oneOfListed(), []any{string(model.Encode(ids))}, func(row Stored) error {
		switch {
		case row.Err == nil && !yield(row.Record):
			return errEnded
		case row.Err != nil && !errors.Is(row.Err, terminal49.ErrRulesVersion):
			s.Waiting++
		}
		return nil
	})
}

// byWork has SQLite read the index situations_work: its planner expects the rows to be as narrow.
func (d *Store) byWork() string {
	if d.Dialect == sqlstore.SQLite {
		return " indexed by situations_work"
	}
	return ""
}

// eachBrief yields the rows that have a brief, and returns the ids of the others.
func (s *Standings) eachBrief(ctx context.Context, p Preselection, yield func(*worklist.Record) bool) (without []string, err error) {
	where, args := p.where(s.snap.db)
	rows, err := s.snap.on.QueryContext(ctx, s.snap.db.SQL("select s.container_id, s.brief from t49.situations s"+s.snap.db.byWork()+where), args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	for rows.Next() {
		var id, brief string
		if err := rows.Scan(&id, &brief); err != nil {
			return nil, err
		}
		switch record, err := worklist.ReadBrief(id, brief); {
		case err != nil:
			without = append(without, id)
		case !yield(record):
			return nil, errEnded
		}
	}
	return without, rows.Err()
}

func (s *Standings) each(ctx context.Context, where string, args []any, f func(Stored) error) error {
	rows, err := s.snap.on.QueryContext(ctx, s.snap.db.SQL("select s.container_id, s.standing, s.facts from t49.situations s"+where), args...)
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	var standing, facts sql.RawBytes
	for rows.Next() {
		var row Stored
		if err := rows.Scan(&row.ID, &standing, &facts); err != nil {
			return err
		}
		row.Record, row.Err = worklist.ReadRecord(row.ID, standing, facts)
		if err := f(row); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Containers reads containers, in no order.
func (s *Standings) Containers(ctx context.Context, ids []string) ([]*terminal49.Container, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return s.snap.containers(ctx, ids)
}

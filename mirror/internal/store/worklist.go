package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/worklist"
)

// Preselection is a condition on the columns of situations that every container of a worklist
// meets. Which of those that meet it belong to the worklist, only a verdict decides. A zero field
// sets no condition.
type Preselection struct {
	Situation   terminal49.Situation // now or later
	SinceAfter  time.Time            // or this, of facts that lie in the future; only with Situation
	ToDay       terminal49.Date      // the last free day is at most this, and its urgency can be known
	ETABefore   time.Time
	SinceBefore time.Time
}

// aroundTheWorld is more than the digits of a time whose zone is unknown differ from the time in
// UTC.
const aroundTheWorld = 2 * 24 * time.Hour

// isArgument matches an argument without a number.
var isArgument = regexp.MustCompile(`\$([^0-9]|$)`)

// where returns the condition as SQL, with its arguments.
func (p Preselection) where(d *Store) (clause string, args []any) {
	var all []string
	add := func(condition string, arg any) {
		args = append(args, arg)
		all = append(all, isArgument.ReplaceAllString(condition, "$$"+strconv.Itoa(len(args))+"$1"))
	}
	switch {
	case !p.SinceAfter.IsZero():
		args = append(args, string(p.Situation))
		add("(s.situation = $1 or s.since > $)", d.Time(p.SinceAfter))
	case p.Situation != "":
		add("(s.situation = $ or s.old_situation = $ and s.old_situation <> s.situation)", string(p.Situation))
	}
	if !p.ToDay.IsZero() {
		add("s.urgency_reason = '' and s.last_free_day <= $", p.ToDay.String())
	}
	if !p.ETABefore.IsZero() {
		add("s.eta <= $", d.Time(p.ETABefore.Add(aroundTheWorld)))
	}
	if !p.SinceBefore.IsZero() {
		add("s.situation not in ('out', 'returned', 'at_sea', 'on_rail', 'before_voyage') and s.since <= $", d.Time(p.SinceBefore.Add(aroundTheWorld)))
	}
	if len(all) == 0 {
		return "", nil
	}
	return " where " + strings.Join(all, " and "), args
}

// Standings is one state of the situations, for a reader. The caller must end it.
type Standings struct {
	snap    *snapshot
	Waiting int // resources that were written, and whose containers are not assessed yet
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

// Each calls f for each row that meets a condition and can be read, until it returns an error. A
// row that other rules made is in the queue, and one that cannot be read waits, too.
func (s *Standings) Each(ctx context.Context, p Preselection, f func(*worklist.Record) error) error {
	where, args := p.where(s.snap.db)
	return s.each(ctx, where, args, func(row Stored) error {
		switch {
		case row.Err == nil:
			return f(row.Record)
		case !errors.Is(row.Err, terminal49.ErrRulesVersion):
			s.Waiting++
		}
		return nil
	})
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

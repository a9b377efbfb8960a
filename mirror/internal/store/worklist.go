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

// Each calls f for each standing that meets a condition, until it returns an error. A standing that
// other rules made is in the queue, and one that cannot be read waits, too.
func (s *Standings) Each(ctx context.Context, p Preselection, f func(*terminal49.Standing) error) error {
	where, args := p.where(s.snap.db)
	return s.each(ctx, "select s.standing from t49.situations s"+where, args, nil, f)
}

// Groups are what containers are counted by.
type Groups struct{ key, label, join string }

const joinShipments = " join t49.containers c on c.id = s.container_id left join t49.shipments g on g.id = c.shipment_id"

// The groups of which the key is not in the standing.
var (
	ByShippingLine    = Groups{"g.shipping_line_scac", "g.shipping_line_name", joinShipments}
	ByPortOfDischarge = Groups{"g.port_of_discharge_locode", "g.port_of_discharge_name", joinShipments}
)

// EachIn calls f for each standing with the key and the label of its group; "" if these are
// unknown.
func (s *Standings) EachIn(ctx context.Context, g Groups, f func(of *terminal49.Standing, key, label string) error) error {
	var key, label sql.NullString
	return s.each(ctx, "select s.standing, "+g.key+", "+g.label+" from t49.situations s"+g.join, nil, []any{&key, &label},
		func(of *terminal49.Standing) error { return f(of, key.String, label.String) })
}

func (s *Standings) each(ctx context.Context, statement string, args, more []any, f func(*terminal49.Standing) error) error {
	rows, err := s.snap.on.QueryContext(ctx, s.snap.db.SQL(statement), args...)
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	var text sql.RawBytes
	dest := append([]any{&text}, more...)
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			return err
		}
		var of terminal49.Standing
		if err := of.UnmarshalJSON(text); err != nil {
			if !errors.Is(err, terminal49.ErrRulesVersion) {
				s.Waiting++
			}
			continue
		}
		if err := f(&of); err != nil {
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

package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// Past is what the tables have of a container over time, all of one state of the database.
type Past struct {
	Container, Shipment PastRow
	Holds, Fees         []PastPeriod // in the order of beginnings
	Changes             []change     // of both, in their order
}

// PastRow is a row as it is now.
type PastRow struct {
	model.Ref
	JSON      []byte    // nil if there is no row
	DeletedAt time.Time // zero if it is not deleted
}

// PastPeriod is a row of a table of periods.
type PastPeriod struct {
	schema.Period
	From, Until time.Time // Until is zero while it lasts
	Source      string
}

// Past returns the past of a container. The error wraps [sql.ErrNoRows] if there is no row.
func (d *Store) Past(ctx context.Context, container string) (past *Past, err error) {
	if err := d.Ready(ctx); err != nil {
		return nil, err
	}
	s, err := d.snapshot(ctx, "")
	if err != nil {
		return nil, err
	}
	defer s.end()
	past = new(Past)
	if err := s.pastRows(ctx, container, past); err != nil {
		return nil, err
	}
	for i, to := range []*[]PastPeriod{&past.Holds, &past.Fees} {
		if *to, err = s.pastPeriods(ctx, schema.PeriodTables[i], container); err != nil {
			return nil, err
		}
	}
	past.Changes, err = s.pastChanges(ctx, container, past.Shipment.ID)
	return past, err
}

func (s *snapshot) pastRows(ctx context.Context, container string, past *Past) error {
	c, of := &past.Container, &past.Shipment
	c.Ref, of.Ref = model.Ref{Type: "container", ID: container}, model.Ref{Type: "shipment"}
	rows, err := s.on.QueryContext(ctx, s.db.SQL(`
select c.raw, c.deleted_at, coalesce(s.id, ''), s.raw, s.deleted_at
from t49.containers c left join t49.shipments s on s.id = c.shipment_id where c.id = $1`), container)
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	if !rows.Next() {
		return cmp.Or(rows.Err(), fmt.Errorf("mirror: the database has no container with the id %.60q: %w", container, sql.ErrNoRows))
	}
	var deleted [2]schema.Instant
	err = rows.Scan(&c.JSON, &deleted[0], &of.ID, &of.JSON, &deleted[1])
	c.DeletedAt, of.DeletedAt = deleted[0].Time, deleted[1].Time
	return err
}

func (s *snapshot) pastPeriods(ctx context.Context, p *schema.PeriodTable, container string) (all []PastPeriod, err error) {
	rows, err := s.on.QueryContext(ctx, s.db.SQL("select container_id, n"+textsOf(p)+", first_seen, cleared_at, source from t49."+p.Table+
		" where container_id = $1 order by n"), container)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	for rows.Next() {
		var from, until schema.Instant
		var source string
		_, is, err := scanPeriod(p, rows, &from, &until, &source)
		if err != nil {
			return nil, err
		}
		all = append(all, PastPeriod{is, from.Time, until.Time, source})
	}
	return all, rows.Err()
}

// pastChanges reads the changes from which a past is made: of these attributes, and of whether the
// resources exist.
func (s *snapshot) pastChanges(ctx context.Context, container, shipment string) (all []change, err error) {
	rows, err := s.on.QueryContext(ctx, s.db.SQL(`
select seq, kind, id, attribute, old, new, source, at from t49.changes
where (kind = 'container' and id = $1 or kind = 'shipment' and id = $2)
  and attribute in ('id', 'holds_at_pod_terminal', 'fees_at_pod_terminal', 'pickup_lfd', 'import_deadlines', 'ind_eta_at', 'pod_eta_at', 'destination_eta_at',
    'available_for_pickup', 'availability_known', 'pickup_appointment_at', 'pod_discharged_at', 'pod_full_out_at', 'final_destination_full_out_at', 'empty_terminated_at')
order by seq`), container, shipment)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	for rows.Next() {
		var c change
		var at schema.Instant
		if err := rows.Scan(&c.Seq, &c.Kind, &c.ID, &c.Attribute, (*[]byte)(&c.Old), (*[]byte)(&c.New), &c.Source, &at); err != nil {
			return nil, err
		}
		c.At = at.Time
		all = append(all, c)
	}
	return all, rows.Err()
}

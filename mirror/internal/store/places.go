package store

import (
	"context"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// Places and vessels are in no list. Those that walks do not include are read again one by one, a
// few a minute. A vessel moves: while a shipment that is tracked is on it, it is read every day.
const (
	PlaceAge   = 7 * 24 * time.Hour
	VesselAge  = 24 * time.Hour
	PlaceEvery = 15 * time.Second
	mostPlaces = 1000 // after each walk over everything
)

// MarkOld marks the places and vessels that no reading has shown for their maximum age, and those
// that were read when the clock was ahead.
func (t *Tx) MarkOld(ctx context.Context) error {
	seen := func(of *schema.Table, imo string) string {
		return "select t.type, t.id, " + imo + " as imo, case when l.seen_at > t.seen_at then l.seen_at else t.seen_at end as seen_at from t49." +
			of.Name + ` t left join t49.last_seen l on l.kind = t.type and l.id = t.id
where t.ticket > 0 and t.missing_since is null and t.deleted_at is null`
	}
	all, err := t.refs(ctx, "select type, id from ("+seen(schema.PortTable, "''")+" union all "+seen(schema.TerminalTable, "''")+" union all "+
		seen(schema.VesselTable, "t.imo")+`
) place where seen_at < $1 or seen_at > $4 or seen_at < $2 and imo in (
  select pod_vessel_imo from t49.shipments where pod_ata_at is null and line_tracking_stopped_at is null and deleted_at is null)
order by seen_at, id limit $3`, t.time(t.Now.Add(-PlaceAge)), t.time(t.Now.Add(-VesselAge)), mostPlaces, t.time(t.Now.Add(plan.ClockSlack)))
	if err != nil || len(all) == 0 {
		return err
	}
	ticket, err := t.Ticket(ctx)
	if err != nil {
		return err
	}
	for i, what := range all {
		if err := t.InsertMark(ctx, plan.Mark{Ref: what, Ticket: ticket}, t.Now.Add(time.Duration(i)*PlaceEvery)); err != nil {
			return err
		}
	}
	return nil
}

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

// MarkOld marks the places and vessels that no reading has shown for their maximum age.
func (t *Tx) MarkOld(ctx context.Context) error {
	old := func(of *schema.Table) string {
		return "select type, id, seen_at from t49." + of.Name + " where ticket > 0 and missing_since is null and deleted_at is null and seen_at < "
	}
	all, err := t.refs(ctx, "select type, id from ("+old(schema.PortTable)+"$1 union all "+old(schema.TerminalTable)+"$1 union all "+
		old(schema.VesselTable)+`$1 union all `+old(schema.VesselTable)+`$2 and seen_at >= $1 and imo in (
    select pod_vessel_imo from t49.shipments where pod_ata_at is null and line_tracking_stopped_at is null and deleted_at is null)
) old order by seen_at, id limit $3`, t.time(t.Now.Add(-PlaceAge)), t.time(t.Now.Add(-VesselAge)), mostPlaces)
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

package mirror

import (
	"context"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// Period is the time for which the service reported a value, as far as the mirror has seen it. A
// value that returns begins another period. The times are those of the mirror's reads: the value
// itself changed at some time between the read before and From, or Until.
type Period[V any] struct {
	Value V         `json:"value"`
	From  time.Time `json:"from,omitzero"`  // the first read that showed it, in UTC; zero if unknown
	Until time.Time `json:"until,omitzero"` // the first read that no longer showed it, in UTC; zero while it lasts
	// Earlier reports whether the value may have begun before From, because no read before it is known
	// that would have shown it.
	Earlier bool   `json:"earlier,omitempty"`
	Source  string `json:"source,omitempty"` // what found the beginning, as in Change.Source; "" if unknown
}

// History is what the mirror has seen of a container over time. Each list is in the order in which
// periods began. A time that was not reported has no period.
type History struct {
	ContainerID string `json:"container_id"`
	Number      string `json:"number"`
	// FirstRead is when the mirror stored the container first, in UTC: nothing is known of the time
	// before. It is zero if that is unknown, because the change was deleted by age (see [Retention]).
	FirstRead time.Time `json:"first_read,omitzero"`

	Holds []Period[terminal49.Hold] `json:"holds"` // by name and status; the description is the last one
	Fees  []Period[terminal49.Fee]  `json:"fees"`  // by type, amount and currency; a total may include the others, see [terminal49.SumFees]

	Availability []Period[bool]            `json:"availability"` // released by the terminal or not; no period while that is unknown
	Appointments []Period[terminal49.Time] `json:"appointments"`

	LastFreeDays []Period[terminal49.LastFreeDay] `json:"last_free_days"` // of each source: line, terminal, rail
	PickupLFD    []Period[terminal49.LastFreeDay] `json:"pickup_lfd"`     // the service's choice, which may be another day

	PODETA         []Period[terminal49.Time] `json:"pod_eta"`         // arrival at the port of discharge, of the present shipment
	DestinationETA []Period[terminal49.Time] `json:"destination_eta"` // the shipping line's for the destination, of the present shipment
	INDETA         []Period[terminal49.Time] `json:"ind_eta"`         // the railroad's for the inland destination

	Discharged    []Period[terminal49.Time] `json:"discharged"`      // pod_discharged_at: each time that was reported, and when
	FullOut       []Period[terminal49.Time] `json:"full_out"`        // pod_full_out_at: left the port
	InlandFullOut []Period[terminal49.Time] `json:"inland_full_out"` // final_destination_full_out_at: left the ramp
	EmptyReturned []Period[terminal49.Time] `json:"empty_returned"`  // empty_terminated_at
}

// History returns what the tables holds, fees and changes have of a container and its shipment,
// deleted ones too. Times are in the zones that the service reports now.
//
// Errors: *terminal49.ArgumentError for an id that is not text; one that wraps [sql.ErrNoRows] if
// the database has no such container; one that names the row or the change whose JSON is damaged;
// those of the database and of ctx.
func (r *Reader) History(ctx context.Context, containerID string) (*History, error) {
	if r.err != nil {
		return nil, r.err
	}
	if err := checkText("History", "containerID", containerID); err != nil {
		return nil, err
	}
	past, err := r.db.Past(ctx, containerID)
	if err != nil {
		return nil, r.db.Explain(err)
	}
	return historyOf(containerID, past)
}

func historyOf(containerID string, past *store.Past) (*History, error) {
	h := &History{ContainerID: containerID}
	all, err := statesOf(past.Container, transactionsOf(past, "container"), terminal49.ParseResources[terminal49.Container])
	if err != nil {
		return nil, err
	}
	shipment, err := statesOf(past.Shipment, transactionsOf(past, "shipment"), terminal49.ParseResources[terminal49.Shipment])
	if err != nil {
		return nil, err
	}
	h.FirstRead = all[0].from
	for _, s := range all {
		if s.is != nil {
			h.Number = s.is.Number
		}
	}
	h.Holds, h.Fees = holdsOf(past), feesOf(past)
	h.Availability = availabilityOf(all)
	h.Appointments = periodsOf(all, func(c *terminal49.Container) terminal49.Time { return c.PickupAppointmentAt }, timeText)
	h.LastFreeDays = reportedOf(all)
	h.PickupLFD = periodsOf(all, func(c *terminal49.Container) terminal49.LastFreeDay { return terminal49.LastFreeDays(c).Chosen }, lastFreeDayText)
	h.PODETA = periodsOf(shipment, func(s *terminal49.Shipment) terminal49.Time { return s.PODETA }, timeText)
	h.DestinationETA = periodsOf(shipment, func(s *terminal49.Shipment) terminal49.Time { return s.DestinationETA }, timeText)
	h.INDETA = periodsOf(all, func(c *terminal49.Container) terminal49.Time { return c.INDETA }, timeText)
	h.Discharged = periodsOf(all, func(c *terminal49.Container) terminal49.Time { return c.PODDischargedAt }, timeText)
	h.FullOut = periodsOf(all, func(c *terminal49.Container) terminal49.Time { return c.PODFullOutAt }, timeText)
	h.InlandFullOut = periodsOf(all, func(c *terminal49.Container) terminal49.Time { return c.FinalDestinationFullOutAt }, timeText)
	h.EmptyReturned = periodsOf(all, func(c *terminal49.Container) terminal49.Time { return c.EmptyTerminatedAt }, timeText)
	return h, nil
}

package questions

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
)

// The right answers of questions 1 to 20, and of others about one container.

// events returns the valid transport events of a container, in order of time.
func (b *box) events() (all []*terminal49.TransportEvent) {
	w := b.w
	c, err := w.client.Containers.Get(context.Background(), b.c.ID, &terminal49.ContainerGetParams{
		Include: []terminal49.ContainerInclude{"transport_events.location", "transport_events.vessel"}})
	require.NoError(w, err)
	all, _ = c.TransportEvents.Values()
	all = slices.DeleteFunc(all, func(e *terminal49.TransportEvent) bool { return !e.InvalidatedAt.IsZero() })
	slices.SortStableFunc(all, func(a, b *terminal49.TransportEvent) int { return a.Timestamp.Compare(b.Timestamp) })
	return all
}

func isEstimate(e *terminal49.TransportEvent) bool {
	return strings.Contains(string(e.Event), ".estimated.")
}

// moves are the events of a journey that have happened.
func (b *box) moves() (all []*terminal49.TransportEvent) {
	for _, e := range b.events() {
		if strings.HasPrefix(string(e.Event), "container.transport.") && !isEstimate(e) {
			all = append(all, e)
		}
	}
	return all
}

// eventRow writes an event: its name, local time, place, vessel and voyage.
func eventRow(e *terminal49.TransportEvent) string {
	at, _ := e.Timestamp.Instant()
	vessel := ""
	if v, ok := e.Vessel.Value(); ok {
		vessel = v.Name
	}
	return row(strings.TrimPrefix(string(e.Event), "container.transport."), local(at, zone(cmp.Or(e.Timezone, "UTC"))), e.LocationLOCODE, vessel, e.VoyageNumber)
}

// latest is the latest event that has happened.
func (b *box) latest() string {
	moves := b.moves()
	return eventRow(moves[len(moves)-1])
}

// canGo is the answer to "can I pull it": the verdict, the open holds, the last free day, what is
// owed, the appointment, and when the terminal was last checked.
func (b *box) canGo(r rules) []string {
	return []string{
		"verdict " + b.verdictText(r), "holds " + b.holds(), "lfd " + b.lfd(r), "owed " + b.owed().String(),
		"appointment " + cmp.Or(local(b.raw.PickupAppointmentAt, b.podZone()), "none"), "checked " + local(b.raw.TerminalCheckedAt, time.UTC),
	}
}

// freeDays are the last free days by source.
func (b *box) freeDays() []string {
	d := b.c.ImportDeadlines
	return []string{"terminal " + dateOf(d.Terminal), "line " + dateOf(d.Line), "service " + dateOf(b.c.PickupLFD)}
}

// feeRows are the fees that count, and what is owed.
func (b *box) feeRows() (rows []string) {
	for _, f := range feeList(b.raw.Fees) {
		rows = append(rows, row(f.Type, owedOf([]fee{f})))
	}
	slices.Sort(rows)
	return append(rows, "owed "+b.owed().String())
}

// holdRows are the open holds with when the copy first had them.
func (w *world) holdRows(b *box) (rows []string) {
	for _, h := range b.raw.Holds {
		seen := w.past(b, func(s seenBox) string { return openHold(s, h.Name) })
		rows = append(rows, row(h.Name, cmp.Or(h.Status, "hold"), h.Description, minute(seen[len(seen)-1].at)))
	}
	slices.Sort(rows)
	return rows
}

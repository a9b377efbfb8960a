package mirror

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// pastOf writes readings, one an hour, and returns the container's history, a line for each period:
// what, the hours from and until, whether it may have begun earlier, and the source.
type pastOf struct {
	*testMirror
	start time.Time
	hours int64
}

func newPast(t *testing.T, db *sql.DB) *pastOf {
	p := &pastOf{testMirror: offline(t, db), start: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)}
	p.db.Now = func() time.Time { return p.start.Add(time.Duration(p.hours) * time.Hour) }
	return p
}

// read writes what a read at an hour shows.
func (p *pastOf) read(hour int64, resources ...string) {
	p.hours = hour
	p.write(between(hour+1, hour+1), resources...)
}

func (p *pastOf) history() *History {
	p.Helper()
	h, err := NewReader(p.db.Pool).History(p.Context(), "C")
	require.NoError(p, err)
	return h
}

func line[V any](start time.Time, p Period[V], what string) string {
	hour := func(t time.Time) string {
		if t.IsZero() {
			return "-"
		}
		return fmt.Sprint(int(t.Sub(start) / time.Hour))
	}
	text := fmt.Sprintf("%s %s %s", what, hour(p.From), hour(p.Until))
	if p.Earlier {
		text += " or earlier"
	}
	return strings.TrimSpace(text + " " + p.Source)
}

func (p *pastOf) lines(h *History) (all []string) {
	for _, o := range h.Holds {
		all = append(all, line(p.start, o, fmt.Sprintf("%s %s", o.Value.Name, o.Value.Status)))
	}
	for _, o := range h.Fees {
		all = append(all, line(p.start, o, o.Value.String()))
	}
	for _, o := range h.LastFreeDays {
		day, _ := o.Value.At.Date()
		all = append(all, line(p.start, o, fmt.Sprintf("%s %s", o.Value.Source, day)))
	}
	for _, o := range h.PickupLFD {
		day, _ := o.Value.At.Date()
		all = append(all, line(p.start, o, fmt.Sprintf("chosen %s", day)))
	}
	for _, o := range h.Availability {
		all = append(all, line(p.start, o, fmt.Sprint("available ", o.Value)))
	}
	times := map[string][]Period[terminal49.Time]{"pod": h.PODETA, "destination": h.DestinationETA, "ind": h.INDETA, "appointment": h.Appointments}
	for name, list := range times {
		for _, o := range list {
			all = append(all, line(p.start, o, name+" "+o.Value.String()))
		}
	}
	return all
}

// containerWith is the container C of the shipment S with attributes.
func containerWith(attributes string) string {
	return `{"type":"container","id":"C","attributes":{"number":"CAIU1234567","pod_timezone":"America/Los_Angeles",` + attributes +
		`},"relationships":{"shipment":{"data":{"type":"shipment","id":"S"}}}}`
}

func shipmentWith(attributes string) string {
	return `{"type":"shipment","id":"S","attributes":{"pod_timezone":"America/Los_Angeles","destination_timezone":"America/Chicago",` + attributes + `}}`
}

// What was reported, from when until when, and that nothing is known of the time before the first
// read.
func TestHistory(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		readings []string
		want     []string
	}{
		"holds: one there from the first read, one placed and cleared": {
			[]string{
				containerWith(`"holds_at_pod_terminal":[{"name":"customs","status":"hold"}]`),
				containerWith(`"holds_at_pod_terminal":[{"name":"customs","status":"hold"},{"name":"TMF","status":"hold"}]`),
				containerWith(`"holds_at_pod_terminal":[]`),
			},
			[]string{"customs hold 0 2 or earlier poll", "TMF hold 1 2 poll"},
		},
		"the availability, which means nothing until it is known, and appointments": {
			[]string{
				containerWith(`"availability_known":false,"available_for_pickup":false,"pickup_appointment_at":null`),
				containerWith(`"availability_known":true,"available_for_pickup":false,"pickup_appointment_at":"2026-03-05T17:00:00Z"`),
				containerWith(`"availability_known":true,"available_for_pickup":true,"pickup_appointment_at":"2026-03-05T18:00:00Z"`),
				containerWith(`"availability_known":true,"available_for_pickup":null,"pickup_appointment_at":null`),
			},
			[]string{
				"available false 1 2 poll", "available true 2 3 poll",
				"appointment 2026-03-05 09:00 -08:00 1 2 poll", "appointment 2026-03-05 10:00 -08:00 2 3 poll",
			},
		},
		"a hold after an empty list, and one after no list": {
			[]string{
				containerWith(`"holds_at_pod_terminal":[],"fees_at_pod_terminal":null`),
				containerWith(`"holds_at_pod_terminal":[{"name":"customs","status":"pending"}],"fees_at_pod_terminal":[{"type":"demurrage","amount":300.5,"currency_code":"USD"}]`),
				containerWith(`"holds_at_pod_terminal":[{"name":"customs","status":"hold"}],"fees_at_pod_terminal":[{"type":"demurrage","amount":601,"currency_code":"USD"}]`),
			},
			[]string{
				"customs pending 1 2 poll", "customs hold 2 - poll",
				"demurrage USD 300.50 1 2 or earlier poll", "demurrage USD 601.00 2 - poll",
			},
		},
		"last free days by source, and the service's choice": {
			[]string{
				containerWith(`"pickup_lfd":null,"import_deadlines":null`),
				containerWith(`"pickup_lfd":"2026-03-09T08:00:00Z","import_deadlines":{"pickup_lfd_line":"2026-03-09T08:00:00Z","pickup_lfd_terminal":null,"pickup_lfd_rail":null}`),
				containerWith(`"pickup_lfd":"2026-03-09T08:00:00Z","import_deadlines":{"pickup_lfd_line":"2026-03-09T08:00:00Z","pickup_lfd_terminal":"2026-03-07T08:00:00Z","pickup_lfd_rail":null}`),
				containerWith(`"pickup_lfd":"2026-03-11T08:00:00Z","import_deadlines":{"pickup_lfd_line":"2026-03-11T08:00:00Z","pickup_lfd_terminal":"2026-03-07T08:00:00Z","pickup_lfd_rail":null}`),
				containerWith(`"pickup_lfd":null,"import_deadlines":{"pickup_lfd_line":null,"pickup_lfd_terminal":null,"pickup_lfd_rail":null}`),
			},
			[]string{
				"line 2026-03-09 1 3 poll", "terminal 2026-03-07 2 4 poll", "line 2026-03-11 3 4 poll",
				"chosen 2026-03-09 1 3 poll", "chosen 2026-03-11 3 4 poll",
			},
		},
		"a day from the first read on, which never changes": {
			[]string{
				containerWith(`"import_deadlines":{"pickup_lfd_terminal":"2026-03-07T08:00:00Z"}`),
				containerWith(`"import_deadlines":{"pickup_lfd_terminal":"2026-03-07T08:00:00Z"},"seal_number":"1"`),
			},
			[]string{"terminal 2026-03-07 0 - or earlier poll"},
		},
		"estimates of the shipment and the railroad": {
			[]string{
				shipmentWith(`"pod_eta_at":"2026-03-20T08:00:00Z","destination_eta_at":null`) + "\n" + containerWith(`"ind_eta_at":null`),
				shipmentWith(`"pod_eta_at":"2026-03-21T15:00:00Z","destination_eta_at":null`),
				shipmentWith(`"pod_eta_at":null,"destination_eta_at":"2026-03-28T06:00:00Z"`) + "\n" + containerWith(`"ind_eta_at":"2026-03-29T06:00:00Z","final_destination_timezone":"America/Chicago"`),
				shipmentWith(`"pod_eta_at":"2026-03-21T15:00:00Z","destination_eta_at":"2026-03-28T06:00:00Z"`),
			},
			[]string{
				"pod 2026-03-20 01:00 -07:00 0 1 or earlier poll", "pod 2026-03-21 08:00 -07:00 1 2 poll",
				"pod 2026-03-21 08:00 -07:00 3 - poll", "destination 2026-03-28 01:00 -05:00 2 - poll",
				"ind 2026-03-29 01:00 -05:00 2 - poll",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, db *sql.DB) {
				p := newPast(t, db)
				for hour, reading := range c.readings {
					p.read(int64(hour), strings.Split(reading, "\n")...)
				}
				h := p.history()
				require.ElementsMatch(t, c.want, p.lines(h))
				require.Equal(t, "CAIU1234567", h.Number)
				require.Equal(t, p.start, h.FirstRead)
				text, err := json.Marshal(h)
				require.NoError(t, err)
				require.NotContains(t, string(text), "null")
			})
		})
	}
}

// What the mirror no longer knows is not invented: without the changes that were deleted by age,
// the beginnings are unknown.
func TestHistory_AfterRetention(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		p := newPast(t, db)
		lfd := func(day string) string {
			return containerWith(`"holds_at_pod_terminal":[{"name":"TMF","status":"hold"}],"import_deadlines":{"pickup_lfd_terminal":"2026-03-` + day + `T08:00:00Z"}`)
		}
		p.read(0, lfd("07"))
		p.read(1, lfd("08"))
		p.read(72, lfd("09"))
		p.do(func(tx *store.Tx) error {
			_, err := tx.PruneChanges(t.Context(), p.start.Add(24*time.Hour))
			return err
		})
		h := p.history()
		require.Zero(t, h.FirstRead)
		require.ElementsMatch(t, []string{"TMF hold 0 - or earlier poll", "terminal 2026-03-08 - 72 or earlier", "terminal 2026-03-09 72 - poll"}, p.lines(h))
	})
}

// A deleted container has a history that ends, and goes on when the container returns.
func TestHistory_OfADeletedContainer(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		p := newPast(t, db)
		with := containerWith(`"holds_at_pod_terminal":[{"name":"TMF","status":"hold"}],"import_deadlines":{"pickup_lfd_terminal":"2026-03-07T08:00:00Z"}`)
		p.read(0, with)
		p.hours = 1
		p.do(func(tx *store.Tx) error {
			return tx.Remove(t.Context(), between(2, 2), model.Ref{Type: "container", ID: "C"})
		})
		require.ElementsMatch(t, []string{"TMF hold 0 1 or earlier poll", "terminal 2026-03-07 0 1 or earlier poll"}, p.lines(p.history()))
		p.read(2, with)
		require.ElementsMatch(t, []string{
			"TMF hold 0 1 or earlier poll", "TMF hold 2 - poll",
			"terminal 2026-03-07 0 1 or earlier poll", "terminal 2026-03-07 2 - or earlier poll",
		}, p.lines(p.history()))
	})
}

// An unknown container, and damaged JSON, are errors that say which.
func TestHistory_Mistakes(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		p := newPast(t, db)
		_, err := NewReader(db).History(t.Context(), "C")
		require.ErrorIs(t, err, sql.ErrNoRows)
		require.ErrorContains(t, err, `no container with the id "C"`)
		p.write(plan.Reading{}, containerWith(`"holds_at_pod_terminal":[{"name":"TMF","status":"hold"}]`))
		require.Empty(t, p.lines(p.history()), "a notification's copy begins no period")
		p.exec(`update t49.containers set raw = '[]'`)
		_, err = NewReader(db).History(t.Context(), "C")
		require.ErrorContains(t, err, `terminal49-mirror repair container C`)
		_, err = NewReader(nil).History(t.Context(), "C")
		require.ErrorContains(t, err, "db must not be nil")
	})
}

package mcpserver

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/terminal49test"
)

// idOf returns the id of a container of a world.
func (w *world) idOf(number string) string {
	w.t.Helper()
	list, err := w.reader.ContainersByNumber(w.t.Context(), number)
	require.NoError(w.t, err)
	require.NotEmpty(w.t, list)
	return list[0].ID
}

// happens changes a container an hour later, and has the mirror read it.
func (w *world) happens(number string, change func(*terminal49test.Container)) {
	w.t.Helper()
	mirrortest.Advance(time.Hour)
	require.True(w.t, w.UpdateContainer(w.idOf(number), change))
	w.reconcile()
}

// Each change comes once, from the position that the answer before gave.
func TestChanges_SinceAPosition(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := demo(t)
		before, _ := call[statusAnswer](w, "status", nil)
		first, _ := call[changesAnswer](w, "changes", args{"since": "1h", "kinds": []string{"situation", "notice"}})
		assert.Zero(t, first.Total, "a first situation has not changed")
		w.happens("MEDU3309188", func(c *terminal49test.Container) {
			c.Holds, c.AvailableForPickup = nil, terminal49test.Bool(true)
			c.ImportDeadlines.Terminal = c.ImportDeadlines.Terminal.AddDate(0, 0, 2)
			c.Fees = []terminal49test.Fee{{Type: "exam", Amount: 120, CurrencyCode: "USD"}}
		})
		a, text := call[changesAnswer](w, "changes", args{"since": before.Position})
		require.Len(t, a.Containers, 1)
		at := a.Containers[0].Changes[0].At
		assert.Equal(t, "MEDU3309188", a.Containers[0].Number)
		assert.ElementsMatch(t, []changeItem{
			{at, "hold", "customs", "hold", "none"}, {at, "availability", "available", "no", "yes"},
			{at, "last_free_day", "terminal", "2024-07-05", "2024-07-07"}, {at, "last_free_day", "service", "2024-07-05", "2024-07-07"},
			{at, "fee", "exam", "unknown", "USD 120.00"},
		}, a.Containers[0].Changes)
		assert.Contains(t, text, "last free day «terminal» «2024-07-05» to «2024-07-07».\n")

		again, _ := call[changesAnswer](w, "changes", args{"since": a.Position})
		assert.Zero(t, again.Total)
		assert.Equal(t, a.Position, again.Position)
		some, _ := call[changesAnswer](w, "changes", args{"since": "30m", "kinds": []string{"hold"}, "numbers": []string{"medu3309188"}})
		assert.Equal(t, 1, some.Total)
		none, _ := call[changesAnswer](w, "changes", args{"since": "30m", "numbers": []string{"MSKU7182047"}})
		assert.Zero(t, none.Total)
	})
}

// What a terminal reports about the availability means nothing while it is not known.
func TestChanges_AvailabilityThatIsNotKnown(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := demo(t)
		w.happens("MEDU3309188", func(c *terminal49test.Container) {
			c.AvailabilityKnown, c.AvailableForPickup = terminal49test.Bool(false), nil
		})
		w.happens("MEDU3309188", func(c *terminal49test.Container) {
			c.AvailabilityKnown, c.AvailableForPickup = terminal49test.Bool(false), terminal49test.Bool(false)
		})
		w.happens("MEDU3309188", func(c *terminal49test.Container) { c.AvailabilityKnown = terminal49test.Bool(true) })
		w.happens("MEDU3309188", func(c *terminal49test.Container) {
			c.AvailabilityKnown, c.AvailableForPickup = terminal49test.Bool(false), terminal49test.Bool(true)
		})
		w.happens("MEDU3309188", func(c *terminal49test.Container) { c.AvailabilityKnown = terminal49test.Bool(true) })
		read := func(since string, limit int) (position string, steps []string) {
			a, _ := call[changesAnswer](w, "changes", args{"since": since, "kinds": []string{"availability"}, "numbers": []string{"MEDU3309188"}, "limit": limit})
			for _, c := range a.Containers {
				for _, item := range c.Changes {
					steps = append(steps, item.What+" "+item.From+" "+item.To)
				}
			}
			return a.Position, steps
		}
		want := []string{"available no unknown", "available unknown no", "available no unknown", "available unknown yes"}
		_, all := read("310m", 200)
		assert.Equal(t, want, all)
		var each []string
		position, steps := read("310m", 1)
		for last := ""; position != last; {
			each, last = append(each, steps...), position
			position, steps = read(position, 1)
		}
		assert.Equal(t, want, each)
	})
}

// A container that comes to another shipment has the ETA of that one.
func TestChanges_ETAOfAnotherShipment(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var ids [2]string
		w := newWorld(t, Config{}, func(srv *terminal49test.Server) {
			for i := range ids {
				ids[i] = srv.AddShipment(terminal49test.Shipment{ShippingLine: "MAEU", PortOfDischarge: "USLAX", PODETA: start.AddDate(0, 0, 3+i)})
				srv.AddContainer(terminal49test.Container{Number: terminal49test.ContainerNumber("MSKU", 100_001+i), Shipment: ids[i]})
			}
		})
		mirrortest.Advance(time.Hour)
		require.True(t, w.MergeShipments(ids[0], ids[1]))
		w.reconcile()
		mirrortest.Advance(time.Hour)
		require.True(t, w.UpdateShipment(ids[1], func(s *terminal49test.Shipment) { s.PODETA = start.AddDate(0, 0, 6) }))
		w.reconcile()
		a, _ := call[changesAnswer](w, "changes", args{"since": "130m", "kinds": []string{"eta"}})
		require.Len(t, a.Containers, 1)
		assert.Equal(t, terminal49test.ContainerNumber("MSKU", 100_001), a.Containers[0].Number)
		at := a.Containers[0].Changes[0].At
		assert.Equal(t, []changeItem{{at, "eta", "pod eta", "2024-07-04T13:00:00-07:00", "2024-07-05T13:00:00-07:00"}}, a.Containers[0].Changes)
		require.Len(t, a.Shipments, 1)
		assert.Len(t, a.Shipments[0].Containers, 2)
	})
}

// With a limit, the position is where the shown changes end.
func TestChanges_GoOnWhereTheLimitWas(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := demo(t)
		all, _ := call[changesAnswer](w, "changes", args{"since": "24h"})
		require.Greater(t, all.Total, 5)
		seen, since := 0, "24h"
		for range 100 {
			a, _ := call[changesAnswer](w, "changes", args{"since": since, "limit": 3})
			if seen, since = seen+a.Shown, a.Position; a.Shown == 0 {
				break
			}
		}
		assert.Equal(t, all.Total, seen)
	})
}

func TestChanges_RefusesWhatIsNotATime(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := demo(t)
		assert.Regexp(t, "^mend: since: must be a length of time such as 24h", w.refused("changes", args{"since": "yesterday"}))
		assert.Regexp(t, "^mend: since: the feed does not have this position any more", w.refused("changes", args{"since": "7-0123456789abcdef"}))
		assert.Regexp(t, "^mend: numbers: «MSKU7182046»: not tracked.*nearest tracked numbers: MSKU7182047$", w.refused("changes", args{"since": "1h", "numbers": []string{"MSKU7182046"}}))
		assert.Regexp(t, "^mend: kinds: must be one of hold, fee,", w.refused("changes", args{"since": "1h", "kinds": []string{"holds"}}))
	})
}

// A hold has a period, and an earlier time shows what was known then.
func TestHistory_WhatWasKnownThen(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := demo(t)
		first := time.Now()
		w.happens("MEDU3309188", func(c *terminal49test.Container) { c.Holds = nil })
		a, text := call[historyAnswer](w, "history", args{"number": "MEDU3309188", "kinds": []string{"hold"}})
		require.Len(t, a.Periods, 1)
		assert.Equal(t, "customs", a.Periods[0].What)
		assert.NotEmpty(t, a.Periods[0].Until)
		assert.Equal(t, "America/Los_Angeles", a.Zone)
		assert.Contains(t, text, "hold «customs» «hold CBP INTENSIVE EXAM»: from 1999-12-31T16:00:00-08:00 or earlier until 1999-12-31T17:")
		then, _ := call[historyAnswer](w, "history", args{"number": "MEDU3309188", "kinds": []string{"hold"}, "at": instant(first)})
		assert.Len(t, then.Periods, 1)
		now, _ := call[historyAnswer](w, "history", args{"number": "MEDU3309188", "kinds": []string{"hold"}, "at": instant(time.Now())})
		assert.Empty(t, now.Periods)
		assert.Equal(t, []string{"Nothing of these kinds was reported then."}, now.Notes)
		early, _ := call[historyAnswer](w, "history", args{"number": "MEDU3309188", "at": "1999-01-05"})
		assert.Equal(t, []string{"The copy did not have the container then, so what was known is unknown."}, early.Notes)
		all, _ := call[historyAnswer](w, "history", args{"number": "MEDU3309188"})
		assert.Contains(t, all.Periods, period{Kind: "availability", What: "terminal", Value: "not available", From: "1999-12-31T16:00:00-08:00", Earlier: true})
	})
}

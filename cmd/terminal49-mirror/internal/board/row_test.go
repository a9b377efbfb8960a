package board

import (
	"bytes"
	"html"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test/verdicttest"
)

// undated removes the elements of days.
var undated = strings.NewReplacer("<time>", "", "</time>", "")

// A row shows the expected verdict, and nothing that contradicts it.
func TestRow_ShowsTheVerdict(t *testing.T) {
	named := map[terminal49.Situation]bool{}
	for _, l := range looks {
		named[l.Situation] = true
	}
	for _, c := range verdicttest.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			r, want := rowOf(c.Container(), c.Now), c.Want
			require.Equal(t, want.Situation, r.Situation)
			require.True(t, named[r.Situation], "it is in the filter")
			require.Equal(t, want.CanPickUp && want.Action == "send", r.Look().Class == "ready")
			require.Equal(t, []string{want.Place, want.BoundFor}, []string{r.Place, r.BoundFor})
			if want.Sentence != "" {
				require.Equal(t, want.Sentence, r.Text)
			}
			if want.Urgency != "" {
				require.Equal(t, want.Urgency, r.Level)
			}
			if want.DaysLeft != nil {
				require.Equal(t, inDays(*want.DaysLeft), r.Left)
			}
			switch r.Situation {
			case terminal49.SituationOnRail, terminal49.SituationAtSea, terminal49.SituationBeforeVoyage, terminal49.SituationOut, terminal49.SituationReturned:
				require.NotContains(t, r.Arrival, "since", "it is nowhere")
				require.NotEqual(t, "no fees", r.Fees)
				require.NotEqual(t, "none", r.Holds)
			}
			var text bytes.Buffer
			require.NoError(t, pages.ExecuteTemplate(&text, "row", r))
			require.Contains(t, html.UnescapeString(undated.Replace(text.String())), r.Text)
		})
	}
}

// A terminal that does not report fees or holds sends empty lists.
func TestRow_NothingReportedIsNotNone(t *testing.T) {
	c := &terminal49.Container{
		Fees: []terminal49.Fee{}, Holds: []terminal49.Hold{}, PODArrivedAt: terminal49.NewTime(time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC), "America/Los_Angeles"),
		PODTerminal: terminal49.Included("wando", &terminal49.Terminal{ProvidedData: terminal49.ProvidedData{
			"fees_at_pod_terminal": {Reported: terminal49.Some(false)}, "holds_at_pod_terminal": {Reported: terminal49.Some(true)},
		}}),
	}
	r := rowOf(c, time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC))
	require.Equal(t, []string{"not reported", "none"}, []string{r.Fees, r.Holds})
}

// What a container is late by is counted from the first estimate, and at the port of the shipment
// only: an estimate for an inland destination is not compared with it.
func TestRow_Arrival(t *testing.T) {
	at := func(day int) terminal49.Time {
		return terminal49.NewTime(time.Date(2026, time.November, day, 20, 0, 0, 0, time.UTC), "America/Los_Angeles")
	}
	shipment := func(s terminal49.Shipment) terminal49.ToOne[*terminal49.Shipment] {
		s.PortOfDischargeLOCODE, s.PODOriginalETA = "USLAX", at(10)
		return terminal49.Included("s", &s)
	}
	now := time.Date(2026, time.November, 12, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name      string
		container terminal49.Container
		want      [2]string
	}{
		{"at sea", terminal49.Container{CurrentStatus: terminal49.StatusOnShip, PODTimezone: "America/Los_Angeles",
			Shipment: shipment(terminal49.Shipment{PODETA: at(13)})}, [2]string{"expected 2026-11-13 12:00 UTC-8", "3 days later than at first"}},
		{"at the port", terminal49.Container{PODArrivedAt: at(9), Shipment: shipment(terminal49.Shipment{PODETA: at(13)})},
			[2]string{"since 2026-11-09 12:00 UTC-8", "1 day earlier than at first"}},
		{"on a train", terminal49.Container{PODRailDepartedAt: at(11), INDETA: at(20), Shipment: shipment(terminal49.Shipment{PODATA: at(9)})},
			[2]string{"expected 2026-11-20 12:00 UTC-8", ""}},
		{"out", terminal49.Container{CurrentStatus: terminal49.StatusPickedUp, PODFullOutAt: at(11),
			Shipment: shipment(terminal49.Shipment{PODATA: at(9)})}, [2]string{"", ""}},
	} {
		r := rowOf(&c.container, now)
		require.Equal(t, c.want, [2]string{r.Arrival, r.Slip}, c.name)
	}
}

// Times have one form; that of a place with half an hour is longer.
func TestWhen_NamesTheOffset(t *testing.T) {
	at := time.Date(2026, time.November, 20, 20, 0, 0, 0, time.UTC)
	for zone, want := range map[string]string{
		"America/Chicago": "2026-11-20 14:00 UTC-6", "Asia/Shanghai": "2026-11-21 04:00 UTC+8", "Asia/Kolkata": "2026-11-21 01:30 UTC+5:30",
		"America/St_Johns": "2026-11-20 16:30 UTC-3:30", "Asia/Tokyo": "2026-11-21 05:00 UTC+9", "Pacific/Auckland": "2026-11-21 09:00 UTC+13",
		"Europe/London": "2026-11-20 20:00 UTC", "Pacific/Pago_Pago": "2026-11-20 09:00 UTC-11",
	} {
		require.Equal(t, want, when(terminal49.NewTime(at, zone)))
	}
	require.Equal(t, "2026-11-20 20:00 UTC", utc(at))
	require.Equal(t, "-", when(terminal49.Time{}))
	require.Equal(t, "2026-11-20 20:00 (zone unknown)", when(terminal49.NewWallTime(at)))
}

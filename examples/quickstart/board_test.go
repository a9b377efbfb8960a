package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test/verdicttest"
)

// A terminal interprets control characters. Texts of the service must only be shown.
func TestBoard_PrintsOnlyPrintableText(t *testing.T) {
	const bad = "\x1b[2J\r\n\t\u202eREADY\x07"
	var b board
	b.add(&terminal49.Container{
		Number: bad, CurrentStatus: bad, AvailableForPickup: terminal49.Some(false),
		Holds:          []terminal49.Hold{{Name: bad, Status: terminal49.HoldStatusActive, Description: bad}},
		Fees:           []terminal49.Fee{{Type: bad, CurrencyCode: bad}},
		Shipment:       terminal49.Included("s", &terminal49.Shipment{BillOfLadingNumber: bad}),
		PickupFacility: terminal49.Included("t", &terminal49.Terminal{Nickname: bad}),
		PODArrivedAt:   terminal49.NewTime(time.Now(), bad),
	}, time.Now())
	var out bytes.Buffer
	require.NoError(t, b.print(&out))
	require.Equal(t, 2, strings.Count(out.String(), "\n"), out.String())
	require.NotRegexp(t, regexp.MustCompile(`[\x00-\x09\x0b-\x1f\x7f-\x{9f}\x{202e}]`), out.String())
}

// A row shows the expected verdict. A container that is not at a terminal has no known fees.
func TestBoard_ShowsTheVerdict(t *testing.T) {
	for _, c := range verdicttest.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			var b board
			b.add(c.Container(), c.Now)
			require.Len(t, b.rows, 1)
			place, fees, text := b.rows[0][2], b.rows[0][3], b.rows[0][5]
			if c.Want.Sentence != "" {
				require.Equal(t, c.Want.Sentence, text)
			}
			require.Contains(t, place, c.Want.Place)
			if c.Want.BoundFor != "" {
				require.Contains(t, place, "-> "+c.Want.BoundFor)
			}
			require.Equal(t, c.Want.CanPickUp, strings.HasPrefix(text, "Ready"))
			switch c.Want.Situation {
			case terminal49.SituationOnRail, terminal49.SituationAtSea, terminal49.SituationBeforeVoyage:
				require.Equal(t, "-", fees)
			case terminal49.SituationPayFirst:
				require.Contains(t, fees, "USD")
			}
		})
	}
}

// On July 1 the line's day is July 9, and the terminal's July 6: the earlier one binds.
func TestBoard_ShowsTheDayThatBinds(t *testing.T) {
	const zone = "America/Los_Angeles"
	midnight := func(day int) terminal49.Time {
		return terminal49.NewTime(time.Date(2024, time.July, day, 7, 0, 0, 0, time.UTC), zone)
	}
	var b board
	b.add(&terminal49.Container{
		PODTimezone: zone, PODArrivedAt: midnight(1), PickupLFD: midnight(9),
		ImportDeadlines: terminal49.ImportDeadlines{Line: midnight(9), Terminal: midnight(6)},
	}, time.Date(2024, time.July, 1, 20, 0, 0, 0, time.UTC))
	require.Equal(t, "2024-07-06", b.rows[0][4])
}

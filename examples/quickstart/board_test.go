package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
)

// A terminal interprets control characters. Texts of the service must only be shown.
func TestBoard_PrintsOnlyPrintableText(t *testing.T) {
	const bad = "\x1b[2J\r\n\t\u202eREADY\x07"
	var b board
	b.add(&terminal49.Container{
		Number: bad, CurrentStatus: bad, AvailableForPickup: terminal49.Some(false),
		Holds:          []terminal49.Hold{{Name: bad, Status: terminal49.HoldActive, Description: bad}},
		Fees:           []terminal49.Fee{{Type: bad, CurrencyCode: bad}},
		Shipment:       terminal49.Included("s", &terminal49.Shipment{BillOfLadingNumber: bad}),
		PickupFacility: terminal49.Included("t", &terminal49.Terminal{Nickname: bad}),
	})
	var out bytes.Buffer
	require.NoError(t, b.print(&out))
	require.Equal(t, 2, strings.Count(out.String(), "\n"), out.String())
	require.NotRegexp(t, regexp.MustCompile(`[\x00-\x09\x0b-\x1f\x7f-\x{9f}\x{202e}]`), out.String())
}

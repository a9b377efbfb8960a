package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/go-freight/terminal49"
)

// board is the table a dispatcher looks at in the morning.
type board struct{ rows [][]string }

func (b *board) len() int { return len(b.rows) }

func (b *board) add(c *terminal49.Container) {
	ready := terminal49.PickupReadiness(c)
	verdict := "READY"
	switch {
	case ready.Left:
		verdict = "gone"
	case !ready.Ready():
		verdict = ready.Reason()
	case ready.Recheck():
		verdict = "READY, look again: " + ready.Reason()
	}
	row := []string{
		c.Number, billOfLading(c), where(c), string(c.CurrentStatus), available(c), holds(ready),
		terminal49.SumFees(c.Fees).String(), lastFreeDay(c), verdict,
	}
	for i := range row {
		row[i] = plain(row[i])
	}
	b.rows = append(b.rows, row)
}

// plain is text of the service as a terminal may show it: without what would move the cursor or turn the line round.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, text)
}

func (b *board) print(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "CONTAINER\tBILL OF LADING\tTERMINAL\tSTATUS\tAVAILABLE\tHOLDS\tFEES OWED\tLAST FREE DAY\tPICK UP?")
	for _, row := range b.rows {
		fmt.Fprintln(table, strings.Join(row, "\t"))
	}
	return table.Flush()
}

// say prints a line that holds words of the service.
func say(format string, values ...any) { fmt.Println(plain(fmt.Sprintf(format, values...))) }

// billOfLading and where read relationships: the value is there because the request asked for it to be included.
func billOfLading(c *terminal49.Container) string {
	if shipment, ok := c.Shipment.Value(); ok {
		return shipment.BillOfLadingNumber
	}
	return "-"
}

func where(c *terminal49.Container) string {
	if ramp, ok := c.PickupFacility.Value(); ok { // inland moves are picked up here
		return ramp.Nickname
	}
	if terminal, ok := c.PODTerminal.Value(); ok {
		return terminal.Nickname
	}
	return "-"
}

// available keeps "no" and "not known" apart.
func available(c *terminal49.Container) string {
	yes, ok := c.AvailableForPickup.Get()
	switch {
	case !ok:
		return "unknown"
	case yes:
		return "yes"
	default:
		return "no"
	}
}

func holds(r terminal49.Readiness) string {
	var names []string
	for _, h := range r.ActiveHolds {
		names = append(names, string(h.Name))
	}
	for _, h := range r.PendingHolds {
		names = append(names, string(h.Name)+" (pending)")
	}
	if names == nil {
		return "-"
	}
	return strings.Join(names, ", ")
}

// lastFreeDay is a day of the terminal's own calendar: the UTC day of the same moment may be another.
func lastFreeDay(c *terminal49.Container) string {
	day, ok := c.PickupLFD.Date()
	if !ok {
		return "-"
	}
	return day.String()
}

package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/go-freight/terminal49"
)

// board is the table of containers that the program prints.
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
		verdict = "READY, check again: " + ready.Reason()
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

// plain replaces characters that a terminal would interpret instead of showing.
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

// printText prints a line that contains texts of the service.
func printText(format string, values ...any) { fmt.Println(plain(fmt.Sprintf(format, values...))) }

// billOfLading and where read relationships, whose values are present because the request includes
// them.
func billOfLading(c *terminal49.Container) string {
	if shipment, ok := c.Shipment.Value(); ok {
		return shipment.BillOfLadingNumber
	}
	return "-"
}

func where(c *terminal49.Container) string {
	if ramp, ok := c.PickupFacility.Value(); ok { // the place of pickup of an inland move
		return ramp.Nickname
	}
	if terminal, ok := c.PODTerminal.Value(); ok {
		return terminal.Nickname
	}
	return "-"
}

// available distinguishes "no" from "not known".
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

// lastFreeDay returns the day in the terminal's time zone, which may differ from the UTC day.
func lastFreeDay(c *terminal49.Container) string {
	day, ok := c.PickupLFD.Date()
	if !ok {
		return "-"
	}
	return day.String()
}

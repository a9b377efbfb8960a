package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/go-freight/terminal49"
)

// board is the table of containers that the program prints.
type board struct{ rows [][]string }

func (b *board) len() int { return len(b.rows) }

// add adds a container, with the answers of its verdict.
func (b *board) add(c *terminal49.Container, now time.Time) {
	v := terminal49.Assess(c, now, terminal49.VerdictOptions{})
	row := []string{c.Number, billOfLading(c), where(v), fees(v), lastFreeDay(v), v.String()}
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
	fmt.Fprintln(table, "CONTAINER\tBILL OF LADING\tPLACE\tFEES OWED\tLAST FREE DAY\tWHAT TO DO")
	for _, row := range b.rows {
		fmt.Fprintln(table, strings.Join(row, "\t"))
	}
	return table.Flush()
}

// printText prints a line that contains texts of the service.
func printText(format string, values ...any) { fmt.Println(plain(fmt.Sprintf(format, values...))) }

// billOfLading reads a relationship, whose value is present because the request includes it.
func billOfLading(c *terminal49.Container) string {
	if shipment, ok := c.Shipment.Value(); ok {
		return shipment.BillOfLadingNumber
	}
	return "-"
}

// where returns the place of a container, and "-> " with the place that it is bound for.
func where(v terminal49.Verdict) string {
	text := v.Place.String()
	if next := v.BoundFor.String(); next != "" {
		text = strings.TrimSpace(text + " -> " + next)
	}
	return cmp.Or(text, "-")
}

// fees returns what is owed. That nothing is owed is known only at a terminal that reports fees.
func fees(v terminal49.Verdict) string {
	if v.Place == (terminal49.VerdictPlace{}) && len(v.Fees.Currencies()) == 0 {
		return "-"
	}
	return v.Fees.String()
}

// lastFreeDay returns the day that binds now, in the time zone of its place, where it may differ
// from the UTC day.
func lastFreeDay(v terminal49.Verdict) string {
	day, ok := v.LastFreeDay.At.Date()
	if !ok {
		return "-"
	}
	return day.String()
}

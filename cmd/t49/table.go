package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49/cmd/internal/cli"
)

// tabular adds the flags of a command that prints a table. operation is the one whose resources
// --json prints, or "" if it prints something else.
func (a *app) tabular(cmd *cobra.Command, operation string) *cobra.Command {
	cmd.Flags().BoolVar(&a.csv, "csv", false, "print comma-separated values")
	return resources(cmd, operation)
}

// listing adds the flags of a command that prints a list.
func (a *app) listing(cmd *cobra.Command, operation string) *cobra.Command {
	cmd.Flags().IntVar(&a.limit, "limit", 0, "print at most this `number` of rows")
	return a.tabular(cmd, operation)
}

// table is what is printed: human-readable columns, comma-separated values, or the service's JSON.
type table struct {
	*app
	names []string // of the columns
	rows  [][]string
	csv   *csv.Writer // nil without --csv; its rows are printed at once
}

// byteOrderMark has Excel read UTF-8.
const byteOrderMark = "\ufeff"

// print returns a table with these columns.
func (a *app) print(columns ...string) *table {
	t := &table{app: a, names: columns}
	if a.csv && !a.json {
		_, _ = io.WriteString(a.out, byteOrderMark) // end reports the error
		t.csv = csv.NewWriter(a.out)
		_ = t.csv.Write(columns) // end reports the error
	}
	return t
}

// row prints a resource: its cells, or its JSON.
func (t *table) row(resource json.Marshaler, cells ...string) error {
	if !t.json {
		t.cells(cells...)
		return nil
	}
	text, err := resource.MarshalJSON()
	if err != nil {
		return err
	}
	return t.line(text)
}

func (t *table) cells(cells ...string) {
	for i, cell := range cells {
		if t.csv != nil {
			cells[i] = spreadsheet(cell)
		} else {
			cells[i] = plain(cell)
		}
	}
	if t.csv != nil {
		_ = t.csv.Write(cells)
		return
	}
	t.rows = append(t.rows, cells)
}

var isNumber = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`).MatchString

// spreadsheet returns a cell of --csv. One that a spreadsheet would calculate begins with an
// apostrophe; one that is not reported is empty.
func spreadsheet(cell string) string {
	cell = cli.Printable(cell)
	switch {
	case cell == "-":
		return ""
	case strings.ContainsAny(firstVisible(cell), "=+-@\uff1d\uff0b\uff0d\uff20") && !isNumber(cell):
		return "'" + cell
	}
	return cell
}

// firstVisible returns the first character that a spreadsheet does not skip.
func firstVisible(cell string) string {
	rest := strings.TrimLeft(cell, " \"'")
	_, n := utf8.DecodeRuneInString(rest)
	return rest[:n]
}

// printList prints the rows of a list, and ends the table.
func printList[R any](t *table, all iter.Seq2[R, error], row func(R) error) error {
	n := 0
	for r, err := range all {
		if err == nil {
			err = row(r)
		}
		if err != nil {
			return t.end(incomplete(n, err))
		}
		if n++; n == t.limit {
			break
		}
	}
	return t.end(nil)
}

// incomplete says that rows are missing, to a reader who has only some of them.
func incomplete(printed int, err error) error {
	if printed == 0 {
		return err
	}
	return fmt.Errorf("the list is incomplete: only the first %d were printed: %w", printed, err)
}

// pageSize is that of the requests of a list: no larger than what is printed of it.
func (a *app) pageSize() int { return min(a.limit, 100) }

// end prints what is left, and returns err. An empty table shows its columns on a terminal only, so
// that a job of cron mails nothing.
func (t *table) end(err error) error {
	switch {
	case t.csv != nil:
		t.csv.Flush()
	case !t.json && (len(t.rows) > 0 || err == nil && t.screen.width > 0):
		for _, line := range t.screen.layout(t.names, t.rows) {
			if _, failed := fmt.Fprintln(t.out, line); failed != nil {
				return errors.Join(err, failed)
			}
		}
	}
	return err
}

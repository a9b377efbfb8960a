package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/go-freight/terminal49"
)

// job is one run over one file.
type job struct {
	client        *terminal49.Client
	service       string // goes with each outcome: what one service tracks, another does not
	input, output string // CSV files
	column        string // of the numbers; "" for the first
	concurrency   int
	progress      func(total int) func(terminal49.TrackProgress)
}

// run tracks what no earlier run has dealt with.
func (j *job) run(ctx context.Context) (counts terminal49.TrackProgress, err error) {
	total := 0
	for _, err := range readColumn(j.input, j.column) {
		if err != nil {
			return counts, err // before anything is created
		}
		total++
	}
	outcomes, err := openOutcomes(j.output, j.service)
	if err != nil {
		return counts, err
	}
	defer func() { err = errors.Join(err, outcomes.close()) }()

	show := j.progress(total)
	var inputErr error
	numbers := func(yield func(string) bool) {
		for number, err := range readColumn(j.input, j.column) {
			if inputErr = err; err != nil || !yield(number) {
				return
			}
		}
	}
	params := &terminal49.TrackAllParams{
		Concurrency: j.concurrency,
		Skip:        func(_ int, number string) bool { return outcomes.finished(number) },
		OnProgress:  func(p terminal49.TrackProgress) { counts = p; show(p) },
	}
	for outcome := range j.client.TrackingRequests.TrackAll(ctx, numbers, params) {
		if outcome.Err != nil && ctx.Err() != nil {
			continue // interrupted rather than failed: the next run finds out what became of it
		}
		if err := outcomes.write(outcome); err != nil {
			return counts, err
		}
		if errors.Is(outcome.Err, terminal49.ErrUnauthorized) {
			return counts, outcome.Err // so would all the others
		}
	}
	return counts, inputErr
}

// byteOrderMark goes before anything else: behind it, a quote would be no longer at the beginning of its cell.
const byteOrderMark = "\ufeff"

// readColumn yields the cells of a column, without those that are blank. An error comes last.
func readColumn(path, name string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		file, err := os.Open(path)
		if err != nil {
			yield("", err)
			return
		}
		defer func() { _ = file.Close() }() // it was only read
		text := bufio.NewReader(file)
		if mark, _ := text.Peek(len(byteOrderMark)); string(mark) == byteOrderMark { // spreadsheets like to begin with it
			_, _ = text.Discard(len(byteOrderMark)) // as many as were peeked at
		}
		rows := csv.NewReader(text)
		rows.FieldsPerRecord = -1
		rows.ReuseRecord = true
		column := -1
		for {
			row, err := rows.Read()
			switch {
			case errors.Is(err, io.EOF) && column >= 0:
				return
			case err != nil:
				yield("", fmt.Errorf("%s: %w", path, err))
				return
			case column < 0:
				if column = columnOf(row, name); column < 0 {
					yield("", fmt.Errorf("%s has no column %q; it has %q", path, name, row))
					return
				}
			case column < len(row):
				cell := strings.TrimSpace(row[column])
				if problem := cellProblem(cell); problem != "" {
					line, _ := rows.FieldPos(column)
					yield("", fmt.Errorf("%s: line %d %s", path, line, problem))
					return
				}
				if cell != "" && !yield(strings.Clone(cell), nil) {
					return
				}
			}
		}
	}
}

// longestCell is in bytes, and far above any number of a carrier.
const longestCell = 1000

// cellProblem says why a cell can be no number. The file is mended before it is run: half of it may be as wrong.
func cellProblem(cell string) string {
	switch {
	case !utf8.ValidString(cell) || strings.Contains(cell, "\x00"):
		return "is no text; save the file as CSV in UTF-8"
	case len(cell) > longestCell:
		return fmt.Sprintf("has %d bytes where a number was due; -column names another column", len(cell))
	}
	return ""
}

// columnOf finds a column in the header, or the first if none is named.
func columnOf(header []string, name string) int {
	if name == "" {
		return 0
	}
	for i, title := range header {
		if strings.EqualFold(strings.TrimSpace(title), strings.TrimSpace(name)) {
			return i
		}
	}
	return -1
}

package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

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

// readColumn yields the cells of a column, without those that are blank. An error comes last.
func readColumn(path, name string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		file, err := os.Open(path)
		if err != nil {
			yield("", err)
			return
		}
		defer func() { _ = file.Close() }() // it was only read
		rows := csv.NewReader(file)
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
				if cell := strings.TrimSpace(row[column]); cell != "" && !yield(strings.Clone(cell), nil) {
					return
				}
			}
		}
	}
}

// columnOf finds a column in the header, or the first if none is named.
func columnOf(header []string, name string) int {
	if name == "" {
		return 0
	}
	for i, title := range header {
		title = strings.TrimPrefix(title, "\ufeff") // spreadsheets like to begin with it
		if strings.EqualFold(strings.TrimSpace(title), strings.TrimSpace(name)) {
			return i
		}
	}
	return -1
}

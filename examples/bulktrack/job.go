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
	client *terminal49.Client
	// service is written with each outcome: outcomes of another service do not count.
	service       string
	input, output string // CSV files
	column        string // of the numbers; "" is the first
	concurrency   int
	progress      func(total int) func(terminal49.TrackProgress)
}

// run tracks the numbers that have no final outcome from an earlier run.
func (j *job) run(ctx context.Context) (counts terminal49.TrackProgress, err error) {
	total := 0
	for _, err := range readColumn(j.input, j.column) {
		if err != nil {
			return counts, err // nothing has been created yet
		}
		total++
	}
	out, err := openOutcomes(j.output, j.service)
	if err != nil {
		return counts, err
	}
	defer func() { err = errors.Join(err, out.close()) }()

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
		Skip:        func(_ int, number string) bool { return out.finished(number) },
		OnProgress:  func(p terminal49.TrackProgress) { counts = p; show(p) },
	}
	for outcome := range j.client.TrackingRequests.TrackAll(ctx, numbers, params) {
		if outcome.Err != nil && ctx.Err() != nil {
			continue // interrupted, not failed: the next run determines the outcome
		}
		if err := out.write(outcome); err != nil {
			return counts, err
		}
		if errors.Is(outcome.Err, terminal49.ErrUnauthorized) {
			return counts, outcome.Err // every other number would fail too
		}
	}
	return counts, inputErr
}

// longestRow is a limit in bytes. A row is held in memory as a whole.
const longestRow = 16 << 20

var errLongRow = fmt.Errorf("a row has more than %d MiB; save the file as CSV with one number in each row", longestRow>>20)

// rowReader reads a text whose lines end in any way: with LF, with CR LF, or with CR as old
// spreadsheets write it. It fails if more than left bytes are read.
type rowReader struct {
	r    io.Reader
	left int
	cr   bool // the last byte was a CR, which was read as a LF
}

// Read returns the text with LF at the end of each line.
func (r *rowReader) Read(p []byte) (int, error) {
	for {
		if r.left <= 0 {
			return 0, errLongRow
		}
		n, err := r.r.Read(p[:min(len(p), r.left)])
		r.left -= n
		text := p[:0]
		for _, c := range p[:n] {
			if c != '\n' || !r.cr {
				text = append(text, c)
			}
			if r.cr = c == '\r'; r.cr {
				text[len(text)-1] = '\n'
			}
		}
		if len(text) > 0 || err != nil || len(p) == 0 {
			return len(text), err
		}
	}
}

// byteOrderMark is removed first: after it, a quote would not be at the beginning of its cell.
const byteOrderMark = "\ufeff"

// readColumn yields the cells of a column that are not blank. An error comes last.
func readColumn(path, name string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if err := checkRegular(path); err != nil {
			yield("", err)
			return
		}
		file, err := os.Open(path)
		if err != nil {
			yield("", err)
			return
		}
		defer func() { _ = file.Close() }() // opened for reading only
		lines := &rowReader{r: file, left: longestRow}
		text := bufio.NewReader(lines)
		if mark, _ := text.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
			_, _ = text.Discard(len(byteOrderMark)) // peeked at before
		}
		rows := csv.NewReader(text)
		rows.FieldsPerRecord = -1
		rows.ReuseRecord = true
		column := -1
		for {
			lines.left = longestRow
			row, err := rows.Read()
			switch {
			case errors.Is(err, io.EOF) && column >= 0:
				return
			case err != nil:
				yield("", fmt.Errorf("%s: %w", path, err))
				return
			case column < 0:
				if column = columnOf(row, name); column < 0 {
					yield("", fmt.Errorf("%s has no column %q; it has %.300q", path, name, strings.Join(row, ",")))
					return
				}
			case column < len(row):
				value := strings.TrimSpace(row[column])
				if problem := cellProblem(value); problem != "" {
					line, _ := rows.FieldPos(column)
					yield("", fmt.Errorf("%s: line %d %s", path, line, problem))
					return
				}
				if value != "" && !yield(strings.Clone(value), nil) {
					return
				}
			}
		}
	}
}

// longestCell is a limit in bytes, far above the length of any number.
const longestCell = 1000

// cellProblem returns the reason why a value cannot be a number, or "". It ends the run before
// anything is created, because other cells may be wrong as well.
func cellProblem(value string) string {
	switch {
	case !utf8.ValidString(value) || strings.Contains(value, "\x00"):
		return "is not text; save the file as CSV in UTF-8"
	case len(value) > longestCell:
		return fmt.Sprintf("has %d bytes and cannot be a number; choose another column with -column", len(value))
	}
	return ""
}

// columnOf returns the index of a column in the row, -1 if it does not exist. Without a name it
// is the first.
func columnOf(row []string, name string) int {
	if name == "" {
		return 0
	}
	for i, title := range row {
		if strings.EqualFold(strings.TrimSpace(title), strings.TrimSpace(name)) {
			return i
		}
	}
	return -1
}

package main

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/cmd/internal/cli"
)

// outcomes is the file of --outcomes: a CSV to which a line is added for each outcome, at once. The
// last line of a number counts. A nil outcomes has none and stores none.
type outcomes struct {
	file    *os.File
	service string          // outcomes of another do not count
	tracked map[string]bool // by number as written, when the file was opened
}

var (
	errNotOutcomes = errors.New("is not a file of outcomes; name another with --outcomes")
	errLocked      = errors.New("another t49 track is writing to it; wait until it has ended, or name another with --outcomes")
)

// longestLine is a limit in bytes. No line reaches it, because each of its cells is cut.
const longestLine = 64 << 10

var outcomeTitles = []string{"number", "result", "line", "tracking_request", "detail", "service"}

// openOutcomes opens or creates the file and reads the outcomes of earlier runs. Only one process
// can have it open: two would ask for the same numbers, and mix their lines.
func openOutcomes(path string) (*outcomes, error) {
	if path == "" {
		return nil, nil
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, ofOutcomes(path, errors.New("is not a regular file")) // it may have no end
	}
	file, err := openLocked(path)
	if err != nil {
		return nil, ofOutcomes(path, err)
	}
	o := &outcomes{file, cmp.Or(os.Getenv("T49_API_BASE_URL"), terminal49.DefaultBaseURL), map[string]bool{}}
	if err := o.read(); err != nil {
		return nil, errors.Join(ofOutcomes(path, err), file.Close())
	}
	return o, nil
}

// ofOutcomes returns an error of the file.
func ofOutcomes(path string, err error) error {
	if of := new(os.PathError); errors.As(err, &of) {
		err = fmt.Errorf("cannot be used: %w", of.Err)
	}
	return usageError{fmt.Errorf("%s: %w", plain(path), err)}
}

// read reads the file to its end. A partial last line, as after a crash, is removed.
func (o *outcomes) read() error {
	lines := bufio.NewReaderSize(o.file, longestLine)
	header := strings.Join(outcomeTitles, ",") + "\n"
	for whole := int64(0); ; {
		text, err := lines.ReadSlice('\n')
		switch line := string(text); {
		case errors.Is(err, io.EOF) && (whole > 0 || strings.HasPrefix(header, line)):
			return o.startAt(whole)
		case errors.Is(err, io.EOF), errors.Is(err, bufio.ErrBufferFull), whole == 0 && line != header:
			return errNotOutcomes
		case err != nil:
			return err
		}
		if whole > 0 {
			if err := o.readLine(string(text)); err != nil {
				return err
			}
		}
		whole += int64(len(text))
	}
}

func (o *outcomes) readLine(line string) error {
	row, err := csv.NewReader(strings.NewReader(line)).Read()
	if err != nil || len(row) != len(outcomeTitles) {
		return errNotOutcomes
	}
	if row[5] == outcomeCell(o.service) {
		o.tracked[row[0]] = isTracked(terminal49.TrackResult(row[1]))
	}
	return nil
}

// startAt lets rows be written after the whole lines of the file, and the titles if there are none.
func (o *outcomes) startAt(whole int64) error {
	if err := o.file.Truncate(whole); err != nil {
		return err
	}
	if _, err := o.file.Seek(whole, io.SeekStart); err != nil || whole > 0 {
		return err
	}
	return o.writeRow(outcomeTitles)
}

// isTracked reports whether another run would change nothing. A number that is invalid or undecided
// may have a type or a line in the next file.
func isTracked(result terminal49.TrackResult) bool {
	return slices.Contains([]terminal49.TrackResult{
		terminal49.TrackResultCreated, terminal49.TrackResultExisting,
		terminal49.TrackResultFoundAfterUnknown, terminal49.TrackResultContainerTracked,
	}, result)
}

// has reports whether a number is tracked according to the file.
func (o *outcomes) has(number string) bool { return o != nil && o.tracked[outcomeCell(number)] }

// add appends an outcome and its error.
func (o *outcomes) add(t terminal49.TrackOutcome, err error) error {
	if o == nil {
		return nil
	}
	var line, request, detail string
	if err != nil {
		detail = err.Error()
	}
	switch {
	case t.Request != nil:
		line, request = t.Request.SCAC, t.Request.ID
	case t.Container != nil:
		shipment, _ := t.Container.Shipment.Value()
		line, detail = shipment.ShippingLineSCAC, "on the bill of lading "+billOfLading(t.Container)
	}
	return o.writeRow([]string{t.Number, string(t.Result), line, request, detail, o.service})
}

// writeRow writes a row at once, so that it survives a crash.
func (o *outcomes) writeRow(cells []string) error {
	var row strings.Builder
	w := csv.NewWriter(&row)
	safe := make([]string, len(cells))
	for i, cell := range cells {
		safe[i] = outcomeCell(cell)
	}
	_ = w.Write(safe) // into memory
	w.Flush()
	_, err := o.file.WriteString(row.String())
	if of := new(os.PathError); errors.As(err, &of) {
		return cli.OutputError{Err: fmt.Errorf("%s: %w", plain(of.Path), of.Err)}
	}
	return err
}

// outcomeCell returns a text as it is written: on one line, without a formula and not too long.
func outcomeCell(text string) string {
	if len(text) > longestCell {
		text = strings.ToValidUTF8(text[:longestCell], "") + "..."
	}
	return spreadsheet(text)
}

func (o *outcomes) close() error {
	if o == nil {
		return nil
	}
	return o.file.Close()
}

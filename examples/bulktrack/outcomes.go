package main

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-freight/terminal49"
)

// outcomes is the file to which outcomes are appended, one line each. The last line of a number
// counts.
type outcomes struct {
	file    *os.File
	service string
	done    map[string]bool // by number as written
}

var (
	errNotOutcomes = errors.New("is not a file of outcomes; choose another with -out")
	errLocked      = errors.New("another bulktrack is writing to it; wait until it has ended, or choose another with -out")
)

// longestLine is a limit in bytes. No outcome reaches it: a line has 7 cells, and a cell as written
// has at most three times as many bytes as its text.
const longestLine = 1 << 20

// longestText limits a text of the service in the outcomes. It is far above the length of a number.
const longestText = 32 << 10

// checkRegular returns an error if path exists and is not a regular file. A device may have no end,
// and a pipe cannot be read twice.
func checkRegular(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s: must be a regular file, not a device, pipe or folder", path)
	}
	return nil
}

func header() []string {
	return []string{"number", "result", "shipping_line", "tracking_request", "detail", "service", "line"}
}

// openOutcomes opens or creates the file and reads the outcomes of earlier runs. Only one process
// can have it open: two would create the same numbers.
func openOutcomes(path, service string) (*outcomes, error) {
	if err := checkRegular(path); err != nil {
		return nil, err
	}
	file, err := openLocked(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	o := &outcomes{file: file, service: service, done: map[string]bool{}}
	if err := o.read(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	return o, nil
}

// read reads the file to its end. A partial last line, as after a crash, is removed.
func (o *outcomes) read() error {
	lines := bufio.NewReaderSize(o.file, longestLine)
	var whole int64
	for {
		text, err := lines.ReadSlice('\n')
		switch line := string(text); {
		case errors.Is(err, bufio.ErrBufferFull):
			return errNotOutcomes
		case errors.Is(err, io.EOF) && whole == 0 && !strings.HasPrefix(quoted(header()), line):
			return errNotOutcomes
		case errors.Is(err, io.EOF):
			return o.startAt(whole)
		case err != nil:
			return err
		}
		if err := o.readLine(string(text), whole == 0); err != nil {
			return err
		}
		whole += int64(len(text))
	}
}

// readLine reads a row that an earlier run wrote, or the header, which is first.
func (o *outcomes) readLine(line string, first bool) error {
	row, err := csv.NewReader(strings.NewReader(line)).Read()
	switch {
	case err != nil || len(row) != len(header()) || first && !slices.Equal(row, header()):
		return errNotOutcomes
	case !first && row[5] == cell(o.service):
		o.done[row[0]] = row[1] != string(terminal49.TrackResultFailed)
	}
	return nil
}

// startAt lets rows be written after the whole lines of the file, and the header if there are none.
func (o *outcomes) startAt(whole int64) error {
	if err := o.file.Truncate(whole); err != nil {
		return err
	}
	if _, err := o.file.Seek(whole, io.SeekStart); err != nil || whole > 0 {
		return err
	}
	return o.writeRow(header())
}

// finished reports whether a number has an outcome that another run would not change.
func (o *outcomes) finished(number string) bool { return o.done[cell(number)] }

// write appends an outcome at once, so that it survives a crash.
func (o *outcomes) write(r row, t terminal49.TrackOutcome) error {
	var line, request, detail string
	if isOfRow(t.Err) {
		t.Result = terminal49.TrackResultFailed
	}
	switch {
	case t.Result == terminal49.TrackResultNeedsConfirmation:
		detail = candidates(t.Candidates)
	case t.Result == terminal49.TrackResultInvalid:
		detail = t.Reason
	case t.Err != nil:
		detail = t.Err.Error()
	case t.Container != nil:
		shipment, _ := t.Container.Shipment.Value()
		line, detail = shipment.ShippingLineSCAC, "on the bill of lading "+shipment.BillOfLadingNumber
	case t.Result != terminal49.TrackResultCreated:
		detail = notStored(r, t.Request)
	}
	if t.Request != nil {
		line, request = t.Request.SCAC, t.Request.ID
	}
	return o.writeRow([]string{t.Number, string(t.Result), line, request, detail, o.service, strconv.Itoa(r.line)})
}

// isOfRow reports whether the type or SCAC of a row cannot be sent. The row is written as failed,
// so that another run tries it again: the file may be corrected by then.
func isOfRow(err error) bool {
	var argument *terminal49.ArgumentError
	return errors.As(err, &argument) && (argument.Field == "RequestType" || argument.Field == "SCAC")
}

// notStored names the references and tags of a row that its request does not have, because it
// existed before.
func notStored(r row, request *terminal49.TrackingRequest) string {
	lost := slices.Concat(r.ReferenceNumbers, r.ShipmentTags)
	lost = slices.DeleteFunc(lost, func(text string) bool {
		return slices.Contains(request.ReferenceNumbers, text) || slices.Contains(request.ShipmentTags, text)
	})
	if len(lost) == 0 {
		return ""
	}
	return "the request existed without: " + strings.Join(lost, ", ")
}

func (o *outcomes) writeRow(row []string) error {
	_, err := o.file.WriteString(quoted(row))
	return err
}

// quoted returns a row as a line. Unlike encoding/csv it quotes every cell, because a spreadsheet
// may use another separator.
func quoted(row []string) string {
	cells := make([]string, len(row))
	for i, text := range row {
		cells[i] = `"` + strings.ReplaceAll(cell(text), `"`, `""`) + `"`
	}
	return strings.Join(cells, ",") + "\n"
}

func (o *outcomes) close() error { return o.file.Close() }

func candidates(list []terminal49.CarrierCandidate) string {
	if len(list) == 0 {
		return "no shipping line found; choose one"
	}
	words := make([]string, len(list))
	for i, c := range list {
		words[i] = fmt.Sprintf("%s %.0f %%", c.SCAC, 100*c.Confidence)
	}
	return "choose a shipping line: " + strings.Join(words, ", ")
}

// cell returns text as it is written: a spreadsheet must not read it as a formula, and it must stay
// on one line. A text that begins with the mark "'" gets a second one, to distinguish it from
// marked texts. The end of a text of more than longestText bytes is left out. Semicolons, tabs and
// other control characters are replaced: the first two may be separators, and a terminal would
// execute the others, or hide or reverse the text after them.
func cell(text string) string {
	if len(text) > longestText {
		text = strings.ToValidUTF8(text[:longestText], "") + "..."
	}
	// Some programs skip invisible characters.
	first, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(text, invisible))
	if lead, _ := utf8.DecodeRuneInString(text); unicode.IsControl(lead) || strings.ContainsRune("=+-@＝＋－＠'", first) {
		text = "'" + text
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == ';':
			return ','
		case isObeyed(r):
			return ' '
		}
		return r
	}, text)
}

// isObeyed reports whether a reader would not show r but obey it.
func isObeyed(r rune) bool { return unicode.In(r, unicode.C, unicode.Zl, unicode.Zp) }

// plain returns text as it is printed, on one line.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if isObeyed(r) {
			return '?'
		}
		return r
	}, text)
}

// invisible reports whether a reader would not see r before a formula. Quotes count: they are
// easily lost.
func invisible(r rune) bool { return r == '"' || unicode.IsSpace(r) || !unicode.IsGraphic(r) }

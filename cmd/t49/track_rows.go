package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-freight/terminal49"
)

// trackRow is a row to track, as an argument or a file has it. What it lacks is inferred.
type trackRow = terminal49.TrackingRequestCreate

// trackRows returns the rows of the arguments and of --from, each once, and whether a file has any.
func (a *app) trackRows(ctx context.Context, args []string) (rows []trackRow, ofFile bool, err error) {
	which, files := a.sources(args)
	rows = slices.Collect(terminal49.NumbersToTrack(which...))
	for _, name := range files {
		text, err := a.readFile(ctx, name, maxNumbers)
		if err != nil {
			return nil, false, err
		}
		listed, err := a.rowsIn(text)
		if err != nil {
			return nil, false, usageError{fmt.Errorf("%s: %w", fileName(name), err)}
		}
		rows = append(rows, listed...)
	}
	return uniqueBy(rows, func(r trackRow) string { return fmt.Sprintf("%#v", r) }), len(files) > 0, nil
}

const knownColumns = "number, type, scac or line, reference or references, tags, customer"

// trackColumns are what a cell sets, by the title of its column. They return what is wrong with it.
var trackColumns = map[string]func(r *trackRow, cell string) error{
	"number": func(r *trackRow, cell string) error {
		r.RequestNumber = strings.TrimLeft(cell, "'") // --csv writes one before a formula
		return nil
	},
	"type": setType, "request_type": setType, "scac": setSCAC, "line": setSCAC,
	"reference": addRowReferences, "references": addRowReferences, "tag": addTags, "tags": addTags,
	"customer": setCustomer, "customer_id": setCustomer,
}

func setType(r *trackRow, cell string) error {
	kind := columnTitle(cell)
	if kind == "booking" { // as the service itself infers it
		kind = string(terminal49.RequestTypeBookingNumber)
	}
	r.RequestType = terminal49.RequestType(kind)
	if !r.RequestType.Known() {
		return fmt.Errorf("is not %s", instead(kind, texts(requestTypes)))
	}
	return nil
}

// isLine matches the codes that the service offers: some have fewer than four characters.
var isLine = regexp.MustCompile(`^[A-Za-z0-9]{2,4}$`).MatchString

func setSCAC(r *trackRow, cell string) error {
	if r.SCAC = cell; !isLine(cell) {
		return errors.New("is not the code of a shipping line; t49 lines NAME prints it")
	}
	return nil
}

func setCustomer(r *trackRow, cell string) error {
	if r.CustomerID = cell; !isID(cell) {
		return errors.New("is not the id of a party; t49 parties NAME prints it")
	}
	return nil
}

func addRowReferences(r *trackRow, cell string) error {
	r.ReferenceNumbers = append(r.ReferenceNumbers, splitCell(cell)...)
	return nil
}

func addTags(r *trackRow, cell string) error {
	r.ShipmentTags = append(r.ShipmentTags, splitCell(cell)...)
	return nil
}

// splitCell returns the values of a cell, which are separated by semicolons.
func splitCell(cell string) (values []string) {
	for value := range strings.SplitSeq(cell, ";") {
		if value = strings.TrimSpace(value); value != "" {
			values = append(values, value)
		}
	}
	return values
}

// columnTitle returns a title as it is compared.
func columnTitle(cell string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(cell)), " ", "_")
}

// csvIn reads a CSV whose cells are separated as in its first line.
func csvIn(text []byte) *csv.Reader {
	text = lineEnds(text)
	r := csv.NewReader(bytes.NewReader(text))
	r.Comment, r.FieldsPerRecord = '#', -1
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) == 0 || line[0] == '#' {
			continue
		}
		for _, separator := range ";,\t" { // the last one counts
			if bytes.ContainsRune(line, separator) {
				r.Comma = separator
			}
		}
		break
	}
	r.TrimLeadingSpace = r.Comma != '\t' // it would remove empty cells
	return r
}

// lineEnds returns a text without its byte order mark, and with LF at the end of each line. Old
// spreadsheets write CR.
func lineEnds(text []byte) []byte {
	text = bytes.ReplaceAll(bytes.TrimPrefix(text, []byte(byteOrderMark)), []byte("\r\n"), []byte("\n"))
	return bytes.ReplaceAll(text, []byte("\r"), []byte("\n"))
}

// rowsIn returns the rows of a CSV whose first line has a known title, or else the numbers in a
// text. Rows without a number are left out.
func (a *app) rowsIn(text []byte) (rows []trackRow, err error) {
	lines := csvIn(text)
	first, err := lines.Read()
	titles, ignored := titlesOf(first)
	if err != nil || len(ignored) == len(first) {
		numbers, err := numbersIn(text)
		if len(first) > 1 && err == nil {
			a.note("only the first column is read; titles of others are %s", knownColumns)
		}
		return slices.Collect(terminal49.NumbersToTrack(numbers...)), err
	}
	if len(ignored) > 0 {
		a.note("ignored columns: %s; known are %s", strings.Join(ignored, ", "), knownColumns)
	}
	for {
		cells, err := lines.Read()
		switch {
		case errors.Is(err, io.EOF) && len(rows) == 0:
			return nil, errNoNumbers
		case errors.Is(err, io.EOF):
			return rows, nil
		case err != nil:
			return nil, err // with its line
		}
		row, err := rowOf(lines, titles, cells)
		if err != nil {
			return nil, err
		}
		if row.RequestNumber != "" {
			rows = append(rows, row)
		}
	}
}

// titlesOf returns the known title of each column or "", and the names of those that have none. The
// numbers are in the column of that title, or else in the first that has another title of numbers,
// or else in the first.
func titlesOf(first []string) (known, ignored []string) {
	number := slices.IndexFunc(first, func(cell string) bool { return columnTitle(cell) == "number" })
	if number < 0 {
		number = max(0, slices.IndexFunc(first, isNumberTitle))
	}
	hasKnown := false
	for i, cell := range first {
		title := columnTitle(cell)
		hasKnown = hasKnown || trackColumns[title] != nil
		switch {
		case i == number:
			title = "number"
		case title == "number" || trackColumns[title] == nil:
			title, ignored = "", append(ignored, fmt.Sprintf("%.100q", cell))
		}
		known = append(known, title)
	}
	if !hasKnown {
		return nil, first
	}
	return known, ignored
}

func rowOf(lines *csv.Reader, titles, cells []string) (row trackRow, err error) {
	for i, cell := range cells[:min(len(cells), len(titles))] {
		if cell = strings.TrimSpace(cell); titles[i] == "" || cell == "" {
			continue
		}
		err := cellError(cell)
		if err == nil {
			err = trackColumns[titles[i]](&row, cell)
		}
		if err != nil {
			line, _ := lines.FieldPos(i)
			return row, fmt.Errorf("line %d: %s %.100q %w", line, titles[i], cell, err)
		}
	}
	return row, nil
}

// longestCell is a limit in bytes, far above the length of any number or list of references.
const longestCell = 1000

// cellError returns what is wrong with a text of a file, whatever it is for.
func cellError(cell string) error {
	switch {
	case !utf8.ValidString(cell) || strings.ContainsFunc(cell, unicode.IsControl):
		return errors.New("is not text; save it as CSV or as text in UTF-8")
	case len(cell) > longestCell:
		return fmt.Errorf("has %d bytes; at most %d are allowed", len(cell), longestCell)
	}
	return nil
}

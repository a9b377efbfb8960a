package main

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-freight/terminal49"
)

// row is a row of the input, without what has to be inferred.
type row struct {
	terminal49.TrackingRequestCreate
	line int // in the file, from 1
}

// columns returns what each column sets, by its title.
func columns() map[string]func(*row, string) {
	typ := func(r *row, s string) { r.RequestType = requestType(s) }
	scac := func(r *row, s string) { r.SCAC = s }
	references := func(r *row, s string) { r.ReferenceNumbers = append(r.ReferenceNumbers, split(s)...) }
	tags := func(r *row, s string) { r.ShipmentTags = append(r.ShipmentTags, split(s)...) }
	customer := func(r *row, s string) { r.CustomerID = s }
	return map[string]func(*row, string){
		numberTitle: func(r *row, s string) { r.RequestNumber = s },
		"type":      typ, "request_type": typ, "scac": scac, "reference": references, "references": references,
		"tag": tags, "tags": tags, "customer": customer, "customer_id": customer,
	}
}

const numberTitle, knownTitles = "number", "number, type, scac, reference or references, tags, customer"

// requestType returns the service's name of a type, which may be written with spaces. The service
// itself returns "booking" when it infers one.
func requestType(s string) terminal49.RequestType {
	if s = title(s); s == "booking" {
		return terminal49.RequestTypeBookingNumber
	}
	return terminal49.RequestType(s)
}

// split returns the values of a cell, which are separated by semicolons.
func split(cell string) (values []string) {
	for value := range strings.SplitSeq(cell, ";") {
		if value = strings.TrimSpace(value); value != "" {
			values = append(values, value)
		}
	}
	return values
}

// title returns the name of a column or type as it is compared.
func title(s string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(s)), " ", "_")
}

// layout returns the title of each column as columns has it, "" for those that are ignored, and the
// index of the numbers, -1 if it is missing. The numbers are in the column with the given
// name or, without a name, in the column "number" or else in the first.
func layout(header []string, name string) (titles []string, number int) {
	number = -1
	for i, cell := range header {
		titles = append(titles, title(cell))
		if number < 0 && titles[i] == title(cmp.Or(name, numberTitle)) {
			number = i
		}
	}
	if number < 0 && name == "" {
		number = 0
	}
	set := columns()
	for i, t := range titles {
		switch {
		case i == number:
			titles[i] = numberTitle
		case t == numberTitle || set[t] == nil:
			titles[i] = ""
		}
	}
	return titles, number
}

// isHeader reports whether a first row has titles. Without a known title it is a row of numbers if
// its first cell has a digit, which numbers have and titles do not.
func isHeader(cells []string) bool {
	known := columns()
	return slices.ContainsFunc(cells, func(cell string) bool { return known[title(cell)] != nil }) ||
		!strings.ContainsFunc(cells[0], unicode.IsDigit)
}

// ignored returns a warning that names the columns that are not used, or "".
func ignored(header, titles []string) string {
	var names []string
	for i, t := range titles {
		if t == "" {
			names = append(names, fmt.Sprintf("%.100q", header[i]))
		}
	}
	if names == nil {
		return ""
	}
	return fmt.Sprintf("ignored columns: %.1000s; known are %s", strings.Join(names, ", "), knownTitles)
}

// longestRow is a limit in bytes. A row is held in memory as a whole.
const longestRow = 16 << 20

var errLongRow = fmt.Errorf("a row has more than %d MiB; save the file as CSV with one number in each row", longestRow>>20)

// rowReader reads text with any line ending: LF, CR LF, or CR as written by old spreadsheets. Read
// fails once the limit of bytes, left, is used up.
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

// readRows yields the rows whose number is not blank. An error comes last. warn is called with a
// warning about the header, if there is one.
func readRows(path, name string, warn func(string)) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		if err := checkRegular(path); err != nil {
			yield(row{}, err)
			return
		}
		file, err := os.Open(path)
		if err != nil {
			yield(row{}, err)
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
		var titles []string
		for {
			lines.left = longestRow
			cells, err := rows.Read()
			switch {
			case errors.Is(err, io.EOF) && titles != nil:
				return
			case err != nil:
				yield(row{}, fmt.Errorf("%s: %w", path, err))
				return
			}
			if titles == nil {
				var isData bool
				if titles, isData, err = readFirst(cells, name, func(s string) { warn(path + ": " + s) }); err != nil {
					yield(row{}, fmt.Errorf("%s %w", path, err))
					return
				}
				if !isData {
					continue
				}
			}
			r, problem := readRow(rows, cells, titles)
			if problem != nil {
				yield(row{}, fmt.Errorf("%s: %w", path, problem))
				return
			}
			if r.RequestNumber != "" && !yield(r, nil) {
				return
			}
		}
	}
}

// readFirst returns the titles of the first row, and whether the row is data because the file has
// no header.
func readFirst(cells []string, name string, warn func(string)) (titles []string, isData bool, err error) {
	titles, number := layout(cells, name)
	if number < 0 {
		return nil, false, fmt.Errorf("has no column %q; it has %.300q", name, strings.Join(cells, ","))
	}
	if name == "" && !isHeader(cells) {
		warn("it has no header; the numbers are read from its first column")
		return titles, true, nil
	}
	if warning := ignored(cells, titles); warning != "" {
		warn(warning)
	}
	return titles, false, nil
}

// readRow reads the cells of known columns. Cells that are missing in a short row are blank.
func readRow(rows *csv.Reader, cells, titles []string) (r row, err error) {
	set := columns()
	for i, cell := range cells[:min(len(cells), len(titles))] {
		value := strings.TrimSpace(cell)
		if titles[i] == "" || value == "" {
			continue
		}
		line, _ := rows.FieldPos(i)
		if problem := cellProblem(value); problem != "" {
			return r, fmt.Errorf("line %d %s", line, problem)
		}
		if titles[i] == numberTitle {
			r.line = line
		}
		set[titles[i]](&r, strings.Clone(value))
	}
	return r, nil
}

// longestCell is a limit in bytes, far above the length of any number or list of references.
const longestCell = 1000

// cellProblem returns the reason why a value cannot be used, or "". It ends the run before anything
// is created, because other cells may be wrong as well.
func cellProblem(value string) string {
	switch {
	case !utf8.ValidString(value) || strings.Contains(value, "\x00"):
		return "is not text; save the file as CSV in UTF-8"
	case len(value) > longestCell:
		return fmt.Sprintf("has %d bytes in one cell; at most %d are allowed: choose the column of the numbers with -column", len(value), longestCell)
	}
	return ""
}

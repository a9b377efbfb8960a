package main

import (
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// screen is where tables are printed.
type screen struct {
	width   int // of the terminal; 0 for no limit, as in a file or a pipe
	colours bool
}

// screenOf returns the properties of an output. Colours need a terminal that knows them, and a user
// who has not set NO_COLOR (https://no-color.org).
func screenOf(out io.Writer) screen {
	file, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return screen{}
	}
	s := screen{colours: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "" && os.Getenv("TERM") != "dumb"}
	if width, _, err := term.GetSize(int(file.Fd())); err == nil {
		s.width = width
	}
	return s
}

// gap is the space between two columns.
const gap = 2

// layout returns the lines of a table. Cells that are too wide for the screen continue on the next
// line.
func (s screen) layout(names []string, rows [][]string) (lines []string) {
	widths := s.widths(names, rows)
	for _, line := range wrapRow(names, widths) {
		lines = append(lines, s.paint(joinCells(line, widths), bold))
	}
	for _, row := range rows {
		for _, line := range wrapRow(row, widths) {
			lines = append(lines, s.joinPainted(names, line, widths))
		}
	}
	return lines
}

// widths returns those of the columns: what they need, as far as the screen has it. First the
// titles wrap, then the widest columns, but no word is broken.
func (s screen) widths(names []string, rows [][]string) []int {
	widths, narrow := make([]int, len(names)), make([]int, len(names))
	for i, name := range names {
		narrow[i] = longestWord(name)
		for _, row := range rows {
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
			narrow[i] = max(narrow[i], longestWord(row[i]))
		}
		widths[i] = max(widths[i], narrow[i])
	}
	free := func() int { return s.width - sum(widths) - gap*(len(widths)-1) }
	if s.width == 0 || free() >= 0 {
		for i, name := range names {
			if n := utf8.RuneCountInString(name) - widths[i]; n > 0 && (s.width == 0 || free() >= n) {
				widths[i] += n
			}
		}
		return widths
	}
	for widest := 0; free() < 0; widths[widest]-- {
		widest = -1
		for i := range widths {
			if widths[i] > narrow[i] && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
	}
	return widths
}

func longestWord(text string) (most int) {
	for word := range strings.FieldsSeq(text) {
		most = max(most, utf8.RuneCountInString(word))
	}
	return most
}

func sum(numbers []int) (total int) {
	for _, n := range numbers {
		total += n
	}
	return total
}

// wrapRow returns the lines of a row.
func wrapRow(row []string, widths []int) (lines [][]string) {
	for i, cell := range row {
		for n, part := range wrap(cell, widths[i]) {
			if n == len(lines) {
				lines = append(lines, make([]string, len(row)))
			}
			lines[n][i] = part
		}
	}
	return lines
}

// wrap breaks a text into parts of at most width characters, between words if it can.
func wrap(text string, width int) (parts []string) {
	rest := []rune(text)
	for len(rest) > width {
		at := width
		for i := width; i > 0; i-- {
			if rest[i] == ' ' {
				at = i
				break
			}
		}
		parts = append(parts, strings.TrimRight(string(rest[:at]), " "))
		rest = []rune(strings.TrimLeft(string(rest[at:]), " "))
	}
	return append(parts, string(rest))
}

func joinCells(cells []string, widths []int) string { return screen{}.joinPainted(nil, cells, widths) }

// joinPainted joins the cells of a line, each in its colour.
func (s screen) joinPainted(names, cells []string, widths []int) string {
	var line strings.Builder
	for i, cell := range cells {
		if s.colours {
			line.WriteString(s.paint(cell, colourOf(names[i], cell)))
		} else {
			line.WriteString(cell)
		}
		if i < len(cells)-1 {
			line.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+gap))
		}
	}
	return strings.TrimRight(line.String(), " ")
}

// colour is the parameter of an escape sequence of terminals (ECMA-48, SGR).
type colour string

const (
	bold   colour = "1"
	red    colour = "31"
	green  colour = "32"
	yellow colour = "33"
)

func (s screen) paint(text string, c colour) string {
	if !s.colours || c == "" || text == "" {
		return text
	}
	return "\x1b[" + string(c) + "m" + text + "\x1b[0m"
}

// colourOf returns the colour of a cell: that of an answer, of a failure or of a day that is over.
func colourOf(column, cell string) colour {
	switch {
	case cell == "yes", column == "STATUS" && cell == "available":
		return green
	case cell == "unknown":
		return yellow
	case column == "PICK UP?" && cell == "no", column == "STATUS" && cell == "failed",
		column == "DAYS LEFT" && len(cell) > 1 && cell[0] == '-':
		return red
	}
	return ""
}

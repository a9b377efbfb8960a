package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/rivo/uniseg"
	"golang.org/x/term"

	"github.com/go-freight/terminal49/cmd/internal/cli"
)

// screen is where tables are printed.
type screen struct {
	width   int // of the terminal; 0 for no limit, as in a file or a pipe
	colours bool
}

// screenOf returns the properties of an output. Colours need a terminal that knows them, and a user
// who has not set NO_COLOR (https://no-color.org).
func screenOf(out io.Writer) screen {
	if !cli.IsTerminal(out) {
		return screen{}
	}
	file, _ := out.(*os.File)
	s := screen{colours: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "" && os.Getenv("TERM") != "dumb"}
	if width, _, err := term.GetSize(int(file.Fd())); err == nil {
		s.width = width
	}
	return s
}

// gap is the space between two columns.
const gap = 2

// layout returns the lines of a table. Cells that are too wide for the screen continue on the next
// line. If there is no room for that, each cell is on a line of its own.
func (s screen) layout(names []string, rows [][]string) (lines []string) {
	widths := s.widths(names, rows)
	if len(rows) > 0 && s.isNarrow(rows, widths) {
		return s.stacked(names, rows)
	}
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

// readable is the least width of a column of sentences.
const readable = 20

// isNarrow reports whether a table has no room: it is wider than the screen, or a column is a tower
// of words.
func (s screen) isNarrow(rows [][]string, widths []int) bool {
	if s.width == 0 {
		return false
	}
	for _, row := range rows {
		for i, cell := range row {
			if needed := uniseg.StringWidth(cell); needed > widths[i] && widths[i] < readable {
				return true
			}
		}
	}
	return sum(widths)+gap*(len(widths)-1) > s.width
}

// stacked returns a table with each cell on a line of its own, after its title. What is not
// reported is left out.
func (s screen) stacked(names []string, rows [][]string) (lines []string) {
	title := 0
	for _, name := range names {
		title = max(title, uniseg.StringWidth(name))
	}
	for i, row := range rows {
		if i > 0 {
			lines = append(lines, "")
		}
		for j, cell := range row {
			if cell == "-" {
				continue
			}
			name := names[j]
			for _, part := range wrap(cell, max(s.width-title-gap, longestWord(cell))) {
				lines = append(lines, s.paint(fmt.Sprintf("%-*s", title+gap, name), bold)+s.paint(part, colourOf(names[j], cell)))
				name = ""
			}
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
			widths[i] = max(widths[i], uniseg.StringWidth(row[i]))
			narrow[i] = max(narrow[i], longestWord(row[i]))
		}
		widths[i] = max(widths[i], narrow[i])
	}
	free := func() int { return s.width - sum(widths) - gap*(len(widths)-1) }
	if s.width == 0 || free() >= 0 {
		for i, name := range names {
			if n := uniseg.StringWidth(name) - widths[i]; n > 0 && (s.width == 0 || free() >= n) {
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
		most = max(most, uniseg.StringWidth(word))
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

// wrap breaks a text into parts of at most width cells, between words if it can.
func wrap(text string, width int) (parts []string) {
	for uniseg.StringWidth(text) > width {
		at := breakOf(text, width)
		if at == len(text) { // one character, wider than width
			break
		}
		parts = append(parts, strings.TrimRight(text[:at], " "))
		text = strings.TrimLeft(text[at:], " ")
	}
	return append(parts, text)
}

// breakOf returns how many bytes of a text are its first part, at least one character.
func breakOf(text string, width int) int {
	at, word, used, state := 0, 0, 0, -1
	for rest := text; rest != ""; {
		var one string
		var cells int
		one, rest, cells, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if one == " " && at > 0 {
			word = at
		}
		if used += cells; used > width && at > 0 {
			break
		}
		at += len(one)
	}
	return cmp.Or(word, at)
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
			line.WriteString(strings.Repeat(" ", widths[i]-uniseg.StringWidth(cell)+gap))
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

package mcpserver

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/go-freight/terminal49"
)

// mostRunes bounds a text from outside.
const mostRunes = 300

// clean returns a text from outside without what is not shown: control characters and those that
// change the direction or have no width. A line break becomes a space. The quotes « and », which
// mark such texts for a person, and < and > become ‹ and ›. A link of Markdown is taken apart.
func clean(text string) string {
	var b strings.Builder
	n, space, last := 0, false, ' '
	for _, r := range strings.ToValidUTF8(text, "\uFFFD") {
		switch {
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		case !unicode.IsGraphic(r), unicode.In(r, unicode.Cf, unicode.Variation_Selector), isBlank(r):
			continue
		}
		if n++; n > mostRunes {
			b.WriteRune('…')
			break
		}
		if space || r == '(' && last == ']' {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(shownAs(r))
		last = r
	}
	return b.String()
}

// isBlank reports whether a character is a letter without a shape.
func isBlank(r rune) bool {
	return strings.ContainsRune("\u115F\u1160\u3164\uFFA0\u2800\u034F\u17B4\u17B5", r)
}

func shownAs(r rune) rune {
	switch r {
	case '«', '<':
		return '‹'
	case '»', '>':
		return '›'
	}
	return r
}

// quoted marks a text from outside for a person.
func quoted(text string) string { return "«" + clean(text) + "»" }

// page is a text for a person.
type page struct{ strings.Builder }

// line writes a line.
func (p *page) line(format string, args ...any) {
	fmt.Fprintf(p, format, args...)
	p.WriteByte('\n')
}

// instant returns a time in UTC.
func instant(at time.Time) string {
	if at.IsZero() {
		return unknown
	}
	return at.UTC().Format(time.RFC3339)
}

// local returns a time at a place: with the offset of its zone, in UTC if the zone is not reported
// but the moment is, or as the wall clock of the place.
func local(t terminal49.Time) string {
	if t.IsZero() {
		return ""
	}
	if at, err := t.Local(); err == nil {
		return at.Format(time.RFC3339)
	}
	return clean(t.String())
}

// day returns the day at a place, or "".
func day(t terminal49.Time) string {
	if d, ok := t.Date(); ok {
		return d.String()
	}
	return ""
}

// plural returns a number with its noun.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// number returns a number without needless zeros.
func number(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// numberText returns a container number for a person, quoted if it does not have the form of one.
func numberText(text string) string {
	if _, err := terminal49.ParseContainerNumber(text); err != nil {
		var of *terminal49.ContainerNumberError
		if !errors.As(err, &of) || !of.CheckDigitOnly {
			return quoted(text)
		}
	}
	return text
}

// numberTexts returns container numbers for a person.
func numberTexts(numbers []string) []string {
	list := make([]string, len(numbers))
	for i, n := range numbers {
		list[i] = numberText(n)
	}
	return list
}

package mcpserver

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
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
func clean(text string) string { return cleanTo(mostRunes, text) }

func cleanTo(most int, text string) string {
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
		if n++; n > most {
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

// own is a text that is made here, in which every text from outside is quoted.
type own string

// quoted marks a text from outside for a person.
func quoted(text string) own { return own("«" + clean(text) + "»") }

// quotedAll returns texts from outside, joined.
func quotedAll(texts []string, by own) (all own) {
	for i, text := range texts {
		if i > 0 {
			all += by
		}
		all += quoted(text)
	}
	return all
}

// isWord matches what is not quoted: one word, number, time or id, and sums of money.
var isWord = regexp.MustCompile(`^(?:[A-Z]{3} )?[0-9A-Za-z_.:+-]{1,64}(?: \+ (?:[A-Z]{3} )?[0-9A-Za-z_.:+-]{1,64})*$`).MatchString

// shown returns a value for a person. A text that is not an own one is quoted, unless it is empty
// or one word.
func shown(value any) any {
	v := reflect.ValueOf(value)
	if _, is := value.(own); is || v.Kind() != reflect.String || v.Len() == 0 || isWord(v.String()) {
		return value
	}
	return quoted(v.String())
}

// before returns a text after another one, or "" if there is none.
func before[T ~string](lead own, text T) own {
	if text == "" {
		return ""
	}
	return lead + own(fmt.Sprint(shown(text)))
}

// words returns a word of this module with spaces.
func words[T ~string](text T) own { return own(strings.ReplaceAll(string(text), "_", " ")) }

// page is a text for a person.
type page struct{ strings.Builder }

// line writes a line. It quotes the arguments that need it.
func (p *page) line(format string, args ...any) {
	for i, value := range args {
		args[i] = shown(value)
	}
	fmt.Fprintf(p, format, args...)
	p.WriteByte('\n')
}

// joined is a text of several, such as the names of holds. Each is cleaned.
type joined string

// cleanAll cleans every text of an answer, but for its common members, which are made here.
func cleanAll(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			cleanAll(v.Elem())
		}
	case reflect.Interface:
		if text, is := v.Interface().(string); is {
			v.Set(reflect.ValueOf(clean(text)))
		}
	case reflect.Slice:
		for i := range v.Len() {
			cleanAll(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if of := v.Field(i); of.CanSet() { // an embedded common cannot
				cleanAll(of)
			}
		}
	case reflect.String:
		most := mostRunes
		if v.Type() == reflect.TypeFor[joined]() {
			most *= mostTexts
		}
		v.SetString(cleanTo(most, v.String()))
	}
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
func plural(n int, one, many own) own {
	if n == 1 {
		return "1 " + one
	}
	return own(fmt.Sprintf("%d %s", n, many))
}

// number returns a number without needless zeros.
func number(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// numberText returns a container number for a person, quoted if it does not have the form of one.
func numberText(text string) own {
	if _, err := terminal49.ParseContainerNumber(text); err != nil {
		var of *terminal49.ContainerNumberError
		if !errors.As(err, &of) || !of.CheckDigitOnly {
			return quoted(text)
		}
	}
	return own(text)
}

// numberTexts returns container numbers for a person.
func numberTexts(numbers []string) own {
	list := make([]string, len(numbers))
	for i, n := range numbers {
		list[i] = string(numberText(n))
	}
	return own(strings.Join(list, ", "))
}

package text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns s on one line, with every character that is not printable escaped as Go writes
// it, such as \n. A terminal or a log reader interprets no part of it. What is not UTF-8 is
// replaced, because a terminal may read single bytes.
func Printable(s string) string {
	if utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	return b.String()
}

package cli

import (
	"errors"
	"strings"
)

// Parts returns the errors that errors.Join joined. An error that wraps several in a text of its
// own is one.
func Parts(err error) (list []error) {
	if err == nil {
		return nil
	}
	joined, ok := err.(interface{ Unwrap() []error }) //nolint:errorlint // not of what it wraps
	if !ok || err.Error() != errors.Join(joined.Unwrap()...).Error() {
		return []error{err}
	}
	for _, part := range joined.Unwrap() {
		list = append(list, Parts(part)...)
	}
	return list
}

// Line returns a message as one printable line. An error may name an argument, whose line ends
// would begin lines of the log that nobody wrote.
func Line(message string) string {
	text := ""
	for line := range strings.Lines(message) {
		switch line = strings.TrimSpace(line); {
		case text == "" || line == "":
			text += line
		case strings.HasSuffix(text, "?"):
			text += " " + line
		default:
			text += "; " + line
		}
	}
	return Printable(text)
}

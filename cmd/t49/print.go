package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"syscall"
	"unicode"
	"unicode/utf16"

	"github.com/go-freight/terminal49"
)

// hide returns a writer that hides the token, which may have its scheme.
func hide(to io.Writer, token string) io.Writer {
	token = bareToken(token)
	if len(token) < 4 { // it would hide parts of words
		return to
	}
	return hiding{to, terminal49.Redactor(terminal49.NewSecret(token))}
}

// bareToken returns the token as the client sends it, which any output may repeat: terminal49.New
// removes the spaces around it and its scheme.
func bareToken(token string) string {
	token = strings.TrimSpace(token)
	scheme, rest, _ := strings.Cut(token, " ")
	if strings.EqualFold(scheme, "Token") || strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(rest)
	}
	return token
}

type hiding struct {
	to     io.Writer
	redact func(string) string
}

// hidden returns the writer below the one that hides the token: JSON is data, which is printed
// exactly, and the simulator's token is not a secret.
func hidden(w io.Writer) io.Writer {
	if h, ok := w.(hiding); ok {
		return h.to
	}
	return w
}

// Write implements io.Writer.
func (h hiding) Write(p []byte) (int, error) {
	if _, err := io.WriteString(h.to, h.redact(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// output is where results are printed. The first write that fails ends the command, which may not
// look at the error itself.
type output struct {
	to     io.Writer
	failed context.CancelFunc
	mu     sync.Mutex
	err    error
}

// outputError is an error of writing the output.
type outputError struct{ error }

func (e outputError) Error() string { return "the output cannot be written: " + e.error.Error() }

func (e outputError) Unwrap() error { return e.error }

// isClosedOutput reports whether the reader of the output has closed it, as head does.
func isClosedOutput(err error) bool {
	var output outputError
	return errors.As(err, &output) && errors.Is(err, syscall.EPIPE)
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.to.Write(p)
	if err != nil {
		o.err = outputError{err}
		o.failed()
	}
	return n, o.err
}

// failure returns the error of the first write that failed, or nil.
func (o *output) failure() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// line prints JSON in one line, with the selected fields only.
func (a *app) line(text []byte) error {
	if len(a.fields) > 0 {
		var err error
		if text, err = a.selected(text); err != nil {
			return err
		}
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		return err
	}
	_, err := fmt.Fprintf(hidden(a.out), "%s\n", escaped(compact.Bytes()))
	return err
}

// escaped returns JSON whose every character is printable. The others can only be in its texts,
// where an escape means the same.
func escaped(text []byte) []byte {
	safe := make([]byte, 0, len(text))
	for _, r := range string(text) {
		if unicode.IsPrint(r) {
			safe = append(safe, string(r)...)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			safe = fmt.Appendf(safe, `\u%04x`, unit)
		}
	}
	return safe
}

// selected leaves only the selected attributes of a resource. An attribute that it does not have is
// left out.
func (a *app) selected(text []byte) ([]byte, error) {
	var resource struct {
		Type       string                     `json:"type"`
		ID         string                     `json:"id"`
		Attributes map[string]json.RawMessage `json:"attributes"`
	}
	if err := json.Unmarshal(text, &resource); err != nil {
		return nil, err
	}
	for name := range resource.Attributes {
		if !slices.Contains(a.fields, name) {
			delete(resource.Attributes, name)
		}
	}
	return json.Marshal(resource)
}

// plain replaces characters that a terminal would interpret instead of showing, and "" by "-".
func plain(text string) string {
	if text == "" {
		return "-"
	}
	return printable(text)
}

func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, text)
}

// say prints a human-readable line. With --json or --csv it is not a result. An error ends the
// command also if it is ignored.
func (a *app) say(format string, values ...any) error {
	if a.json || a.csv {
		a.note(format, values...)
		return nil
	}
	_, err := fmt.Fprintln(a.out, plain(fmt.Sprintf(format, values...)))
	return err
}

// note prints a line to standard error.
func (a *app) note(format string, values ...any) {
	a.noting.Lock()
	defer a.noting.Unlock()
	fmt.Fprintln(a.log, plain(fmt.Sprintf(format, values...)))
}

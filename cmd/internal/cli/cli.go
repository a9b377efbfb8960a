// Package cli has what the commands share: how they print, what they hide, and how they read their
// environment.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"unicode"
	"unicode/utf16"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// Output is where results are printed. It keeps the error of the first write that failed, because
// not every command looks at it.
type Output struct {
	to     io.Writer
	failed context.CancelFunc
	mu     sync.Mutex
	err    atomic.Pointer[error] // a write, which has the lock, may wait for a reader for ever
}

// NewOutput returns an output that calls failed after the first write that failed. failed may be
// nil.
func NewOutput(to io.Writer, failed context.CancelFunc) *Output {
	return &Output{to: to, failed: failed}
}

// Write implements io.Writer. Its error is an [OutputError].
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := o.Failure(); err != nil {
		return 0, err
	}
	n, err := o.to.Write(p)
	if err != nil {
		err = OutputError{err}
		o.err.Store(&err)
		if o.failed != nil {
			o.failed()
		}
	}
	return n, err
}

// Failure returns the error of the first write that failed, or nil.
func (o *Output) Failure() error {
	if err := o.err.Load(); err != nil {
		return *err
	}
	return nil
}

// OutputError is an error of writing the output.
type OutputError struct{ Err error }

func (e OutputError) Error() string { return "the output cannot be written: " + e.Err.Error() }

// Unwrap returns the writer's error.
func (e OutputError) Unwrap() error { return e.Err }

// IsClosedOutput reports whether the reader of the output has closed it, as head does.
func IsClosedOutput(err error) bool {
	return errors.As(err, new(OutputError)) && errors.Is(err, syscall.EPIPE)
}

// IsTerminal reports whether people read what is written.
func IsTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// Printable replaces characters that a terminal would interpret instead of showing.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, text)
}

// PrintableJSON returns JSON whose every character is printable, but for ends of lines. The others
// can only be in its texts, where an escape means the same.
func PrintableJSON(text []byte) []byte {
	safe := make([]byte, 0, len(text))
	for _, r := range string(text) {
		if unicode.IsPrint(r) || r == '\n' {
			safe = append(safe, string(r)...)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			safe = fmt.Appendf(safe, `\u%04x`, unit)
		}
	}
	return safe
}

// RefuseTopics has help refuse an unknown topic. cobra prints the topic as it is, and succeeds.
func RefuseTopics(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, err := root.Find([]string{"help"})
	if err != nil {
		return
	}
	help.Args = func(_ *cobra.Command, topics []string) error {
		if _, _, err := root.Find(topics); err != nil {
			return fmt.Errorf("unknown help topic %q", Printable(strings.Join(topics, " ")))
		}
		return nil
	}
}

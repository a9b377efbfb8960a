package fleet

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/go-freight/terminal49/internal/conceal"
	"github.com/go-freight/terminal49/internal/text"
)

// private matches the settings that drivers quote in errors: addresses, users and passwords.
var private = regexp.MustCompile(`(?i)"[^"]*(?:://|@)[^"]*"|[a-z][a-z0-9+.-]*://\S+|\S*@\S*` +
	`|\buser: unknown user \S+|\b(?:password|passwd|pwd|pass|user|username|host|hostaddr|addr|secret|token)\s*[=:]\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\S+)` +
	`|(?:\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b|\[[0-9a-f:.%]+\](?::\d+)?)(?: \([^)]*\))?|\b[a-z0-9.-]+:\d{2,5}\b` +
	`|\b(?:lookup|for user|(?-i:User)) \S+|\baddress \S+:|\b(?:role|host|user) "[^"]*"|\bis valid for .*, not \S+`)

// maxErrorText limits the text of an engine's error.
const maxErrorText = 500

// hidden is an error of an engine without what private matches. It has no Unwrap, because error
// reporters print every error of a chain.
type hidden struct {
	text     string
	notSetUp bool // it matches ErrNotSetUp
	err      conceal.Value[error]
}

func hide(err error) error {
	if err == nil {
		return nil
	}
	quoted := errorText(err)
	if len(quoted) > 8*maxErrorText {
		quoted = quoted[:8*maxErrorText]
	}
	// The pattern is applied first, because it matches across characters that are escaped
	// afterwards.
	quoted = private.ReplaceAllString(quoted, text.Mask)
	quoted = text.Printable(strings.ToValidUTF8(quoted, ""))
	if len(quoted) > maxErrorText {
		quoted = quoted[:maxErrorText] + " ..."
	}
	return &hidden{strings.ToValidUTF8(quoted, ""), is(err, ErrNotSetUp), conceal.New(err)}
}

// errorText returns the text of an engine's error, whose Error method may panic.
func errorText(err error) (quoted string) {
	defer func() {
		if v := recover(); v != nil {
			quoted = fmt.Sprintf("an error of the engine; its Error method panicked: %v", v)
		}
	}()
	return err.Error()
}

// is reports whether an engine's error matches target. A panic of its methods means no.
func is(err, target error) (matches bool) {
	defer func() { _ = recover() }()
	return errors.Is(err, target)
}

func (h *hidden) Error() string { return h.text }

// Is calls the engine's error only for its user: the limiter compares under its locks, and only
// with ErrNotSetUp.
func (h *hidden) Is(target error) bool {
	if target == ErrNotSetUp {
		return h.notSetUp
	}
	return is(h.err.Get(), target)
}

package terminal49

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// namedWarnings limits the warnings in the text of an error. A response can have a million.
const namedWarnings = 20

// mostWarnings limits the warnings of a response that reach a hook, the log or an error, and those
// of a notification. One more has the number of the others.
const mostWarnings = 1000

// DecodeWarning describes one value of a response that could not be decoded and was left empty. The
// rest of the response is complete. A warning never contains the value. After 1,000 of one response
// the last one has only Op, and in Problem the number of the others.
type DecodeWarning struct {
	Op           string
	ResourceType string // wire type, such as "container"
	ResourceID   string
	Field        string // wire name, such as "pickup_lfd"
	Problem      string
}

// String returns the warning as a sentence.
func (w DecodeWarning) String() string {
	about := strings.TrimSpace(w.ResourceType+" "+w.ResourceID) + ": "
	return printable(strings.TrimPrefix(fmt.Sprintf("%s%s: %s", about, w.Field, w.Problem), ": "))
}

// warnings passes decode warnings on to the hook. In strict decoding they become an error.
type warnings struct {
	op     string
	client *Client
	redact redactor
	strict bool
	ctx    context.Context

	kept  []DecodeWarning // in strict decoding
	count int             // of all warnings

	about, redacted [2]string // type and id of the resource of the last warning
}

// warnings returns nil if warnings are neither errors nor reported to a hook or the log.
func (c *apiCall) warnings(ctx context.Context) *warnings {
	if !c.strict && c.client.hooks.OnDecodeWarning == nil && !isOn(ctx, c.client.log, slog.LevelWarn) {
		return nil
	}
	return &warnings{op: c.Name, client: c.client, redact: c.redact, strict: c.strict, ctx: ctx}
}

func (w *warnings) add(from jsonapi.Warning) {
	if w.count++; w.count <= mostWarnings {
		w.report(from)
	}
}

func (w *warnings) report(from jsonapi.Warning) {
	hook, logs := w.client.hooks.OnDecodeWarning, isOn(w.ctx, w.client.log, slog.LevelWarn)
	if about := [2]string{from.ResourceType, from.ResourceID}; about != w.about { // once for each resource
		w.about, w.redacted = about, [2]string{w.redact.beginning(about[0]), w.redact.beginning(about[1])}
	}
	warning := DecodeWarning{
		w.op, w.redacted[0], w.redacted[1], w.redact.beginning(from.Field), w.redact.beginning(from.Problem),
	}
	if hook != nil {
		hook(w.ctx, warning)
	}
	if logs {
		logWarning(w.ctx, w.client.log, warning)
	}
	if w.strict && len(w.kept) < mostWarnings {
		w.kept = append(w.kept, warning)
	}
}

// moreThan returns the problem of the warning that stands for all but the first of count warnings.
func moreThan(count int) string {
	return strconv.Itoa(count-mostWarnings) + " more values could not be read"
}

// receiver returns the function that takes warnings, or nil.
func (w *warnings) receiver() func(jsonapi.Warning) {
	if w == nil {
		return nil
	}
	return w.add
}

func (w *warnings) all() []DecodeWarning {
	if w == nil {
		return nil
	}
	return w.kept
}

// end reports how many warnings were left out. In strict decoding it returns an error if there were
// any warnings.
func (w *warnings) end() error {
	if w != nil && w.count > mostWarnings {
		w.report(jsonapi.Warning{Problem: moreThan(w.count)})
	}
	switch {
	case w == nil || w.count == 0 || !w.strict:
		return nil
	case w.count == len(w.kept):
		return errors.New("parts could not be decoded")
	default:
		return fmt.Errorf("%d parts could not be decoded", w.count)
	}
}

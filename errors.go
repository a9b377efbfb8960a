package terminal49

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/transport"
)

// The kinds of error response, for errors.Is. The details are in an [*APIError].
var (
	ErrInvalid           = errors.New("terminal49: the service rejected the request as invalid")            // 400, 422
	ErrUnauthorized      = errors.New("terminal49: the service did not accept the token")                   // 401
	ErrForbidden         = errors.New("terminal49: not allowed")                                            // 403, or a 401 for a party of another account
	ErrFeatureNotEnabled = errors.New("terminal49: the account does not have the feature")                  // 403, also ErrForbidden
	ErrNotFound          = errors.New("terminal49: not found")                                              // 404
	ErrConflict          = errors.New("terminal49: conflict")                                               // 409
	ErrDuplicate         = errors.New("terminal49: exists already")                                         // 409 or 422 that reports a duplicate
	ErrRoleNotAllowed    = errors.New("terminal49: a container cannot have this party role")                // 422, also ErrInvalid
	ErrRateLimited       = errors.New("terminal49: rate limit exceeded")                                    // 429
	ErrServer            = errors.New("terminal49: the service, or something it depends on, has a problem") // 500 and above, or below 100
)

// APIError is an error response of the service. Match its kind with errors.Is and the sentinel
// errors.
type APIError struct {
	Op         string             // operation, such as "shipments.get"
	ID         string             // the resource that the call names; see the ID of [TransportError]
	StatusCode int                // HTTP status
	Errors     []ErrorObject      // the problems; empty if the body was not an error document
	RetryAfter Opt[time.Duration] // the Retry-After header, counted from the response's arrival
	Attempts   int                // requests sent for this call
	RequestID  string             // the service's X-Request-Id, for its support; "" if it sent none
	Body       string             // the first 300 bytes of the body if Errors is empty; human-readable

	outcomeUnknown bool
	maybeMissing   bool // the service may not have the operation, or not for the account
	bearer         bool // the token had the prefix "Bearer"
}

// ErrorObject is one problem of an error response. Any member may be empty: the service uses
// several forms.
type ErrorObject struct {
	Title     string
	Detail    string
	Code      string         // such as "blank" or "duplicate"
	Status    string         // the HTTP status again
	Pointer   string         // JSON pointer into the request, such as "/data/attributes/scac"
	Parameter string         // query parameter
	Meta      map[string]any // free form
}

// String returns the first of Detail, Title and Code that is set, and the pointer or parameter. It
// is one line: control characters are escaped, so that a response cannot forge log lines.
func (o ErrorObject) String() string {
	text := "unknown problem"
	for _, s := range []string{o.Detail, o.Title, o.Code} {
		if s != "" {
			text = s
			break
		}
	}
	if about := cmp.Or(o.Pointer, o.Parameter); about != "" {
		text += " (" + about + ")"
	}
	return printable(text)
}

// subject returns the operation and the resource that it is about, if that is known.
func subject(op, id string) string {
	if id != "" {
		op += " " + id
	}
	return op
}

// Error returns the operation, the resource, the status and the problems in the service's words.
func (e *APIError) Error() string {
	var b strings.Builder
	status := http.StatusText(e.StatusCode)
	fmt.Fprintf(&b, "terminal49: %s: %d %s", subject(e.Op, e.ID), e.StatusCode, status)
	separator := ": "
	for _, o := range e.Errors {
		if text := o.String(); !strings.EqualFold(text, status) { // it would be said twice
			b.WriteString(separator + text)
			separator = "; "
		}
	}
	if strings.HasPrefix(strings.TrimSpace(e.Body), "<") {
		b.WriteString(": a web page rather than a response of the API; check the base URL and its /v2")
	}
	switch {
	case e.Is(ErrUnauthorized) && e.bearer:
		b.WriteString(` (the prefix "Bearer " is for a user's access token; an API key must not have it)`)
	case e.Is(ErrUnauthorized):
		b.WriteString(" (the token, such as that in T49_API_TOKEN, must be an API key from " + keyPage + ")")
	}
	if e.maybeMissing {
		b.WriteString("; the service may not have this operation yet, or not have enabled it for the account")
	}
	if wait, ok := e.RetryAfter.Get(); ok {
		fmt.Fprintf(&b, "; try again in %v", wait)
	}
	if e.Attempts > 1 {
		fmt.Fprintf(&b, " (after %d attempts)", e.Attempts)
	}
	return b.String()
}

// Is matches the sentinel errors by status and, where one status has several meanings, by the
// service's wording.
func (e *APIError) Is(target error) bool {
	switch target {
	case ErrUnauthorized:
		return e.StatusCode == http.StatusUnauthorized && !e.isForeignParty()
	case ErrForbidden:
		return e.StatusCode == http.StatusForbidden || e.isForeignParty()
	case ErrFeatureNotEnabled:
		return e.StatusCode == http.StatusForbidden && e.says("not enabled")
	case ErrDuplicate:
		return e.isDuplicate()
	case ErrRoleNotAllowed:
		return e.hasCode("is_not_allowed_for_cargo")
	}
	sentinel := errorOfStatus(e.StatusCode)
	return sentinel != nil && target == sentinel
}

// errorOfStatus returns the sentinel error of a status with only one meaning, or nil.
func errorOfStatus(status int) error {
	switch status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return ErrInvalid
	case http.StatusNotFound:
		return ErrNotFound
	case http.StatusConflict:
		return ErrConflict
	case http.StatusTooManyRequests:
		return ErrRateLimited
	}
	if status >= 500 || status < 100 {
		return ErrServer
	}
	return nil
}

func (e *APIError) isDuplicate() bool {
	return e.hasCode("duplicate") || e.hasCode("duplicate_document") || e.hasCode("taken") ||
		e.StatusCode == http.StatusUnprocessableEntity && e.says("already exists") // parties, which get no code
}

// isForeignParty reports whether a 401 is about the party or record of another account rather than
// about the token. The service then sends only a detail, which does not name a token or key.
func (e *APIError) isForeignParty() bool {
	if e.StatusCode != http.StatusUnauthorized || !strings.Contains(e.Op, ".party_roles.") || len(e.Errors) == 0 {
		return false
	}
	for _, o := range e.Errors {
		if o.Detail == "" || o.Title+o.Status+o.Code+o.Pointer+o.Parameter != "" {
			return false
		}
	}
	return !e.says("token") && !e.says("key") && !e.says("credential") && !e.says("authenti")
}

func (e *APIError) says(words string) bool {
	for _, o := range e.Errors {
		if strings.Contains(strings.ToLower(o.Title+" "+o.Detail), words) {
			return true
		}
	}
	return false
}

func (e *APIError) hasCode(code string) bool {
	for _, o := range e.Errors {
		if o.Code == code {
			return true
		}
	}
	return false
}

// LogValue returns the fields for structured logs.
func (e *APIError) LogValue() slog.Value {
	if e == nil {
		return slog.Value{}
	}
	return slog.GroupValue(slog.String("op", e.Op), slog.Int("status", e.StatusCode), slog.Int("attempts", e.Attempts),
		slog.String("request_id", printable(e.RequestID)), slog.String("error", e.Error()))
}

// TransportError is returned when a call ends without a response: no connection, a timeout, a
// cancelled context, or a rate limit whose wait is too long. errors.Is finds the cause, such as
// context.Canceled. It contains no URL and no token.
type TransportError struct {
	Op string
	// ID is what the call names in the path or body of its request: the id of a resource, a code, or
	// two of them with a slash between. It is printable and short; "" for lists and most creations.
	ID       string
	Attempts int       // requests that may have been sent
	Err      error     // why the call ended
	Last     *APIError // the last error response before the end, such as a 429; nil if there was none

	outcomeUnknown bool
}

// Error returns the operation, the resource and the reason on one line. Parts of it may come from
// proxies and certificates, so control characters are escaped.
func (e *TransportError) Error() string {
	return "terminal49: " + strings.Replace(printable(e.Err.Error()), e.Op, subject(e.Op, e.ID), 1)
}

// Is matches ErrRateLimited if the wait for the client-side rate limit was too long.
func (e *TransportError) Is(target error) bool {
	return target == ErrRateLimited && errors.Is(e.Err, transport.ErrLimited)
}

// Unwrap returns the reason and the last error response.
func (e *TransportError) Unwrap() []error {
	if e.Last == nil {
		return []error{e.Err}
	}
	return []error{e.Err, e.Last}
}

// LogValue returns the fields for structured logs.
func (e *TransportError) LogValue() slog.Value {
	if e == nil {
		return slog.Value{}
	}
	return slog.GroupValue(slog.String("op", e.Op), slog.Int("attempts", e.Attempts),
		slog.Bool("outcome_unknown", e.outcomeUnknown), slog.String("error", e.Error()))
}

// IsOutcomeUnknown reports whether a write that failed with err may have been carried out: a
// request may have reached the service, and no dependable response came back. Check before you send
// it again. It is false for reads, and if the service rejected every attempt.
func IsOutcomeUnknown(err error) bool {
	var lost *TransportError
	if errors.As(err, &lost) {
		return lost.outcomeUnknown
	}
	var unread *DecodeError
	if errors.As(err, &unread) {
		return unread.outcomeUnknown
	}
	var rejected *APIError
	return errors.As(err, &rejected) && rejected.outcomeUnknown
}

// ArgumentError is returned for an invalid argument, before anything is sent.
type ArgumentError struct {
	Op      string // operation, such as "shipments.list"
	Field   string // the argument, such as "id" or "PageSize"
	Problem string // what is required
}

// withOp sets the operation of an *ArgumentError that has none.
func withOp(err error, op string) error {
	var argument *ArgumentError
	if errors.As(err, &argument) && argument.Op == "" {
		argument.Op = op
	}
	return err
}

// Error returns the operation, the field and what is required.
func (e *ArgumentError) Error() string {
	return fmt.Sprintf("terminal49: %s: %s %s", e.Op, e.Field, e.Problem)
}

// rule is one requirement of an argument.
type rule struct {
	broken         bool
	field, problem string
}

// checkRules returns the error of the first rule that is broken.
func checkRules(rules ...rule) error {
	for _, r := range rules {
		if r.broken {
			return &ArgumentError{Field: r.field, Problem: r.problem}
		}
	}
	return nil
}

// DecodeError is returned when a successful response cannot be decoded: it is not JSON, does not
// have the expected form or, with [WithStrictDecoding], contains something unknown. A write has
// most likely been carried out; see [IsOutcomeUnknown].
type DecodeError struct {
	Op       string
	ID       string // the resource that the call names; see the ID of [TransportError]
	Status   int
	Err      error           // what is wrong; never quotes the body
	Warnings []DecodeWarning // with WithStrictDecoding: what was not understood, the first 1000

	outcomeUnknown bool
}

// Error returns the operation, the resource and what could not be decoded.
func (e *DecodeError) Error() string {
	text := fmt.Sprintf("terminal49: %s: cannot read the %d response: %v", subject(e.Op, e.ID), e.Status, e.Err)
	for _, w := range e.Warnings[:min(len(e.Warnings), namedWarnings)] {
		text += "; " + w.String()
	}
	if more := len(e.Warnings) - namedWarnings; more > 0 {
		text += fmt.Sprintf("; and %d more in Warnings", more)
	}
	return text
}

// Unwrap returns Err.
func (e *DecodeError) Unwrap() error { return e.Err }

// snippet limits the part of an unreadable body that an error keeps.
const snippet = 300

// named returns what the call names, as an error may show it.
func (c *apiCall) named() string {
	return c.redact.short(cmp.Or(strings.Join(c.args, "/"), c.envelope.ID))
}

// apiError returns the error for an error response.
func apiError(call transport.Call, r *transport.Result, redact redactor) *APIError {
	e := &APIError{
		Op: call.Op, StatusCode: r.Status, Attempts: r.Attempts, RequestID: redact.beginning(r.Header.Get("X-Request-Id")),
		outcomeUnknown: call.Class != transport.Read && r.MayHaveBeenSent,
	}
	for _, o := range jsonapi.Errors(r.Body) {
		e.Errors = append(e.Errors, redact.object(ErrorObject(o)))
	}
	if len(e.Errors) == 0 {
		e.Body = redact.beginning(string(r.Body))
	}
	if r.HasRetryAfter {
		e.RetryAfter = Some(r.RetryAfter)
	}
	return e
}

// decodeError returns the error for a successful response that cannot be decoded.
func decodeError(call transport.Call, status int, err error, warnings ...DecodeWarning) *DecodeError {
	return &DecodeError{
		Op: call.Op, Status: status, Err: err, Warnings: warnings, outcomeUnknown: call.Class != transport.Read,
	}
}

// transportError returns the error for a call that ended without a response.
func transportError(call transport.Call, err error, redact redactor) *TransportError {
	e := &TransportError{Op: call.Op, Err: err}
	var t *transport.Error
	if errors.As(err, &t) {
		e.Attempts, e.outcomeUnknown = t.Attempts, t.MayHaveBeenSent && call.Class != transport.Read
		if t.Last != nil {
			e.Last = apiError(call, t.Last, redact)
			t.Last = &transport.Result{Status: t.Last.Status} // drops the header and body, which printing t would show
		}
	}
	return e
}

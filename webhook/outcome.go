package webhook

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/go-freight/terminal49"
)

// Outcome is the result of a delivery. It determines the status of the response. The service
// delivers again after any status but 200, 201, 202 and 204.
type Outcome string

// The outcomes, each with the status it is answered with.
const (
	OutcomeHandled          Outcome = "handled"            // 200: the callbacks returned nil
	OutcomeIgnored          Outcome = "ignored"            // 200: no callback is registered for the event
	OutcomeDuplicate        Outcome = "duplicate"          // 200: handled before, or while this delivery waited
	OutcomeDeadLettered     Outcome = "dead_letter"        // 200: signed, but not a notification; see [OnDeadLetter]
	OutcomeUnreadable       Outcome = "unreadable"         // 400: the body broke off or was too slow
	OutcomeUnauthorized     Outcome = "unauthorized"       // 401: the signature is missing, malformed or wrong
	OutcomeMethodNotAllowed Outcome = "method_not_allowed" // 405: not a POST
	OutcomeTooLarge         Outcome = "too_large"          // 413: the body exceeds the limit, see [WithBodyLimit]
	OutcomeFailed           Outcome = "failed"             // 500: see Delivery.Err; the service delivers again
	OutcomeClosing          Outcome = "closing"            // 503: after Shutdown; the service delivers again
	OutcomeClaimLost        Outcome = "claim_lost"         // no response: see [ErrClaimLost] and [OnDelivery]
)

// status returns the HTTP status of the response.
func (o Outcome) status() int {
	switch o {
	case OutcomeHandled, OutcomeIgnored, OutcomeDuplicate, OutcomeDeadLettered:
		return http.StatusOK
	case OutcomeUnreadable:
		return http.StatusBadRequest
	case OutcomeUnauthorized:
		return http.StatusUnauthorized
	case OutcomeMethodNotAllowed:
		return http.StatusMethodNotAllowed
	case OutcomeTooLarge:
		return http.StatusRequestEntityTooLarge
	case OutcomeClosing:
		return http.StatusServiceUnavailable
	default:
		return http.StatusInternalServerError
	}
}

// Delivery describes one request and its outcome, or a lost claim, for logs and metrics. It
// contains nothing of the body but the notification's id and event.
type Delivery struct {
	NotificationID string               // "" unless the signature is valid and the body is a notification
	Event          terminal49.EventName // "" if NotificationID is ""
	Outcome        Outcome
	StatusCode     int // HTTP status of the response; 0 for what is reported after it, see [OnDelivery]
	// Err is nil if the notification was handled, ignored or a duplicate, unless the [DedupeStore]
	// failed to record that or lost the claim. Otherwise it is the reason. For a dead letter it
	// includes the error of the callback.
	Err      error
	Duration time.Duration // from the arrival of the request until its outcome was known
}

// DeadLetter is a delivery that is signed correctly and is not a notification.
type DeadLetter struct {
	Body []byte // as delivered
	Err  error  // why it is not a notification; matches [terminal49.ErrNotNotification]
}

// Errors of deliveries that were not handled, for errors.Is. ErrTimeout also means that no callback
// was called in time, because another receiver has the notification or the [DedupeStore] did not
// answer; the text of the error differs.
var (
	ErrTimeout = errors.New("terminal49: webhook: the callbacks did not finish in time")
	ErrClosed  = errors.New("terminal49: webhook: the handler was shut down")
)

// notCalled is an ErrTimeout before a callback was called.
type notCalled string

func (e notCalled) Error() string {
	return "terminal49: webhook: no callback was called in time: " + string(e)
}

func (notCalled) Is(target error) bool { return target == ErrTimeout }

const (
	errBusy     notCalled = "another receiver has the notification"
	errNoAnswer notCalled = "the dedupe store did not answer"
)

// ErrClaimLost means that another process may have handled a notification at the same time: its
// claim was lost while a callback ran. The [DedupeStore] lost its data or was away for longer than
// the lease, or the process was suspended. The callback's context then ends with this cause. If
// the callback returns nil, the notification is handled; otherwise the service delivers it again.
// A [DedupeStore] may return this error from Complete.
var ErrClaimLost = errors.New("terminal49: webhook: the claim of a notification was lost")

// CallbackPanicError is returned when a callback or the [DedupeStore] panicked. A notification is
// then answered 500, a dead letter 200 if its callback was called. [SourceParams].OnRefresh
// receives it when a hook or transport of the client panicked.
type CallbackPanicError struct {
	Value any    // the value of the panic
	Stack []byte // the stack at the panic
}

// Error includes the value of the panic.
func (e *CallbackPanicError) Error() string {
	return fmt.Sprintf("terminal49: webhook: a callback panicked: %v", e.Value)
}

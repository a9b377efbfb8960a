package fleet

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/go-freight/terminal49/internal/conceal"
	"github.com/go-freight/terminal49/internal/text"
)

// callTimeout limits each call of the engine. If a third of the window is shorter, that is the
// limit.
const callTimeout = 2 * time.Second

// While the engine is away, it is called again at intervals that double from firstRetry to
// longestRetry. Each is shortened by up to half at random.
const (
	firstRetry   = 200 * time.Millisecond
	longestRetry = 4 * time.Second
)

// engine adds to an Engine whether it is away.
type engine struct {
	Engine
	events
	timeout  time.Duration
	returned func() // called when the engine works again

	mu        sync.Mutex
	away      error // nil if it responds
	worked    bool  // it has responded before
	retryAt   time.Time
	trying    bool // a call tries whether it is still away
	interval  time.Duration
	since     time.Time // when it went away last
	noticedAt time.Time // when all processes must have noticed that it is back
}

// do calls the engine and records whether it responded.
func (e *engine) do(call func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), e.timeout)
	defer cancel()
	err := guarded(ctx, call)
	if e.note(err) {
		go e.returned()
	}
	return err
}

var errExit = errors.New("the engine ended its goroutine")

// guarded calls the engine and returns its error without what private matches. The engine may end
// the goroutine, with runtime.Goexit, so it has one of its own.
func guarded(ctx context.Context, call func(context.Context) error) error {
	result := make(chan error, 1)
	go func() {
		err := errExit
		defer func() { result <- err }()
		err = hide(recovered(ctx, call))
	}()
	return <-result
}

// recovered calls the engine on a goroutine of the limiter, where its panic must not end the
// process.
func recovered(ctx context.Context, call func(context.Context) error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("the engine panicked: %v", v)
		}
	}()
	return call(ctx)
}

// note records the outcome of a call, and reports whether the engine has come back.
func (e *engine) note(err error) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	wasAway := e.away != nil
	e.away, e.trying, e.worked = err, false, e.worked || err == nil
	switch {
	case err == nil:
		if wasAway {
			now := time.Now()
			e.noticedAt = now.Add(min(longestRetry+e.timeout, now.Sub(e.since)))
			e.emit(Event{Kind: EngineBack})
		}
		return wasAway
	case !wasAway:
		e.interval, e.since = firstRetry, time.Now()
		e.emit(Event{Kind: EngineAway, Err: err})
	default:
		e.interval = min(2*e.interval, longestRetry)
	}
	e.retryAt = time.Now().Add(e.interval - rand.N(e.interval/2))
	return false
}

// reason returns why the engine is away, or nil.
func (e *engine) reason() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.away
}

// isNotSetUp reports whether the engine cannot work without a change. An engine that has worked
// before counts as away, for any reason.
func (e *engine) isNotSetUp() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return !e.worked && errors.Is(e.away, ErrNotSetUp)
}

// localUntil returns the time until which other processes may not have noticed that the engine is
// back, and may have sent requests without it. They try it at least as often as this process.
func (e *engine) localUntil() time.Time {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.noticedAt
}

// nextTry returns when the engine, which is away, is tried again, and whether a call is trying it
// now.
func (e *engine) nextTry() (at time.Time, trying bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.retryAt, e.trying
}

// mayCall reports whether the caller may call the engine now. While the engine is away, one caller
// at a time may, and must then make the call.
func (e *engine) mayCall(now time.Time) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.away == nil {
		return true
	}
	if e.trying || e.retryAt.After(now) {
		return false
	}
	e.trying = true
	return true
}

// retry returns when to check again whether the engine may be tried. A pending call ends within the
// timeout.
func (e *engine) retry(now time.Time) time.Time {
	if at, trying := e.nextTry(); !trying && at.After(now) {
		return at
	}
	return now.Add(e.timeout)
}

// events passes events to a function one after another, outside all locks.
type events struct {
	call    func(Event) // may be nil
	mu      sync.Mutex
	pending []Event
	passing bool
}

func (e *events) emit(event Event) {
	if e.call == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.pending = append(e.pending, event)
	if !e.passing {
		e.passing = true
		go e.pass()
	}
}

// pass passes the events on. A panic of the function is discarded.
func (e *events) pass() {
	next, has := e.next()
	if !has {
		return
	}
	defer func() {
		_ = recover()
		go e.pass() // also if the function ended this goroutine
	}()
	e.call(next)
}

// next removes the first event, and reports false if there is none.
func (e *events) next() (next Event, has bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.passing = len(e.pending) > 0; !e.passing {
		return Event{}, false
	}
	next, e.pending = e.pending[0], e.pending[1:]
	return next, true
}

// private matches the settings that drivers quote in errors: addresses, users and passwords.
var private = regexp.MustCompile(`(?i)"[^"]*(?:://|@)[^"]*"|[a-z][a-z0-9+.-]*://\S+|\S*@\S*` +
	`|\b(?:password|passwd|pwd|pass|user|username|host|hostaddr|addr|secret|token)\s*[=:]\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\S+)` +
	`|(?:\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b|\[[0-9a-f:.%]+\](?::\d+)?)(?: \([^)]*\))?|\b[a-z0-9.-]+:\d{2,5}\b` +
	`|\b(?:lookup|user) \S+|\baddress \S+:|\b(?:role|host) "[^"]*"|\bis valid for .*, not \S+`)

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
	// The pattern is applied first, because it matches across characters that are escaped afterwards.
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

package fleet

import (
	"fmt"
	"sync"
	"time"

	"github.com/go-freight/terminal49"
)

// WithEvents sets a function that is called for each [Event], at most once a minute for each kind
// and bucket; the slots of the events in between are added up. Calls are made one after
// another, on a goroutine of the limiter; the function must return quickly. It may use the limiter.
// Its panic is discarded.
func WithEvents(f func(Event)) Option {
	return setting("WithEvents", "must not be nil; leave the option out for no events", f != nil,
		func(c *config) { c.events = f })
}

// Event is a change of the engine or of the slots in it, for logs and alerts.
type Event struct {
	Kind   EventKind
	Bucket terminal49.Bucket // of SlotsLost and SlotsExpired
	Slots  int               // how many, of SlotsLost and SlotsExpired
	Err    error             // of EngineAway and EngineNotSetUp, on one line, without addresses and passwords
}

// EventKind is the kind of an [Event].
type EventKind string

// The events.
const (
	// EngineAway means that a call of the engine failed. Requests wait or fail from then on, as
	// WithFallback says.
	EngineAway EventKind = "engine away"
	// EngineNotSetUp means that the engine's error is [ErrNotSetUp]. Requests fail until somebody
	// has done what the error says.
	EngineNotSetUp EventKind = "engine not set up"
	// EngineBack means that the engine responds again.
	EngineBack EventKind = "engine back"
	// SlotsLost means that the engine lost slots of this process, for example in a restart without
	// a disk. They were taken again, but slots of processes that have ended may be lost: for one
	// window the limits may be exceeded, unless WithSettling is set.
	SlotsLost EventKind = "slots lost"
	// SlotsExpired means that requests in flight outlived the hold of their slots, because the
	// engine was away or the process was suspended. Other processes may have taken the slots.
	SlotsExpired EventKind = "slots expired"
)

// String returns the event as one line for a log.
func (e Event) String() string {
	s := "fleet: " + string(e.Kind)
	if e.Bucket != "" {
		s += fmt.Sprintf(": %d of bucket %s", e.Slots, e.Bucket)
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// eventEvery is the shortest time between two events of the same kind and bucket.
const eventEvery = time.Minute

// events passes events to a function one after another, outside all locks.
type events struct {
	call    func(Event) // may be nil
	mu      sync.Mutex
	last    map[Event]time.Time // by kind and bucket: when the latest event was passed on
	held    map[Event]Event     // by kind and bucket: the event that is passed on a minute after that
	pending []Event
	passing bool
}

// emit passes an event on, or holds it until a minute after the one before. An engine that is back
// before it was reported as away is not reported, nor the reverse.
func (e *events) emit(event Event) {
	if e.call == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	key, since := Event{Kind: event.Kind, Bucket: event.Bucket}, time.Now().Add(-eventEvery)
	held, isHeld := e.held[key]
	switch {
	case event.Kind == EngineBack && (e.cancel(EngineAway) || e.cancel(EngineNotSetUp)):
	case event.Kind == EngineAway && e.cancel(EngineBack):
	case isHeld:
		event.Slots += held.Slots
		e.held[key] = event
	case e.last[key].After(since):
		e.held[key] = event
		time.AfterFunc(e.last[key].Sub(since), func() { e.passHeld(key) })
	default:
		e.passOn(key, event)
	}
}

// cancel drops a held event and reports whether there was one.
func (e *events) cancel(kind EventKind) bool {
	_, held := e.held[Event{Kind: kind}]
	delete(e.held, Event{Kind: kind})
	return held
}

func (e *events) passHeld(key Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if event, ok := e.held[key]; ok && !e.last[key].After(time.Now().Add(-eventEvery)) {
		delete(e.held, key)
		e.passOn(key, event)
	}
}

func (e *events) passOn(key, event Event) {
	if e.last == nil {
		e.last, e.held = map[Event]time.Time{}, map[Event]Event{}
	}
	e.last[key] = time.Now()
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

package fleet

import (
	"context"
	"time"
)

// Engine stores the slots of all processes. Packages redisstore and sqlstore implement it for
// Redis, Postgres and SQLite. [State] has the rule that every engine follows.
type Engine interface {
	// Serve applies a call to its bucket in one atomic step, which takes one round trip. It is safe
	// for concurrent use and returns soon after ctx ends. A call that returns an error may have
	// taken effect, and may be repeated. A panic or runtime.Goexit counts as an error. An error
	// that matches [ErrNotSetUp] means that somebody must change something.
	Serve(ctx context.Context, c Call) (Reply, error)
}

// Bucket names a bucket among all that use one engine.
type Bucket struct {
	Namespace string // a hash of the API key, or the name that WithNamespace sets
	Name      string // such as "default"
}

// Call is what one process reports about a bucket and asks of it. An engine applies it in this
// order: Pause, Slots, Places. All times are durations on the engine's own clock, so the clocks of
// the processes do not matter.
type Call struct {
	Bucket
	Limit  int           // how many requests the service allows in one Window
	Window time.Duration // the rolling period in which the service counts
	// Born and Seen are the latest Reply.Born and Reply.Now that the process received, zero before
	// the first. If the bucket has a later Born, the engine has lost slots, and Places are ignored.
	// If it was last used before Seen, it is an older state, and its Born becomes the present.
	Born, Seen int64
	Settle     time.Duration // how long no slot is granted after Born
	Pause      time.Duration // no slot is granted for this long; it never shortens an earlier pause
	Slots      []Slot
	Places     []Place
}

// Slot sets how long a slot stays taken.
type Slot struct {
	Owner string
	// For is the time from now on. Zero or less frees the slot, or gives up the place. A slot that
	// the engine has lost is taken again, because its request was sent.
	For time.Duration
}

// Place is a request that waits for a slot. Places are served in the order in which the engine
// first received them, those with a larger Top before all others. One that is late by a sixtieth of
// a window is overtaken.
type Place struct {
	Owner string // unique to the request
	// Top is how many slots all requests with the same or a smaller Top may hold together. It
	// equals Limit for a request without a share. If requests have different Tops, every bound
	// holds.
	Top int
}

// Reply is the result of [Engine].Serve.
type Reply struct {
	Now    int64         // the engine's clock in microseconds, which never goes backwards
	Born   int64         // since when no slot of the bucket was lost, on the same clock
	Lost   int           // how many of Call.Slots the engine had lost
	InUse  int           // how many slots are taken
	Paused time.Duration // how long the bucket is still paused
	Grants []Grant       // one for each of Call.Places; empty if they were ignored
}

// Grant is the outcome for one [Place].
type Grant struct {
	Taken bool // a slot is taken, which is free to use after Wait
	// Wait is the earliest time from now on at which a slot can be free. Without Taken, the process
	// asks again by then, or loses its place one twelfth of a window later.
	Wait time.Duration
}

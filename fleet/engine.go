package fleet

import (
	"context"
	"time"
)

// Engine keeps slots where all processes see them: package redisstore has one for Redis, package
// sqlstore one for Postgres and SQLite. A bucket has as many slots as requests may be sent in one
// window. All times are durations on the engine's own clock, so the clocks of the processes do not
// matter. Methods are atomic, safe for concurrent use, and end soon after their context does.
type Engine interface {
	// Take takes a free slot, or says when to ask again.
	Take(ctx context.Context, r Request) (Grant, error)
	// Keep sets for how long slots stay taken from now on. A slot that the engine has forgotten is
	// taken again, if one is free, because its request was sent; forgotten is how many there were. A
	// slot that is kept for zero or less is free at once; it is not counted if it is unknown.
	Keep(ctx context.Context, b Bucket, slots []Slot) (forgotten int, err error)
	// Pause makes Take grant nothing for d. It never shortens an earlier pause.
	Pause(ctx context.Context, b Bucket, d time.Duration) error
}

// Bucket names a bucket among all that use one engine.
type Bucket struct {
	Namespace string // of the API key
	Name      string // such as "default"
}

// Request asks for one slot.
type Request struct {
	Bucket
	Owner string // of the slot; every request has another one
	Limit int    // slots of the bucket
	// Top is how many slots this request and all with the same or a smaller Top may hold together;
	// equal to Limit without a share. If several are in use, each bound holds. An engine may count
	// slots, or number them and give a request only numbers below its Top; requests with a larger Top
	// then take the highest numbers first.
	Top  int
	Hold time.Duration // for how long the slot is taken, unless Keep sets another time
	// Born is the moment, on the engine's clock, since which the caller knows the engine to remember
	// everything; zero if it does not know. If the engine remembers less, it grants nothing and
	// returns its own moment.
	Born int64
	// Settle is how long the engine must have remembered before it grants anything.
	Settle time.Duration
}

// Grant is the answer to a [Request].
type Grant struct {
	Taken bool
	Wait  time.Duration // if it was not taken: when to ask again
	Born  int64         // when the engine began to remember this bucket, in microseconds of its clock
}

// Slot is a slot that a process took.
type Slot struct {
	Owner string
	For   time.Duration // how long it stays taken from now on
}

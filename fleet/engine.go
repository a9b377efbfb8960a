package fleet

import (
	"context"
	"time"
)

// Engine stores the slots of all processes. Packages redisstore and sqlstore implement it for
// Redis, Postgres and SQLite. A bucket has as many slots as requests may be sent in one window.
// Times are durations on the engine's own clock, so the clocks of the processes do not matter.
// Methods are atomic, safe for concurrent use, and return soon after their context ends. A call
// that returns an error may have taken effect. A panic or runtime.Goexit counts as an error,
// also in the methods of an error.
type Engine interface {
	// Take takes a free slot, or returns how long to wait before asking again. After an error the
	// caller frees the slot with Keep, because it may have been taken.
	Take(ctx context.Context, r Request) (Grant, error)
	// Keep sets how long slots stay taken from now on; zero or less frees a slot at once. A slot that
	// the engine has lost is taken again if one is free, because its request was sent; forgotten is
	// how many were lost. An unknown slot that is to be freed is not counted.
	Keep(ctx context.Context, b Bucket, slots []Slot) (forgotten int, err error)
	// Pause makes Take grant nothing for d. It never shortens an earlier pause.
	Pause(ctx context.Context, b Bucket, d time.Duration) error
}

// Bucket names a bucket among all that use one engine.
type Bucket struct {
	Namespace string // a hash of the API key, or the name that WithNamespace sets
	Name      string // such as "default"
}

// Request asks for one slot.
type Request struct {
	Bucket
	Owner string // the name of the slot, unique to this request
	Limit int    // how many slots the bucket has
	// Top is how many slots this request and all others with the same or a smaller Top may hold
	// together; it equals Limit for a request without a share. If requests have different Tops, every
	// bound holds. An engine may count slots, or number them and give a request only numbers below its
	// Top; requests with a larger Top then take the highest numbers first.
	Top  int
	Hold time.Duration // how long the slot is taken, unless Keep sets another time
	// Born is the latest Grant.Born that the caller received, zero before the first. If the bucket's
	// Born is later, the engine has lost slots: it grants nothing and returns the later Born.
	Born int64
	// Settle is how long ago the bucket's Born must be before the engine grants a slot; zero for no
	// condition.
	Settle time.Duration
}

// Grant is the result of [Engine].Take.
type Grant struct {
	Taken bool
	Wait  time.Duration // how long to wait before asking again, unless Taken
	Born  int64         // since when no slot of the bucket was lost, in microseconds of the engine's clock
}

// Slot is a slot that a process has taken.
type Slot struct {
	Owner string
	For   time.Duration // how long it stays taken from now on; zero or less frees it
}

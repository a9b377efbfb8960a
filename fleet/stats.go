package fleet

import (
	"time"

	"github.com/go-freight/terminal49"
)

// Stats are the numbers of one bucket. The counts are those of this process since [New].
type Stats struct {
	Limit       int       // how many requests all processes may send in a minute
	InUse       int       // how many of them are used up, when the engine last replied
	PausedUntil time.Time // when the latest pause ends or has ended; zero if there was none

	Granted   int64 // requests that received a slot
	Waited    int64 // those that waited longer than one second
	NearLimit int64 // those that were granted while at least 90 % of Limit was in use
	Denied    int64 // requests that failed: their context ended, or would have, or the engine was away
}

// Stats returns the numbers of each bucket. It does no I/O.
func (l *Limiter) Stats() map[terminal49.Bucket]Stats {
	all := map[terminal49.Bucket]Stats{}
	for name, b := range l.buckets {
		b.mu.Lock()
		s := b.stats
		s.Limit, s.InUse, s.PausedUntil = b.limit, b.inUse, b.paused
		b.mu.Unlock()
		all[name] = s
	}
	return all
}

package store

import (
	"sync"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
)

// confirmations are the readings that equalled what is stored. They are not written, because a walk
// over an unchanged account would write every row. They matter only for readings that were sent
// before them and are stored after them. Only this process can have such readings: one that takes
// over draws later tickets.
type confirmations struct {
	mu             sync.Mutex
	recent, before map[model.Ref]span // before are those of the period before
	since          time.Time          // when recent began
}

// span holds the ticket of a reading, and the latest one when its response had arrived.
type span struct{ ticket, until int64 }

// confirmedFor is how long a confirmation is kept at least. A reading that is older may be older
// than a confirmation that has been dropped.
const confirmedFor = 10 * time.Minute

func (c *confirmations) add(now time.Time, all map[model.Ref]span) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.recent == nil || now.Sub(c.since) > confirmedFor {
		c.recent, c.before, c.since = map[model.Ref]span{}, c.recent, now
	}
	for of, s := range all {
		c.recent[of] = c.recent[of].join(s)
	}
}

// clear drops all confirmations.
func (c *confirmations) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.recent, c.before = nil, nil
}

// span returns the latest confirmation of a resource; zero if there is none.
func (c *confirmations) span(of model.Ref) span {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.recent[of].join(c.before[of])
}

func (s span) join(other span) span {
	return span{max(s.ticket, other.ticket), max(s.until, other.until)}
}

// confirm records that a reading equals the row of a resource.
func (t *Tx) confirm(of model.Ref, s span) {
	if t.confirmed == nil {
		t.confirmed = map[model.Ref]span{}
	}
	t.confirmed[of] = t.confirmed[of].join(s)
}

// latest returns the tickets of the latest reading that shows a row. If r is so old that it may be
// older than a confirmation that has been dropped, it is not newer than any row: where it differs,
// the resource is read again.
func (t *Tx) latest(of model.Ref, row span, r plan.Reading) span {
	row = row.join(t.db.confirmed.span(of)).join(t.confirmed[of])
	if r.Ticket > 0 && t.Now.Sub(r.Sent) > confirmedFor {
		row = row.join(span{r.Ticket, r.Until})
	}
	return row
}

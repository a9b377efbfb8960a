package push

import (
	"time"

	"github.com/go-freight/terminal49/mirror/internal/store"
)

// save is a part of the queue's state that is on its way to the database.
type save struct {
	store.PushSave
	items    []saved
	marks    int // that it passes
	problems int
	urgent   bool // more than the place in the feed
}

// saved is an item that a save stores, and whether as parked.
type saved struct {
	*item
	parked bool
}

// progress returns what is to be saved, and whether there is anything.
func (q *queue) progress(now, wall time.Time) (s save, some bool) {
	q.storeSlow(now)
	for it := range q.toStore {
		if q.away && it.ParkedAt.IsZero() {
			continue
		}
		s.items = append(s.items, saved{it, !it.ParkedAt.IsZero()})
		if it.stored {
			s.Update = append(s.Update, it.Delivery)
		} else {
			s.Insert = append(s.Insert, it.Delivery)
		}
	}
	s.Position = q.position
	for _, m := range q.marks {
		if it := m.item; it != nil && !it.done && !it.stored && (!q.toStore[it] || q.away) {
			break
		}
		s.Position = m.position
		s.marks++
	}
	s.Sent, s.Accepted, s.problems = q.unsaved, q.accepted, q.problems
	if q.unsaved > 0 {
		s.SentAt = q.sentAt
	}
	if q.problems > q.savedProblems {
		s.Problem, s.ProblemAt = q.problem, wall
	}
	if q.away {
		s.AwaySince = q.since
	}
	s.urgent = len(s.items)+len(s.Accepted) > 0 || s.Sent > 0 || q.problems > q.savedProblems
	return s, s.urgent || s.marks > 0
}

// storeSlow has the changes of lanes stored whose first one has been under way for long, so that
// the position can move on.
func (q *queue) storeSlow(now time.Time) {
	for it := range q.busy {
		if q.away || it.stored || now.Sub(it.begun) < slow {
			continue
		}
		q.storeLane(q.laneOf(it))
	}
}

// begin notes that a save is under way. What changes from now on is in the next one.
func (q *queue) begin(s save) {
	q.saving = true
	q.unsaved, q.accepted = 0, nil
	for _, one := range s.items {
		delete(q.toStore, one.item)
	}
}

// finish notes that a save has succeeded, or has failed and is repeated.
func (q *queue) finish(s save, ok bool) {
	q.saving = false
	if !ok {
		q.unsaved += s.Sent
		q.accepted = append(s.Accepted, q.accepted...)
		for _, one := range s.items {
			if !one.done {
				q.toStore[one.item] = true
			}
		}
		return
	}
	q.position = s.Position
	q.marks = q.marks[s.marks:]
	q.savedProblems = s.problems
	for _, one := range s.items {
		q.wasStored(one)
	}
}

// wasStored notes that an item is in the table. Its values are read from there when it is sent.
// Only now the changes after one that is parked are sent: after a crash they would come before it.
func (q *queue) wasStored(one saved) {
	it, before := one.item, one.stored
	it.stored, it.hasValues = true, false
	it.Change.Old, it.Change.New = nil, nil
	switch {
	case one.parked:
		q.end(it)
	case before, !it.ParkedAt.IsZero():
	case it.done: // it was accepted meanwhile
		q.accepted = append(q.accepted, it.Change.Seq)
	default:
		q.stored++
	}
}

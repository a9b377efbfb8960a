package ratelimit

import "container/list"

// Queue holds waiters in the order in which they are served: a larger share before a smaller one,
// and first come, first served among equals. The zero Queue is empty.
type Queue struct {
	lines []*line // by share, descending; none is empty
}

type line struct {
	share   float64
	waiters list.List
}

// Waiter is a place in a [Queue].
type Waiter struct {
	Share float64
	Value any
	place *list.Element
}

// Push adds a waiter behind all others of its share.
func (q *Queue) Push(share float64, value any) *Waiter {
	i := 0
	for i < len(q.lines) && q.lines[i].share > share {
		i++
	}
	if i == len(q.lines) || q.lines[i].share != share {
		q.lines = append(q.lines, nil)
		copy(q.lines[i+1:], q.lines[i:])
		q.lines[i] = &line{share: share}
	}
	w := &Waiter{Share: share, Value: value}
	w.place = q.lines[i].waiters.PushBack(w)
	return w
}

// Remove removes a waiter. It does nothing if the waiter is not in the queue.
func (q *Queue) Remove(w *Waiter) {
	for i, l := range q.lines {
		if l.share != w.Share {
			continue
		}
		if l.waiters.Remove(w.place); l.waiters.Len() == 0 {
			q.lines = append(q.lines[:i], q.lines[i+1:]...)
		}
		return
	}
}

// First returns the waiter that is served next, or nil.
func (q *Queue) First() *Waiter {
	if len(q.lines) == 0 {
		return nil
	}
	return q.lines[0].waiters.Front().Value.(*Waiter)
}

// Ahead returns how many waiters are served before a new waiter with the given share.
func (q *Queue) Ahead(share float64) int { return q.between(share, 1) }

// Of returns how many waiters have a share.
func (q *Queue) Of(share float64) int { return q.between(share, share) }

// Shares calls yield with each share, the largest first, and with how many waiters have it. yield
// may remove waiters.
func (q *Queue) Shares(yield func(share float64, waiting int) bool) {
	for _, l := range append([]*line(nil), q.lines...) {
		if !yield(l.share, l.waiters.Len()) {
			return
		}
	}
}

// between returns how many waiters have a share from least to most.
func (q *Queue) between(least, most float64) (n int) {
	for _, l := range q.lines {
		if l.share >= least && l.share <= most {
			n += l.waiters.Len()
		}
	}
	return n
}

// Each calls f with each waiter in order, and with how many are ahead of it. f may remove it.
func (q *Queue) Each(f func(w *Waiter, ahead int)) {
	ahead := 0
	for _, l := range append([]*line(nil), q.lines...) {
		for e := l.waiters.Front(); e != nil; ahead++ {
			next := e.Next()
			f(e.Value.(*Waiter), ahead)
			e = next
		}
	}
}

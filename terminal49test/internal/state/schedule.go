package state

import (
	"container/heap"
	"slices"
	"time"
)

// Schedule holds the tasks of the simulated service, soonest first. There is no background work:
// each request and each call of the server's methods first runs the tasks that are due.
type Schedule[T any] struct {
	tasks    taskHeap[T]
	sequence int
	Changed  chan struct{} // receives a value when a task is planned; nil if nothing waits for it
}

// Planned is a task with its time.
type Planned[T any] struct {
	At   time.Time
	Task T
	seq  int // keeps tasks of the same instant in the order they were planned
}

// Plan adds a task.
func (a *Schedule[T]) Plan(at time.Time, task T) {
	a.sequence++
	heap.Push(&a.tasks, Planned[T]{at, task, a.sequence})
	a.Wake()
}

// Wake ends the wait for the next task.
func (a *Schedule[T]) Wake() {
	select {
	case a.Changed <- struct{}{}:
	default:
	}
}

// Take removes the next task that is due; ok is false if there is none.
func (a *Schedule[T]) Take(now time.Time) (next Planned[T], ok bool) {
	if len(a.tasks) == 0 || a.tasks[0].At.After(now) {
		return next, false
	}
	return heap.Pop(&a.tasks).(Planned[T]), true
}

// Drop removes the tasks that match.
func (a *Schedule[T]) Drop(match func(T) bool) {
	a.tasks = slices.DeleteFunc(a.tasks, func(t Planned[T]) bool { return match(t.Task) })
	heap.Init(&a.tasks)
}

func (a *Schedule[T]) NextAt() (at time.Time, ok bool) {
	if len(a.tasks) == 0 {
		return at, false
	}
	return a.tasks[0].At, true
}

func (t Planned[T]) before(other Planned[T]) bool {
	if t.At.Equal(other.At) {
		return t.seq < other.seq
	}
	return t.At.Before(other.At)
}

type taskHeap[T any] []Planned[T]

func (h taskHeap[T]) Len() int { return len(h) }

func (h taskHeap[T]) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h taskHeap[T]) Less(i, j int) bool { return h[i].before(h[j]) }

func (h *taskHeap[T]) Push(x any) { *h = append(*h, x.(Planned[T])) }

func (h *taskHeap[T]) Pop() any {
	last := len(*h) - 1
	t := (*h)[last]
	(*h)[last] = Planned[T]{}
	*h = (*h)[:last]
	return t
}

package state

import (
	"container/heap"
	"time"
)

// Schedule holds the tasks of the simulated service, soonest first. There is no background work:
// each request and each call of the server's methods first runs the tasks that are due.
type Schedule struct {
	tasks    taskHeap
	sequence int
	Changed  chan struct{} // receives a value when a task is planned; nil if nothing waits for it
}

type task struct {
	at  time.Time
	seq int // keeps tasks of the same instant in the order they were planned
	run func(at time.Time)
}

func (a *Schedule) Plan(at time.Time, run func(at time.Time)) {
	a.sequence++
	heap.Push(&a.tasks, task{at, a.sequence, run})
	a.Wake()
}

// Wake ends the wait for the next task.
func (a *Schedule) Wake() {
	select {
	case a.Changed <- struct{}{}:
	default:
	}
}

func (a *Schedule) Advance(now time.Time) {
	for a.Step(now) {
	}
}

// Step runs the next task that is due and reports whether there was one.
func (a *Schedule) Step(now time.Time) bool {
	if len(a.tasks) == 0 || a.tasks[0].at.After(now) {
		return false
	}
	t := heap.Pop(&a.tasks).(task)
	t.run(t.at)
	return true
}

func (a *Schedule) NextAt() (at time.Time, ok bool) {
	if len(a.tasks) == 0 {
		return at, false
	}
	return a.tasks[0].at, true
}

type taskHeap []task

func (h taskHeap) Len() int { return len(h) }

func (h taskHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h taskHeap) Less(i, j int) bool {
	if h[i].at.Equal(h[j].at) {
		return h[i].seq < h[j].seq
	}
	return h[i].at.Before(h[j].at)
}

func (h *taskHeap) Push(x any) { *h = append(*h, x.(task)) }

func (h *taskHeap) Pop() any {
	last := len(*h) - 1
	t := (*h)[last]
	(*h)[last] = task{}
	*h = (*h)[:last]
	return t
}

package main

import (
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/go-freight/terminal49"
)

// mostChanges is how many changes of a container are kept.
const mostChanges = 50

// board holds the latest reading of every container, and the listeners to notify of changes.
type board struct {
	mu         sync.Mutex
	containers map[string]*entry
	listeners  map[chan<- string]bool
	read       time.Time // when the whole list was read last, on the process's clock; zero before
}

// entry is a container and its latest changes.
type entry struct {
	container *terminal49.Container
	changes   []change // newest first
}

// change is one changed attribute.
type change struct {
	At             time.Time // on the source's clock
	Attribute      string
	Old, New       string // the service's JSON
	Notified       bool   // by a webhook; otherwise found by reading
	OldHas, NewHas bool   // false for null
}

func newBoard() *board {
	return &board{containers: map[string]*entry{}, listeners: map[chan<- string]bool{}}
}

// put stores a reading, unless a later one is stored, and notifies the listeners if it is
// different.
func (b *board) put(c *terminal49.Container, at time.Time, notified bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.containers[c.ID]
	if e == nil {
		b.containers[c.ID] = &entry{container: c}
		b.notify(c.ID)
		return
	}
	if c.AsOf.Before(e.container.AsOf) {
		return
	}
	changes := differences(e.container, c, at, notified)
	same := len(changes) == 0 && newRow(e.container, at).Text == newRow(c, at).Text // a transport event changes no attribute
	e.container = c
	if same {
		return
	}
	e.changes = append(changes, e.changes...)
	e.changes = e.changes[:min(len(e.changes), mostChanges)]
	b.notify(c.ID)
}

// differences returns what differs between two readings, but for the times of the service's checks.
func differences(before, after *terminal49.Container, at time.Time, notified bool) (list []change) {
	changeset := terminal49.DiffContainers(before, after)
	for _, attribute := range changeset.Attributes() {
		c, ok := terminal49.ChangeOf[json.RawMessage](changeset, attribute)
		if !ok || attribute == "terminal_checked_at" {
			continue
		}
		old, changed := string(c.Old), string(c.New)
		list = append(list, change{at, attribute, old, changed, notified, isSet(old), isSet(changed)})
	}
	return list
}

func isSet(value string) bool { return value != "" && value != "null" }

// keepOnly removes the containers that are not in listed.
func (b *board) keepOnly(listed map[string]bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for id := range b.containers {
		if !listed[id] {
			delete(b.containers, id)
			b.notify(id)
		}
	}
	b.read = time.Now()
}

// notify notifies the listeners that a container has changed. One that does not keep up is dropped:
// its channel is closed, and the browser connects again.
func (b *board) notify(id string) {
	for listener := range b.listeners {
		select {
		case listener <- id:
		default:
			delete(b.listeners, listener)
			close(listener)
		}
	}
}

// listen returns the ids of containers as they change, until stop is called.
func (b *board) listen() (changed <-chan string, stop func()) {
	c := make(chan string, 1000)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.listeners[c] = true
	return c, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.listeners, c)
	}
}

// rows returns all containers, the most urgent first, and when the list was last read.
func (b *board) rows(now time.Time) ([]row, time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	rows := make([]row, 0, len(b.containers))
	for _, e := range b.containers {
		rows = append(rows, newRow(e.container, now))
	}
	slices.SortFunc(rows, compare)
	return rows, b.read
}

// get returns one container and its changes.
func (b *board) get(id string) (c *terminal49.Container, changes []change, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.containers[id]
	if e == nil {
		return nil, nil, false
	}
	return e.container, slices.Clone(e.changes), true
}

// streams returns how many listen.
func (b *board) streams() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.listeners)
}

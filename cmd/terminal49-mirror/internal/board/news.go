package board

import (
	"slices"
	"time"

	"github.com/go-freight/terminal49/worklist"
)

// news are the latest changes of containers, in memory. The lock of the model protects it.
type news struct {
	clock func() time.Time
	since time.Time // all changes after it are known; zero until everything was read once
	all   []event   // oldest first; never changed, but appended to or replaced
}

// mostNews is how many changes are kept.
const mostNews = 10_000

// event is a change of a container, when it was seen.
type event struct {
	At time.Time
	ID string // of the container
	worklist.Change
}

// noteAll begins to note changes, once everything was read.
func (n *news) noteAll() {
	if n.since.IsZero() {
		n.since = n.clock()
	}
}

// note notes what has changed between two readings of a container.
func (n *news) note(before, after *worklist.Item) {
	if n.since.IsZero() {
		return
	}
	for _, c := range worklist.Compare(before, after) {
		n.add(event{n.clock(), after.Record.ID, c})
	}
}

func (n *news) add(e event) {
	if n.all = append(n.all, e); len(n.all) < 2*mostNews {
		return
	}
	n.since = n.all[mostNews-1].At
	n.all = slices.Clone(n.all[mostNews:])
}

// changesSince returns what is different from a time, or from the first that is known, newest
// first: of several changes of one thing, the first value and the last.
func (m *model) changesSince(from time.Time) (list []event, since time.Time) {
	m.mu.Lock()
	all, since := m.news.all, m.news.since
	m.mu.Unlock()
	if from.After(since) {
		since = from
	}
	type thing struct {
		id  string
		key worklist.Key
	}
	at := map[thing]int{} // in list
	for _, e := range slices.Backward(all) {
		if e.At.Before(since) {
			break
		}
		i, found := at[thing{e.ID, e.Key}]
		if !found {
			at[thing{e.ID, e.Key}] = len(list)
			list = append(list, e)
			continue
		}
		list[i].Before = e.Before
	}
	return slices.DeleteFunc(list, func(e event) bool { return e.Before.Equal(e.After) }), since
}

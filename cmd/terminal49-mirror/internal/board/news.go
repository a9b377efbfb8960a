package board

import (
	"slices"
	"time"
)

// news are the latest changes of rows, in memory. The lock of the model protects it.
type news struct {
	clock func() time.Time
	since time.Time // all changes after it are known; zero until everything was read once
	all   []event   // oldest first; never changed, but appended to or replaced
}

// mostNews is how many changes are kept.
const mostNews = 10_000

// event is a change of what a row shows.
type event struct {
	At          time.Time
	ID          string // of the container
	Key, What   string // what changed
	Before, Now string
	was, is     int64 // Unix times, if it is a later or an earlier estimate of one arrival
}

// noted are what a dispatcher wants to know the changes of.
var noted = []struct {
	key, name string
	of        func(*row) string
}{
	{"situation", "situation", func(r *row) string { return r.Look().Name }},
	{"holds", "holds", func(r *row) string { return r.Holds }},
	{"fees", "fees", func(r *row) string { return joined(", ", r.Fees, r.FeesDoubt) }},
	{"lfd", "last free day", func(r *row) string { return r.LFD }},
	{"arrival", "arrival", func(r *row) string { return r.Arrival }},
}

// noteAll begins to note changes, once everything was read.
func (n *news) noteAll() {
	if n.since.IsZero() {
		n.since = n.clock()
	}
}

// note notes what differs between two rows of a container.
func (n *news) note(old, r *row) {
	if n.since.IsZero() || old == nil {
		return
	}
	for _, what := range noted {
		if before, now := what.of(old), what.of(r); before != now && !isExpected(what.key, before, now, old, r) {
			n.add(event{At: n.clock(), ID: r.ID, Key: what.key, What: what.name, Before: before, Now: now}.timed(old, r))
		}
	}
}

// isExpected reports whether a change only follows from where the container is now: what applies no
// longer after it left, that nothing was found when it came, and the time of an arrival long past.
func isExpected(key, before, now string, old, r *row) bool {
	switch {
	case key == "arrival":
		return !old.expected && !r.expected
	case now == "":
		return r.Place == ""
	}
	return before == "" && slices.Contains([]string{"none", "no fees", notReported}, now)
}

func (n *news) add(e event) {
	if n.all = append(n.all, e); len(n.all) < 2*mostNews {
		return
	}
	n.since = n.all[mostNews-1].At
	n.all = slices.Clone(n.all[mostNews:])
}

// timed returns the event of an arrival with its times, if it is still the same one that is
// expected.
func (e event) timed(old, r *row) event {
	if e.Key == "arrival" && old.expected && r.expected && old.BoundFor == r.BoundFor {
		e.was, e.is = old.arrives, r.arrives
	}
	return e
}

// Moved returns how much later an arrival is expected.
func (e event) Moved() string {
	hours := time.Duration(e.is-e.was) * time.Second
	days := int(hours.Round(24*time.Hour) / (24 * time.Hour))
	switch {
	case e.was == 0 || e.is == 0:
		return ""
	case days == 0:
		return "by less than a day"
	}
	return laterText(days)
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
	at := map[[2]string]int{} // in list
	for _, e := range slices.Backward(all) {
		if e.At.Before(since) {
			break
		}
		i, found := at[[2]string{e.ID, e.Key}]
		if !found {
			at[[2]string{e.ID, e.Key}] = len(list)
			list = append(list, e)
			continue
		}
		list[i].Before = e.Before
		if list[i].was != 0 { // otherwise it is another arrival
			list[i].was = e.was
		}
	}
	return slices.DeleteFunc(list, func(e event) bool { return e.Before == e.Now }), since
}

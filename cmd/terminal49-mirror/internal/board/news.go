package board

import (
	"slices"
	"time"
	"unique"
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

// noted is what a dispatcher wants to know the changes of.
type noted struct {
	situation, holds, fees, lfd, arrival string

	place, boundFor string
	expected        bool  // arrival is an estimate
	arrives         int64 // see shown
}

func notedOf(r *row) noted {
	return noted{
		situation: r.Look().Name, holds: shared(r.Holds), fees: shared(joined(", ", r.Fees, r.FeesDoubt)), lfd: shared(r.LFD), arrival: shared(r.Arrival),
		place: shared(r.Place), boundFor: shared(r.BoundFor), expected: r.expected, arrives: r.arrives,
	}
}

// shared returns one copy of equal texts. It is never a part of a longer text, which would be kept
// with it.
func shared(text string) string { return unique.Make(text).Value() }

// notable are the parts of what is noted.
var notable = []struct {
	key, name string
	of        func(*noted) string
}{
	{"situation", "situation", func(n *noted) string { return n.situation }},
	{"holds", "holds", func(n *noted) string { return n.holds }},
	{"fees", "fees", func(n *noted) string { return n.fees }},
	{"last_free_day", "last free day", func(n *noted) string { return n.lfd }},
	{"arrival", "arrival", func(n *noted) string { return n.arrival }},
}

// noteAll begins to note changes, once everything was read.
func (n *news) noteAll() {
	if n.since.IsZero() {
		n.since = n.clock()
	}
}

// note notes what differs between two readings of a container.
func (n *news) note(id string, old, r noted) {
	if n.since.IsZero() {
		return
	}
	for _, what := range notable {
		if before, now := what.of(&old), what.of(&r); before != now && !isExpected(what.key, before, now, &old, &r) {
			n.add(event{At: n.clock(), ID: id, Key: what.key, What: what.name, Before: before, Now: now}.timed(&old, &r))
		}
	}
}

// isExpected reports whether a change only follows from where the container is now: what applies no
// longer after it left, that nothing was found when it came, and the time of an arrival long past.
func isExpected(key, before, now string, old, r *noted) bool {
	switch {
	case key == "arrival":
		return !old.expected && !r.expected
	case now == "":
		return r.place == ""
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
func (e event) timed(old, r *noted) event {
	if e.Key == "arrival" && old.expected && r.expected && old.boundFor == r.boundFor {
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

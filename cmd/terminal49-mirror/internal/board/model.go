package board

import (
	"context"
	"hash/maphash"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/worklist"
)

// model holds a record of every container, in memory, and wakes those who listen when what the
// board shows of one changes.
type model struct {
	boot string // differs each time the program is started

	mu        sync.Mutex
	set       worklist.Set
	seen      map[string]seen // by id
	changes   uint64          // how often what is shown of a container has changed
	listeners map[*listener]bool
	news      news
}

// seen is what a container was when it was put or, by the clock alone, later. Its record is in the
// set.
type seen struct {
	shown uint64    // a number for all that a row shows; a record lacks the whole sentence, the seal and others
	clock uint64    // see clockOf
	at    time.Time // when
}

// itemAt returns a record as a reading at a time.
func itemAt(r *worklist.Record, at time.Time) *worklist.Item {
	v := r.Standing.Verdict(at, terminal49.VerdictOptions{})
	return &worklist.Item{Record: r, Verdict: &v}
}

func newModel() *model {
	return &model{boot: strconv.FormatInt(time.Now().UnixNano(), 36), seen: map[string]seen{}, listeners: map[*listener]bool{}, news: news{clock: time.Now}}
}

// put stores records of containers in the place of those with the same ids.
func (m *model) put(now time.Time, containers ...*terminal49.Container) {
	type made struct {
		*worklist.Record
		seen
	}
	all := make([]made, len(containers))
	for i, c := range containers {
		v := terminal49.Assess(c, now, terminal49.VerdictOptions{})
		all[i].Record = worklist.NewRecord(c, &v)
		all[i].seen = seen{newRow(c, &v).hash(), clockOf(&all[i].Standing, now), now}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, one := range all {
		m.see(one.Record, one.seen)
		m.set.Put(one.Record)
	}
}

// see notes what a container is now. The set has its former record.
func (m *model) see(r *worklist.Record, now seen) {
	before, known := m.seen[r.ID]
	m.seen[r.ID] = now
	if known && before.shown == now.shown && before.clock == now.clock {
		return
	}
	if known {
		m.news.note(itemAt(m.set.Get(r.ID), before.at), itemAt(r, now.at))
	}
	m.changed(r.ID)
}

// remove removes containers.
func (m *model) remove(ids ...string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, id := range ids {
		if m.set.Get(id) != nil {
			m.set.Remove(id)
			delete(m.seen, id)
			m.changed(id)
		}
	}
}

// keepOnly removes the containers that are not in listed, which is everything there is.
func (m *model) keepOnly(listed map[string]bool) {
	m.mu.Lock()
	m.news.noteAll()
	others := slices.DeleteFunc(slices.Collect(m.set.IDs()), func(id string) bool { return listed[id] })
	m.mu.Unlock()
	m.remove(others...)
}

// changed wakes the listeners.
func (m *model) changed(id string) {
	m.changes++
	for l := range m.listeners {
		l.add(id)
	}
}

// view is the model at one moment, for one question.
type view struct {
	*worklist.Question
	all     int // containers
	version string
}

// ask asks all containers a question. See [worklist.Set.Ask].
func (m *model) ask(now time.Time, f worklist.Filter) (v view, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v.all, v.version = m.set.Len(), m.state()
	v.Question, err = m.set.Ask(now, f, terminal49.VerdictOptions{})
	return v, err
}

// version returns a text that differs after each change.
func (m *model) version() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.state()
}

func (m *model) state() string { return m.boot + "-" + strconv.FormatUint(m.changes, 36) }

// names returns what the containers have for a filter, sorted; nil if they are too many to choose
// from.
func (m *model) names(parameter string) (names []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := m.set.Names(parameter)
	if len(all) > mostNames {
		return nil
	}
	for _, n := range all {
		names = append(names, nameOf(n))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// has reports whether there is a container with an id.
func (m *model) has(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.set.Get(id) != nil
}

// size returns how many containers there are.
func (m *model) size() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.set.Len()
}

// reassess notes on which containers the verdict has changed with the clock.
func (m *model) reassess(now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for id, before := range m.seen {
		r := m.set.Get(id)
		if clock := clockOf(&r.Standing, now); clock != before.clock {
			m.see(r, seen{before.shown, clock, now})
		}
	}
}

var seed = maphash.MakeSeed()

// clockOf returns a number that differs if the clock has changed the verdict, its urgency or its
// sentence: the days left, an estimate that has passed, the age of what the terminal reported. It
// differs every ten minutes on the way.
func clockOf(s *terminal49.Standing, now time.Time) uint64 {
	v := s.Verdict(now, terminal49.VerdictOptions{})
	return maphash.String(seed, v.String()+"\n"+string(v.Urgency)+"\n"+ageOf(&v, now)+underWay(&v, now))
}

// underWay returns the ten minutes of a time for containers that are under way. Their sentence says
// after a while that an arrival is not reported, which the short sentence of a record does not
// have.
func underWay(v *terminal49.Verdict, now time.Time) string {
	switch v.Situation {
	case terminal49.SituationAwaitingTransfer, terminal49.SituationOnRail, terminal49.SituationAtSea, terminal49.SituationBeforeVoyage:
		return now.Truncate(10 * time.Minute).Format(time.RFC3339)
	}
	return ""
}

// ageOf returns how old the terminal's report is, for situations whose sentence may have it.
func ageOf(v *terminal49.Verdict, now time.Time) string {
	switch v.Situation {
	case terminal49.SituationStale, terminal49.SituationHeld, terminal49.SituationUnknown, terminal49.SituationNotReleased:
	default:
		return ""
	}
	checked, ok := v.CheckedAt.Instant()
	if age := now.Sub(checked); ok && age >= 24*time.Hour {
		return ago(age)
	}
	return ""
}

// listener collects the ids of the containers that change. The lock of the model protects it.
type listener struct {
	model *model
	ids   map[string]bool
	many  bool          // more changed than are collected
	wake  chan struct{} // has a value if something changed
}

// mostIDs is how many ids a listener collects.
const mostIDs = 200

func (l *listener) add(id string) {
	if l.many = l.many || len(l.ids) == mostIDs; l.many {
		clear(l.ids)
	} else {
		l.ids[id] = true
	}
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// listen returns a listener; if most others listen already, false.
func (m *model) listen(most int) (*listener, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.listeners) >= most {
		return nil, false
	}
	l := &listener{model: m, ids: map[string]bool{}, wake: make(chan struct{}, 1)}
	m.listeners[l] = true
	return l, true
}

// take returns the ids since the last call, or that they were many, and the version.
func (l *listener) take() (ids []string, many bool, version string) {
	l.model.mu.Lock()
	defer l.model.mu.Unlock()
	ids, many = slices.AppendSeq([]string{}, maps.Keys(l.ids)), l.many
	clear(l.ids)
	l.many = false
	return ids, many, l.model.state()
}

func (l *listener) stop() {
	l.model.mu.Lock()
	defer l.model.mu.Unlock()
	delete(l.model.listeners, l)
}

// streams returns how many listen.
func (m *model) streams() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.listeners)
}

// batch is how many containers are read at once.
const batch = 500

// rows reads the containers of a list, and returns their rows in its order. It leaves out those
// that have changed since, and that the list is about no longer.
func rows(ctx context.Context, from source, l *worklist.List) (list []*row, err error) {
	containers, err := from.containers(ctx, l.IDs())
	if err != nil {
		return nil, err
	}
	for _, one := range l.Assess(containers) {
		list = append(list, newRow(one.Container, &one.Verdict))
	}
	return list, nil
}
